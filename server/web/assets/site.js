"use strict";
// What all pages have: light or dark as the reader chooses, and a client that is picked out wherever it stands.
(() => {
  const root = document.documentElement;
  const french = root.lang === "fr";
  // Pages that are opened from disk may be kept from remembering anything.
  const kept = {
    get: key => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* then it holds for this page */ } },
  };

  const themes = french ? { auto: "Auto", light: "Clair", dark: "Sombre" } : { auto: "Auto", light: "Light", dark: "Dark" };
  // A disc that is half, not, or all filled.
  const shades = { auto: "M12 4a8 8 0 0 1 0 16z", light: "", dark: "M12 4a8 8 0 0 1 0 16a8 8 0 0 1 0-16z" };
  const order = Object.keys(themes);
  let theme = order.includes(kept.get("theme")) ? kept.get("theme") : "auto";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "theme";
  function paint() {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const name = (french ? "Couleurs : " : "Colours: ") + themes[theme];
    button.setAttribute("aria-label", name);
    button.title = name;
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8"/><path d="${shades[theme]}"/></svg>`;
  }
  button.onclick = () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    kept.set("theme", theme);
    paint();
  };
  paint();
  root.classList.add("scripted");
  let bar = document.querySelector("body > nav");
  if (!bar) {
    bar = document.createElement("nav");
    bar.setAttribute("aria-label", "pages");
    document.body.prepend(bar);
  }
  // Light or dark and the language stay together at the right.
  const looks = document.createElement("span");
  looks.className = "looks";
  looks.append(button);
  bar.append(looks);
  // On a phone a language has room for its first letters.
  const shortly = name => `${name.slice(0, 2)}<span class="rest">${name.slice(2)}</span>`;
  const link = bar.querySelector("a[hreflang]");
  if (link) {
    link.innerHTML = shortly(link.textContent);
    looks.append(link);
  }

  // Pages that a server sends are told in two languages; the server reads what was chosen.
  if (document.querySelector("footer > #link, main[data-served]") && !document.querySelector(".play")) {
    const other = document.createElement("button");
    other.type = "button";
    other.id = "language";
    other.lang = french ? "en" : "fr";
    other.innerHTML = shortly(french ? "English" : "Français");
    other.onclick = () => {
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `agon-language=${other.lang}; path=/; max-age=31536000; samesite=lax${secure}`;
      location.reload();
    };
    looks.append(other);
  }

  // What is chosen of a list has an address of its own, which says it in words and numbers.
  addEventListener("submit", event => {
    const filters = event.target.closest(".filters");
    if (!filters) return;
    event.preventDefault();
    const chosen = [...filters.querySelectorAll("select")].filter(list => list.value).map(list => list.name + "-" + list.value);
    if (filters.dataset.order) chosen.push(filters.dataset.order);
    location.href = filters.dataset.up + (chosen.length ? "matches/" + chosen.join(".") : "matches") + ".html";
  });

  // A folder has no server: its list shows the matches of one client by itself.
  addEventListener("change", event => {
    if (!event.target.matches("[data-only], [data-paged]")) return;
    const only = document.querySelector("[data-only]").value, isPaged = document.querySelector("[data-paged]")?.value;
    for (const row of document.querySelectorAll("tr[data-of]"))
      row.hidden = only !== "" && !row.dataset.of.split(" ").includes(only) || Boolean(isPaged) && "plain" in row.dataset;
  });

  // On a phone the lists to choose from are folded.
  addEventListener("click", event => {
    const fold = event.target.closest(".fold");
    if (fold) fold.setAttribute("aria-expanded", fold.closest(".filters").classList.toggle("open"));
  });

  // A click into a row picks its client; one more lets it go. The button says the same to those who use keys.
  let picked;
  function mark() {
    for (const one of document.querySelectorAll("[data-client]")) one.classList.toggle("picked", one.dataset.client === picked);
    for (const one of document.querySelectorAll(".pick")) one.setAttribute("aria-pressed", one.closest("[data-client]").dataset.client === picked);
  }
  addEventListener("click", event => {
    const one = event.target.closest("[data-client]");
    if (!one || event.target.closest("a, button:not(.pick)")) return;
    picked = picked === one.dataset.client ? undefined : one.dataset.client;
    mark();
  });
  // A page that follows what happens is changed in place.
  addEventListener("renewed", mark);

  // On a phone a row is a card, whose values are named; the roles of a table stay, whatever it looks like.
  function name() {
    for (const table of document.querySelectorAll("table.cards")) {
      const heads = [...table.querySelectorAll("thead th")].map(head => head.textContent);
      const roles = [[[table], "table"], [table.querySelectorAll("thead, tbody"), "rowgroup"], [table.querySelectorAll("tr"), "row"],
        [table.querySelectorAll("th"), "columnheader"], [table.querySelectorAll("td"), "cell"]];
      for (const [all, role] of roles) for (const one of all) one.setAttribute("role", role);
      for (const row of table.tBodies[0]?.rows ?? []) [...row.cells].forEach((cell, k) => cell.dataset.label = heads[k] ?? "");
    }
  }
  name();
  addEventListener("renewed", name);

  // Moments come in one time for all, and are shown in that of the reader; of a deadline, how far it is.
  const language = french ? "fr" : "en-GB";
  function away(then) {
    const seconds = (then - Date.now()) / 1000;
    const [unit, size] = Math.abs(seconds) >= 172800 ? ["day", 86400] : Math.abs(seconds) >= 7200 ? ["hour", 3600] : ["minute", 60];
    return new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(Math.trunc(seconds / size), unit);
  }
  function tell() {
    for (const one of document.querySelectorAll("time[datetime]")) {
      const then = new Date(one.dateTime);
      if (isNaN(then)) continue;
      const how = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
      if (then.getFullYear() !== new Date().getFullYear()) how.year = "numeric";
      let text = then.toLocaleString(language, how);
      if (one.closest(".deadline") && then > Date.now()) text += " (" + away(then) + ")";
      one.title = then.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
      if (one.textContent !== text) one.textContent = text;
    }
  }
  tell();
  addEventListener("renewed", tell);
})();
