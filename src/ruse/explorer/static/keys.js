// Everything by keyboard, and the small buttons that every page may have.
const live = document.getElementById("live");
const help = document.getElementById("help");
export const say = (text) => { live.textContent = ""; requestAnimationFrame(() => { live.textContent = text; }); };

const options = () => [...document.querySelectorAll("a[data-option]")];
const follow = (link) => { if (link) location.href = link.href; };

function step(by) {
  const all = options();
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  all[here < 0 ? (by > 0 ? 0 : all.length - 1) : (here + by + all.length) % all.length].focus();
}

function forward() {
  const all = options();
  const before = sessionStorage.getItem("ruse-forward");
  const again = all.find((link) => link.href === before);
  const most = all.reduce((best, link) => (!best || +link.dataset.odds > +best.dataset.odds ? link : best), null);
  const current = all.includes(document.activeElement) ? document.activeElement : null;
  follow(current ?? again ?? most);
}

function back() {
  const link = document.querySelector("a[data-back]");
  if (!link) return;
  sessionStorage.setItem("ruse-forward", location.href);
  follow(link);
}

const keys = {
  ArrowLeft: back,
  ArrowRight: forward,
  ArrowUp: () => step(-1),
  ArrowDown: () => step(1),
  f: () => follow(document.querySelector("a[data-switch]")),
  g: () => document.getElementById("goto").focus(),
  "?": () => help.showModal(),
};
for (const number of [1, 2, 3, 4, 5]) keys[number] = () => follow(document.querySelectorAll("a[data-tab]")[number - 1]);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || help.open) return;
  if (event.target.closest("input, textarea, select, [data-tree], .grid, [role=region]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const act = keys[event.key];
  if (!act) return;
  if ((event.key === "ArrowUp" || event.key === "ArrowDown") && !options().length) return;
  if (/^[1-5]$/.test(event.key) && !document.querySelector("a[data-tab]")) return;
  event.preventDefault();
  act();
});

document.getElementById("help-open").addEventListener("click", () => help.showModal());
document.querySelector("[data-print]")?.addEventListener("click", () => print());
for (const button of document.querySelectorAll("[data-copy], [data-copy-from], [data-copy-link]")) {
  button.addEventListener("click", async () => {
    const { copy, copyFrom } = button.dataset;
    const text = copyFrom ? await (await fetch(copyFrom)).text() : copy ?? location.href;
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
      flash(button, "Copied");
    } catch {
      prompt("Copy this:", text);
    }
  });
}
if (!["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) document.querySelector("[data-copy-link] .quiet")?.remove();

function flash(button, text) {
  const before = [...button.childNodes];
  button.replaceChildren(text);
  setTimeout(() => { button.replaceChildren(...before); }, 1500);
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});

// Tables that are wider than the screen say so: "right" where more is to come, "left" at their end.
function hint(box) {
  const hidden = box.scrollWidth - box.clientWidth;
  if (hidden <= 2) delete box.dataset.more;
  else box.dataset.more = box.scrollLeft < hidden - 2 ? "right" : "left";
}
for (const box of document.querySelectorAll(".wide")) {
  box.addEventListener("scroll", () => hint(box), { passive: true });
  new ResizeObserver(() => hint(box)).observe(box);
}
