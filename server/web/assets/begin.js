// Asks for the board that was chosen: the answer leads to it, or is this page with why there is none.
addEventListener("submit", async event => {
  event.preventDefault();
  const chosen = new FormData(event.target), note = document.getElementById("note");
  const wish = {
    language: document.documentElement.lang,
    setting: +chosen.get("setting"),
    seats: chosen.getAll("seat"),
    adviser: chosen.get("adviser") || "",
  };
  try {
    const how = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) };
    const answer = await fetch("play", how);
    // By now the browser has the cookie of the board.
    if (answer.redirected) { location.href = answer.url.split("?")[0]; return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    note.textContent = page.querySelector(answer.ok ? "#note" : "main p").textContent;
  } catch {
    note.textContent = document.documentElement.lang === "fr" ? "Le serveur ne répond pas." : "The server is not reached.";
  }
});
// The chosen board is shown, and one choice fills all seats of clients.
document.getElementById("setting")?.addEventListener("change", event => {
  for (const start of document.querySelectorAll(".start")) start.hidden = start.dataset.setting !== event.target.value;
});
document.getElementById("others")?.addEventListener("change", event => {
  if (!event.target.value) return;
  for (const seat of document.getElementsByName("seat")) if (seat.value !== "you" && seat.value !== "guest") seat.value = event.target.value;
});
// On a phone one choice comes first, and the other seats are folded.
if (matchMedia("(max-width: 42rem)").matches) document.getElementById("more-seats")?.removeAttribute("open");
