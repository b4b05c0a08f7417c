// A job as it goes on: text, bounds and picture, and where to go at the end.
import { say } from "./keys.js";
const job = document.getElementById("job");
const at = (name) => document.getElementById(`job-${name}`);
const number = (value) => (value === null ? "–" : Number(value.toPrecision(9)).toString().replace("-", "−"));

async function redraw() {
  if (!at("plot")) return;
  const answer = await fetch(`/jobs/${job.dataset.job}/plot.svg`);
  if (!answer.ok) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  at("plot").replaceChildren(document.importNode(drawn, true));
}

let drawnAt = 0;
function show(told) {
  at("title").textContent = told.title;
  at("state").textContent = told.state;
  at("seconds").textContent = told.seconds.toFixed(1);
  at("text").textContent = told.text;
  at("size").textContent = told.size;
  at("note").textContent = told.note;
  at("note").hidden = !told.note;
  if (at("lower")) {
    at("lower").textContent = number(told.lower);
    at("upper").textContent = number(told.upper);
  }
  if (Date.now() - drawnAt > 500) { drawnAt = Date.now(); redraw(); }
}

if (job.dataset.going === "yes") {
  const events = new EventSource(`/jobs/${job.dataset.job}/events`);
  events.addEventListener("progress", (event) => show(JSON.parse(event.data)));
  events.addEventListener("end", (event) => {
    events.close();
    const told = JSON.parse(event.data);
    show(told);
    redraw();
    say(`${told.title}: ${told.state}`);
    if (job.dataset.back && told.state !== "failed") { location.replace(job.dataset.back); return; }
    location.replace(`/jobs/${job.dataset.job}`);
  });
}
