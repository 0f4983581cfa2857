// Each sound of the box at the press of a button; another one, or the same again, replaces it.

import { play } from "./sound.js";

const { sounds } = JSON.parse(document.getElementById("data").textContent);

for (const button of document.querySelectorAll("[data-number]")) {
  button.addEventListener("click", () => play(sounds[button.dataset.number].tones));
}
