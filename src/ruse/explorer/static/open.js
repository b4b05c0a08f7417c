// Send a solution file to the library and open it.
const form = document.getElementById("open");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const trouble = document.getElementById("open-trouble");
  trouble.textContent = "";
  const file = document.getElementById("open-file").files[0];
  try {
    const answer = await fetch("/open", { method: "POST", body: file, headers: { accept: "application/json", "content-type": "application/octet-stream" } });
    const told = await answer.json();
    if (answer.ok) location.href = told.page; else trouble.textContent = told.error;
  } catch {
    trouble.textContent = "The server does not respond. Start it again with ruse explore.";
  }
});
