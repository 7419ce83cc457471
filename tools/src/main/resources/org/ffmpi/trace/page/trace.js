// SPDX-License-Identifier: Apache-2.0
/* Reads what PageData wrote: texts from JSON, calls and messages from columns of numbers. */

async function unpack(id) {
  const text = document.getElementById(id).textContent;
  const raw = atob(text);
  const packed = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) {
    packed[i] = raw.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers in groups of seven bits. */
class Columns {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) {
      return byte;
    }
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128);
    return value;
  }

  signed() {
    const value = this.next();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  column(made) {
    for (let i = 0; i < made.length; i++) {
      made[i] = this.next();
    }
    return made;
  }

  signedColumn(made) {
    for (let i = 0; i < made.length; i++) {
      made[i] = this.signed();
    }
    return made;
  }

  /** Numbers of which each is written as what it adds to the one before. */
  sums(made) {
    let last = 0;
    for (let i = 0; i < made.length; i++) {
      last += this.signed();
      made[i] = last;
    }
    return made;
  }
}

async function readTrace() {
  const trace = JSON.parse(document.getElementById("trace").textContent);
  trace.lanes = [];
  for (let lane = 0; lane < trace.ranks.length; lane++) {
    const [rank, node, size] = trace.ranks[lane];
    const columns = new Columns(await unpack("calls-" + lane));
    const calls = {
      rank, node, size,
      type: columns.column(new Uint32Array(size)),
      start: columns.sums(new Float64Array(size)),
      length: columns.column(new Float64Array(size)),
      peer: columns.signedColumn(new Int32Array(size)),
      tag: columns.signedColumn(new Int32Array(size)),
      bytes: columns.column(new Float64Array(size)),
      waited: columns.column(new Float64Array(size)),
      cause: columns.column(new Int32Array(size)),
      partner: columns.column(new Int32Array(size)),
      reason: columns.column(new Uint8Array(size)),
      depth: columns.column(new Uint16Array(size)),
      rows: 1,
      sent: new Int32Array(size).fill(-1),
      received: new Int32Array(size).fill(-1),
      completed: new Int32Array(size).fill(-1),
      latest: new Float64Array(size),
    };
    let latest = 0;
    for (let i = 0; i < size; i++) {
      latest = Math.max(latest, calls.start[i] + calls.length[i]);
      calls.latest[i] = latest;
      calls.rows = Math.max(calls.rows, calls.depth[i] + 1);
    }
    calls.bins = await unpack("bins-" + lane);
    trace.lanes.push(calls);
  }
  trace.lines = readMessages(trace, new Columns(await unpack("messages")));
  const bundles = new Columns(await unpack("bundles"));
  trace.bundles = trace.bundles.map(size => {
    const level = {message: new Uint32Array(size), count: new Uint32Array(size)};
    let last = 0;
    for (let i = 0; i < size; i++) {
      last += bundles.signed();
      level.message[i] = last;
      level.count[i] = bundles.next();
    }
    return level;
  });
  return trace;
}

function readMessages(trace, columns) {
  const size = trace.messages;
  const lines = {
    size,
    sender: columns.column(new Uint32Array(size)),
    send: columns.sums(new Float64Array(size)),
    receiver: columns.column(new Uint32Array(size)),
    posted: columns.sums(new Float64Array(size)),
    completed: columns.column(new Float64Array(size)),
    from: new Float64Array(size),
    to: new Float64Array(size),
    latest: new Float64Array(size),
    nextCompleted: new Int32Array(size).fill(-1),
    firsts: trace.lanes.map(() => [0, 0]),
  };
  let latest = 0;
  for (let i = 0; i < size; i++) {
    const sender = trace.lanes[lines.sender[i]];
    const receiver = trace.lanes[lines.receiver[i]];
    const ended = lines.completed[i] === 0 ? lines.posted[i] : lines.posted[i] + lines.completed[i] - 1;
    lines.completed[i] = ended;
    lines.from[i] = sender.start[lines.send[i]];
    lines.to[i] = receiver.start[ended] + receiver.length[ended];
    sender.sent[lines.send[i]] = i;
    receiver.received[lines.posted[i]] = i;
    lines.nextCompleted[i] = receiver.completed[ended];
    receiver.completed[ended] = i;
    const range = lines.firsts[lines.sender[i]];
    if (range[1] === 0) {
      range[0] = i;
      latest = 0;
    }
    range[1] = i + 1;
    latest = Math.max(latest, lines.to[i]);
    lines.latest[i] = latest;
  }
  return lines;
}

/** The first place from low to high whose number is at least so much. */
function firstAtLeast(numbers, least, low, high) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
