// A phone joins a table: name, colour, seat. The seat that it got is kept on the phone, so that the table's code leads
// back to it.

import { redraw } from "./keep.js";
import { keepShort, oneSpelling } from "./names.js";
import { data, fetched, post, quietly, say } from "./net.js";

const KEY = "schiri.seat", AGAIN_MS = 5000;
const form = document.getElementById("join");

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // written by something else
  }
}

function page({ key, seat }) {
  return `/t/${data.table}?key=${encodeURIComponent(key)}&seat=${seat}`;
}

/** What was chosen last stands there again, and the way back to a seat that still has this name. */
function remember() {
  const last = kept();
  form.elements.name.value = last.name ?? "";
  const mine = data.seats.find((one) => one.seat + 1 === last.seat && one.who === last.name && !one.free);
  if (last.table === data.key && mine) {
    const back = document.querySelector("#back a");
    back.href = page(last);
    back.textContent = say("join_back", last.name);
    document.getElementById("back").hidden = false;
  }
  const free = form.querySelector("[name=seat]:enabled");
  if (free) free.checked = true;
}

/** Who has sat down meanwhile: a seat that is taken is not offered any more, and another is to be chosen. */
async function renew() {
  const [answer, page] = await fetched(`/t/${data.table}/join`);
  if (!answer.ok) return;
  const { value } = form.querySelector("[name=seat]:checked") ?? {};
  const next = new DOMParser().parseFromString(page, "text/html").querySelector(".places");
  whenReleased(() => {
    redraw(form.querySelector(".places"), ...next.childNodes);
    const mine = form.querySelector(`[name=seat][value="${value}"]`);
    if (mine) mine.checked = !mine.disabled;
  });
}

/** Once: a second time the seat would be taken, by oneself. */
async function sit() {
  const chosen = new FormData(form);
  const wish = { name: oneSpelling(chosen.get("name")), colour: chosen.get("colour"),
    seat: Number(chosen.get("seat")) };
  form.inert = true;
  try {
    const got = await post(`/t/${data.table}/join`, JSON.stringify(wish));
    localStorage.setItem(KEY, JSON.stringify({ ...got, table: data.key, name: wish.name }));
    location.href = page(got);
  } catch (error) {
    form.inert = false;
    renew().catch(() => {}); // the alert line says why
    throw error;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  quietly(sit)();
});
addEventListener("pageshow", () => { form.inert = false; }); // "back" shows this page as it was left
setInterval(() => document.hidden || form.inert || renew().catch(() => {}), AGAIN_MS); // or the next time

keepShort(form.elements.name);
remember();
