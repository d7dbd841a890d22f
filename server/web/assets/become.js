"use strict";
// Keeps every node that may stay, so that focus, selection and places of scrolling stay too.
function become(old, now) {
  if (old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName || !old.firstChild || !now.firstChild) { old.replaceWith(now); return; }
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const before = [...old.childNodes], after = [...now.childNodes];
  before.forEach((child, k) => k < after.length ? become(child, after[k]) : child.remove());
  old.append(...after.slice(before.length));
}
