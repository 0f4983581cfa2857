// Shows a player's call where the browser takes messages only from a worker: Chrome on Android. It answers no request
// and keeps nothing; a press on the message leads back to the page.
"use strict";

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(open.then((pages) => pages.find((page) => page.url === event.notification.data)?.focus()));
});
