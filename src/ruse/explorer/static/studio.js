// The studio: what is typed is solved after a short pause; what is overtaken by more typing is dropped.
import { say } from "./keys.js";
const form = document.getElementById("studio");
const at = (id) => document.getElementById(id);
const PAUSE = 120;  // milliseconds without a key before the server is asked
const AGAIN = 250;  // milliseconds between two looks at what is being solved
const WATCH = 1000;  // milliseconds between two looks at the file of the user's own game
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
  const mine = ++turn;
  const asked = given();
  asked.set("tab", tab);
  asked.set("turn", mine);
  at("result").setAttribute("aria-busy", "true");
  try {
    for (;;) {
      const answer = await fetch(`/studio.json?${asked}`, { signal: asking.signal });
      const told = await answer.json();
      if (mine !== turn) return;
      show(answer.ok ? told : { trouble: told.error });
      if (answer.ok && told.pending) {
        await new Promise((done) => { setTimeout(done, AGAIN); });
        if (mine !== turn) return;
        continue;
      }
      if (answer.ok && told.title && keep) remember(told);
      return;
    }
  } catch (error) {
    if (error.name !== "AbortError") show({ trouble: "The server does not respond. Start it again with ruse explore." });
  } finally {
    if (mine === turn) at("result").removeAttribute("aria-busy");
  }
}

function show(told) {
  at("result-going").hidden = !told.pending;
  at("result").classList.toggle("outdated", Boolean(told.pending || told.broken));
  at("result-trouble").textContent = told.trouble ?? "";
  at("result-trouble").hidden = !told.trouble;
  if (told.version) form.dataset.version = told.version;
  if (told.official && at("studio-reset")) at("studio-reset").href = told.official;
  if (told.pending) {
    at("result-pending").textContent = told.pending;
    at("result-seconds").textContent = `${told.seconds.toFixed(1)} s`;
    return;
  }
  if (told.broken) return;  // the last numbers stay, in grey
  at("result-sentence").textContent = told.sentence ?? "";
  at("result-changed").textContent = told.changed ?? "";
  at("result-line").textContent = told.line ?? "";
  at("result-links").hidden = !told.solution;
  if (!told.solution) return;
  at("result-solution").href = told.solution;
  at("result-card").href = told.card;
  at("twin").href = told.page.replace("/studio", "/studio.json");
  if (at("search-variant")) at("search-variant").value = told.page;
  if (refill) { refill = false; fill(told.texts); }
  history.replaceState(null, "", told.page);
}

// The first parameter, such as the number of players, fills in the official rules that follow from it.
const was = form.elements.namedItem("was");
let refill = false;
function fill(texts) {
  for (const [name, text] of Object.entries(texts)) {
    const cells = form.querySelector(`[data-entries="${name}"]`);
    const boxes = form.querySelector(`[data-boxes="${name}"]`);
    const entries = text.split(",");
    if (cells) {
      cells.replaceChildren(...entries.map((entry, number) => Object.assign(document.createElement("input"), {
        name: `p-${name}`, value: entry, inputMode: "numeric", autocomplete: "off", size: 2, ariaLabel: `${name} ${number + 1}`,
      })));
    } else if (boxes) {
      for (const box of boxes.querySelectorAll("input")) box.checked = entries.includes(box.value);
    } else if (form.elements.namedItem(`p-${name}`) && document.activeElement !== form.elements.namedItem(`p-${name}`)) {
      form.elements.namedItem(`p-${name}`).value = text;
    }
  }
  was.value = given().get(first.name);
}
const first = was?.nextElementSibling?.querySelector("input");

form.addEventListener("input", (event) => {
  if (event.target.id === "studio-game") return;
  if (first && event.target === first) refill = true;
  clearTimeout(timer);
  timer = setTimeout(() => look(true), PAUSE);
});
form.addEventListener("submit", (event) => { event.preventDefault(); look(true); });
at("studio-game").addEventListener("change", (event) => { location.href = `/studio?game=${encodeURIComponent(event.target.value)}`; });
form.addEventListener("keydown", (event) => {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!step || event.target.tagName !== "INPUT" || !/^-?\d+$/.test(event.target.value ?? "")) return;
  event.preventDefault();
  event.target.value = Number(event.target.value) + step;
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
});
at("result-stop").addEventListener("click", () => { fetch(`/studio/stop?tab=${tab}`, { method: "POST" }); });

// The user's own game: what is solved ends with the page, and what was edited in the file is solved again.
if (form.dataset.own) {
  addEventListener("pagehide", () => { navigator.sendBeacon(`/studio/stop?tab=${tab}`); });
  setInterval(async () => {
    if (document.hidden) return;
    let told;
    try {
      const answer = await fetch(`/studio/version.json?game=${encodeURIComponent(form.dataset.game)}`);
      if (!answer.ok) return;
      told = await answer.json();
    } catch { return; }
    if (told.version === form.dataset.version) return;
    form.dataset.version = told.version;
    const asked = given();
    const answer = await fetch(`/studio.json?${asked}&tab=${tab}&turn=${turn}`);
    const now = await answer.json();
    if (answer.ok && now.signature && now.signature !== form.dataset.signature) {
      for (const [name, text] of Object.entries(JSON.parse(form.dataset.defaults))) {
        if (asked.get(`p-${name}`) === text) asked.delete(`p-${name}`);  // what was the default takes the new one
      }
      location.replace(`/studio?${asked}`);
      return;
    }
    say(now.broken ? "The file cannot be run." : "The file has changed.");
    look(true);
  }, WATCH);
}

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

at("search")?.addEventListener("submit", () => {
  const pinned = tried.filter((one) => one.pinned && new URLSearchParams(one.page.split("?")[1]).get("game") === form.dataset.game);
  at("search-compared").value = pinned.map((one) => one.page).join(",");
});

// Somebody may have typed before this script was there.
if ([...form.elements].some((one) => one.defaultValue !== undefined && one.value !== one.defaultValue) || !at("result-going").hidden) look(true);

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
  const reach = Math.max(...numbers.map((number) => Math.abs(number - told.target))) || 1;
  const table = document.createElement("table");
  table.className = "map";
  const caption = table.createCaption();
  let marked = false;
  const head = table.createTHead().insertRow();
  head.append(...[`${told.down} ↓ ${told.across} →`, ...told.columns].map((text) => Object.assign(document.createElement("th"), { textContent: text, scope: "col" })));
  const body = table.createTBody();
  told.rows.forEach((name, row) => {
    const line = body.insertRow();
    line.append(Object.assign(document.createElement("th"), { textContent: name, scope: "row" }));
    told.cells[row].forEach((one, column) => {
      const place = line.insertCell();
      if (!one) return;
      place.className = `heat-${3 + Math.round(3 * (one.float - told.target) / reach)}`;
      if (one.official) { place.classList.add("official"); marked = true; }
      if (told.here[0] === told.columns[column] && told.here[1] === name) place.classList.add("here-cell");
      const link = document.createElement("a");
      link.href = one.page;
      link.textContent = one.told;
      place.append(link);
    });
  });
  const target = told.target === 0.5 ? "50%" : told.target;
  caption.textContent = `${told.across} across, ${told.down} down. White is ${target}; green is more for the first side, brown is less.${marked ? " ◆ is the official variant." : ""}`;
  at("map-table").replaceChildren(table);
}
