// The page's data, and the way to the server. Every request carries the key of the link.

export const data = JSON.parse(document.getElementById("data").textContent);
export const texts = data.texts;

/** The text of a key with its {} filled in. */
export function say(key, ...values) {
  return values.reduce((text, value) => text.replace("{}", value), texts[key] ?? key);
}

/** What a text says by the rules in force, a line each. `[app between=both] …` holds if both are in force, and
 * `[app,board] …` if one of the two is; a line without such a mark always does. */
export function sayRules(key, ruled) {
  const holds = (marks) => marks.split(" ").every((mark) => mark.split(",").some((one) => ruled.includes(one)));
  return say(key).split("\n").map((line) => /^(?:\[(.+?)\] )?(.*)$/.exec(line))
    .filter(([, marks]) => !marks || holds(marks)).map(([, , text]) => text);
}

export function link(path) {
  return `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(data.key)}`;
}

const READ_MS = 4000;
let told = 0; // sentences so far

/** Show a sentence in the alert line; "" takes it away, unless it is about something else. */
export function problem(text, about = "action") {
  if (text) told += 1;
  whenReleased(() => { // it pushes what is below it
    const line = document.getElementById("problem");
    if (!text && line.dataset.about !== about) return;
    line.textContent = text;
    line.dataset.about = about;
  });
}

/** What a press was refused with belongs to the moment before: it goes once it was there to be read. */
export function outlived() {
  const then = told;
  setTimeout(() => { if (then === told) problem(""); }, READ_MS);
}

/** The server was not reached, or its answer did not come. */
export class Cut extends Error {}

const LIMIT_MS = 60_000; // an analysis takes seconds; what takes longer never comes

/** What came, and its text; whatever the network does to it is a Cut. */
export async function fetched(path, options, read = (response) => response.text()) {
  try {
    const response = await fetch(link(path), { signal: AbortSignal.timeout(LIMIT_MS), ...options });
    return [response, await (response.ok ? read(response) : response.text())];
  } catch (error) {
    throw new Cut(error.message);
  }
}

async function answered(path, options, about) {
  const before = told;
  const [response, content] = await fetched(path, options);
  // what was told meanwhile stays: a press that waits may be refused before its answer is here
  if (!response.ok || before === told) problem(response.ok ? "" : content, about);
  if (!response.ok) throw new Error(content);
  return understood(content);
}

/** What is no answer of the table was cut off, or comes from somebody else: a Wi-Fi that wants a login answers
 * everything. */
function understood(content) {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Cut(error.message);
  }
}

export function get(path, limit = LIMIT_MS) {
  return answered(path, { signal: AbortSignal.timeout(limit) }, "reading");
}

export function post(path, body, signal = AbortSignal.timeout(LIMIT_MS)) {
  return answered(path, { method: "POST", body, signal }, "action");
}

/** For what people start: a failure is told in the alert line. */
export function quietly(act) {
  return (...all) => act(...all).catch((error) => { if (error instanceof Cut) problem(say("not_sent")); });
}

const acts = new WeakMap(); // element -> what it does, by the type of event

/** From now on `element` does this at such events, and no longer what it did before. */
export function on(element, type, act) {
  const own = acts.get(element) ?? {};
  acts.set(element, own);
  if (!(type in own)) element.addEventListener(type, (event) => own[type]?.(event));
  own[type] = act;
}

/** `kept` does what `fresh` does. */
export function doAs(kept, fresh) {
  const wanted = acts.get(fresh) ?? {};
  for (const type of Object.keys({ ...acts.get(kept), ...wanted })) on(kept, type, wanted[type]);
}

/** Make an element: make("button", {type: "button"}, "text", child …). */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) on(element, key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** The same for SVG. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
