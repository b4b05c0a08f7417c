// Choosing is choosing: what belongs to the game in the list stands below it, without a click or a request.
const list = document.querySelector("select[data-choose]");
const shown = document.querySelector("[data-chosen]");
const known = new Map([...document.querySelectorAll("template[data-choice]")].map((one) => [one.dataset.choice, one]));

function show() {
  if (!known.has(list.value) || shown.dataset.chosen === list.value) return;
  shown.dataset.chosen = list.value;
  shown.replaceChildren(known.get(list.value).content.cloneNode(true));
}
list.addEventListener("change", show);
addEventListener("pageshow", show);  // browsers put a choice back that was made before
