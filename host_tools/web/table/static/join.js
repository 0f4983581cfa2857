// A phone joins a table: name, colour, seat. The seat that it got is kept on the phone, so that the table's code leads
// back to it.

import { data, post, quietly, say } from "./net.js";

const KEY = "schiri.seat";
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
  const free = form.querySelector("[name=seat]:not(:disabled)");
  if (free) free.checked = true;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  quietly(async () => {
    const chosen = new FormData(form);
    const wish = { name: chosen.get("name"), colour: chosen.get("colour"), seat: Number(chosen.get("seat")) };
    const got = await post(`/t/${data.table}/join`, JSON.stringify(wish));
    localStorage.setItem(KEY, JSON.stringify({ ...got, table: data.key, name: wish.name.trim() }));
    location.href = page(got);
  })();
});

remember();
