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
    const next = document.querySelector(".spot.go, .choices [data-choose]") || ($("by-hand")?.open && $("move")) || document.querySelector("[data-do=again]");
    (next || $("said")).focus({ preventScroll: true });
    wantsFocus = !next;
  }

  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    if (drag?.ghost) hold(page);
    else draw(page);
  }

  function draw(page) {
    const typed = $("move")?.value;
    const held = document.activeElement, was = document.querySelector("main").dataset.at;
    for (const part of page.querySelectorAll("details")) part.open = !!$(part.id)?.open;
    const inside = held?.closest?.(".spots, .choices, #typed");
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

  // What is done to a position is not done to the next one.
  const at = () => +document.querySelector("main").dataset.at;
  function act(what, text, when = at()) {
    if ($("move")) $("move").value = "";
    last = last.then(() => send({ at: when, do: what, text }));
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

  // A piece that is dragged is chosen where it was and where it is let go; a card, where it is let go on the board. It
  // is known by its name, for whatever is drawn anew meanwhile.
  let drag, isDragged = false;
  addEventListener("pointerdown", event => {
    if (!event.isPrimary) return;
    letGo();
    const from = event.button === 0 && event.target.closest(".spot.go, .spot.on, button.card");
    isDragged = false;
    if (from) drag = { name: from.dataset.choose, isCard: from.matches(".card"), at: at(), x: event.clientX, y: event.clientY, pointer: event.pointerId };
  });
  addEventListener("pointermove", event => {
    if (event.pointerId !== drag?.pointer) return;
    // A release that was not heard of, as over a menu, ends it, too.
    if (!event.buttons) { letGo(); return; }
    if (!isDragged && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) beginDrag(event.pointerId);
    if (drag?.ghost) [drag.ghost.style.left, drag.ghost.style.top] = [event.clientX + "px", event.clientY + "px"];
  });
  const place = (name, kind) => document.querySelector(`${kind}[data-choose="${CSS.escape(name)}"]`);
  function beginDrag(pointer) {
    const from = place(drag.name, drag.isCard ? "button.card" : ".spot");
    if (!from) { drag = undefined; return; }
    isDragged = true;
    // It is heard of wherever it goes, and whatever becomes of the place where it was touched.
    document.documentElement.setPointerCapture(pointer);
    drag.ghost = ghost(from, drag.isCard);
    document.body.append(drag.ghost);
    document.documentElement.classList.add("dragging");
    if (from.matches(".spot.go")) act("choose", drag.name, drag.at);
  }
  function ghost(from, isCard) {
    const box = from.getBoundingClientRect();
    const ghost = isCard ? from.cloneNode(true) : document.createElementNS("http://www.w3.org/2000/svg", "svg");
    if (!isCard) {
      const at = from.getAttribute("transform").replace(" ", ",");
      ghost.setAttribute("viewBox", "-20 -20 40 40");
      ghost.append(...[...document.querySelectorAll("#board g[aria-hidden] > g")]
        .filter(part => part.getAttribute("transform") === at).map(part => part.cloneNode(true)));
      for (const part of ghost.children) part.removeAttribute("transform");
    }
    ghost.removeAttribute("data-choose");
    ghost.setAttribute("aria-hidden", true);
    ghost.classList.add("ghost", "pic");
    [ghost.style.width, ghost.style.height] = [box.width + "px", box.height + "px"];
    return ghost;
  }
  // Nothing moves under a piece that is held: it is shown where it may go, and the rest when it is let go.
  function hold(page) {
    drag.next = page;
    for (const spot of page.querySelectorAll(".spot")) place(spot.dataset.choose, ".spot")?.setAttribute("class", spot.getAttribute("class"));
  }
  function letGo() {
    const { ghost, next } = drag || {};
    ghost?.remove();
    document.documentElement.classList.remove("dragging");
    drag = undefined;
    if (next) draw(next);
  }
  function endDrag(event) {
    const wasDragged = isDragged;
    // The click that may follow belongs to this.
    if (event.isPrimary) setTimeout(() => isDragged = false);
    if (event.pointerId !== drag?.pointer) return;
    const { name, isCard, at } = drag, under = document.elementFromPoint(event.clientX, event.clientY);
    letGo();
    if (!wasDragged || event.type !== "pointerup") return;
    if (isCard && under?.closest("#board")) act("choose", name, at);
    const to = !isCard && under?.closest(".spot")?.dataset.choose;
    if (to && to !== name) act("choose", to, at);
  }
  // A finger that holds a piece does not move the page; on parts of a picture the style for this is not heeded.
  addEventListener("touchmove", event => { if (drag) event.preventDefault(); }, { passive: false });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, endDrag);

  // The nearest place that can be chosen in the direction of an arrow.
  function step(from, [right, down]) {
    const middle = spot => {
      const box = spot.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    let best, least = Infinity;
    for (const spot of document.querySelectorAll(".spot.go, button.card, button.gap")) {
      const [a, b] = middle(spot), ahead = (a - x) * right + (b - y) * down;
      const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [spot, ahead + 3 * aside];
    }
    best?.focus();
  }

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const spot = event.target.closest?.(".spot, .card, .gap"), way = ways[event.key];
    if (event.key === "Escape") letGo();
    // Whoever types a letter or a digit types a move: the field for it opens.
    if (/^[\p{L}\d]$/u.test(event.key) && $("move") && !event.target.matches("input, select")) {
      $("by-hand").open = true;
      $("move").focus();
    }
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
})();
