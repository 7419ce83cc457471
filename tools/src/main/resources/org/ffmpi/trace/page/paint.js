// SPDX-License-Identifier: Apache-2.0
/* Paints scenes on canvases. */

function palette() {
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue(name).trim();
  const colors = [];
  for (let i = 0; i < COLORS; i++) {
    colors.push(get("--c" + i));
  }
  return {
    colors, ink: colors.map(inkOn), text: get("--text"), muted: get("--muted"), line: get("--line"),
    compute: get("--compute"), link: get("--link"), surface: get("--surface"), focus: get("--focus")};
}

/** Black or white, whichever is easier to read on a colour. */
function inkOn(color) {
  const part = at => Math.pow(parseInt(color.slice(at, at + 2), 16) / 255, 2.2);
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.2 ? "#111" : "#fff";
}

function fit(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.parentElement.clientWidth
    - (canvas.id === "overview" ? parseFloat(getComputedStyle(canvas.parentElement).paddingLeft) * 2 : 0);
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return {pen, width};
}

function paint(pen, scene, trace, colors, chosen) {
  const {left, right, height} = scene.place;
  pen.textBaseline = "middle";
  pen.font = "12px system-ui, sans-serif";
  pen.lineWidth = 1;
  for (const tick of scene.ticks) {
    pen.fillStyle = colors.line;
    pen.fillRect(Math.round(tick.x), AXIS - 6, 1, height - AXIS + 6);
    const width = pen.measureText(tick.text).width;
    pen.fillStyle = colors.muted;
    pen.fillText(tick.text, Math.min(Math.max(left, tick.x - width / 2), right - width), AXIS / 2 - 3);
  }
  for (const lane of scene.lanes) {
    pen.fillStyle = colors.compute;
    pen.fillRect(lane.begun, lane.top, Math.max(0, lane.over - lane.begun), lane.height);
  }
  for (const bin of scene.bins) {
    paintBin(pen, bin, colors);
  }
  for (const box of scene.boxes) {
    paintBox(pen, box, colors);
  }
  paintLines(pen, scene, colors, chosen);
  for (const word of scene.words) {
    pen.fillStyle = word.kind === "rank" ? colors.muted : colors.ink[word.color];
    pen.fillText(word.text, word.x, word.y + 0.5);
  }
  if (chosen) {
    paintChosen(pen, scene, trace, colors, chosen);
  }
}

/** The parts of the time, one above the other: computing at the top, waiting at the bottom. */
function paintBin(pen, bin, colors) {
  const scale = bin.height / Math.max(1, bin.any);
  let bottom = bin.y + bin.height;
  for (let color = COLORS - 1; color >= 0; color--) {
    const part = bin.parts[color] * scale;
    if (part > 0) {
      pen.fillStyle = colors.colors[color];
      pen.fillRect(bin.x, bottom - part, bin.width, part);
      bottom -= part;
    }
  }
}

/** A call in its colour; the part in which it waits has the colour of waiting, below a strip of its own. */
function paintBox(pen, box, colors) {
  const gap = box.width > 3 ? 0.5 : 0;
  pen.fillStyle = colors.colors[box.color];
  pen.fillRect(box.x, box.y, box.width - gap, box.height);
  if (box.waited > 0) {
    const strip = Math.max(2, Math.round(box.height * 0.18));
    pen.fillStyle = colors.colors[WAITING];
    pen.fillRect(box.x, box.y + strip, Math.min(box.waited, box.width - gap), box.height - strip);
  }
}

function paintLines(pen, scene, colors, chosen) {
  const {left, right, height} = scene.place;
  pen.save();
  pen.beginPath();
  pen.rect(left, 0, right - left, height);
  pen.clip();
  pen.strokeStyle = colors.link;
  const many = scene.lines.length > 400;
  const dots = scene.lines.length <= 120;
  for (const line of scene.lines) {
    pen.globalAlpha = many ? Math.min(1, 0.25 + Math.log2(line.count) / 12) : 0.9;
    pen.beginPath();
    pen.moveTo(line.x1, line.y1);
    pen.lineTo(line.x2, line.y2);
    pen.stroke();
    if (dots && Math.abs(line.y2 - line.y1) > 4) {
      pen.fillStyle = colors.text;
      pen.beginPath();
      pen.arc(line.x2, line.y2, 2, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  pen.restore();
}

function paintChosen(pen, scene, trace, colors, chosen) {
  const {left, right} = scene.place;
  const lane = trace.lanes[chosen.lane];
  const at = scene.lanes[chosen.lane];
  const from = Math.max(left, scene.x(lane.start[chosen.call]));
  const to = Math.min(right, Math.max(from + 2, scene.x(lane.start[chosen.call] + lane.length[chosen.call])));
  pen.strokeStyle = colors.text;
  pen.lineWidth = 2;
  if (to > left && from < right) {
    pen.strokeRect(from - 1, at.top - 2, to - from + 2, at.height + 4);
  }
  for (const message of messagesOf(trace, chosen.lane, chosen.call)) {
    const each = line(trace, scene, message, 1);
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, right - left, scene.place.height);
    pen.clip();
    pen.beginPath();
    pen.moveTo(each.x1, each.y1);
    pen.lineTo(each.x2, each.y2);
    pen.stroke();
    pen.restore();
  }
  pen.lineWidth = 1;
}

/** The whole run in one strip: what all ranks do, with the view marked. */
function paintOverview(canvas, trace, view, colors) {
  const {pen, width} = fit(canvas, 44);
  const bins = trace.levels[0];
  pen.fillStyle = colors.compute;
  pen.fillRect(0, 0, width, 44);
  for (let bin = 0; bin < bins; bin++) {
    const parts = new Array(COLORS).fill(0);
    let any = 0;
    for (const lane of trace.lanes) {
      for (let color = 0; color < COLORS; color++) {
        parts[color] += lane.bins[color * bins + bin] / 255 / trace.lanes.length;
      }
    }
    parts.forEach(part => any += part);
    const x = Math.floor(bin * width / bins);
    paintBin(pen, {x, width: Math.ceil((bin + 1) * width / bins) - x, y: 0, height: 44, parts, any}, colors);
  }
  const from = view.from / trace.duration * width;
  const to = view.to / trace.duration * width;
  if (to - from < width - 1) {
    pen.globalAlpha = 0.62;
    pen.fillStyle = colors.surface;
    pen.fillRect(0, 0, from, 44);
    pen.fillRect(to, 0, width - to, 44);
    pen.globalAlpha = 1;
    pen.strokeStyle = colors.text;
    pen.strokeRect(Math.max(0.5, from), 0.5, Math.max(2, to - from), 43);
  }
}
