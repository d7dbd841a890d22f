"use strict";
// The table of workers is asked for again while it is looked at; what the reader has opened stays open.
setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch("/workers", { cache: "no-cache" });
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const [old, now] = [document.getElementById("workers"), page && page.getElementById("workers")];
    if (!old || !now) return;
    become(old, now);
    dispatchEvent(new Event("renewed"));
  } catch {
    // The next time it may answer.
  }
}, 5000);
