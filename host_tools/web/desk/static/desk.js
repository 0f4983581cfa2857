// The desk: a table that wants the jury rings, a page that shows no news says that there are some, and the field at the
// top finds everything.
"use strict";

const hint = document.getElementById("news");
const jury = document.getElementById("jury");
const showsNews = document.querySelector("main [data-live]");
let calling = callsOf(jury);

function callsOf(list) {
  return [...list.children].map((call) => call.textContent);
}

function ring() {
  const sound = new AudioContext();
  for (const [n, hertz] of [880, 660, 880, 660].entries()) {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    tone.frequency.value = hertz;
    volume.gain.value = 0.2;
    tone.connect(volume).connect(sound.destination);
    tone.start(sound.currentTime + n * 0.25);
    tone.stop(sound.currentTime + n * 0.25 + 0.2);
  }
}

// what the server has to say, without what was said to us alone
function mainOf(from) {
  const main = from.querySelector("main").cloneNode(true);
  for (const own of main.querySelectorAll(".flash, .error, .timer, [data-until]")) own.remove();
  return main.innerHTML.replace(/\s+/g, " ");
}

const first = showsNews ? "" : mainOf(document);
document.addEventListener("renewed", ({ detail }) => {
  const now = callsOf(jury);
  if (now.some((call) => !calling.includes(call))) ring();
  calling = now;
  if (!showsNews && mainOf(detail) !== first) hint.hidden = false;
});

// -- Ctrl+K: players, tables, matches -------------------------------------------------------------

const find = document.getElementById("find");
const found = document.getElementById("found");
let before = null; // where the keyboard was
let asked = 0;

function choices() {
  return [...found.querySelectorAll("a")];
}

function choose(step) {
  const all = choices();
  const now = all.findIndex((link) => link.classList.contains("chosen"));
  all[now]?.classList.remove("chosen");
  const next = all[(now + step + all.length + (now < 0 && step < 0 ? 1 : 0)) % all.length];
  next?.classList.add("chosen");
  next?.scrollIntoView({ block: "nearest" });
}

function closeFound() {
  found.hidden = true;
  found.replaceChildren();
}

async function look() {
  const number = ++asked;
  const wanted = find.value.trim();
  if (!wanted || wanted.includes("=")) return closeFound(); // a scanned slip
  const next = await answerAt(`${page.at}/desk/search?q=${encodeURIComponent(wanted)}`).then(documentOf, () => null);
  const list = next?.getElementById("finds");
  if (number !== asked || !list || document.activeElement !== find) return;
  const chosen = found.querySelector(".chosen")?.href; // by the arrows, while this answer was under way
  found.replaceChildren(...list.children);
  choices().find((link) => link.href === chosen)?.classList.add("chosen");
  found.dataset.answers = wanted;
  found.hidden = false;
}

document.addEventListener("keydown", (key) => {
  if (!(key.ctrlKey || key.metaKey) || key.key.toLowerCase() !== "k") return;
  key.preventDefault();
  if (document.activeElement !== find) before = document.activeElement;
  find.focus();
  find.select();
});
find.addEventListener("input", look);
find.addEventListener("keydown", (key) => {
  const chosen = found.querySelector(".chosen");
  if (key.key === "ArrowDown" || key.key === "ArrowUp") {
    key.preventDefault();
    choose(key.key === "ArrowDown" ? 1 : -1);
  } else if (key.key === "Enter" && chosen) {
    key.preventDefault();
    location.href = chosen.href;
  } else if (key.key === "Escape") {
    closeFound();
    find.value = "";
    before?.focus();
  }
});
document.addEventListener("focusin", (event) => {
  if (!find.form.contains(event.target)) closeFound();
});
