// A real box on Web Serial: its live picture and its journal. Only reads.

import { link as linkTo, make, post, problem, quietly, say } from "./net.js";
import { fromColumns, paint } from "./oled.js";
import { BoxLink } from "./link.js";

const PICTURE_MS = 400;
const MATCHES_MS = 3000;
const at = (id) => document.getElementById(id);
let box = null;
let timers = [];

async function connect() {
  problem("");
  try {
    const port = await navigator.serial.requestPort();
    box = new BoxLink(port, say);
    await box.open();
    const hello = await box.request("hello");
    at("hello").textContent = [hello.box, hello.name, `firmware ${hello.firmware}`].filter(Boolean).join(" · ");
    at("connect").disabled = true;
    at("disconnect").disabled = false;
    repeat(showPicture, PICTURE_MS);
    repeat(showMatches, MATCHES_MS);
  } catch (error) {
    problem(error.message);
  }
}

/** Do something now, and again some time after it has ended. */
function repeat(act, ms) {
  const again = async () => {
    if (!box) return;
    try {
      await act();
      timers.push(setTimeout(again, ms));
    } catch (error) {
      if (box) problem(error.message);
    }
  };
  again();
}

async function showPicture() {
  const { picture } = await box.request("screen");
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  paint(at("oled"), fromColumns(bytes));
}

async function showMatches() {
  const found = [];
  for (let after = 0, more = true; more; ) {
    const part = await box.request("matches", { after });
    found.push(...part.matches);
    more = part.more && part.matches.length > 0;
    after = found.at(-1)?.[0] ?? 0;
  }
  const key = JSON.stringify(found);
  if (at("matches").dataset.key === key) return;
  at("matches").dataset.key = key;
  at("matches").replaceChildren(...found.reverse().map(([number, state, bytes]) =>
    make("li", {}, `${say("match")} ${number} (${say("state_" + state)}, ${bytes} B) `,
      make("button", { type: "button", "data-look": number, onclick: quietly(() => look(number)) }, say("load")), " ",
      make("button", { type: "button", "data-save": number, onclick: quietly(() => save(number)) },
        say("save_journal")))));
}

async function text(number) {
  const lines = await box.journal(number);
  return lines.map((line) => line + "\n").join("");
}

async function look(number) {
  const { replay } = await post("/replays", await text(number));
  window.open(linkTo(`/r/${replay}`), "_blank", "noopener");
  at("verdict").replaceChildren(make("a", { href: linkTo(`/r/${replay}`) }, `${say("match")} ${number}`));
}

async function save(number) {
  const url = URL.createObjectURL(new Blob([await text(number)]));
  make("a", { href: url, download: `box-match${number}.journal` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function disconnect() {
  const old = box;
  box = null;
  timers.forEach(clearTimeout);
  timers = [];
  at("connect").disabled = false;
  at("disconnect").disabled = true;
  await old.last;
  await old.close();
}

if (!navigator.serial) {
  problem(say("no_serial"));
  at("connect").disabled = true;
}
at("connect").addEventListener("click", connect);
at("disconnect").addEventListener("click", disconnect);
