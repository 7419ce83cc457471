// SPDX-License-Identifier: Apache-2.0
/* What a view shows, as elements with places in pixels: lanes, boxes, bins, lines, words. Draws nothing. */

const AXIS = 26;
const WAITING = 6;
const COLORS = 7;
/** More calls than this for each pixel of a lane are drawn as bins: each box takes a pixel, however short its call. */
const CALLS_PER_PIXEL = 0.3;
/** More messages than this in a view are drawn as bundles. */
const MOST_LINES = 2500;

function layout(lanes, width) {
  const narrow = width < 600;
  const pitch = lanes <= 8 ? 46 : lanes <= 16 ? 34 : lanes <= 40 ? 22 : lanes <= 100 ? 14 : 9;
  const gap = pitch > 30 ? 12 : pitch > 15 ? 6 : 2;
  const left = narrow ? 34 : 66;
  return {left, right: width - 2, pitch, gap, narrow, height: AXIS + lanes * pitch};
}

function makeScene(trace, view, width, showLines) {
  const place = layout(trace.lanes.length, width);
  const perNano = (place.right - place.left) / (view.to - view.from);
  const x = time => place.left + (time - view.from) * perNano;
  const scene = {place, x, lanes: [], boxes: [], bins: [], lines: [], words: [], ticks: ticks(view, place, x)};
  trace.lanes.forEach((lane, index) => {
    const top = AXIS + index * place.pitch + place.gap / 2;
    const height = place.pitch - place.gap;
    const begun = lane.size === 0 ? place.left : Math.max(place.left, x(lane.start[0]));
    const over = lane.size === 0 ? place.left : Math.min(place.right, x(lane.latest[lane.size - 1]));
    scene.lanes.push({index, rank: lane.rank, top, height, begun, over});
    if (place.pitch > 13 || index % 8 === 0) {
      scene.words.push({
        x: 0, y: top + height / 2, text: place.narrow ? String(lane.rank) : "rank " + lane.rank, kind: "rank"});
    }
    const first = firstAtLeast(lane.latest, view.from, 0, lane.size);
    const last = firstAtLeast(lane.start, view.to, first, lane.size);
    if (last - first > CALLS_PER_PIXEL * (place.right - place.left)) {
      addBins(trace, scene, lane, index, view);
    } else {
      addBoxes(trace, scene, lane, index, first, last, view);
    }
  });
  if (showLines) {
    addLines(trace, scene, view);
  }
  return scene;
}

function ticks(view, place, x) {
  const span = view.to - view.from;
  const wanted = span / Math.max(3, (place.right - place.left) / 100);
  const power = Math.pow(10, Math.floor(Math.log10(wanted)));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= wanted) || 10 * power;
  const made = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    made.push({x: x(at), text: asTick(at, step, view.to)});
  }
  return made;
}

function addBoxes(trace, scene, lane, index, first, last, view) {
  const {top, height} = scene.lanes[index];
  const {left, right} = scene.place;
  const rows = Math.min(lane.rows, 8);
  const high = height / rows;
  for (let i = first; i < last; i++) {
    const end = lane.start[i] + lane.length[i];
    if (end >= view.from) {
      const from = Math.max(left, scene.x(lane.start[i]));
      const to = Math.min(right, Math.max(scene.x(end), from + 1));
      const waited = Math.max(from, Math.min(to, scene.x(lane.start[i] + lane.waited[i])));
      const type = trace.types[lane.type[i]];
      scene.boxes.push({
        lane: index, call: i, x: from, width: to - from, waited: lane.waited[i] > 0 ? waited - from : 0,
        y: top + Math.min(lane.depth[i], rows - 1) * high, height: high, color: type[1], name: type[2]});
      const room = to - from - 10;
      if (high >= 14 && room > 7 * type[2].length) {
        scene.words.push({x: from + 5, y: top + Math.min(lane.depth[i], rows - 1) * high + high / 2, text: type[2],
          kind: "call", color: lane.waited[i] > 0 && waited - from > (to - from) / 2 ? WAITING : type[1]});
      }
    }
  }
}

