// The desk: timers run, and a hint says when somebody else has changed something.
"use strict";

const page = document.body.dataset;
let clockAheadMs = 0; // the server's clock against this browser's

function tick() {
  refreshTimers(Date.now() + clockAheadMs);
}

const stream = new EventSource(`/live?page=desk&lang=${page.lang}`);
stream.onmessage = (message) => {
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  const isNews = news.again || news.parts || news.hello > Number(page.seq);
  if (isNews) document.getElementById("news").hidden = false;
};
setInterval(tick, 500);
tick();
