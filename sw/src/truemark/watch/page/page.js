// SPDX-License-Identifier: BSD-3-Clause
// Draws the documents `watch` that /events sends. Each port keeps two minutes of them.
"use strict";

const HISTORY = 120; // seconds
const FIRST_BIN = 8; // bin i of the waits ends at 2 ** (FIRST_BIN + i) ns, the last one nowhere
const MARGIN = { left: 4, right: 4, top: 22, bottom: 24 };
const kinds = new Map([[false, ""], [true, " (SIMULATED)"], [null, " (not known whether SIMULATED)"]]);
const token = location.hash.slice(1);
const find = (query, from = document) => from.querySelector(query);
const samples = []; // {at, ports}
let chosen = 0;
let frozen = false;

// Numbers

function scaled(value, units) {
  const [name, scale] = units.find(([, least]) => Math.abs(value) >= least) ?? units.at(-1);
  return `${Number((value / scale).toPrecision(4)).toLocaleString("en")} ${name}`;
}
const size = (bytes) => scaled(bytes, [["MB", 1e6], ["kB", 1e3], ["B", 1]]);
const rate = (bits) => scaled(bits, [["Gbit/s", 1e9], ["Mbit/s", 1e6], ["kbit/s", 1e3], ["bit/s", 1]]);
const time = (ns) => scaled(ns, [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]]);
const whole = (value) => Math.round(value).toLocaleString("en");

function wait(bin) {
  if (!bin) return "–";
  return bin.below_ns === null ? `> ${time(bin.from_ns)}` : `< ${time(bin.below_ns)}`;
}

// Where the law that marks begins: RED begins at its min.
const onset = ({ policy, k_bytes }) => `${["true-mark", "dual-step"].includes(policy) ? "K" : "min"} ${size(k_bytes)}`;

// Elements

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function sheet(id) {
  const svg = find(`#${id}`);
  const { width, height } = svg.getBoundingClientRect();
  svg.replaceChildren();
  const put = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
  };
  return {
    left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom, put,
    label: (text) => svg.setAttribute("aria-label", text),
  };
}

// The table of ports

function fillBar(made, port) {
  const share = (bytes) => `${Math.min(100, (100 * bytes) / Math.max(port.limit_bytes, 1))}%`;
  const below = port.k_bytes === null ? port.held_bytes : Math.min(port.held_bytes, port.k_bytes);
  const part = (kind, from, to) => {
    const piece = element("div", { class: kind });
    piece.style.left = share(from);
    if (to !== undefined) piece.style.right = `calc(100% - ${share(to)})`;
    return piece;
  };
  made.title = `${size(port.held_bytes)} of ${size(port.limit_bytes)}`;
  made.replaceChildren(part("held", 0, below), part("over", below, port.held_bytes), part("most", port.watermark_bytes));
  if (port.k_bytes !== null) made.append(part("k", port.k_bytes));
}

// The rows stay, only what stands in them changes: a click in between must meet what it was meant for.
function row(number) {
  const names = ["policy", "", "held", "in /s", "marked /s", "dropped /s", "sent", "99 % wait"];
  const cells = names.map((name) => element("td", name ? { "data-name": name } : {}));
  cells[1].append(element("div", { class: "bar" }));
  const choose = element("button", { type: "button" }, `${number}`);
  const made = element("tr", {}, element("td", { "data-name": "port" }, choose), ...cells);
  made.addEventListener("click", () => {
    chosen = number;
    draw();
    if (matchMedia("(max-width: 760px)").matches) find("#port").scrollIntoView();
  });
  return made;
}

function fillRow(made, port) {
  const k = port.k_bytes === null ? "" : `, ${onset(port)}`;
  const texts = [
    `${port.policy}${k}`, null, size(port.held_bytes), whole(port.all.arrived), whole(port.all.marked), whole(port.all.dropped),
    rate(port.sent_bit_s), wait(port.wait_p99),
  ];
  texts.forEach((text, index) => { if (text !== null) made.children[index + 1].textContent = text; });
  made.children[6].classList.toggle("dropping", port.all.dropped > 0);
  made.setAttribute("aria-current", String(port.port === chosen));
  fillBar(find(".bar", made), port);
}

