// Who has won at home; deleted once somebody has said that it is meant.

import { post, quietly } from "./net.js";

const button = document.getElementById("forget");
document.getElementById("sure")?.addEventListener("change", (event) => { button.disabled = !event.target.checked; });
button?.addEventListener("click", quietly(async () => {
  await post("/family/forget");
  location.reload();
}));
