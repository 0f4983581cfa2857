// Drawers, and what somebody may choose about the page: day or night, and the language of page and box.

import { data, post, quietly } from "./net.js";

const at = (id) => document.getElementById(id);
const drawers = [...document.querySelectorAll(".drawer")];

function closeAll() {
  for (const drawer of drawers) drawer.open = false;
}

/** Escape, and a press anywhere else, close what is open. */
export function setUpDrawers() {
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && drawers.find((drawer) => drawer.open);
    if (!open) return;
    closeAll();
    open.querySelector("summary").focus();
  });
  document.querySelector("main").addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".rule")) closeAll();
  });
}

export function setUpSettings() {
  const root = document.documentElement;
  at("theme").value = root.style.colorScheme || "auto";
  at("theme").addEventListener("change", () => {
    const chosen = at("theme").value;
    root.style.colorScheme = chosen === "auto" ? "" : chosen;
    localStorage.setItem("schiri.theme", chosen);
  });
  at("lang")?.addEventListener("change", quietly(async () => {
    const before = data.lang;
    await post(`/t/${data.table}/do`, JSON.stringify({ do: "language", lang: at("lang").value })).catch((error) => {
      at("lang").value = before;
      throw error;
    });
    location.reload();
  }));
}
