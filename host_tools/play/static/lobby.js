// The list of tables.

import { link, post, quietly } from "./net.js";

document.getElementById("new-table").addEventListener("click", quietly(async () => {
  const { table } = await post("/tables");
  location.href = link(`/t/${table}`);
}));

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", quietly(async () => {
    await post(`/t/${button.dataset.close}/close`);
    location.reload();
  }));
}

document.getElementById("file").addEventListener("change", quietly(async (event) => {
  const { replay } = await post("/replays", await event.target.files[0].arrayBuffer());
  location.href = link(`/r/${replay}`);
}));

