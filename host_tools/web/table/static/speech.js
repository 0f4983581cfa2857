// What a screen reader hears of this page, said aloud by the browser's own voice if somebody wants that: the live
// regions one after the other, and what the focus comes to. Off until it is switched on; kept on the device.

import { data, problem, say } from "./net.js";
import { asSaid } from "./spoken.js";

const KEY = "schiri.speech";
const VOICES_MS = 2000; // browsers load their voices late
const MOST_WAITING = 12;
const LIVE = "[role=log], [role=status], [role=alert]";
const SCREEN = "#screen-text"; // every line of the box's screen would talk over what was decided
const synth = window.speechSynthesis;
const button = document.getElementById("speak");
let wanted = false;
let voice = null; // while it speaks
let waiting = []; // [text, is it the focus?]
let saying = null;

/** A voice for this page's language that asks no server; null if there is none. */
async function findVoice() {
  const found = () => synth?.getVoices()
    .find((one) => one.localService && one.lang.toLowerCase().startsWith(data.lang));
  for (const until = performance.now() + VOICES_MS; synth && !found() && performance.now() < until;) {
    await new Promise((done) => setTimeout(done, 100));
  }
  return found() ?? null;
}

function next() {
  saying = voice ? waiting.shift() ?? null : null;
  if (!saying) return;
  const mine = saying;
  const words = new SpeechSynthesisUtterance(asSaid(mine[0], say("spoken_numbers")));
  [words.voice, words.lang] = [voice, voice.lang];
  words.onend = words.onerror = () => mine === saying && next();
  synth.speak(words);
}

/** What the focus has left is not said any more; what was decided waits for its turn. */
function tell(text, focus) {
  if (!voice || !text) return;
  if (focus) waiting = waiting.filter(([, old]) => !old);
  waiting = [...waiting, [text, focus]].slice(-MOST_WAITING);
  if (!saying) next();
  else if (focus && saying[1]) {
    saying = null;
    synth.cancel();
    next();
  }
}

function hear(changes) {
  for (const { type, target, addedNodes } of changes) {
    const region = (target.closest ? target : target.parentElement)?.closest(LIVE);
    if (!region || region.matches(SCREEN)) continue;
    for (const node of type === "characterData" ? [target] : addedNodes) tell(node.textContent.trim(), false);
  }
}

function nameOf(element) {
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  return element.matches("select") ? `${label}: ${element.selectedOptions[0]?.textContent ?? ""}` : label.trim();
}

async function switchOn() {
  wanted = true;
  button.setAttribute("aria-pressed", "true"); // a voice may take seconds
  const found = await findVoice();
  if (!wanted) return;
  voice = found;
  if (!voice) {
    wanted = false;
    button.setAttribute("aria-pressed", "false");
    problem(say("speech_no_voice"));
    return;
  }
  localStorage.setItem(KEY, "on");
  tell(say("speech_on"), false);
  tell(document.getElementById("prompt")?.textContent, false);
}

function switchOff() {
  localStorage.removeItem(KEY);
  [wanted, voice, waiting, saying] = [false, null, [], null];
  synth.cancel();
  button.setAttribute("aria-pressed", "false");
}

export function setUpSpeech() {
  button.addEventListener("click", () => (wanted ? switchOff() : switchOn()));
  new MutationObserver(hear).observe(document.body, { childList: true, characterData: true, subtree: true });
  document.addEventListener("focusin", ({ target }) => tell(nameOf(target), true));
  if (localStorage.getItem(KEY) === "on") switchOn();
}