// The pictures of one port: bars from right to left, the newest first

function along(paper, values) {
  const newest = samples.at(-1).at;
  const x = (at) => paper.right - ((newest - at) / 1000 / HISTORY) * (paper.right - paper.left);
  samples.forEach((sample, number) => {
    const before = samples[number - 1]?.at ?? sample.at - 1000;
    const from = Math.max(x(Math.max(before, sample.at - 5000)), paper.left);
    values(sample.ports[chosen], (kind, low, high) => {
      if (high < low) paper.put("rect", { class: kind, x: from, y: high, width: Math.max(x(sample.at) - from, 1), height: low - high });
    });
  });
  paper.put("line", { class: "axis", x1: paper.left, x2: paper.right, y1: paper.bottom, y2: paper.bottom });
  paper.put("text", { x: paper.left, y: paper.bottom + 18 }, "2 minutes ago");
  paper.put("text", { x: paper.right, y: paper.bottom + 18, "text-anchor": "end" }, "now");
}

function drawQueue(port) {
  const paper = sheet("queue");
  const y = (bytes) => paper.bottom - (Math.min(bytes / Math.max(port.limit_bytes, 1), 1)) * (paper.bottom - paper.top);
  along(paper, (then, put) => {
    const below = then.k_bytes === null ? then.held_bytes : Math.min(then.held_bytes, then.k_bytes);
    put("held", y(0), y(below));
    put("over", y(below), y(then.held_bytes));
  });
  const line = (kind, bytes) => paper.put("line", { class: kind, x1: paper.left, x2: paper.right, y1: y(bytes), y2: y(bytes) });
  line("limit", port.limit_bytes);
  paper.put("text", { x: paper.left, y: paper.top - 6 }, `limit ${size(port.limit_bytes)}`);
  if (port.k_bytes !== null) {
    line("k", port.k_bytes);
    const at = y(port.k_bytes) < paper.top + 20 ? y(port.k_bytes) + 18 : y(port.k_bytes) - 6;
    paper.put("text", { class: "k", x: paper.left, y: at }, onset(port));
  }
  paper.label(`${size(port.held_bytes)} held, limit ${size(port.limit_bytes)}`);
}

function drawSignals(port) {
  const paper = sheet("signals");
  const most = Math.max(1, ...samples.map(({ ports }) => ports[chosen].all.marked + ports[chosen].all.dropped));
  const y = (count) => paper.bottom - (count / most) * (paper.bottom - paper.top);
  along(paper, ({ all }, put) => {
    put("marked", y(0), y(all.marked));
    put("dropped", y(all.marked), y(all.marked + all.dropped));
  });
  paper.put("text", { x: paper.left, y: paper.top - 6 }, samples.some(({ ports }) => ports[chosen].all.marked + ports[chosen].all.dropped) ? `most ${whole(most)} /s` : "none");
  paper.label(`${whole(port.all.marked)} marked and ${whole(port.all.dropped)} dropped a second`);
}

function drawWaits(port) {
  const paper = sheet("waits");
  const most = Math.max(...port.waits);
  const width = (paper.right - paper.left) / port.waits.length;
  const x = (index) => paper.left + index * width;
  port.waits.forEach((count, index) => {
    const height = most ? (count / most) * (paper.bottom - paper.top) : 0;
    if (count) paper.put("rect", { class: "plain", x: x(index) + 1, y: paper.bottom - Math.max(height, 1), width: Math.max(width - 2, 1), height: Math.max(height, 1) });
  });
  paper.put("line", { class: "axis", x1: paper.left, x2: paper.right, y1: paper.bottom, y2: paper.bottom });
  const last = port.waits.length - 1;
  for (const index of [2, 7, 12, 17]) {
    paper.put("line", { class: "axis", x1: x(index), x2: x(index), y1: paper.bottom, y2: paper.bottom + 5 });
    paper.put("text", { x: x(index), y: paper.bottom + 18, "text-anchor": "middle" }, time(Number((2 ** (FIRST_BIN - 1 + index)).toPrecision(3))));
  }
  paper.put("line", { class: "axis", x1: x(last), x2: x(last), y1: paper.bottom, y2: paper.bottom + 5 });
  paper.put("text", { x: paper.right, y: paper.bottom + 18, "text-anchor": "end" }, `> ${time(Number((2 ** (FIRST_BIN - 1 + last)).toPrecision(3)))}`);
  paper.put("text", { x: paper.left, y: paper.top - 6 }, most ? `longest bar ${whole(most)} frames` : "nothing has left");
  const said = port.wait_p99 ? `Half waited ${wait(port.wait_p50)}, 99 % ${wait(port.wait_p99)}.` : "Nothing has left.";
  find("#quantiles").textContent = said;
  paper.label(said);
}

