// Filter the library as the words are typed; the button beside them does the same without scripts.
const box = document.getElementById("find");
const told = document.getElementById("filter-told");
const all = [...document.querySelectorAll("[data-said]")];
const known = new Map(all.map((one) => [one, one.dataset.said.match(/[\p{L}\p{N}]+/gu) ?? []]));

function matches(words, said) {
  return words.every((word) => said.some((one) => one === word || (word.length > 1 && !/^\d+$/.test(word) && one.startsWith(word))));
}

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let shown = 0;
  for (const one of all) {
    one.hidden = !matches(words, known.get(one));
    shown += one.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll("section:has([data-said])")) section.hidden = !section.querySelector("[data-said]:not([hidden])");
  told.textContent = words.length ? `${shown} of ${all.length} match.` : "";
});
