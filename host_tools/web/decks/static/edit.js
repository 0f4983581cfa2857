// Making a deck: the page holds it whole, the server says what is wrong with it.

import { Cut, data, draw, fetched, link, make, post, problem, quietly, say } from "./net.js";
import { HEIGHT, WIDTH, printed } from "./drawing.js";
import { chosenOptions, fillOptions, showOptions } from "./options.js";

let draft = data.draft;
const before = []; // drafts to go back to
let saved = JSON.stringify(draft);
const page = (id) => document.getElementById(id);
const of = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${data.lang}`;
const body = () => JSON.stringify(draft);

function said(text) {
  page("said").textContent = text;
}

/** Go from this draft to another, so that it can be undone. */
function change(act) {
  before.push(body());
  page("undo").disabled = false;
  act();
  fill();
}

// -- the grid

/** The object and the name in it that a place such as "cards[3].values[2]" means. */
function slot(place) {
  const parts = place.match(/[a-z]+|\d+/g);
  let holder = draft;
  for (const part of parts.slice(0, -1)) holder = holder[part];
  return [holder, parts.at(-1)];
}

function field(place, label, more = {}) {
  const [holder, name] = slot(place);
  const input = make("input", { "data-place": place, "aria-label": label, spellcheck: "false", ...more });
  input.value = holder[name] ?? "";
  return input;
}

function best(number, category) {
  const choices = ["high", "low"].map((way) =>
    make("option", { value: way, selected: category.best === way },
      way === "high" ? `▲ ${say("high")}` : `▼ ${say("low")}`));
  const label = `${category.title} ${say("best")}`;
  return make("select", { "data-place": `categories[${number}].best`, "aria-label": label }, ...choices);
}

function head(category, number) {
  const place = `categories[${number}]`;
  const joker = make("input", { type: "checkbox", "data-place": `${place}.joker` });
  joker.checked = category.joker;
  const jokers = draft.cards.some((card) => /^J[1-9]$/.test(card.code));
  return make("th", { scope: "col" },
    field(`${place}.title`, `${say("category")} ${number + 1}`, { maxlength: 60, placeholder: say("category") }),
    make("small", {}, say("unit")),
    field(`${place}.unit`, `${category.title} ${say("unit")}`, { maxlength: 20 }), best(number, category),
    ...(jokers ? [make("label", {}, joker, " ", say("doubled"))] : []),
    make("button", { type: "button", title: say("remove"), "aria-label": `${say("remove")}: ${category.title}`,
      onclick: () => change(() => {
      draft.categories.splice(number, 1);
      for (const card of draft.cards) card.values.splice(number, 1);
    }) }, "✕"));
}

function shot(card, number) {
  const chosen = make("input", { type: "file", accept: "image/*", "aria-label": `${say("picture")} ${card.code}` });
  chosen.addEventListener("change", () => {
    const [file] = chosen.files;
    chosen.value = ""; // so that the same file can be chosen again
    if (file) takePicture(card, file);
  });
  const image = card.picture ? make("img", { src: link(`/pictures/${card.picture}`), alt: "" }) : "+";
  return make("label", { class: "button shot", "data-card": number }, image, chosen);
}

function row(card, number) {
  const place = `cards[${number}]`;
  const name = card.code || String(number + 1);
  const values = draft.categories.map((category, at) => {
    card.values[at] ??= "";
    return make("td", { class: "value" },
      field(`${place}.values[${at}]`, `${name}, ${category.title}`, { inputmode: "decimal" }));
  });
  return make("tr", { "data-card": number },
    make("td", { class: "code" }, field(`${place}.code`, `${say("code")} ${number + 1}`, { maxlength: 4 })),
    make("td", { class: "name" }, field(`${place}.name`, `${say("name")} ${name}`, { maxlength: 60 })),
    make("td", { class: "picture" }, shot(card, number)), ...values,
    make("td", {}, make("button", { type: "button", title: say("remove"), "aria-label": `${say("remove")}: ${name}`,
      onclick: () => change(() => draft.cards.splice(number, 1)) }, "✕")));
}

function fill() {
  const held = document.activeElement?.dataset?.place;
  for (const input of document.querySelectorAll(".facts [data-place]")) input.value = draft[input.dataset.place];
  offerOptions();
  const heads = [["code", say("code")], ["name", say("name")], ["picture", say("picture")]];
  page("grid").replaceChildren(make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map(([kind, text]) => make("th", { class: kind, scope: "col" }, text)),
      ...draft.categories.map(head), make("td", {}))),
    make("tbody", {}, ...draft.cards.map(row))));
  if (held) document.querySelector(`[data-place="${held}"]`)?.focus();
  check();
}

/** The house rules that the preset has; the deck card brings what is chosen. */
function offerOptions() {
  const { options } = data.presets.find((preset) => preset.name === draft.preset) ?? data.presets[0];
  const read = () => {
    const chosen = Object.entries(chosenOptions(options));
    draft.options = Object.fromEntries(chosen.map(([name, choice]) => [name, String(choice)]));
    showOptions(options);
  };
  fillOptions(options, draft.options, () => {
    read();
    said("");
    check();
  });
  read();
}

document.addEventListener("input", (event) => {
  const place = event.target.dataset?.place;
  if (!place) return;
  const [holder, name] = slot(place);
  const called = shortName(draft.title);
  holder[name] = event.target.type === "checkbox" ? event.target.checked : event.target.value;
  if (place === "title" && ["", "deck", called].includes(draft.id)) {
    draft.id = shortName(draft.title);
    document.querySelector('[data-place="id"]').value = draft.id;
  }
  if (place === "preset") offerOptions();
  said("");
  check();
});

/** What a deck of this title is called where only a–z and digits may stand. */
function shortName(title) {
  const spelt = title.toLowerCase().replace(/[äöüß]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue", ß: "ss" })[letter]);
  return spelt.normalize("NFKD").replace(/[^a-z0-9 _-]/g, "").trim().replace(/[ _]+/g, "_").slice(0, 30);
}

/** Up, down and Enter go along a column, as in a spreadsheet. */
page("grid").addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: event.shiftKey ? -1 : 1 }[event.key];
  const place = event.target.dataset?.place;
  if (!step || !place || event.target.tagName === "SELECT") return;
  const next = place.replace(/^cards\[(\d+)\]/, (_, number) => `cards[${Number(number) + step}]`);
  const cell = next === place ? null : document.querySelector(`[data-place="${next}"]`);
  if (!cell) return;
  event.preventDefault();
  cell.focus();
  cell.select();
});

/** Several cells of a spreadsheet fill the cells from this one on. */
page("grid").addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text").replace(/\r?\n$/, "");
  const start = event.target.dataset?.place?.match(/^cards\[(\d+)\]\.(code|name|values\[(\d+)\])$/);
  if (!start || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const first = { code: -2, name: -1 }[start[2]] ?? Number(start[3]);
  change(() => text.split(/\r?\n/).forEach((line, down) => {
    const number = Number(start[1]) + down;
    while (draft.cards.length <= number) draft.cards.push(emptyCard());
    line.split("\t").forEach((cell, along) => {
      const at = first + along;
      if (at === -2) draft.cards[number].code = cell.trim();
      else if (at === -1) draft.cards[number].name = cell.trim();
      else if (at < draft.categories.length) draft.cards[number].values[at] = cell.trim();
    });
  }));
});

/** The code behind the last one: A4 is followed by B1, where groups are of four. */
function nextCode() {
  const last = draft.cards.at(-1)?.code ?? "";
  const parts = last.match(/^([A-Z])(\d)$/);
  if (!parts) return draft.cards.length ? "" : "A1";
  return parts[2] < 4 ? parts[1] + (Number(parts[2]) + 1) : `${String.fromCharCode(parts[1].charCodeAt(0) + 1)}1`;
}

function emptyCard() {
  return { code: nextCode(), name: "", values: draft.categories.map(() => ""), picture: "", link: "" };
}

function focus(place) {
  document.querySelector(`[data-place="${place}"]`)?.focus();
}

page("add-card").addEventListener("click", () => {
  change(() => draft.cards.push(emptyCard()));
  focus(`cards[${draft.cards.length - 1}].code`);
});
page("add-category").addEventListener("click", () => {
  change(() => draft.categories.push({ title: "", unit: "", best: "high", joker: false, key: "" }));
  focus(`categories[${draft.categories.length - 1}].title`);
});
page("undo").addEventListener("click", () => {
  draft = JSON.parse(before.pop());
  page("undo").disabled = !before.length;
  fill();
});

// -- tables

/** A card that was there before, by its name or else by its code, keeps its picture and its link. */
function keepOwn(card, before) {
  const old = before.find((one) => one.name && one.name === card.name)
    ?? before.find((one) => one.code === card.code && (!one.name || !card.name));
  if (old) Object.assign(card, { picture: old.picture, link: old.link });
}

let coming = null; // a table as it was read, before its cards are taken

/** What the table most likely means is shown card by card; nothing is taken yet. */
async function read(content, name) {
  const found = await post(of(`/import?name=${encodeURIComponent(name)}`), content);
  if (!name && draft.title) Object.assign(found, { id: draft.id, title: draft.title });
  Object.assign(found,
    { link: draft.link, preset: draft.preset, options: draft.options, translations: draft.translations });
  for (const card of found.cards) keepOwn(card, draft.cards);
  await preview(found);
  page("paste-panel").open = false;
  page("taking-title").focus();
}

async function preview(found) {
  const { cards, questions, faults } = await post(of("/check?all=1"), JSON.stringify(found));
  coming = found;
  page("taking").hidden = false;
  page("taking-count").textContent = say("taking_count", cards.length, found.categories.length, faults.length);
  page("taking-questions").replaceChildren(...questions.map((one) => question(found, one, () => preview(found))));
  page("taking-cards").replaceChildren(...cards.map((face) => {
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": cardSaid(face) });
    svg.append(...printed({ ...face, colour: face.colour ?? undefined }));
    return make("li", { class: "card" }, svg);
  }));
}

/** The card in words. */
function cardSaid({ code, name, rows }) {
  return [code, name, ...rows.map((row) => `${row.title} ${row.value}`)].filter(Boolean).join(", ");
}

/** A column with two readings, and a button for each. */
function question(whole, { category, typed, grouped, decimal }, answered) {
  const column = whole.categories[category];
  const choice = (marks, numbers) => make("button", { type: "button", onclick: quietly(async () => {
    column.marks = marks;
    await answered();
  }) }, numbers.map((one) => `${one} ${column.unit}`.trim()).join("; "));
  return make("p", { class: "row question", role: "group", "aria-label": column.title },
    say("question", column.title, typed.join("; ")), " ", choice("grouped", grouped),
    choice("decimal", decimal.map((one) => one.replace(".", data.decimal))));
}

function leave() {
  coming = null;
  page("taking").hidden = true;
  page("taking-cards").replaceChildren();
}

page("take-cards").addEventListener("click", () => {
  const found = coming;
  leave();
  change(() => { draft = found; });
  said(say("taken", draft.cards.length, draft.categories.length));
  page("grid").focus();
});
page("leave-cards").addEventListener("click", () => {
  leave();
  page("paste-panel").open = true;
  page("paste").focus();
});

page("take").addEventListener("click", quietly(() => read(page("paste").value, "")));
page("file").addEventListener("change", quietly(async (event) => {
  const file = event.target.files[0];
  await read(await file.arrayBuffer(), file.name);
  event.target.value = "";
}));

// -- pictures

async function keepPicture(card, file) {
  const { picture } = await post(of(`/pictures?name=${encodeURIComponent(file.name)}`), file);
  change(() => { draft.cards[draft.cards.indexOf(card)].picture = picture; });
}

const takePicture = quietly(keepPicture);

const plain = (text) => text.toLowerCase().replace(/\.[^.]*$/, "").normalize("NFC").replace(/[^\p{L}\p{N}]/gu, "");

/** Each picture goes to the card that its name begins with or is called after. */
const takePictures = quietly(async (files) => {
  const [lost, broken] = [[], []];
  for (const file of files) {
    const name = plain(file.name);
    const card = draft.cards.find((one) => one.code && plain(one.code) === name)
      ?? draft.cards.find((one) => one.name && plain(one.name) === name)
      ?? draft.cards.find((one) => one.code && new RegExp(`^${one.code}[^\\p{L}\\p{N}]`, "iu").test(file.name));
    if (!card) lost.push(file.name);
    else if (!await isTaken(card, file)) broken.push(file.name);
  }
  said([say("pictures_taken", files.length - lost.length - broken.length),
    ...(broken.length ? [say("pictures_broken", broken.join(", "))] : []),
    ...(lost.length ? [say("pictures_lost", lost.join(", "))] : [])].join(" "));
});

/** False for a file that the server refuses; its sentence is in the alert line. */
async function isTaken(card, file) {
  try {
    await keepPicture(card, file);
    return true;
  } catch (error) {
    if (error instanceof Cut) throw error;
    return false;
  }
}

page("pictures").addEventListener("change", (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  takePictures(files);
});
let over = null;
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  over?.classList.remove("over");
  over = event.target.closest?.("tr[data-card]");
  over?.classList.add("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  over?.classList.remove("over");
  const files = [...event.dataTransfer.files];
  const number = event.target.closest?.("tr[data-card]")?.dataset.card;
  const pictures = files.filter((file) => file.type.startsWith("image/"));
  if (pictures.length === 1 && number !== undefined) takePicture(draft.cards[number], pictures[0]);
  else if (pictures.length) takePictures(pictures);
  else if (files.length) quietly(async () => read(await files[0].arrayBuffer(), files[0].name))();
});

// -- faults

/** The input that a fault is about. */
function about(fieldName) {
  const place = fieldName.replace(/\.(key|decimals)$/, ".title").replace(/^(cards\[\d+\])\.(values|joker)$/, "$1.code");
  return document.querySelector(`[data-place="${place}"]`);
}

/** A deck of which there is nothing yet: no faults, but where to begin. */
const untouched = () => !draft.cards.length && !draft.categories.length;

let looked = 0; // number of the card that is shown
function showCard(face) {
  page("preview-panel").hidden = !face;
  if (!face) return;
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  svg.append(...printed(face));
  page("preview").replaceChildren(svg);
  page("preview").setAttribute("aria-label", `${face.code} ${face.name}`);
}

page("grid").addEventListener("focusin", (event) => {
  const number = Number(event.target.closest("tr[data-card]")?.dataset.card ?? looked);
  if (number === looked) return;
  looked = number;
  check();
});

function showFaults({ faults: found, notes, face, questions }) {
  page("questions").replaceChildren(...questions.map((one) => question(draft, one, check)));
  const faults = untouched() ? [] : found;
  showCard(face);
  for (const wrong of document.querySelectorAll("[aria-invalid]")) {
    wrong.removeAttribute("aria-invalid");
    wrong.removeAttribute("aria-describedby");
  }
  page("faults").replaceChildren(...faults.map((fault, number) => {
    const cell = about(fault.field);
    cell?.setAttribute("aria-invalid", "true");
    cell?.setAttribute("aria-describedby", `fault-${number}`);
    const where = cell?.getAttribute("aria-label") ?? cell?.closest("label")?.textContent.trim();
    const text = where ? `${where}: ${fault.text}` : fault.text;
    const shown = cell ? make("button", { type: "button", onclick: () => cell.focus() }, text) : text;
    return make("li", { id: `fault-${number}` }, shown);
  }), ...notes.map((note) => make("li", {}, note)));
  page("fault-count").textContent = faults.length ? say("fault_count", faults.length)
    : say(untouched() ? "welcome" : "no_faults");
}

let waiting = 0;
let asked = 0;
function check() {
  clearTimeout(waiting);
  waiting = setTimeout(quietly(async () => {
    const mine = ++asked;
    const found = await post(of(`/check?card=${looked}`), body());
    if (mine === asked) showFaults(found);
  }), 250);
}

// -- balance

const percent = (share) => `${(100 * share).toFixed(1).replace(".", data.decimal)} %`;

function bar(share) {
  const filled = make("span");
  filled.style.width = `${100 * share}%`;
  return make("td", { class: "bar", "aria-hidden": "true" }, filled);
}

function table(caption, heads, rows) {
  const headings = heads.map((text, at) =>
    (text ? make("th", { scope: "col", class: at ? "number" : "" }, text) : make("td", {})));
  return make("table", {}, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...headings)), make("tbody", {}, ...rows));
}

function number(share) {
  return make("td", { class: "number" }, percent(share));
}

page("simulate").addEventListener("click", quietly(async () => {
  page("simulated").textContent = say("simulating", data.matches);
  page("balance").replaceChildren();
  const found = await post(of("/balance"), body()).catch((error) => {
    page("simulated").textContent = "";
    throw error;
  });
  const cards = found.cards.toSorted((one, other) => other.wins - one.wins);
  page("simulated").textContent = say("played", found.matches, found.seats, percent(1 / found.seats));
  page("balance").replaceChildren(
    table(say("categories"), [say("category"), say("called"), say("tied"), ""], found.categories.map((one) =>
      make("tr", { class: one.dead ? "dead" : "" },
        make("th", { scope: "row" }, one.title + (one.dead ? ` – ${say("dead")}` : "")),
        number(one.called), number(one.tied), bar(one.called)))),
    table(say("cards"), [say("card"), say("wins"), ""], cards.map((one) =>
      make("tr", {}, make("th", { scope: "row" }, `${one.code} ${one.name}`), number(one.wins), bar(one.wins)))));
}));

page("play").addEventListener("click", quietly(async () => {
  const { table } = await post(of("/play"), body());
  page("at-table").replaceChildren(make("a", { href: table, target: "_blank" }, say("play_there")));
  window.open(table, "_blank");
}));

// -- paper and folder

page("pdf").addEventListener("click", quietly(async () => {
  const path = of(`/print?size=${page("size").value}&paper=${page("paper").value}`);
  const [answer, content] = await fetched(path, { method: "POST", body: body() }, (response) => response.blob());
  problem(answer.ok ? "" : content);
  if (!answer.ok) return;
  const address = URL.createObjectURL(content);
  const name = `${draft.id || "deck"}.pdf`;
  page("printed").replaceChildren(make("a", { href: address, download: name }, name));
  page("printed").firstChild.focus();
}));

async function save() {
  const kept = body();
  const { path, faults } = await post(of("/save"), kept);
  saved = kept;
  said(faults ? say("saved_faults", path, faults) : say("saved", path));
}

page("save").addEventListener("click", quietly(save));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    quietly(save)();
  }
});
window.addEventListener("beforeunload", (event) => {
  if (body() !== saved) event.preventDefault();
});

page("paste-panel").open = !draft.cards.length;
fill();
