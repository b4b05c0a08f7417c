// Elements of the companion's page.

export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const unfolded = new Set();

/** Something that unfolds, and stays unfolded when the screen is drawn again. */
export function fold(id, open, title, ...children) {
  if (open) unfolded.add(id);
  return make("details", { id, open: unfolded.has(id), ontoggle: (event) => { if (event.target.open) unfolded.add(id); else unfolded.delete(id); } }, make("summary", {}, title), ...children);
}

export const refold = (id) => unfolded.delete(id);

export const button = (text, act, more = {}) => make("button", { type: "button", class: "button", onclick: act, ...more }, text);
export const paragraph = (text, kind = "") => make("p", kind ? { class: kind } : {}, text);
export const field = (id, label, more = {}, hint = "") => make("div", { class: "field" }, make("label", { for: id }, label), make("input", { id, autocomplete: "off", ...more }), hint && paragraph(hint, "quiet"));

export function bar(share) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const rect = (kind, width) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of [["class", kind], ["width", width], ["height", 8]]) made.setAttribute(name, value);
    return made;
  };
  for (const [name, value] of [["class", "bar"], ["viewBox", "0 0 100 8"], ["preserveAspectRatio", "none"], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
  svg.append(rect("track", 100), rect("fill", 100 * share));
  return svg;
}

export function panel(id, title, ...children) {
  return make("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title`, tabindex: "-1" }, title), ...children);
}

export function download(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
