// The studio: what is typed is solved after a short pause; what is overtaken by more typing is dropped.
import { say } from "./keys.js";
const form = document.getElementById("studio");
const at = (id) => document.getElementById(id);
const PAUSE = 120;  // milliseconds without a key before the server is asked
const KEPT = "ruse-studio";
const MOST = 200;  // variants that are kept
const tab = Math.random().toString(36).slice(2);
let turn = 0;
let asking = null;
let timer = 0;

function given() {
  const asked = new URLSearchParams();
  const lists = new Map();
  for (const [name, value] of new FormData(form)) {
    if (!String(value).trim()) continue;
    lists.set(name, [...(lists.get(name) ?? []), String(value).trim()]);
  }
  for (const [name, values] of lists) asked.set(name, values.join(","));
  return asked;
}

async function look(keep) {
  asking?.abort();
  asking = new AbortController();
  const asked = given();
  const mine = ++turn;
  asked.set("tab", tab);
  asked.set("turn", mine);
  at("result").setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`/studio.json?${asked}`, { signal: asking.signal });
    const told = await answer.json();
    if (mine !== turn) return;
    show(answer.ok ? told : { trouble: told.error, sentence: "", changed: "", line: "" });
    if (answer.ok && told.title && keep) remember(told);
  } catch (error) {
    if (error.name !== "AbortError") show({ trouble: "The server does not respond. Start it again with ruse explore.", sentence: "", changed: "", line: "" });
  } finally {
    if (mine === turn) at("result").removeAttribute("aria-busy");
  }
}

function show(told) {
  at("result-sentence").textContent = told.sentence;
  at("result-changed").textContent = told.changed;
  at("result-line").textContent = told.line;
  at("result-trouble").textContent = told.trouble;
  at("result-trouble").hidden = !told.trouble;
  at("result-links").hidden = !told.solution;
  if (!told.solution) return;
  at("result-solution").href = told.solution;
  at("result-card").href = told.card;
  at("twin").href = told.page.replace("/studio", "/studio.json");
  history.replaceState(null, "", told.page);
}

form.addEventListener("input", (event) => {
  if (event.target.id === "studio-game") return;
  clearTimeout(timer);
  timer = setTimeout(() => look(true), PAUSE);
});
form.addEventListener("submit", (event) => { event.preventDefault(); look(true); });
at("studio-game").addEventListener("change", (event) => { location.href = `/studio?game=${encodeURIComponent(event.target.value)}`; });
form.addEventListener("keydown", (event) => {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!step || !/^-?\d+$/.test(event.target.value ?? "")) return;
  event.preventDefault();
  event.target.value = Number(event.target.value) + step;
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
});

// History.
let tried = [];
try { tried = JSON.parse(localStorage.getItem(KEPT) ?? "[]"); } catch { tried = []; }
if (!Array.isArray(tried)) tried = [];
tried = tried.filter((one) => typeof one?.page === "string" && one.page.startsWith("/studio?"));

function remember(told) {
  const before = tried.find((one) => one.page === told.page);
  tried = tried.filter((one) => one !== before);
  tried.unshift({ page: told.page, title: told.title, told: told.told, row: told.row, pinned: before?.pinned ?? false });
  const loose = tried.filter((one) => !one.pinned).slice(0, MOST);
  tried = tried.filter((one) => one.pinned || loose.includes(one));
  store();
}

function store() {
  try { localStorage.setItem(KEPT, JSON.stringify(tried)); } catch { /* a browser that keeps nothing */ }
  list();
}

function list() {
  at("tried-none").hidden = tried.length > 0;
  at("tried-tools").hidden = false;
  const shown = [...tried.filter((one) => one.pinned), ...tried.filter((one) => !one.pinned)];
  at("tried").replaceChildren(...shown.map((one) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = one.page;
    link.textContent = one.title;
    const pin = document.createElement("button");
    pin.type = "button";
    pin.className = "tool";
    pin.textContent = one.pinned ? "★" : "☆";
    pin.setAttribute("aria-pressed", String(one.pinned));
    pin.setAttribute("aria-label", `Pin ${one.title}`);
    pin.addEventListener("click", () => { one.pinned = !one.pinned; store(); });
    item.append(pin, " ", link, ` ${one.told}`);
    return item;
  }));
}

function save(name, kind, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
at("tried-json").addEventListener("click", () => save("studio.json", "application/json", JSON.stringify({ studio: 1, tried }, null, 1)));
at("tried-csv").addEventListener("click", () => {
  const names = [...new Set(tried.flatMap((one) => Object.keys(one.row?.parameters ?? {})))];
  const lines = tried.map((one) => [one.title, one.row?.value?.exact, one.row?.value?.float, one.row?.certificate?.lower, one.row?.certificate?.upper, one.pinned, ...names.map((name) => one.row?.parameters?.[name])]);
  const head = ["title", "value", "value_float", "lower", "upper", "pinned", ...names];
  save("studio.csv", "text/csv", [head, ...lines].map((line) => line.map(quoted).join(",")).join("\n") + "\n");
});
at("tried-open").addEventListener("change", async (event) => {
  try {
    const found = JSON.parse(await event.target.files[0].text());
    const more = found.tried.filter((one) => typeof one.page === "string" && one.page.startsWith("/studio?") && typeof one.title === "string");
    tried = [...more, ...tried.filter((one) => !more.some((other) => other.page === one.page))].slice(0, MOST);
    store();
    say(`${more.length} variants opened`);
  } catch { say("This file is not a history of the studio."); }
  event.target.value = "";
});
at("tried-clear").addEventListener("click", () => { tried = tried.filter((one) => one.pinned); store(); });
list();

// Somebody may have typed before this script was there.
if ([...form.elements].some((one) => one.defaultValue !== undefined && one.value !== one.defaultValue)) look(true);

// The map.
const map = at("map");
if (map) {
  map.hidden = false;
  at("map-draw").addEventListener("click", async () => {
    const asked = given();
    asked.set("across", at("map-across").value);
    asked.set("down", at("map-down").value);
    at("map-note").textContent = "solving …";
    const answer = await fetch(`/studio/map.json?${asked}`);
    const told = await answer.json();
    if (!answer.ok) { at("map-note").textContent = told.error; return; }
    draw(told);
    at("map-note").textContent = told.complete ? "" : "Empty cells are invalid variants, or took too long.";
  });
}

function draw(told) {
  const numbers = told.cells.flat().filter(Boolean).map((one) => one.float);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const table = document.createElement("table");
  table.className = "map";
  const caption = table.createCaption();
  caption.textContent = `${told.across} across, ${told.down} down`;
  const head = table.createTHead().insertRow();
  head.append(...[`${told.down} ↓ ${told.across} →`, ...told.columns].map((text) => Object.assign(document.createElement("th"), { textContent: text, scope: "col" })));
  const body = table.createTBody();
  told.rows.forEach((name, row) => {
    const line = body.insertRow();
    line.append(Object.assign(document.createElement("th"), { textContent: name, scope: "row" }));
    told.cells[row].forEach((one, column) => {
      const place = line.insertCell();
      if (!one) return;
      place.className = `heat-${high > low ? Math.round(5 * (one.float - low) / (high - low)) : 0}`;
      if (told.here[0] === told.columns[column] && told.here[1] === name) place.classList.add("here-cell");
      const link = document.createElement("a");
      link.href = one.page;
      link.textContent = one.told;
      place.append(link);
    });
  });
  at("map-table").replaceChildren(table);
}
