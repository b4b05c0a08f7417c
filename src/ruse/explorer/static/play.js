// Playing by keyboard: number keys go to the moves that show a number; only as many seats as a mission takes are sent.
const first = document.querySelector(".moves button, .square");
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], dialog")) return;
  const button = /^[1-9]$/.test(event.key) && document.querySelector(`.moves button[data-number="${event.key}"]`);
  if (button) { event.preventDefault(); button.focus(); }
});
const seats = document.querySelector("fieldset[data-aboard]");
if (seats) {
  const most = Number(seats.dataset.aboard);
  const boxes = [...seats.querySelectorAll("input")];
  const send = seats.closest("form").querySelector("button");
  const count = () => {
    const chosen = boxes.filter((one) => one.checked).length;
    for (const one of boxes) one.disabled = !one.checked && chosen >= most;
    send.disabled = chosen !== most;
  };
  seats.addEventListener("change", count);
  count();
}
(document.querySelector(".coach") ? null : first)?.focus({ preventScroll: true });
