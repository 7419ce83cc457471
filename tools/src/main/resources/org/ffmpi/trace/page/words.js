// SPDX-License-Identifier: Apache-2.0
/* Calls in words, for the pointer, for the line below the lanes, and for readers of the screen. */

const ANY_SOURCE = -1;
const ANY_TAG = -2;

function messagesOf(trace, laneIndex, call) {
  const lane = trace.lanes[laneIndex];
  const found = new Set();
  if (lane.sent[call] >= 0) {
    found.add(lane.sent[call]);
  }
  if (lane.received[call] >= 0) {
    found.add(lane.received[call]);
  }
  for (let i = lane.completed[call]; i >= 0; i = trace.lines.nextCompleted[i]) {
    found.add(i);
  }
  return [...found];
}

/** The parts of a description: what, where and when, with whom, how long it waited. */
function describe(trace, laneIndex, call) {
  const lane = trace.lanes[laneIndex];
  const [kind, , name, site, how, comm] = trace.types[lane.type[call]];
  const parts = {
    title: name + (site ? " at " + site : ""),
    when: "rank " + lane.rank + ", " + asTime(lane.length[call]) + " from " + asTick(lane.start[call], 1e3),
    facts: [],
    waited: null,
  };
  const peer = lane.peer[call];
  const tag = lane.tag[call];
  const sends = kind === "SEND" || kind === "ISEND";
  if (kind === "COLLECTIVE") {
    if (peer >= 0 && /bcast|scatter|gather|reduce/.test(name) && !/^i?all|Scatter/.test(name)) {
      parts.facts.push("root " + peer);
    }
  } else if (sends || kind === "RECV" || kind === "IRECV" || /PROBE/.test(kind)) {
    parts.facts.push((sends ? "to " : "from ")
      + (peer >= 0 ? "rank " + peer : peer === ANY_SOURCE ? "any source" : "no rank"));
  }
  if (kind !== "COLLECTIVE" && (tag >= 0 || tag === ANY_TAG)) {
    parts.facts.push(tag >= 0 ? "tag " + tag : "any tag");
  }
  if (lane.bytes[call] > 0) {
    parts.facts.push((kind === "RECV" || kind === "IRECV" ? "room for " : "") + asSize(lane.bytes[call]));
  }
  if (how) {
    parts.facts.push(how);
  }
  if (comm >= 0 && kind !== "OTHER") {
    parts.facts.push("communicator " + comm);
  }
  for (const message of messagesOf(trace, laneIndex, call).slice(0, 4)) {
    parts.facts.push(meeting(trace, laneIndex, call, message));
  }
  if (lane.waited[call] > 0) {
    const cause = lane.cause[call] > 0 ? ", rank " + trace.lanes[lane.cause[call] - 1].rank : "";
    parts.waited = trace.reasons[lane.reason[call]].replace("waited", "waited " + asTime(lane.waited[call])) + cause;
  }
  return parts;
}

/** What a call has to do with a message. */
function meeting(trace, laneIndex, call, message) {
  const lines = trace.lines;
  const sender = trace.lanes[lines.sender[message]];
  const receiver = trace.lanes[lines.receiver[message]];
  const send = lines.send[message];
  const flight = asTime(Math.max(0, lines.to[message] - lines.from[message]));
  if (lines.sender[message] === laneIndex && send === call) {
    const site = trace.types[receiver.type[lines.posted[message]]][3];
    return "received " + flight + " after its start by rank " + receiver.rank + (site ? " at " + site : "");
  }
  return "message of " + asSize(sender.bytes[send]) + ", tag " + sender.tag[send] + ", sent by rank " + sender.rank
    + " " + flight + " before the end";
}

/** What a lane does in a stretch of time that holds too many calls to show. */
function describeStretch(trace, laneIndex, from, to) {
  const lane = trace.lanes[laneIndex];
  const {start, bins, nanos} = level(trace, to - from);
  const first = Math.max(0, Math.min(bins - 1, Math.floor(from / nanos)));
  const last = Math.max(first + 1, Math.min(bins, Math.ceil(to / nanos)));
  const said = [];
  for (let color = 0; color < COLORS; color++) {
    let sum = 0;
    for (let bin = first; bin < last; bin++) {
      sum += lane.bins[start + color * bins + bin] / 255;
    }
    if (sum / (last - first) > 0.01) {
      said.push([sum / (last - first), trace.colors[color]]);
    }
  }
  said.sort((a, b) => b[0] - a[0]);
  const calls = firstAtLeast(lane.start, last * nanos, 0, lane.size) - firstAtLeast(lane.start, first * nanos, 0, lane.size);
  return {
    title: "rank " + lane.rank + ", " + asCount(calls) + " calls in " + asTime((last - first) * nanos),
    when: said.map(([share, text]) => Math.round(share * 100) + " % " + text).join(", ") || "computing",
    facts: ["zoom in to see the calls"], waited: null};
}
