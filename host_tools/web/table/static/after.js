// After the match: the analysis comes by itself; the link to a step, its code, the file; the same match once more.

import { Cut, data, fetched, link, problem, post, quietly, say } from "./net.js";

const at = (id) => document.getElementById(id);

const AGAIN_MS = 3000;

async function tell() {
  let came = null;
  while (!came) {
    came = await fetched(`/r/${data.number}/summary`).catch((error) => {
      if (!(error instanceof Cut)) throw error;
      problem(say("lost"), "reading");
    });
    if (!came) await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
  problem("", "reading");
  const [answer, text] = came;
  if (answer.ok) at("summary").innerHTML = text; // a part of this page, written by the server
  else problem(text);
  at("summary").setAttribute("aria-busy", "false");
  if (location.hash === "#share") at("share").scrollIntoView();
}

function share() {
  const step = Math.max(0, Math.min(data.count, Math.trunc(Number(at("at").value)) || 0));
  at("link").value = `${data.link}&at=${step}`;
  at("code").src = link(`/r/${data.number}/share.svg?at=${step}`);
  at("copied").textContent = "";
}

async function copy() {
  at("link").select();
  if (navigator.clipboard) await navigator.clipboard.writeText(at("link").value);
  else document.execCommand("copy"); // a page without HTTPS, as in the local network
  at("copied").textContent = say("after_copied");
}

at("at").addEventListener("change", share);
at("copy").addEventListener("click", copy);
const rematch = (same_deal) => quietly(async () => {
  await post(`/t/${data.table}/do`, JSON.stringify({ do: "rematch", same_deal }));
  location.href = link(`/t/${data.table}${data.seat ? `?seat=${data.seat}` : ""}`);
});
at("rematch")?.addEventListener("click", rematch(false));
at("same-deal")?.addEventListener("click", rematch(true));
for (const one of document.querySelectorAll("#rematch, #same-deal")) one.disabled = false; // a press before was lost
await quietly(tell)();
