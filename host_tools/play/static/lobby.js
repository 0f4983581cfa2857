// The list of tables.

import { link, post } from "./net.js";

document.getElementById("new-table").addEventListener("click", async () => {
  const { table } = await post("/tables");
  location.href = link(`/t/${table}`);
});

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", async () => {
    await post(`/t/${button.dataset.close}/close`);
    location.reload();
  });
}

document.getElementById("file").addEventListener("change", async (event) => {
  const { replay } = await post("/replays", await event.target.files[0].arrayBuffer());
  location.href = link(`/r/${replay}`);
});

