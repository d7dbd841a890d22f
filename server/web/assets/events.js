"use strict";
// One stream of events for all tabs of a browser, which opens only six connections to a server.
const ports = new Set();
let last, source;
function tell(news) {
  last = news;
  for (const port of ports) port.postMessage(news);
}
function open() {
  source = new EventSource("/events");
  source.onmessage = event => tell({ is: event.data });
  source.addEventListener("end", event => tell({ is: event.data, end: true }));
  source.onerror = () => {
    // Where too many look on already the server is there, and pages ask it by themselves.
    const isFull = source.readyState === EventSource.CLOSED;
    if (isFull) setTimeout(open, 5000);
    if (!last?.end) tell(isFull ? { is: "asked " + Date.now() } : { is: last?.is, lost: true });
  };
}
addEventListener("connect", event => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = () => ports.delete(port);
  if (last) port.postMessage(last);
});
open();
