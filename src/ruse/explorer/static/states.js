// The tree of states by mouse and keyboard: opened in place, with information sets lit together.
import { say } from "./keys.js";

const section = () => document.getElementById("states");
const all = () => [...section().querySelectorAll("a[data-state]")];

async function swap(address, focus) {
  const box = section().querySelector("[data-states]");
  const [left, top] = [box.scrollLeft, box.scrollTop];
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  const told = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("states");
  if (!told) { location.href = address; return; }
  section().replaceWith(document.importNode(told, true));
  history.pushState(null, "", address);
  const now = section().querySelector("[data-states]");
  now.scrollTo(left, top);
  const there = focus && section().querySelector(`a[data-state="${focus}"]`);
  if (there) { there.focus({ preventScroll: true }); there.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  say(section().querySelector("svg.states title").textContent);
}

function light(link, on) {
  for (const one of section().querySelectorAll(".lit")) one.classList.remove("lit");
  if (on && link?.dataset.set) {
    for (const one of section().querySelectorAll(`.joined[data-set="${link.dataset.set}"]`)) one.classList.add("lit");
  }
}

// In reading order a state's branches follow it, so its parent is the last before it that is less deep.
function beside(link, key) {
  const links = all();
  const place = links.indexOf(link);
  const depth = (one) => +one.dataset.depth;
  const alike = (from, by) => {
    for (let at = from + by; at >= 0 && at < links.length; at += by) if (depth(links[at]) === depth(link)) return links[at];
    return null;
  };
  if (key === "ArrowUp") return alike(place, -1);
  if (key === "ArrowDown") return alike(place, 1);
  if (key === "Home") return links[0];
  if (key === "ArrowLeft") return links.slice(0, place).findLast((one) => depth(one) < depth(link));
  const next = links[place + 1];
  return next && depth(next) > depth(link) ? next : null;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#states a[data-state], #states a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  swap(link.getAttribute("href"), link.dataset.state);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const box = event.target.closest?.("[data-states]");
  if (!box) return;
  const link = event.target.closest("a[data-state]");
  if (!link) {
    if (event.key.startsWith("Arrow")) { event.preventDefault(); (section().querySelector("a[data-state][aria-current]") ?? all()[0]).focus(); }
    return;
  }
  if (event.key === "r") {
    const root = section().querySelector("#state")?.dataset.root;
    if (root && link.getAttribute("aria-current")) { event.preventDefault(); swap(root, link.dataset.state); }
  } else if (event.key === " ") {
    event.preventDefault();
    swap(link.getAttribute("href"), link.dataset.state);
  } else if (["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home"].includes(event.key)) {
    event.preventDefault();
    const next = beside(link, event.key);
    if (next) next.focus();
    else if (event.key === "ArrowRight" && link.getAttribute("aria-expanded") === "false") swap(link.getAttribute("href"), link.dataset.state);
  }
});
for (const [name, on] of [["focusin", true], ["mouseover", true], ["mouseout", false]]) {
  document.addEventListener(name, (event) => {
    const link = event.target.closest?.("a[data-state]");
    if (link) light(link, on);
  });
}
addEventListener("popstate", () => location.reload());
section().querySelector("a[data-state][aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