function drawClasses(port) {
  const lines = Object.entries(port.classes).map(([name, each]) => element(
    "tr", {}, element("th", { scope: "row" }, name), element("td", {}, whole(each.arrived)), element("td", {}, whole(each.marked)),
    element("td", { class: each.dropped ? "dropping" : "" }, whole(each.dropped)),
  ));
  find("#classes tbody").replaceChildren(...lines);
}

function draw() {
  if (!samples.length) return;
  const { ports } = samples.at(-1);
  chosen = Math.min(chosen, ports.length - 1);
  find("main").hidden = false;
  const rows = find("#ports tbody");
  if (rows.children.length !== ports.length) rows.replaceChildren(...ports.map((_, number) => row(number)));
  ports.forEach((port, number) => fillRow(rows.children[number], port));
  const port = ports[chosen];
  const shared = port.pool_bytes === null ? "" : `, ${size(port.pool_bytes)} of the pool`;
  find("#port h2").textContent = `Port ${port.port}: ${port.policy}, ${size(port.held_bytes)} in ${whole(port.held_packets)} frames${shared}`;
  drawQueue(port);
  drawSignals(port);
  drawWaits(port);
  drawClasses(port);
}

// What comes

function say(text, wrong = false) {
  find("#state").textContent = text;
  find("#state").classList.toggle("wrong", wrong);
  document.body.classList.toggle("stale", wrong);
}

const events = new EventSource("/events");
events.addEventListener("message", ({ data }) => {
  if (frozen) return;
  const { device, summary, ports } = JSON.parse(data);
  const at = Date.now();
  if (samples.length && samples.at(-1).ports.length !== ports.length) samples.length = 0;
  samples.push({ at, ports });
  while (at - samples[0].at > HISTORY * 1000) samples.shift();
  find("#device").textContent = `${device.address}${kinds.get(device.simulated)}`;
  say(summary);
  draw();
});
events.addEventListener("trouble", ({ data }) => say(`${JSON.parse(data)}; asking again`, true));
events.addEventListener("error", () => say("truemark web does not answer; asking again", true));
addEventListener("resize", () => draw());

find("#freeze").addEventListener("click", ({ target }) => {
  frozen = !frozen;
  target.setAttribute("aria-pressed", String(frozen));
  target.textContent = frozen ? "Go on" : "Freeze";
  if (frozen) say("frozen");
});

find("#shade").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
});

// What is set, by who has the token

const form = find("#control");
const fields = () => {
  const taken = form.policy.selectedOptions[0].dataset.takes.split(" ");
  for (const input of form.querySelectorAll("input")) input.parentElement.hidden = !taken.includes(input.name);
  return taken.filter((name) => name);
};
form.hidden = !token;
form.policy.addEventListener("change", fields);
fields();
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const port = chosen;
  const wanted = Object.fromEntries(["policy", ...fields()].map((name) => [name, form.elements[name].value]));
  const out = find("output", form);
  const tell = (text, wrong) => { out.textContent = text; out.classList.toggle("wrong", wrong); };
  tell("setting it", false);
  try {
    const answer = await fetch(`/port/${port}`, {
      method: "POST", body: JSON.stringify(wanted), headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    });
    if (answer.ok) tell(`Port ${port} has ${(await answer.json()).policy} now.`, false);
    else tell(await answer.text(), true);
  } catch {
    tell("truemark web does not answer; whether it was set is not known", true);
  }
});
