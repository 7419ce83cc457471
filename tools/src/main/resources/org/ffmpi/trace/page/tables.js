// SPDX-License-Identifier: Apache-2.0
/* The sentences and tables below and above the lanes. */

/** More ranks than this get the pairs that send most, not the matrix. */
const WIDEST_MATRIX = 48;
const MOST_ROWS = 400;

function fillTexts(trace) {
  const calls = trace.lanes.reduce((sum, lane) => sum + lane.size, 0);
  const nodes = new Set(trace.lanes.map(lane => lane.node)).size;
  document.getElementById("facts").textContent = [
    trace.lanes.length + (trace.lanes.length === 1 ? " rank" : " ranks") + (nodes > 1 ? " on " + nodes + " nodes" : ""),
    asTime(trace.duration), asCount(calls) + " calls", asCount(trace.messages) + " messages"].join("  ·  ");
  const titles = ["Where the time went", "Late messages", "Balance"];
  document.getElementById("findings").append(...trace.findings.map(
    (text, i) => element("div", [element("h2", titles[i]), element("p", bound(text))])));
  document.getElementById("notes").append(...trace.notes.map(text => element("p", text)));
  const used = new Set(trace.types.map(type => type[1])).add(WAITING);
  const computing = element("li", [swatch("--compute"), "computing"]);
  document.getElementById("legend").append(computing, ...trace.colors.map(
    (text, i) => element("li", [swatch("--c" + i), text])).filter((item, i) => used.has(i)));
}

/** Keeps numbers and their units on one line, and ranks and their numbers. */
function bound(text) {
  return text.replace(/(\d|\brank) (?=[\d%]|(?:[nµm]?s|B|[KMGT]iB)\b)/g, "$1\u00a0");
}

function swatch(color) {
  return element("i", [], {style: "background: var(" + color + ")", "aria-hidden": "true"});
}

function fillRanks(trace) {
  const head = [["rank"], ["computes", "--compute"], ["waits", "--c6"], ["moves data", "--muted"], [""], ["time"],
    ["calls"]];
  const body = trace.ranks.map(([rank, , calls, computing, waiting, moving, dropped, ended]) => {
    const total = computing + waiting + moving;
    const bar = element("div", [[computing, "--compute"], [waiting, "--c6"], [moving, "--muted"]].map(
      ([part, color]) => element("span", [], {
        style: "width: " + (total === 0 ? 0 : 100 * part / total) + "%; background: var(" + color + ")"})));
    const remarks = (dropped > 0 ? " (oldest lost)" : "") + (ended ? "" : " (killed)");
    return element("tr", [
      element("th", String(rank), {scope: "row", class: "left"}), element("td", asPercent(computing, total)),
      element("td", asPercent(waiting, total)), element("td", asPercent(moving, total)),
      element("td", bar, {class: "share", "aria-hidden": "true"}), element("td", asTime(total)),
      element("td", asCount(calls) + remarks)]);
  });
  const table = document.getElementById("rank-table");
  table.append(element("thead", element("tr", head.map(([text, color], i) => element(
    "th", [color ? swatch(color) : null, text], {scope: "col", class: i === 0 ? "left" : ""})))));
  table.append(element("tbody", body));
}

const CALL_COLUMNS = [
  {title: "call", value: row => row[1]},
  {title: "place", value: row => row[2] || ""},
  {title: "count", value: row => row[3], text: row => asCount(row[3])},
  {title: "bytes", value: row => row[4], text: row => row[4] > 0 ? asSize(row[4]) : ""},
  {title: "total", value: row => row[5], text: row => asTime(row[5])},
  {title: "mean", value: row => row[6], text: row => asTime(row[6])},
  {title: "longest", value: row => row[7], text: row => asTime(row[7])},
  {title: "waited", value: row => row[8], text: row => row[8] > 0 ? asTime(row[8]) : ""},
  {title: "for rank", value: row => row[9], text: row => row[9] < 0 ? "" : String(row[9])},
];

