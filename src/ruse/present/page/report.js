// Tables that sort by a column and keep the rows with all words of a text. Without this script they are plain tables.
for (const table of document.querySelectorAll(".report table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent;
  const order = (a, b) => (a !== "" && b !== "" && !Number.isNaN(Number(a)) && !Number.isNaN(Number(b)) ? a - b : String(a).localeCompare(b));
  heads.forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((one, other) => order(key(one, column), key(other, column)) * (down ? -1 : 1));
      body.append(...rows);
    });
    head.replaceChildren(button);
  });
  if (body.rows.length < 4) continue;
  const find = Object.assign(document.createElement("input"), { type: "search", className: "find", placeholder: "Keep rows with …", ariaLabel: `Keep rows of ${table.caption?.textContent ?? "this table"} with` });
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of body.rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
  table.parentElement.before(find);
}
