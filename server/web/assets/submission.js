"use strict";
// Sends the file that was chosen; the answer is the page as it is then, with what came of it.
(() => {
  const french = document.documentElement.lang === "fr";
  let busy = false, text = "", isRefused = false;
  // The page is renewed now and then, and what was answered stays.
  function show() {
    const answer = document.getElementById("answer");
    if (!answer) return;
    if (answer.textContent !== text) answer.textContent = text;
    answer.classList.toggle("refused", isRefused);
  }
  function say(what, refused) {
    text = what;
    isRefused = refused;
    show();
  }
  addEventListener("renewed", show);

  addEventListener("submit", async event => {
    event.preventDefault();
    const field = document.getElementById("file"), file = field.files[0];
    if (!file || busy) return;
    busy = true;
    say(french ? "Envoi et examen de " + file.name + " …" : "Sending " + file.name + " and looking at it …", false);
    // What came of an earlier file is not what comes of this one.
    document.body.classList.add("sending");
    try {
      const kind = { "Content-Type": "application/octet-stream" };
      const answer = await fetch("/team/submission", { method: "POST", headers: kind, body: file });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok) {
        document.body.classList.remove("sending");
        become(document.querySelector("main"), page.querySelector("main"));
        dispatchEvent(new Event("renewed"));
        say("", false);
        field.form?.reset();
      } else {
        const why = page.querySelector("main p").textContent;
        // What to do stands on a line of its own.
        say((french ? "Refusé : " : "Not taken: ") + why[0].toLowerCase() + why.slice(1).replace(/[.;] help: ./, start => ".\n" + start.at(-1).toUpperCase()), true);
      }
    } catch {
      say(french ? "Refusé : le fichier n’a pas pu être lu, ou le serveur n’a pas répondu."
        : "Not taken: the file could not be read any more, or the server was not reached.", true);
    }
    busy = false;
  });
})();
