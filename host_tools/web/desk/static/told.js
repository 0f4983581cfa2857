// A player's own page tells them that they are called, as long as it is open: large on the page, by
// a buzz, and by the phone's own message where the browser has them (only by HTTPS).
"use strict";

let telling = false;
let bell = null;
let known = null; // calls that were told, or lay there before the button was pressed

function calls() {
  return [...document.querySelectorAll("[data-told]")]
    .map((one) => [one.dataset.match + one.dataset.at, one.dataset.told]);
}

function notify(text) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const more = { body: text, tag: "schiri", requireInteraction: true, data: location.href };
  try {
    new Notification(document.title, more);
  } catch { // Chrome on Android takes them from a worker alone
    bell?.showNotification(document.title, more).catch(() => {}); // it has not begun yet: the page says it
  }
}

// its scope is its own folder: it has no page and no request of ours in its hands
async function hangBell() {
  bell = await navigator.serviceWorker?.register("/static/bell.js").catch(() => null); // forbidden, or no line
}

function tell(text) {
  navigator.vibrate?.([400, 200, 400, 200, 800]);
  notify(text);
}

function look() {
  const button = document.getElementById("tell");
  button.hidden = false;
  if (telling) [button.textContent, button.disabled] = [button.dataset.on, true];
  const now = calls();
  const place = document.getElementById("told"); // the page may have come anew
  const text = now.map(([, said]) => said).join(" ");
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
  if (telling) now.filter(([name]) => !known.has(name)).forEach(([, said]) => tell(said));
  known = new Set(now.map(([name]) => name));
}

// browsers ask for a press before a page may buzz or send messages
document.addEventListener("click", (press) => {
  if (press.target.id !== "tell") return;
  telling = true;
  navigator.vibrate?.(100);
  if ("Notification" in window && Notification.permission === "default") Notification.requestPermission();
  hangBell();
  look();
});
document.addEventListener("tick", look);
look();
