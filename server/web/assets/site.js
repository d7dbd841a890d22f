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
  const order = Object.keys(themes);
  let theme = order.includes(kept.get("theme")) ? kept.get("theme") : "auto";
  const button = document.createElement("button");
  button.type = "button";
  function paint() {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = (french ? "Couleurs : " : "Colours: ") + themes[theme];
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
  bar.append(button);

  // Pages that a server sends are told in two languages; the server reads what was chosen.
  if (document.querySelector("footer > #link, main[data-served]") && !document.querySelector(".play")) {
    const other = document.createElement("button");
    other.type = "button";
    other.id = "language";
    other.lang = french ? "en" : "fr";
    other.textContent = french ? "English" : "Français";
    other.onclick = () => {
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `agon-language=${other.lang}; path=/; max-age=31536000; samesite=lax${secure}`;
      location.reload();
    };
    bar.append(other);
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
})();
