// Light or dark, as the system says unless the reader said otherwise here. Runs before the page is drawn.
(() => {
  const known = ["light", "dark"];
  const root = document.documentElement;
  let chosen = null;
  try { chosen = localStorage.getItem("ruse-theme"); } catch { /* storage may be switched off */ }
  if (known.includes(chosen)) root.dataset.theme = chosen;
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("ruse-theme", root.dataset.theme); } catch { /* it lasts for this page only */ }
      document.getElementById("live").textContent = `${root.dataset.theme} colours`;
    });
  });
})();