/** Where the bins of a level begin in a lane's bytes, and how many it has: the coarsest that is finer than pixels. */
function level(trace, nanosPerPixel) {
  let start = 0;
  for (let i = 0; i < trace.levels.length; i++) {
    const bins = trace.levels[i];
    if (trace.duration / bins <= nanosPerPixel || i === trace.levels.length - 1) {
      return {start, bins, nanos: trace.duration / bins};
    }
    start += bins * COLORS;
  }
  return null;
}

function addBins(trace, scene, lane, index, view) {
  const {left, right} = scene.place;
  const step = Math.max(1, Math.round(trace.lanes.length * (right - left) / 60000));
  const perPixel = (view.to - view.from) / (right - left);
  const {start, bins, nanos} = level(trace, perPixel * step);
  const {top, height} = scene.lanes[index];
  for (let px = left; px < right; px += step) {
    const from = Math.max(0, Math.floor((view.from + (px - left) * perPixel) / nanos));
    const to = Math.max(from + 1, Math.min(bins, Math.ceil((view.from + (px + step - left) * perPixel) / nanos)));
    const parts = new Array(COLORS).fill(0);
    let any = 0;
    for (let color = 0; color < COLORS; color++) {
      for (let bin = from; bin < to && bin < bins; bin++) {
        parts[color] += lane.bins[start + color * bins + bin] / 255 / (to - from);
      }
      any += parts[color];
    }
    if (any > 0) {
      scene.bins.push({lane: index, x: px, width: step, y: top, height, parts, any});
    }
  }
}

function addLines(trace, scene, view) {
  const lines = trace.lines;
  const seen = [];
  for (const [begin, end] of lines.firsts) {
    const first = firstAtLeast(lines.latest, view.from, begin, end);
    for (let i = first; i < end && lines.from[i] <= view.to && seen.length <= MOST_LINES; i++) {
      if (lines.to[i] >= view.from) {
        seen.push(i);
      }
    }
  }
  if (seen.length <= MOST_LINES || trace.bundles.length === 0) {
    seen.forEach(message => scene.lines.push(line(trace, scene, message, 1)));
    return;
  }
  // The finest level of bundles that has room in the view, or the strongest of the coarsest one.
  let chosen = [];
  for (const bundle of trace.bundles) {
    const inView = [];
    for (let i = 0; i < bundle.message.length; i++) {
      const message = bundle.message[i];
      if (lines.from[message] <= view.to && lines.to[message] >= view.from) {
        inView.push([message, bundle.count[i]]);
      }
    }
    if (chosen.length > 0 && inView.length > MOST_LINES / 4) {
      break;
    }
    chosen = inView;
  }
  chosen.sort((a, b) => b[1] - a[1]);
  chosen.slice(0, MOST_LINES).forEach(([message, count]) => scene.lines.push(line(trace, scene, message, count)));
}

function line(trace, scene, message, count) {
  const lines = trace.lines;
  const from = scene.lanes[lines.sender[message]];
  const to = scene.lanes[lines.receiver[message]];
  const down = from.index < to.index;
  return {
    message, count, x1: scene.x(lines.from[message]), x2: scene.x(lines.to[message]),
    y1: down ? from.top + from.height : from.top, y2: down ? to.top : to.top + to.height};
}

/** The call at a point of a lane, the nearest within a few pixels; -1 for none. */
function callAt(trace, view, scene, laneIndex, px, py) {
  const lane = trace.lanes[laneIndex];
  const perPixel = (view.to - view.from) / (scene.place.right - scene.place.left);
  const time = view.from + (px - scene.place.left) * perPixel;
  const slack = 3 * perPixel;
  const {top, height} = scene.lanes[laneIndex];
  const row = Math.floor((py - top) / height * lane.rows);
  let best = -1;
  let nearest = slack;
  for (let i = firstAtLeast(lane.latest, time - slack, 0, lane.size); i < lane.size && lane.start[i] <= time + slack;
    i++) {
    const away = Math.max(0, lane.start[i] - time, time - lane.start[i] - lane.length[i])
      + (lane.depth[i] === row ? 0 : slack / 2);
    if (away < nearest) {
      nearest = away;
      best = i;
    }
  }
  return best;
}
