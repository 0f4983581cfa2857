// A finished match, step by step.

import { data, get, make, say } from "./net.js";

const at = (id) => document.getElementById(id);
const replay = await get(`/r/${data.number}/steps`);
const count = replay.steps.length;
let place = Math.min(data.at, count);

function show() {
  at("at").max = count;
  at("at").value = place;
  at("step-title").textContent = `${say("step")} ${place} ${say("of")} ${count}`;
  const step = replay.steps[place - 1];
  at("told").textContent = step ? `${step.time}  ${step.text}` : "–";
  at("awaits").textContent = step && step.awaits.for !== "nothing" ? awaited(step.awaits) : "";
  for (const line of at("news").children) line.classList.toggle("now", Number(line.dataset.n) === place);
  at("news").querySelector(".now")?.scrollIntoView({ block: "nearest" });
  at("back").disabled = at("first").disabled = place === 0;
  at("next").disabled = at("last").disabled = place === count;
  history.replaceState(null, "", `?key=${encodeURIComponent(data.key)}&at=${place}`);
}

function awaited({ seat, for: what }) {
  return seat === null ? say(`for_${what}`) : say("wait_for", replay.names[seat], say(`for_${what}`));
}

function go(to) {
  place = Math.max(0, Math.min(count, to));
  show();
}

at("title").textContent = replay.title;
at("result").textContent = replay.result;
at("judged").textContent =
  replay.differs === null ? say("agrees") : replay.differs ? say("differs", replay.differs) : say("no_answers");
at("news").append(...replay.steps.map((step) =>
  make("li", { "data-n": step.n, class: step.refused ? "refused" : "" }, `${step.time}  ${step.text}`)));
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(place - 1));
at("next").addEventListener("click", () => go(place + 1));
at("last").addEventListener("click", () => go(count));
at("at").addEventListener("input", () => go(Number(at("at").value)));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input")) return;
  if (event.key === "ArrowRight") go(place + 1);
  if (event.key === "ArrowLeft") go(place - 1);
});
show();
