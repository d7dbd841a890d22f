"use strict";
// Sends the file that was chosen; the answer is the page as it is then, with what came of it.
addEventListener("submit", async event => {
  event.preventDefault();
  const field = document.getElementById("file"), said = document.getElementById("said"), file = field.files[0];
  if (!file || said.dataset.busy) return;
  said.dataset.busy = "1";
  const french = document.documentElement.lang === "fr";
  said.textContent = french ? "Envoi et examen de " + file.name + " …" : "Sending " + file.name + " and looking at it …";
  // What came of an earlier file is not what comes of this one.
  document.body.classList.add("sending");
  try {
    const kind = { "Content-Type": "application/octet-stream" };
    const answer = await fetch("/team/hand-in", { method: "POST", headers: kind, body: file });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    said.textContent = answer.ok ? "" : (french ? "Refusé : " : "Not taken: ") + page.querySelector("main p").textContent;
    if (answer.ok) {
      document.body.classList.remove("sending");
      become(document.querySelector("main"), page.querySelector("main"));
      field.form?.reset();
    }
  } catch {
    said.textContent = french ? "Refusé : le fichier n’a pas pu être lu, ou le serveur n’a pas répondu."
      : "Not taken: the file could not be read any more, or the server was not reached.";
  }
  delete said.dataset.busy;
});
