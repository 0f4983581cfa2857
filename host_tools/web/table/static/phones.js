// Phones as hands. The table's own page shows who has joined with its code; a phone has the colour of its owner,
// trembles when it is its turn, and says so when its seat is another's.

import { data, make, say } from "./net.js";
import { redraw } from "./keep.js";
import { hangUp, send } from "./line.js";

const TURN_MS = [120, 80, 120];
const at = (id) => document.getElementById(id);
let turn = ""; // the last decision after which it was this seat's turn

export function showPhones(state) {
  if (data.host) showJoined(state.phones);
  else showOwn(state, state.phones.find((phone) => phone.seat === data.seat));
}

function showJoined(phones) {
  const key = JSON.stringify(phones);
  if (at("phones").dataset.key === key) return;
  at("phones").dataset.key = key;
  redraw(at("phones"), ...phones.map(({ seat, name, colour, here }) => make("li",
    { "data-colour": colour, "data-means": `seat ${seat}` },
    make("span", {}, say("phone_of", seat + 1, name)), ...(here ? [] : [make("em", {}, ` ${say("phone_away")}`)]), " ",
    make("button", { type: "button", onclick: () => send({ do: "free", seat }) }, say("phone_free")))));
}

function showOwn({ match }, own) {
  const seats = match?.seats.length ?? 0;
  document.querySelector("main").dataset.colour = own?.colour ?? "";
  const text = match && !match.closed && data.seat >= seats ? say("phone_no_seat", data.seat + 1, seats)
    : own?.here > 1 ? say("phone_twice")
      : own && (!match || match.closed) ? say("phone_ready", own.name) : "";
  if (at("phone-note").textContent !== text) at("phone-note").textContent = text;
  const mine = match && !match.closed && match.awaits.seat === data.seat ? `${match.number}/${match.count}` : "";
  // a browser refuses it, and complains, until somebody has touched the page
  if (mine && !turn && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TURN_MS);
  turn = mine;
}

/** The seat was freed at the table: nothing of it is shown any more. */
export function onFreed() {
  hangUp();
  document.querySelector("main").hidden = true;
  at("problem").textContent = say("phone_freed");
}

/** Too many pages have this link open: the others go on. */
export function onRest() {
  hangUp();
  document.querySelector("main").inert = true;
  document.documentElement.classList.add("cut");
  at("problem").textContent = say("page_rests");
}

/** A link to `…#devices` opens the code of the table. */
export function setUpPhones() {
  if (data.host && location.hash === "#devices") at("devices").open = true;
}
