// Keeps a page of the board up to date: parts come ready from the server and replace the old ones.
"use strict";

const page = document.body.dataset;
const offline = document.getElementById("offline");
const AGAIN_S = page.turn ? 3 : 20; // a screen of the hall must show a call soon
let seq = Number(page.seq);
let clockAheadMs = 0; // the server's clock against this browser's

function replaceParts(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const place = document.getElementById("part-" + name);
    if (place && place.innerHTML !== html) {
      place.innerHTML = html;
      place.classList.remove("fresh");
      void place.offsetWidth; // restarts the animation
      place.classList.add("fresh");
    }
  }
}

async function loadAgain() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  seq = Number(next.body.dataset.seq);
  for (const place of ["main", "header"]) {
    document.querySelector(place).replaceWith(next.querySelector(place));
  }
  refresh();
}

function hear(message) {
  offline.hidden = true;
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  if (news.again || news.hello > seq) return loadAgain().catch(() => { offline.hidden = false; });
  if (news.parts) {
    seq = news.seq;
    replaceParts(news.parts);
  }
  refresh();
}

function refresh() {
  const now = new Date(Date.now() + clockAheadMs);
  refreshTimers(now.getTime());
  for (const clock of document.querySelectorAll("[data-clock]")) {
    clock.textContent = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
  }
  document.dispatchEvent(new Event("board"));
}

let stream;

function listen() {
  stream = new EventSource(`/live?page=${page.page}&lang=${page.lang}`);
  stream.onmessage = hear;
  stream.onerror = (event) => {
    offline.hidden = false;
    if (event.target.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    loadAgain().catch(() => {}); // too many listen: the page comes anew every now and then
    setTimeout(listen, AGAIN_S * 1000);
  };
}

listen();
setInterval(refresh, 500);
refresh();
