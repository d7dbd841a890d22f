"use strict";
// When the server says that something has changed, the page is asked for again, and what differs takes its place: so it
// never shows anything else than what loading it anew would.
(() => {
  let shown, news, busy = false, held = false, when = new Date();

  async function renew() {
    if (busy || held || document.hidden || !news || news.lost || news.is === shown) return;
    busy = true;
    const asked = news.is;
    try {
      const answer = await fetch(location.pathname, { cache: "no-cache" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        become(document.querySelector("main"), page.querySelector("main"));
        dispatchEvent(new Event("renewed"));
        shown = asked;
        when = new Date();
      }
    } catch {
      // The stream says that the server is gone, and asks again when it is back.
    }
    busy = false;
    if (shown === asked) renew();
  }

  function hear(event) {
    news = event;
    const french = document.documentElement.lang === "fr", time = when.toLocaleTimeString();
    const so = (french ? "La page date de " : "This is how the page was at ") + time;
    const ended = french ? "Le serveur s’est arrêté. " : "The server has ended. ";
    const lost = french ? "Le serveur ne répond pas. " : "The server is not heard of. ";
    const back = french ? " ; elle se mettra à jour au retour du serveur." : "; it goes on when the server is back.";
    document.getElementById("link").textContent = news.end ? ended + so + "." : news.lost ? lost + so + back : "";
    renew();
  }

  // Without shared workers each tab has a stream, as long as it is looked at.
  function alone() {
    let source, again;
    const follow = () => {
      source?.close();
      clearTimeout(again);
      if (document.hidden) return;
      source = new EventSource("/events");
      source.onmessage = event => hear({ is: event.data });
      source.addEventListener("end", event => hear({ is: event.data, end: true }));
      source.onerror = () => {
        const isFull = source.readyState === EventSource.CLOSED;
        if (isFull) again = setTimeout(follow, 5000);
        if (!news?.end) hear(isFull ? { is: "asked " + Date.now() } : { lost: true });
      };
    };
    document.addEventListener("visibilitychange", follow);
    follow();
  }

  // Whoever reads or listens may hold a match that is followed.
  if (document.querySelector("[data-follow]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.id = "hold";
    button.textContent = "Pause";
    button.setAttribute("aria-pressed", false);
    button.onclick = () => {
      held = !held;
      button.setAttribute("aria-pressed", held);
      renew();
    };
    document.querySelector("nav .looks").prepend(button);
  }

  document.addEventListener("visibilitychange", renew);
  if (!window.SharedWorker) { alone(); return; }
  const worker = new SharedWorker("/events.js");
  worker.port.onmessage = event => hear(event.data);
  addEventListener("pagehide", () => worker.port.postMessage("gone"));
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
})();
