// The list of tables.

import { link, post, quietly } from "./net.js";

document.getElementById("new-table").addEventListener("click", quietly(async () => {
  const { table } = await post("/tables");
  location.href = link(`/t/${table}`);
}));

document.getElementById("fresh").addEventListener("click", quietly(async () => {
  const { table, key } = await post("/fresh");
  location.href = `/t/${table}?key=${encodeURIComponent(key)}`;
}));

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", quietly(async () => {
    await post(`/t/${button.dataset.close}/close`);
    location.reload();
  }));
}

document.getElementById("file").addEventListener("change", quietly(async (event) => {
  const file = event.target.files[0];
  const { replay } = await post(`/replays?name=${encodeURIComponent(file.name)}`, await file.arrayBuffer());
  location.href = link(`/r/${replay}`);
}));

document.getElementById("file").addEventListener("click", (event) => {
  event.target.value = ""; // the same file again, once it is mended
});
