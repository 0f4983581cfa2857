// Cards move: dealt from the middle, laid from a hand or a seat, swept to the winner. Nobody who asks for less motion
// sees it.

const LAY_MS = 380, SWEEP_MS = 520, DEAL_MS = 45, COUNT_MS = 700;
const at = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const lastSeen = new Map(); // card of a hand -> where it stood
const flights = new WeakMap(); // card -> how it flew last
let rush = false;
let dealtTo = ""; // the hand that has been dealt

/** In a rush nothing moves. */
export function setRush(on) {
  rush = on;
}

function still() {
  return rush || calm.matches || document.hidden;
}

function places(selector, key) {
  return new Map([...document.querySelectorAll(selector)]
    .map((element) => [element.dataset[key], [element, element.getBoundingClientRect()]]));
}

function chip(seat) {
  return at("seats").children[seat]?.getBoundingClientRect();
}

function fly(element, from, options) {
  const to = element.getBoundingClientRect();
  if (!from?.width || !to.width) return;
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
  if (Math.abs(x) + Math.abs(y) < 3) return;
  const scale = Math.min(1, Math.max(0.3, from.width / to.width));
  const flight = element.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }],
    { duration: LAY_MS, easing: "ease-out", fill: "backwards", ...options });
  if (Math.abs(x) > to.width / 2 || Math.abs(y) > to.height / 2) untouched(element, flight);
}

/** A card that flies out from under a finger between down and up would lose the press without a word: it is pressed
 * once it lies. */
function untouched(element, flight) {
  flights.set(element, flight);
  element.dataset.flies = "";
  flight.finished.catch(() => {}).then(() => flights.get(element) === flight && delete element.dataset.flies);
}

/** A card that is gone glides from where it was to where it belongs, as a copy that nobody can press or hear. */
function sweep(element, from, to) {
  const copy = element.cloneNode(true);
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("flying");
  Object.assign(copy.style, { left: `${from.x}px`, top: `${from.y}px`, width: `${from.width}px` });
  document.body.append(copy);
  const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
  copy.animate([{}, { transform: `translate(${x}px, ${y}px) scale(.2)`, opacity: 0.2 }],
    { duration: SWEEP_MS, easing: "ease-in" })
    .finished.finally(() => copy.remove());
}

/** A number that goes up or down to its new value, while the cards are on their way. */
export function countTo(element, from, to) {
  if (still()) return;
  const begin = performance.now();
  const step = (now) => {
    const done = Math.min(1, (now - begin) / COUNT_MS);
    element.textContent = String(Math.round(from + (to - from) * done));
    if (done < 1 && element.isConnected) requestAnimationFrame(step);
  };
  element.textContent = String(from);
  requestAnimationFrame(step);
  element.animate([{}, { transform: "scale(1.5)" }, {}], { duration: COUNT_MS });
}

/** Draw the middle anew. `from(code)`: the seat that has laid a card; `to(code)`: the seat that takes one that is
 * gone. */
export function laid(redraw, from, to) {
  if (still()) return redraw();
  const before = places("#middle [data-card]", "card");
  redraw();
  const after = places("#middle [data-card]", "card");
  const hand = places("#hand [data-code]", "code");
  for (const [code, [element]] of after) {
    fly(element, before.get(code)?.[1] ?? hand.get(code)?.[1] ?? lastSeen.get(code) ?? chip(from(code)));
  }
  for (const [code, [element, place]] of before) {
    const goal = after.has(code) ? null : chip(to(code));
    if (goal?.width) sweep(element, place, goal);
  }
}

/** Draw a hand anew; `hand` names it: a new one is dealt card by card. */
export function dealt(hand, redraw) {
  const isNew = hand !== dealtTo;
  dealtTo = hand;
  if (still()) return redraw();
  const before = places("#hand [data-code]", "code");
  for (const [code, [, place]] of before) lastSeen.set(code, place);
  redraw();
  const source = at("middle").getBoundingClientRect();
  [...places("#hand [data-code]", "code")].forEach(([code, [element]], number) => {
    if (isNew) fly(element, source, { delay: DEAL_MS * number });
    else fly(element, before.get(code)?.[1] ?? source);
  });
}
