// What a person does is sent to the server, which answers with the page as it is then; what others do is told by
// events.
(() => {
  const $ = id => document.getElementById(id);
  const kind = "application/json";
  let shown, wantsFocus = false;

  // Focus is never lost: it waits where the question is, and goes on to what may be chosen next.
  function keepFocus(held, wasInside) {
    const active = document.activeElement, isLost = !active || active === document.body;
    // Where the reader went meanwhile, the focus stays.
    if (!isLost && active !== $("said")) wantsFocus = false;
    if (held?.id === "move" && $("move")) { $("move").focus(); return; }
    wantsFocus ||= isLost && (wasInside || held?.id === "move");
    if (!wantsFocus) return;
    const next = document.querySelector(".spot.go, .choices [data-choose]") || $("move") || document.querySelector("[data-do=again]");
    (next || $("said")).focus({ preventScroll: true });
    wantsFocus = !next;
  }

  function show(text) {
    const field = $("move"), typed = field?.value;
    const page = new DOMParser().parseFromString(text, "text/html");
    const held = document.activeElement, was = document.querySelector("main").dataset.at;
    for (const part of page.querySelectorAll("details")) part.open = !!$(part.id)?.open;
    const inside = held?.closest?.("#spots, .choices, #typed");
    become(document.querySelector("main"), page.querySelector("main"));
    fillLinks();
    if (typed && $("move") && was === document.querySelector("main").dataset.at) $("move").value = typed;
    keepFocus(held, inside || held === $("said"));
    dispatchEvent(new Event("renewed"));
  }

  // Whole addresses, to be passed on.
  function fillLinks() {
    for (const link of document.querySelectorAll("[data-path]")) link.value = new URL(link.dataset.path, location.href);
  }

  // One after the other, so that what is shown last is the newest.
  let last = Promise.resolve(), renews = false;

  async function send(form) {
    try {
      const answer = form
        ? await fetch("act", { method: "POST", headers: { "Content-Type": kind }, body: JSON.stringify(form) })
        : await fetch(location.pathname, { cache: "no-cache" });
      if (answer.ok) show(await answer.text());
      else if (answer.status === 403 || answer.status === 404) leave();
    } catch {
      // The stream says that the server is gone; whatever came of it is shown when it is back.
      setTimeout(renew, 1000);
    }
  }

  function renew() {
    if (renews) return;
    renews = true;
    last = last.then(() => {
      renews = false;
      return send();
    });
  }

  function act(what, text) {
    const form = { at: +document.querySelector("main").dataset.at, do: what, text };
    if ($("move")) $("move").value = "";
    last = last.then(() => send(form));
  }

  addEventListener("click", event => {
    if (isDragged) return;
    const choice = event.target.closest("[data-choose]"), button = event.target.closest("[data-do]");
    if (choice) act("choose", choice.dataset.choose);
    if (button) act(button.dataset.do);
  });
  addEventListener("submit", event => {
    event.preventDefault();
    act("type", $("move").value);
  });

  // A piece that is dragged is chosen where it was and where it is let go; a card, where it is let go on the board.
  let drag, isDragged = false;
  addEventListener("pointerdown", event => {
    if (!event.isPrimary) return;
    // Whoever lets go outside of the window is not heard.
    letGo();
    const from = event.button === 0 && event.target.closest(".spot.go, .spot.on, button.card");
    isDragged = false;
    drag = from && { from, name: from.dataset.choose, x: event.clientX, y: event.clientY };
    // What is touched would else keep all that follows.
    if (from && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  addEventListener("pointermove", event => {
    if (!drag || !event.isPrimary) return;
    if (!isDragged && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) beginDrag();
    if (isDragged) [drag.ghost.style.left, drag.ghost.style.top] = [event.clientX + "px", event.clientY + "px"];
  });
  function beginDrag() {
    isDragged = true;
    const { from } = drag, box = from.getBoundingClientRect();
    drag.isCard = from.matches(".card");
    drag.ghost = drag.isCard ? from.cloneNode(true) : document.createElementNS("http://www.w3.org/2000/svg", "svg");
    if (!drag.isCard) {
      const at = from.getAttribute("transform").replace(" ", ",");
      drag.ghost.setAttribute("viewBox", "-20 -20 40 40");
      drag.ghost.append(...[...document.querySelectorAll("#board g[aria-hidden] > g")]
        .filter(part => part.getAttribute("transform") === at).map(part => part.cloneNode(true)));
      for (const part of drag.ghost.children) part.removeAttribute("transform");
    }
    drag.ghost.removeAttribute("data-choose");
    drag.ghost.setAttribute("aria-hidden", true);
    drag.ghost.classList.add("ghost", "pic");
    [drag.ghost.style.width, drag.ghost.style.height] = [box.width + "px", box.height + "px"];
    document.body.append(drag.ghost);
    document.documentElement.classList.add("dragging");
    if (!drag.isCard && from.matches(".go")) act("choose", drag.name);
  }
  function letGo() {
    drag?.ghost?.remove();
    document.documentElement.classList.remove("dragging");
    drag = undefined;
  }
  function endDrag(event) {
    if (!event.isPrimary) return;
    const { name, isCard } = drag || {};
    letGo();
    if (!isDragged) return;
    // The click that may follow belongs to this.
    setTimeout(() => isDragged = false);
    if (event.type === "pointercancel") return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (isCard && under?.closest("#board")) act("choose", name);
    const to = !isCard && under?.closest(".spot")?.dataset.choose;
    if (to && to !== name) act("choose", to);
  }
  addEventListener("pointerup", endDrag);
  addEventListener("pointercancel", endDrag);

  // The nearest place that can be chosen in the direction of an arrow.
  function step(from, [right, down]) {
    const middle = spot => {
      const box = spot.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    let best, least = Infinity;
    for (const spot of document.querySelectorAll(".spot.go, button.card")) {
      const [a, b] = middle(spot), ahead = (a - x) * right + (b - y) * down;
      const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [spot, ahead + 3 * aside];
    }
    best?.focus();
  }

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const spot = event.target.closest?.(".spot, .card"), way = ways[event.key];
    if (event.key === "Escape" && document.querySelector("[data-do=clear]")) act("clear");
    else if (spot && way) step(spot, way);
    else if (spot && (event.key === "Enter" || event.key === " ")) act("choose", spot.dataset.choose);
    else return;
    event.preventDefault();
  });

  let source, again, isLeft = false;
  function leave() {
    isLeft = true;
    source?.close();
    $("link").textContent = $("link").dataset.gone;
  }
  function follow() {
    source?.close();
    clearTimeout(again);
    if (document.hidden || isLeft) return;
    source = new EventSource("events");
    source.onmessage = event => {
      $("link").textContent = "";
      if (event.data !== shown) renew();
      shown = event.data;
    };
    source.onerror = () => {
      // The board is gone, or too many look on already: then the page asks by itself.
      const isClosed = source.readyState === EventSource.CLOSED;
      if (isClosed) again = setTimeout(follow, 2000);
      if (isClosed) renew();
      else $("link").textContent = $("link").dataset.lost;
    };
  }
  document.addEventListener("visibilitychange", follow);
  addEventListener("focusin", event => { if (event.target.dataset?.path) event.target.select(); });
  fillLinks();
  follow();
  // On a phone a field with the focus brings up a keyboard.
  if (matchMedia("(hover: hover)").matches) $("move")?.focus();
})();