function fillCalls(trace) {
  const table = document.getElementById("call-table");
  const body = element("tbody", []);
  const heads = CALL_COLUMNS.map((column, i) => {
    const button = element("button", column.title, {type: "button"});
    const head = element("th", button, {scope: "col", class: i < 2 ? "left" : "", "aria-sort": "none"});
    button.addEventListener("click", () => sort(i, head.getAttribute("aria-sort") === "descending"));
    return head;
  });
  const sort = (index, ascending) => {
    const {value} = CALL_COLUMNS[index];
    const text = typeof value(trace.rows[0] || [0, "", ""]) === "string";
    const down = (a, b) => text ? String(value(b)).localeCompare(String(value(a))) : value(b) - value(a);
    const sorted = [...trace.rows].sort((a, b) => ascending ? down(b, a) : down(a, b));
    heads.forEach((head, i) => head.setAttribute(
      "aria-sort", i !== index ? "none" : ascending ? "ascending" : "descending"));
    body.replaceChildren(...sorted.slice(0, MOST_ROWS).map(row => element("tr", [
      element("td", [swatch("--c" + row[0]), row[1]], {class: "left"}),
      element("td", element("code", row[2] || ""), {class: "left"}),
      ...CALL_COLUMNS.slice(2).map(column => element("td", column.text(row)))])));
  };
  table.append(element("thead", element("tr", heads)), body);
  sort(4, false);
}

function fillMatrix(trace) {
  const table = document.getElementById("matrix");
  const show = unit => {
    const entries = unit === "bytes" ? trace.sentBytes : trace.sentMessages;
    const text = unit === "bytes" ? asSize : asCount;
    table.replaceChildren();
    if (entries.length === 0) {
      table.append(element("tbody", element("tr", element("td", "No rank sends a message to another."))));
    } else if (trace.lanes.length > WIDEST_MATRIX) {
      fillPairs(trace, table, entries, text);
    } else {
      fillSquare(trace, table, entries, text);
    }
  };
  document.querySelectorAll("input[name=unit]").forEach(
    input => input.addEventListener("change", () => show(input.value)));
  show("bytes");
}

function fillSquare(trace, table, entries, text) {
  const most = Math.max(...entries.map(entry => entry[2]));
  const cells = new Map(entries.map(([from, to, number]) => [from + " " + to, number]));
  const ranks = trace.lanes.map(lane => lane.rank);
  table.classList.toggle("dense", ranks.length > 12);
  table.append(element("thead", element("tr", [
    element("th", ranks.length > 12 ? "from \\ to" : "from \\ to rank", {class: "left"}),
    ...ranks.map(rank => element("th", String(rank), {scope: "col"}))])));
  table.append(element("tbody", ranks.map((rank, from) => element("tr", [
    element("th", String(rank), {scope: "row", class: "left"}),
    ...ranks.map((other, to) => {
      const number = cells.get(from + " " + to);
      return number === undefined ? element("td", "") : element("td", text(number), {
        style: "background: rgb(var(--tint) / " + (0.06 + 0.5 * number / most).toFixed(3) + ")"});
    })]))));
}

function fillPairs(trace, table, entries, text) {
  const sorted = [...entries].sort((a, b) => b[2] - a[2]).slice(0, 100);
  table.append(element("thead", element("tr", ["from rank", "to rank", "sent"].map(
    title => element("th", title, {scope: "col"})))));
  table.append(element("tbody", sorted.map(([from, to, number]) => element("tr", [
    element("td", String(trace.lanes[from].rank)), element("td", String(trace.lanes[to].rank)),
    element("td", text(number))]))));
}

/** The calls of a view as text, which is what the lanes show, for those who do not see them. */
function fillView(trace, view, most) {
  const rows = [];
  let more = 0;
  trace.lanes.forEach((lane, index) => {
    const first = firstAtLeast(lane.latest, view.from, 0, lane.size);
    const last = firstAtLeast(lane.start, view.to, first, lane.size);
    for (let i = first; i < last; i++) {
      if (rows.length < most) {
        const {title, facts, waited} = describe(trace, index, i);
        rows.push(element("tr", [
          element("th", String(lane.rank), {scope: "row", class: "left"}), element("td", asTick(lane.start[i], 1e3)),
          element("td", asTime(lane.length[i])), element("td", title, {class: "left"}),
          element("td", [...facts, waited].filter(each => each).join("; "), {class: "left"})]));
      } else {
        more++;
      }
    }
  });
  const table = document.getElementById("view-table");
  table.replaceChildren(
    element("thead", element("tr", ["rank", "from", "time", "call", "details"].map(
      (title, i) => element("th", title, {scope: "col", class: i === 1 || i === 2 ? "" : "left"})))),
    element("tbody", rows));
  if (more > 0) {
    table.append(element("caption", asCount(more) + " more calls in view: zoom in to list them."));
  }
}
