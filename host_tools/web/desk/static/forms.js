// What is sent once is sent once: while a form is on its way, another press does nothing. And a page that came as the
// answer to a form has an address of its own, so that Back, reload and news never send the form again.
"use strict";

const { here, left } = document.body.dataset; // at once, or as soon as the page is left by a form

function moveTo(address) {
  if (address) history.replaceState(null, "", address);
}

moveTo(here);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  return moveTo(left);
});
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent; // the browser has come back to this page
});
