"use strict";
// The page is the start of a match; the data says what changes from turn to turn, and nothing of any game.
const $ = id => document.getElementById(id);
const all = query => [...document.querySelectorAll(query)];
const data = JSON.parse($("data").textContent);
const last = data.f.length - 1;
const drawn = all("#parts > g"), heard = all("#words td, #words p");
const parts = drawn.concat(heard);
const start = parts.map((part, k) => k < drawn.length ? part.innerHTML : part.textContent);
const positions = [parts.map(() => -1)];
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
for (let turn = 1; turn <= last; turn++) {
  const looks = positions[turn - 1].slice(), packed = data.f[turn];
  let place = 0;
  const number = () => {
    for (let sum = 0, unit = 1; ; unit *= 32) {
      const digit = digits.indexOf(packed[place++]);
      sum += digit % 32 * unit;
      if (digit < 32) return sum;
    }
  };
  for (let part = 0; place < packed.length;) looks[part += number()] = number();
  positions.push(looks);
}
const made = look => look.map ? data.t[look[0]].map((piece, k) => (k ? look[1][k - 1] : "") + piece).join("") : look;
const sentence = turn => {
  const [form, ...words] = data.s[turn].split(" ");
  return data.u[form].map((piece, k) => (k ? words[k - 1] : "") + piece).join("");
};
const clocks = [data.c[0]];
for (let turn = 1; turn <= last; turn++) {
  const now = clocks[turn - 1].slice();
  for (const [seat, used, left] of data.c[turn]) now[seat] = [used, left];
  clocks.push(now);
}
let at = 0, shown = positions[0], timer;

const time = us => us < 1e3 ? us + " us" : us < 1e6 ? (us / 1e3).toFixed(1) + " ms" : (us / 1e6).toFixed(2) + " s";
const clamp = turn => Math.max(0, Math.min(last, turn));
function fill(list, texts, tag) {
  list.replaceChildren(...texts.map(text => {
    const item = document.createElement(tag);
    item.textContent = text;
    return item;
  }));
}

function show(turn) {
  at = clamp(turn);
  const looks = positions[at];
  parts.forEach((part, k) => {
    if (looks[k] === shown[k]) return;
    const look = looks[k] < 0 ? start[k] : made(data.d[looks[k]]);
    if (k < drawn.length) part.innerHTML = look; else part.textContent = look;
  });
  shown = looks;
  $("turn").value = at;
  $("turn").setAttribute("aria-valuetext", "turn " + at + " of " + last);
  $("at").textContent = "turn " + at + " of " + last;
  $("said").textContent = sentence(at);
  all("#clocks tbody tr").forEach((row, seat) => {
    const [used, left] = clocks[at][seat];
    row.cells[2].textContent = time(used);
    row.cells[3].textContent = left === undefined ? "" : time(left);
  });
  fill($("events"), data.e[at] || [], "li");
  const printed = data.o[at] || [];
  $("printed").textContent = printed.length ? printed.join("\n") : "nothing was printed in this turn";
  for (const row of all("#moves tr[aria-current]")) row.removeAttribute("aria-current");
  for (const row of all(`#m${at}, .t${at}`)) row.setAttribute("aria-current", "true");
  for (const line of all(".now")) {
    const x = data.x[0] + data.x[1] * at;
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", "#m=" + at), 300);
}

// The board is seen from the other side: cells change places, and everything on them stays upright.
const [width, height, cells] = ($("parts").dataset.flip || "").split(" ").map(Number);
const places = drawn.map(part => part.getAttribute("transform"));
function flip() {
  if (!cells) return;
  const round = "rotate(180 " + width / 2 + " " + height / 2 + ")", is = $("board").classList.toggle("round");
  if (is) $("ground").setAttribute("transform", round); else $("ground").removeAttribute("transform");
  drawn.slice(0, cells + 1).forEach((part, k) => {
    const [x, y] = places[k].match(/-?[\d.]+/g).map(Number);
    const there = k ? "translate(" + (width - x) + " " + (height - y) + ")" : round;
    part.setAttribute("transform", is ? there : places[k]);
  });
}

const events = Object.keys(data.e).map(Number).sort((a, b) => a - b);
const help = $("help"), output = $("output");
for (const button of all("#keys button")) {
  const row = help.querySelector("table").insertRow();
  row.innerHTML = '<th scope="row"><kbd></kbd></th>';
  row.querySelector("kbd").textContent = button.querySelector("kbd").textContent;
  row.insertCell().textContent = button.title;
}
const actions = {
  next: () => show(at + 1), back: () => show(at - 1), on: () => show(at + 10), off: () => show(at - 10),
  first: () => show(0), last: () => show(last), slowest: () => show(data.w),
  event: () => show(events.find(turn => turn > at) ?? at),
  before: () => show(events.findLast(turn => turn < at) ?? at),
  flip,
  output: () => { output.open = !output.open; },
  help: () => help.open ? help.close() : help.showModal(),
};
const keys = {
  ArrowRight: "next", " ": "next", ArrowLeft: "back", PageDown: "on", PageUp: "off", Home: "first", End: "last",
  e: "event", E: "before", t: "slowest", s: "output", f: "flip", "?": "help",
};
addEventListener("keydown", event => {
  const action = keys[event.key], place = event.target;
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  if (place.matches("textarea, select, input:not([type=range])")) return;
  if (event.key === " " && place.matches("button, summary, a")) return;
  if (help.open && action !== "help") return;
  event.preventDefault();
  actions[action]();
});
for (const button of all("[data-do]")) button.addEventListener("click", () => actions[button.dataset.do]());
$("turn").addEventListener("input", () => show(+$("turn").value));
for (const chart of all("svg.chart")) {
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect(), width = chart.viewBox.baseVal.width;
    show(Math.round(((event.clientX - box.left) * width / box.width - data.x[0]) / data.x[1]));
  });
}

for (const link of all("#moves a, .wide > p a")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    show(+link.hash.slice(2));
  });
}

const units = { us: 1, ms: 1e3, s: 1e6 };
function worth(row, column) {
  const text = row.cells[column].textContent, number = parseFloat(text);
  return isNaN(number) ? -Infinity : number * (units[text.split(" ")[1]] || 1);
}
all("#moves th button").forEach((button, column) => button.addEventListener("click", () => {
  const head = button.parentNode, body = $("moves").tBodies[0];
  const way = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
  for (const other of all("#moves th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", way < 0 ? "descending" : "ascending");
  const text = row => row.cells[column].textContent;
  const order = column === 2 ? (a, b) => text(a).localeCompare(text(b)) : (a, b) => worth(a, column) - worth(b, column);
  body.replaceChildren(...[...body.rows].sort((a, b) => way * order(a, b)));
}));

function follow() {
  const found = /^#m=?(\d+)$/.exec(location.hash);
  if (found) show(+found[1]);
}
addEventListener("hashchange", follow);
document.body.classList.add("on");
show(0);
follow();
