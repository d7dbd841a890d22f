// Takes the seat to which a link invites: from then on the browser has its cookie.
addEventListener("submit", async event => {
  event.preventDefault();
  const note = document.getElementById("note");
  try {
    const answer = await fetch(location.href, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    if (answer.ok) { location.replace(location.pathname); return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    note.textContent = page.querySelector("main p").textContent;
  } catch {
    note.textContent = document.documentElement.lang === "fr" ? "Le serveur ne répond pas." : "The server is not reached.";
  }
});
