// The box's jury menu as buttons: what it offers now. Fingers press JURY and choose; the box decides.

import { data, make, say } from "./net.js";
import { send } from "./line.js";

const at = (id) => document.getElementById(id);
let open = null; // the action whose form is open
let broken = [];
let shown = ""; // what the panel was drawn for: it is drawn again only when that changes

/** Draw what is possible now; an open form stays while its action is still offered. `dead`: cards whose tag is
 * silent. */
export function showArbiter(match, dead) {
  const panel = at("arbiter");
  if (!panel) return;
  const offered = match?.arbiter ?? null;
  const key = JSON.stringify([match?.number, offered, match?.seats.map((seat) => seat.name)]);
  panel.hidden = !match; // in its row of pills as long as one is there: the others stay where they are
  broken = dead;
  if (key === shown) return;
  shown = key;
  if (!offered?.actions.includes(open)) open = null;
  draw(match);
}

function draw(match) {
  const { actions, cards } = match?.arbiter ?? { actions: [], cards: [] };
  at("arbiter-actions").replaceChildren(
    ...(actions.length ? actions.map((action) => actionButton(match, action)) : [say("arbiter_none")]));
  at("arbiter-form").replaceChildren(...(open ? formOf(match, open, cards) : []));
}

function actionButton(match, action) {
  const { label, reasons } = data.arbiter[action];
  const attributes = { type: "button", "data-action": action };
  if (!reasons.length) return make("button", { ...attributes, onclick: () => send({ do: "arbiter", action }) }, label);
  const toggle = () => {
    open = open === action ? null : action;
    draw(match);
    (open ? at("arbiter-form").querySelector("select") : document.querySelector(`[data-action="${action}"]`)).focus();
  };
  return make("button", { ...attributes, "aria-expanded": String(open === action), "aria-controls": "arbiter-form",
    onclick: toggle }, label);
}

function choice(label, options) {
  const select = make("select", {}, ...options.map(([value, text]) => make("option", { value }, text)));
  return [select, make("label", { class: "field" }, label, " ", select)];
}

/** What the box's menu asks for next: who, which card, why. */
function formOf(match, action, cards) {
  const { label, seat, card, reasons } = data.arbiter[action];
  const [who, whoLine] = choice(say("arbiter_seat"), match.seats.map((other, number) => [number, other.name]));
  const [what, whatLine] = choice(say("arbiter_card"), cards.map((code) => [code, code]));
  if (cards.includes(broken[0])) what.value = broken[0];
  const [why, whyLine] = choice(say("arbiter_why"), reasons);
  const close = () => { open = null; draw(match); };
  const submit = (event) => {
    event.preventDefault();
    send({ do: "arbiter", action, seat: seat ? Number(who.value) : 0, card: card ? what.value : "", why: why.value });
    close();
  };
  return [make("form", { onsubmit: submit, "aria-label": label },
    ...(seat ? [whoLine] : []), ...(card ? [whatLine] : []), whyLine,
    make("button", { type: "submit", class: "main" }, say("arbiter_do")), " ",
    make("button", { type: "button", onclick: close }, say("arbiter_cancel")))];
}
