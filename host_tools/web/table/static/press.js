// A press in the middle of a change: what comes while a finger is down is drawn once it is up. So what was pressed is
// still there, and means what it meant when the finger came down.
"use strict";

const HELD_MS = 1500; // longer nobody presses, and a call must be seen
const CLICK_MS = 120; // a touch is a click only after its finger has gone
const waiting = []; // what is done once nothing is pressed
let isDown = false;
let overdue = 0;

function noteDown(event) {
  if (event.target.closest?.("[data-button]")) return; // keys of the box stay, and its screen answers them
  if (event.type === "keydown" && event.key !== " ") return; // Enter acts at once, space when it is let go
  isDown = true;
  clearTimeout(overdue);
  overdue = setTimeout(letGo, HELD_MS);
}

function noteUp() {
  if (!isDown) return;
  clearTimeout(overdue);
  overdue = setTimeout(letGo, CLICK_MS);
}

function letGo() {
  clearTimeout(overdue);
  isDown = false;
  for (const act of waiting.splice(0)) queueMicrotask(act); // one that fails must not take the others with it
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, noteDown, true);
for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, noteUp, true);
addEventListener("click", () => setTimeout(letGo), true); // first whoever was pressed

/** Does `act` now, or once nothing is pressed; all in their order. */
function whenReleased(act) {
  if (isDown) waiting.push(act);
  else act();
}

// Nothing answers before the modules have run, which is what this event waits for: a press before it would be lost.
addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll("[data-waits]")) part.inert = false;
});
