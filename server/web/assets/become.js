"use strict";
// Keeps every node that may stay, so that focus, selection, places of scrolling and what the reader opened stay too.
function become(old, now) {
  if (old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName || !old.firstChild || !now.firstChild) { old.replaceWith(now); return; }
  const isOurs = name => name !== "open" || old.nodeName !== "DETAILS";
  for (const { name } of [...old.attributes]) if (isOurs(name) && !now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (isOurs(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  // What comes or goes between others moves none of them.
  const before = [...old.childNodes], after = [...now.childNodes], fewest = Math.min(before.length, after.length);
  const isSame = (one, other) => one.nodeName === other.nodeName && one.id === other.id;
  let first = 0, last = 0;
  while (first < fewest && isSame(before[first], after[first])) first++;
  while (last < fewest - first && isSame(before.at(-1 - last), after.at(-1 - last))) last++;
  const [had, has] = [before.length - last, after.length - last];
  for (let k = had; k < has; k++) old.insertBefore(after[k], before[had] ?? null);
  before.forEach((child, k) => {
    if (k < had && k >= has) child.remove();
    else become(child, after[k < had ? k : k - had + has]);
  });
}
