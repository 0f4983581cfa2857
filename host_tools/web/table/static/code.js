// Whoever has come without a link types the code of a table.

import { post, quietly } from "./net.js";

const form = document.getElementById("code-form");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  quietly(async () => {
    const { join } = await post("/code", new FormData(form).get("code"));
    location.href = `/${join}`;
  })();
});
