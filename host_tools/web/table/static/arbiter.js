// The box's jury menu as buttons: what it offers now. Fingers press JURY and choose; the box decides.

import { data, make, say } from "./net.js";
import { redraw } from "./keep.js";
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
  redraw(at("arbiter-actions"), ...(actions.length ? actions.map((action) => actionButton(match, action)) : [say("arbiter_none")]));
  redraw(at("arbiter-form"), ...(open ? formOf(match, open, cards) : []));
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

function choice(name, label, options, chosen) {
  const select = make("select", { name, "data-means": name },
    ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  return make("label", { class: "field", "data-means": name }, label, " ", select);
}

/** What the box's menu asks for next: who, which card, why. */
function formOf(match, action, cards) {
  const { label, seat, card, reasons } = data.arbiter[action];
  const who = choice("seat", say("arbiter_seat"), match.seats.map((other, number) => [number, other.name]));
  const what = choice("card", say("arbiter_card"), cards.map((code) => [code, code]), broken[0]);
  const why = choice("why", say("arbiter_why"), reasons);
  const close = () => { open = null; draw(match); };
  const submit = (event) => {
    event.preventDefault();
    const chosen = new FormData(event.target);
    send({ do: "arbiter", action, seat: Number(chosen.get("seat") ?? 0), card: chosen.get("card") ?? "",
      why: chosen.get("why") });
    close();
  };
  return [make("form", { onsubmit: submit, "aria-label": label, "data-means": action },
    ...(seat ? [who] : []), ...(card ? [what] : []), why,
    make("button", { type: "submit", class: "main" }, say("arbiter_do")), " ",
    make("button", { type: "button", onclick: close }, say("arbiter_cancel")))];
}
