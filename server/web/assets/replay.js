"use strict";
// The page is the start of a match; the data says what changes from turn to turn, and nothing of any game.
const $ = id => document.getElementById(id);
const all = query => [...document.querySelectorAll(query)];

// The data is JSON, compressed, in letters.
async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters), letter => letter.charCodeAt());
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}
document.documentElement.dataset.begins = "";
// A browser that cannot unpack it shows what stands there for those without scripts.
function withoutData(error) {
  const instead = document.querySelector("noscript");
  instead.outerHTML = instead.textContent;
  console.error(error);
}
unpacked($("data").textContent).then(begin, withoutData).finally(() => delete document.documentElement.dataset.begins);

function begin(data) {
  const last = data.f.length - 1;
  // A text of this page in its language; the script has the English ones.
  const t = english => data.n?.[english] ?? english;
  // The rows of the moves, in the order of the match whatever the table is sorted by.
  const moveRows = all("#moves tbody tr");
  const rowsOf = turn => moveRows.filter(row => row.cells[0].textContent === String(turn));

  // Numbers are written in digits of base 36, the least first; those from 18 on say that more follow.
  function numbers(text) {
    const found = [];
    let sum = 0, unit = 1;
    for (const letter of text) {
      const digit = parseInt(letter, 36);
      sum += digit % 18 * unit;
      unit *= 18;
      if (digit > 17) continue;
      found.push(sum);
      sum = 0;
      unit = 1;
    }
    return found;
  }

  // Pieces with words between them.
  const weave = (pieces, words) => pieces.map((piece, k) => piece + (words[k] ?? "")).join("");

  // Parts are the cells of the board, the things of the panels, and lines that are only heard.
  const unfold = runs => runs.flatMap(([x, y, step, count]) => Array.from({ length: count }, (_, k) => [x + k * step, y]));
  const places = unfold(data.p), cells = all("#words td");
  // Each piece of the picture holds some of the parts; scores are text.
  const pieces = all("[data-at]").sort((a, b) => a.dataset.at - b.dataset.at);
  for (const piece of all(".parts")) piece.innerHTML = "<g></g>".repeat(piece.dataset.n);
  const drawn = pieces.flatMap(piece => [...piece.querySelectorAll("g, .part")]);
  const heard = [...cells, ...Array(places.length - cells.length), ...all("#words p")];
  let clocks = [];
  // A row of lists, of which each is told by what differs from the one before.
  const unroll = (packed, list) => packed.map(text => {
    list = list.slice();
    let part = 0;
    numbers(text).forEach((number, k) => {
      if (k % 2) list[part] = number;
      else part += number;
    });
    return list;
  });
  const positions = unroll(data.f, heard.map(() => 0)), marks = data.m && unroll(data.m.f, cells.map(() => 0));
  const times = data.c.map(changes => {
    clocks = clocks.slice();
    for (const [seat, ...clock] of changes) clocks[seat] = clock;
    return clocks;
  });
  // A text may begin with words that the page shows elsewhere.
  function told(text, shown = () => "") {
    const [head, ...words] = text.split(" "), [form, known] = head.split(".");
    const first = known ? shown().match(/\w+/g).slice(0, known) : [];
    return weave(numbers(data.u[form]).map(piece => data.g[piece]), [...first, ...words]);
  }
  const movesOf = turn => rowsOf(turn).map(row => row.cells[1].textContent + " " + row.cells[2].textContent).join(" ");
  // The look of a part: what is heard, and how it is drawn. What is only heard is told from what is drawn beside it.
  function lookOf(number) {
    const [words, form, texts = []] = data.d[number];
    return [words, weave(data.t[form] ?? [], typeof texts === "string" ? [told(texts)] : texts)];
  }
  // The seats and texts of a line of a panel.
  function drawnOf([first, count]) {
    const line = positions[at].slice(first, first + count).map(number => lookOf(number)[1]).join(" ");
    return [...line.matchAll(/#s(\d+)|>([^<]+)/g)].map(([, seat, text]) => text ?? +seat + 1).join(" ");
  }
  // Sentences call seats by their numbers; where a name belongs to one seat only, it says more.
  const names = all("#clocks bdi").map(name => name.textContent);
  const named = text => text.replace(/\b(?:(au) |l[ea] )?(?:player|seat|joueur|place) (\d+)\b/gi, (words, to, seat) => {
    const name = names[seat - 1];
    return names.indexOf(name) === names.lastIndexOf(name) ? (to ? "à " : "") + name : words;
  });
  let at = data.z ?? 0, shown = [], isRound = false, isMarked = !!data.m?.s, timer, player;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

  const time = us => us < 1e3 ? us + " µs" : us < 1e6 ? (us / 1e3).toFixed(1) + " ms" : (us / 1e6).toFixed(2) + " s";
  // From the other side cells change places, and what stands on them stays upright.
  const place = part => isRound && part < cells.length ? places[part].map((x, axis) => data.b[axis] - x) : places[part];

  function show(turn) {
    const before = at;
    at = Math.max(0, Math.min(last, turn));
    positions[at].forEach((number, part) => {
      const line = data.r[part - places.length];
      if (line) {
        const words = told(data.d[number], () => drawnOf(line));
        if (heard[part].textContent !== words) heard[part].textContent = words;
      } else if (number !== shown[part]) {
        const [words, look] = lookOf(number);
        drawn[part].innerHTML = look;
        if (heard[part]) heard[part].textContent = words;
      }
    });
    shown = positions[at];
    // A panel of which there is only the title is not shown.
    for (const svg of all("#aside svg")) svg.toggleAttribute("hidden", [...svg.lastChild.children].slice(1).every(part => !part.innerHTML));
    mark();
    $("ways").innerHTML =
      (data.l[at].match(/\w+/g) || []).map(way => `<path class=${way[0]} d=M${numbers(way.slice(1)).map(place).join("L")} />`).join("");
    $("ways").classList.toggle("refused", at === data.z);
    if (at === before + 1 && at !== data.z) slide();
    $("turn").value = at;
    $("at").textContent = t("turn") + ` ${at} ` + t("of") + ` ${last}`;
    $("turn").setAttribute("aria-valuetext", $("at").textContent);
    const parts = named(told(data.s[at], () => movesOf(at))).split("; "), brief = +(data.y?.[at] ?? 0) || parts.length;
    $("said").textContent = parts.slice(0, brief).join("; ").trimEnd() + (brief < parts.length ? "." : "");
    $("heard").textContent = " " + parts.slice(brief).join("; ");
    all("#clocks tbody tr").forEach((row, seat) => {
      times[at][seat]?.forEach((us, k) => row.cells[2 + k].textContent = time(us));
    });
    $("events").replaceChildren(...(data.e[at] || []).map(text => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    // Places are taken at the end.
    $("clocks").classList.toggle("early", at < last);
    $("printed").textContent = data.o[at] ? told(data.o[at]) : t("nothing was printed in this turn");
    $("output").classList.toggle("silent", !data.o[at]);
    for (const row of all("#moves [aria-current]")) row.removeAttribute("aria-current");
    const rows = rowsOf(at), list = $("moves").parentElement;
    for (const row of rows) row.setAttribute("aria-current", true);
    // The list shows the turn in its middle; the page stays where it is.
    list.scrollTop = rows.length ? rows[0].offsetTop - list.clientHeight / 2 : 0;
    weigh();
    for (const line of all(".now")) line.setAttribute("d", `M${data.x[0] + data.x[1] * at},0v100`);
    clearTimeout(timer);
    timer = setTimeout(() => {
      history.replaceState(null, "", "#m=" + at);
      if ($("share-it").open) fillLinks();
    }, 300);
  }

  // What is laid over the board: marks on it, how many there are of each kind, and the same in the words of the squares.
  function mark() {
    if (!data.m) return;
    const kinds = isMarked ? marks[at] : [], drawn = kind => data.m.k[kind - 1];
    $("over").innerHTML = kinds.map((kind, part) =>
      drawn(kind) ? `<g transform="translate(${place(part)})">${drawn(kind)[0]}</g>` : "").join("");
    $("legend").hidden = !isMarked;
    $("legend").textContent = data.m.t + t(": ") + data.m.k.map(([, words], number) =>
      words + t(": ") + kinds.filter(kind => kind === number + 1).length).join(", ");
    cells.forEach((cell, part) => {
      cell.textContent = lookOf(positions[at][part])[0] + (drawn(kinds[part]) ? ", " + data.m.t + t(": ") + drawn(kinds[part])[1] : "");
    });
  }
  function toggleMarks() {
    isMarked = !isMarked;
    $("overlay").setAttribute("aria-pressed", isMarked);
    mark();
  }

  // What has moved comes from where it was, and an arrow flies after it.
  function slide() {
    if (isCalm.matches) return;
    const speed = player ? Math.min(400, delay() * .6) : 250;
    for (const way of $("ways").children) {
      const stroke = way.getAttribute("class"), points = way.getAttribute("d").slice(1).split("L").map(point => point.split(","));
      if (stroke === "p") {
        const end = places.findIndex((_, part) => place(part).join() === points.at(-1).map(Number).join());
        const frames = points.map(([x, y]) => ({ transform: `translate(${x}px,${y}px)` }));
        drawn[end]?.animate(frames, { duration: speed, easing: "ease-in-out" });
      } else {
        way.animate([{ opacity: 0 }, { opacity: 0, offset: .5 }, { opacity: 1 }], { duration: speed * 1.6 });
      }
    }
  }

  // The bar beside the board keeps what was said last.
  function weigh() {
    if (!data.v) return;
    const share = data.v.slice(0, at + 1).findLast(one => one !== null) ?? 50;
    $("share").setAttribute("width", share);
    const words = share > 55 ? t("better for seat 1") : share < 45 ? t("better for seat 2") : t("even");
    $("share").ownerSVGElement.setAttribute("aria-label", t("evaluation: ") + words);
  }

  // Plays by itself until the end, or until anything else is done.
  const delay = () => 1000 / +$("speed").value;
  // What comes by itself is not spoken: one turn would interrupt the other.
  function tellPlaying() {
    $("play").setAttribute("aria-label", player ? t("Pause") : t("Play"));
    $("play").querySelector("path").setAttribute("d", player ? "M8 5v14M16 5v14" : "M8 5v14l11-7z");
    $("told").setAttribute("aria-live", player ? "off" : "polite");
  }
  function pause() {
    clearTimeout(player);
    player = undefined;
    tellPlaying();
  }
  function play() {
    if (player) { pause(); return; }
    if (at === last) show(0);
    const next = () => {
      player = at < last ? setTimeout(() => { show(at + 1); next(); }, delay()) : undefined;
      tellPlaying();
    };
    next();
  }

  function turnBoard() {
    $("ground").setAttribute("transform", isRound ? `rotate(180 ${data.b.map(length => length / 2)})` : "");
    $("board").classList.toggle("round", isRound);
    drawn.forEach((part, k) => part.setAttribute("transform", `translate(${place(k)})`));
  }

  // The list has another height then: the row of the turn stays in sight.
  addEventListener("resize", () => {
    const [row] = rowsOf(at), list = $("moves").parentElement;
    if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  });

  function flip() {
    isRound = !isRound;
    turnBoard();
    show(at);
  }

  // What there is to press: key, how it is written, words of the button, what it does.
  const events = Object.keys(data.e).map(Number);
  const keys = [
    ["Home", "Home", t("Start"), t("the start"), () => show(0), "M6 5v14M18 5l-7 7 7 7"],
    ["PageUp", "PgUp", "−10", t("ten turns back"), () => show(at - 10)],
    ["ArrowLeft", "←", t("Back"), t("one turn back"), () => show(at - 1), "M15 5l-7 7 7 7"],
    ["p", "p", t("Play"), t("all turns by themselves, or stop"), play, "M8 5v14l11-7z"],
    ["ArrowRight", "→", t("Next"), t("one turn on (space too)"), () => show(at + 1), "M9 5l7 7-7 7"],
    ["PageDown", "PgDn", "+10", t("ten turns on"), () => show(at + 10)],
    ["End", "End", t("End"), t("the end"), () => show(last), "M18 5v14M6 5l7 7-7 7"],
    ["e", "e", t("Next event"), t("next event (fault or notice)"), () => show(events.find(turn => turn > at) ?? at)],
    ["E", "E", t("Event before"), t("previous event"), () => show(events.filter(turn => turn < at).pop() ?? at)],
    ["t", "t", t("Slowest"), t("the slowest move"), () => show(data.w)],
    ["s", "s", t("Output"), t("what was printed in the turn, or not"), () => $("output").open = !$("output").open],
    ["o", "o", data.m?.t, t("what is laid over the board, or not"), toggleMarks],
    ["f", "f", t("Flip"), t("the board from the other side"), flip],
    ["?", "?", t("Help"), t("these keys"), help],
  ].filter(([key]) => key === "f" ? data.b : key !== "o" || data.m);
  const dialog = document.createElement("dialog");
  function help() {
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }
  // The server that plays lets no other page show its own; a file on a disk can be shown by none.
  const mayEmbed = !("served" in document.querySelector("main").dataset) && location.protocol !== "file:";
  $("words").insertAdjacentHTML("afterend", `<div id=steer><input id=turn type=range min=0 max=${last} aria-label=${t("turn")}>
  <svg id=marks viewBox="0 0 ${last || 1} 1" preserveAspectRatio=none aria-hidden=true><path d="${
    events.map(turn => `M${turn},0v1`).join("")}"/></svg><div id=keys></div></div>`);
  $("told").insertAdjacentHTML("afterend", "<p id=legend class=soft hidden></p>");
  $("output").insertAdjacentHTML("beforebegin", `<details id=share-it><summary>${t("Link to this turn")}</summary><p><label>${t("Address")} <input id=link readonly></label></p>
  ${mayEmbed ? `<p><label>${t("To embed")} <input id=embed readonly></label></p>` : ""}</details>`);
  dialog.innerHTML = `<h2 id=keys-title>${t("Keys")}</h2><table>${
    keys.map(([, cap, , does]) => `<tr><th scope=row><kbd>${cap}</kbd><td>${does}`).join("")
  }</table><p>${t("#m=20 at the end of the address leads to turn 20. A click into a chart goes to its turn.")}</p><button>${t("Close")}</button>`;
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.querySelector("button").onclick = help;
  document.body.append(dialog);
  for (const [, cap, words, does, act, icon] of keys) {
    const button = document.createElement("button");
    button.innerHTML = `${icon ? `<svg viewBox="0 0 24 24" aria-hidden=true><path d="${icon}"/></svg>` : words}<kbd aria-hidden=true>${cap}</kbd>`;
    button.title = icon ? `${words}: ${does} (${cap})` : does;
    if (icon) button.setAttribute("aria-label", words);
    // Where there is little room the others wait behind one more button.
    button.className = icon ? "step" : cap.startsWith("Pg") ? "jump" : "rest";
    if (cap === "p") button.id = "play";
    if (cap === "o") {
      button.id = "overlay";
      button.setAttribute("aria-pressed", isMarked);
    }
    button.onclick = () => { if (![play, help, toggleMarks].includes(act)) pause(); act(); };
    $("keys").append(button);
  }
  $("keys").children[6].insertAdjacentHTML("afterend", `<label class=rest>${t("Speed")} <select id=speed>${
    [.5, 1, 2, 4, 8].map(speed => `<option value=${speed}${speed === 2 ? " selected" : ""}>${speed} ${t("a second")}</option>`).join("")}</select></label><button id=more aria-expanded=false aria-controls=keys title="${t("More")}">…</button>`);
  $("more").setAttribute("aria-label", t("More"));
  $("more").onclick = () => $("more").setAttribute("aria-expanded", $("steer").classList.toggle("open"));
  function fillLinks() {
    const link = location.href.split("#")[0] + "#m=" + at;
    $("link").value = link;
    if (mayEmbed) $("embed").value = `<iframe src="${link.replace(/"/g, "&quot;")}" width="720" height="640" title="${document.title.replace(/"/g, "&quot;")}"></iframe>`;
  }
  $("share-it").ontoggle = fillLinks;
  for (const field of all("#share-it input")) field.onfocus = () => field.select();
  addEventListener("keydown", event => {
    const key = event.key === " " ? "ArrowRight" : event.key, act = keys.find(([name]) => name === key)?.[4];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.matches("button, summary, a")) return;
    if (dialog.open && act !== help) return;
    if (event.target.matches("select, input:not([type=range])")) return;
    event.preventDefault();
    if (![play, help, toggleMarks].includes(act)) pause();
    act();
  });
  $("turn").oninput = () => { pause(); show(+$("turn").value); };
  for (const chart of all(".chart")) {
    chart.onclick = event => {
      pause();
      const box = chart.getBoundingClientRect(), width = chart.viewBox.baseVal.width;
      show(Math.round(((event.clientX - box.left) * width / box.width - data.x[0]) / data.x[1]));
    };
  }

  // The number of a move leads there, and its seat has its colour; a click on a title sorts.
  for (const row of moveRows) {
    const [number, seat] = row.cells;
    seat.innerHTML = `<span class="seat k${seat.textContent - 1}">${seat.textContent}</span>`;
    number.innerHTML = `<a href=#m=${number.textContent}>${number.textContent}</a>`;
  }
  const units = { ms: 1e3, s: 1e6, "µs": 1 };
  function worth(row, column) {
    const text = row.cells[column].textContent, number = parseFloat(text);
    return isNaN(number) ? -Infinity : number * (units[text.split(" ")[1]] || 1);
  }
  all("#moves th").forEach((head, column) => {
    head.innerHTML = `<button>${head.textContent}</button>`;
    head.firstChild.onclick = () => {
      const way = head.getAttribute("aria-sort") === "descending" ? 1 : -1, body = $("moves").tBodies[0];
      for (const other of all("#moves th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", way < 0 ? "descending" : "ascending");
      const text = row => row.cells[column].textContent;
      const order = column === 2 ? (a, b) => text(a).localeCompare(text(b)) : (a, b) => worth(a, column) - worth(b, column);
      body.append(...[...body.rows].sort((a, b) => way * order(a, b)));
    };
  });

  function follow() {
    const found = /^#m=?(\d+)$/.exec(location.hash);
    pause();
    show(found ? +found[1] : at);
  }
  addEventListener("hashchange", follow);
  // On paper there is one position, the last; afterwards the reader is where he was.
  let read;
  addEventListener("beforeprint", () => { read = at; pause(); show(last); });
  addEventListener("afterprint", () => show(read));
  turnBoard();
  follow();
}
