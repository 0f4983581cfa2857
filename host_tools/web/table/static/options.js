// House rules in a form: a list for each option and what its choice means. Used at set-up and for deck cards.

import { data, make } from "./net.js";

const at = (id) => document.getElementById(id);

/** Fields for these options in #option-fields; `chosen`: name -> choice; `changed()` after every choice. */
export function fillOptions(options, chosen, changed) {
  at("options").hidden = options.length === 0;
  at("option-fields").replaceChildren(...options.map((option) => {
    const select = make("select", { id: `option-${option.name}`, "aria-describedby": `meaning-${option.name}`,
      onchange: changed });
    select.append(...option.choices.map((choice) => make("option", { value: choice.value })));
    const number = option.choices.findIndex((choice) => String(choice.value) === String(chosen[option.name]));
    select.selectedIndex = Math.max(number, 0);
    return make("p", { class: "field" }, make("label", { for: select.id }, option.label), " ", select,
      make("span", { id: `meaning-${option.name}`, class: "meaning" }));
  }));
}

/** What the choices are called with so many seats, what the chosen ones mean, and how many are not usual. */
export function showOptions(options, seats) {
  for (const option of options) {
    const select = at(`option-${option.name}`);
    option.choices.forEach((choice, number) => {
      const label = option.per_seat && seats ? String(choice.value * seats) : choice.label;
      select.options[number].textContent = number ? label : `${label} (${data.box_words.options_usual})`;
    });
    at(`meaning-${option.name}`).textContent = option.choices[select.selectedIndex].meaning;
  }
  const changed = Object.keys(chosenOptions(options)).length;
  at("options-changed").textContent = changed
    ? data.box_words.options_changed.replace("{}", changed) : data.box_words.options_usual;
}

/** Name -> choice, of what is not usual. */
export function chosenOptions(options) {
  const place = (option) => at(`option-${option.name}`).selectedIndex;
  return Object.fromEntries(options.filter((option) => place(option) > 0)
    .map((option) => [option.name, option.choices[place(option)].value]));
}
