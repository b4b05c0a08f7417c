// A job as it goes on: text, bounds and picture, and where to go at the end.
import { say } from "./keys.js";
const job = document.getElementById("job");
const at = (name) => document.getElementById(`job-${name}`);

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
  at("size").textContent = told.size === told.text ? "" : told.size;
  if (at("progress")) {
    if (typeof told.share === "number") at("progress").value = told.share; else at("progress").removeAttribute("value");
  }
  at("note").textContent = told.note;
  at("note").hidden = !told.note;
  if (at("lower")) {
    [at("lower").textContent, at("upper").textContent] = told.bounds ?? ["–", "–"];
  }
  if (Date.now() - drawnAt > 500) { drawnAt = Date.now(); redraw(); }
}

function end(told) {
  show(told);
  redraw();
  say(`${told.title}: ${told.state}`);
  if (at("resend") && told.state !== "failed") { at("resend").submit(); return; }
  if (job.dataset.back && told.state !== "failed") { location.replace(job.dataset.back); return; }
  location.replace(`/jobs/${job.dataset.job}`);
}

// The stream ended early: the job goes on, or it has ended, or the server has.
function ended(text) {
  at("state").textContent = "lost";
  at("text").textContent = `${text} `;
  const again = Object.assign(document.createElement("a"), { href: job.dataset.again, textContent: "Start it again" });
  at("text").append(again);
  at("text").classList.add("trouble");
  if (at("stop")) at("stop").hidden = true;
  say(text);
}

let silent = false;
async function lookAgain() {
  let answer = null;
  try { answer = await fetch(`/jobs/${job.dataset.job}.json`, { cache: "no-store" }); } catch { /* nobody there */ }
  if (answer?.status === 404) { ended("The server has stopped, and so has this job."); return; }
  if (answer?.ok) {
    const told = await answer.json();
    if (told.state === "waiting" || told.state === "running") { silent = false; watch(); } else end(told);
    return;
  }
  if (!silent) ended("The server has stopped. Start it again with ruse explore.");
  silent = true;
  setTimeout(lookAgain, 2000);
}

function watch() {
  const events = new EventSource(`/jobs/${job.dataset.job}/events`);
  events.addEventListener("progress", (event) => {
    at("text").classList.remove("trouble");
    if (at("stop")) at("stop").hidden = false;
    show(JSON.parse(event.data));
  });
  events.addEventListener("end", (event) => { events.close(); end(JSON.parse(event.data)); });
  events.addEventListener("error", () => { events.close(); setTimeout(lookAgain, 500); });
}

if (job.dataset.going === "yes") watch(); // also where it has ended while this page was made in place of another
