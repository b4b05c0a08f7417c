// What holds for all optimal strategies comes after the page, and beliefs follow the slider.
import { say } from "./keys.js";

const page = async (address) => {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};

// Whoever has reached a link or the slider stays there.
function swap(told, names) {
  for (const name of names) {
    const now = document.getElementById(name);
    const then = told.getElementById(name);
    const here = now?.contains(document.activeElement) ? document.activeElement : null;
    if (now && then) now.replaceWith(document.importNode(then, true));
    else if (now && name === "insight-wait") now.remove();
    if (!here || !then) continue;
    const same = here.id ? `#${here.id}` : `[href="${CSS.escape(here.getAttribute("href") ?? "")}"]`;
    document.getElementById(name).querySelector(same)?.focus();
  }
}

let asked = 0; // of the slider: only the last of quick changes counts
async function wait() {
  const note = document.querySelector("[data-insight]");
  if (!note) return;
  const progress = note.querySelector("[data-progress]");
  const began = Date.now();
  const clock = setInterval(() => {
    progress.textContent = `Comparing all optimal strategies for ${Math.round((Date.now() - began) / 1000)} s …`;
  }, 1000);
  try {
    let told = await page(note.dataset.insight);
    for (let again = 0; again < 2 && told.querySelector("[data-again]"); again++) {
      told = await page(told.querySelector("[data-again]").getAttribute("href"));
    }
    swap(told, ["verdict", "moves", "in-full", document.querySelector(".why.waiting") ? "why" : "why-habit", ...(asked ? [] : ["beliefs"]), "insight-wait"]);
    say(told.getElementById("insight-wait")?.textContent ?? "The page now shows all optimal strategies.");
  } catch {
    progress.textContent = "The comparison of all optimal strategies failed. Reload the page to try again.";
  } finally {
    clearInterval(clock);
  }
}

async function follow(form) {
  const mine = ++asked;
  const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  document.getElementById("beliefs-told").setAttribute("aria-busy", "true");
  try {
    const told = await page(address);
    if (mine !== asked) return;
    const now = document.getElementById("beliefs-told");
    const then = told.getElementById("beliefs-told");
    const wrong = told.getElementById("insight-wait");
    if (wrong) then.prepend(wrong);
    now.replaceWith(document.importNode(then, true));
    history.replaceState(null, "", address);
  } catch {
    if (mine === asked) document.getElementById("beliefs-told").removeAttribute("aria-busy");
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-slips]");
  if (!form) return;
  if (event.target.name === "slip") {
    form.querySelector("output").textContent = `${Math.round(100 * event.target.value)}%`;
  }
  clearTimeout(form.dataset.timer);
  form.dataset.timer = setTimeout(() => follow(form), 150);
});
wait();
