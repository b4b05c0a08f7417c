// Move and zoom the tree by mouse and keyboard, and save it as a picture of dots.
const box = document.querySelector("[data-tree]");
const picture = box?.querySelector("svg");
if (picture) {
  const whole = picture.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  const readable = box.clientWidth / 0.85;  // units that fit with text still large enough to read
  let view = { ...all };
  const show = () => picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  const unit = () => Math.max(view.width / box.clientWidth, view.height / box.clientHeight);

  if (readable < all.width) {
    const height = readable * box.clientHeight / box.clientWidth;
    view = { x: all.x, y: all.y + (all.height - height) / 2, width: readable, height };
    show();
  }
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const width = Math.min(all.width * 3, Math.max(all.width / 60, view.width * factor));
    const by = width / view.width;
    view = { x: x - (x - view.x) * by, y: y - (y - view.y) * by, width, height: view.height * by };
    show();
  }
  function pan(x, y) { view.x += x; view.y += y; show(); }

  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    zoom(Math.exp(event.deltaY / 500), at.x, at.y);
  }, { passive: false });
  let last = null;
  box.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; });
  box.addEventListener("pointermove", (event) => {
    if (!last) return;
    if (!box.hasPointerCapture(event.pointerId) && Math.hypot(event.clientX - last[0], event.clientY - last[1]) > 3) box.setPointerCapture(event.pointerId);
    pan((last[0] - event.clientX) * unit(), (last[1] - event.clientY) * unit());
    last = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { last = null; });
  const keys = {
    ArrowLeft: () => pan(-view.width / 10, 0), ArrowRight: () => pan(view.width / 10, 0),
    ArrowUp: () => pan(0, -view.height / 10), ArrowDown: () => pan(0, view.height / 10),
    "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: () => { view = { ...all }; show(); },
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

document.querySelector("[data-png]")?.addEventListener("click", async (event) => {
  const address = event.currentTarget.dataset.png;
  const text = await (await fetch(address)).text();
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const size = drawn.viewBox.baseVal;
  const scale = Math.min(2, 8000 / Math.max(size.width, size.height));
  drawn.setAttribute("width", size.width);
  drawn.setAttribute("height", size.height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: size.width * scale, height: size.height * scale });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = Object.assign(document.createElement("a"), { href: canvas.toDataURL("image/png"), download: "tree.png" });
  link.click();
});
