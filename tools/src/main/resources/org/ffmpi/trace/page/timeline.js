// SPDX-License-Identifier: Apache-2.0
/* The view and what changes it: pointer, wheel, keys, buttons, the address. */

const MOST_LISTED = 200;
/** Nearer than this a nanosecond has several pixels. */
const NEAREST = 200;

async function start() {
  if (typeof DecompressionStream === "undefined") {
    document.getElementById("chosen").textContent =
      "This browser is too old to draw the timeline: it has no DecompressionStream.";
    return;
  }
  const trace = await readTrace();
  fillTexts(trace);
  fillRanks(trace);
  fillCalls(trace);
  fillMatrix(trace);
  new Timeline(trace).listen();
}

class Timeline {
  constructor(trace) {
    this.trace = trace;
    this.canvas = document.getElementById("timeline");
    this.overview = document.getElementById("overview");
    this.tip = document.getElementById("tip");
    this.view = {from: this.begin(), to: Math.max(1, trace.duration)};
    this.chosen = null;
    this.lane = 0;
    this.colors = palette();
    this.pending = false;
    this.readAddress();
    this.draw();
  }

  /** The first view begins where the first rank has started MPI: how long that takes says little about a program. */
  begin() {
    const ends = this.trace.lanes.filter(lane => lane.size > 0 && this.trace.types[lane.type[0]][0] === "INIT")
      .map(lane => lane.length[0] + lane.start[0]);
    const first = ends.length === 0 ? 0 : Math.min(...ends);
    return Math.max(0, first - (this.trace.duration - first) / 50);
  }

  /** A view may be in the address: #from=0.1&to=0.2 in seconds, &rank=1&call=3. */
  readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (given.has("from") && given.has("to")) {
      this.setView(given.get("from") * 1e9, given.get("to") * 1e9);
    }
    const lane = this.trace.lanes.findIndex(each => String(each.rank) === given.get("rank"));
    if (lane >= 0 && given.has("call")) {
      this.choose(lane, Math.min(Number(given.get("call")), this.trace.lanes[lane].size - 1));
    }
  }

  setView(from, to) {
    const whole = Math.max(1, this.trace.duration);
    const span = Math.min(whole, Math.max(NEAREST, to - from));
    const start = Math.max(0, Math.min(whole - span, from));
    this.view = {from: start, to: start + span};
    this.redraw();
  }

  redraw() {
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => {
        this.pending = false;
        this.draw();
      });
    }
  }

  draw() {
    const height = layout(this.trace.lanes.length, this.canvas.parentElement.clientWidth).height;
    const {pen, width} = fit(this.canvas, height);
    const showLines = document.getElementById("show-lines").checked;
    this.scene = makeScene(this.trace, this.view, width, showLines);
    paint(pen, this.scene, this.trace, this.colors, this.chosen);
    paintOverview(this.overview, this.trace, this.view, this.colors);
    if (document.getElementById("in-view").open) {
      fillView(this.trace, this.view, MOST_LISTED);
    }
    this.tellDrawn(width, height);
  }

  /** Says in the document what is on the canvas, for tests and for other programs. */
  tellDrawn(width, height) {
    const {lanes, boxes, bins, lines, words} = this.scene;
    const drawn = document.getElementById("drawn");
    Object.assign(drawn.dataset, {
      width, height, lanes: lanes.length, boxes: boxes.length, bins: bins.length, lines: lines.length,
      words: words.length, from: this.view.from, to: this.view.to,
      chosen: this.chosen ? this.trace.lanes[this.chosen.lane].rank + " " + this.chosen.call : ""});
    if (location.hash.includes("drawn")) {
      drawn.textContent = JSON.stringify({
        lanes, boxes: boxes.slice(0, 500), bins: bins.slice(0, 500), lines: lines.slice(0, 500),
        words: words.slice(0, 500)});
    }
  }

  zoom(factor, at) {
    const {from, to} = this.view;
    const center = at === undefined ? this.center() : at;
    this.setView(center - (center - from) * factor, center + (to - center) * factor);
  }

  /** Keys zoom to the chosen call if it is in view, else to the middle. */
  center() {
    const {from, to} = this.view;
    if (this.chosen) {
      const lane = this.trace.lanes[this.chosen.lane];
      const middle = lane.start[this.chosen.call] + lane.length[this.chosen.call] / 2;
      if (middle > from && middle < to) {
        return middle;
      }
    }
    return (from + to) / 2;
  }

  move(part) {
    const span = this.view.to - this.view.from;
    this.setView(this.view.from + part * span, this.view.to + part * span);
  }

  choose(lane, call) {
    this.chosen = call < 0 ? null : {lane, call};
    this.lane = lane;
    const text = document.getElementById("chosen");
    if (this.chosen) {
      const {title, when, facts, waited} = describe(this.trace, lane, call);
      text.replaceChildren(element("b", title), " · " + [when, ...facts].join(" · "),
        ...(waited ? [" · ", element("span", waited, {class: "waited"})] : []));
    } else {
      text.textContent = "";
    }
    this.redraw();
  }

  /** Chooses a call and moves the view so that it is seen. */
  go(laneIndex, call) {
    const lane = this.trace.lanes[laneIndex];
    this.choose(laneIndex, call);
    const start = lane.start[call];
    const end = start + lane.length[call];
    const span = this.view.to - this.view.from;
    if (end < this.view.from || start > this.view.to) {
      this.setView((start + end - span) / 2, (start + end + span) / 2);
    }
  }

  /** The call before or after the chosen one; the first in view where none is chosen. */
  step(by) {
    const lane = this.trace.lanes[this.lane];
    if (lane.size > 0) {
      const chosen = this.chosen && this.chosen.lane === this.lane;
      const call = chosen
        ? Math.max(0, Math.min(lane.size - 1, this.chosen.call + by))
        : Math.min(lane.size - 1, firstAtLeast(lane.start, this.view.from, 0, lane.size));
      this.go(this.lane, call);
    }
  }

  changeLane(by) {
    const lanes = this.trace.lanes.length;
    this.lane = Math.max(0, Math.min(lanes - 1, this.lane + by));
    const lane = this.trace.lanes[this.lane];
    const near = firstAtLeast(lane.start, this.center(), 0, lane.size);
    if (lane.size > 0) {
      this.choose(this.lane, Math.max(0, Math.min(near, lane.size - 1)));
    }
  }

  /** The longest wait after the chosen one, in the order of their lengths over all lanes. */
  nextWait() {
    if (!this.waits) {
      this.waits = [];
      this.trace.lanes.forEach((lane, index) => {
        for (let i = 0; i < lane.size; i++) {
          if (lane.waited[i] > 0) {
            this.waits.push([lane.waited[i], index, i]);
          }
        }
      });
      this.waits.sort((a, b) => b[0] - a[0]);
      this.waits.length = Math.min(this.waits.length, 1000);
      this.nextOfWaits = 0;
    }
    if (this.waits.length > 0) {
      const [, lane, call] = this.waits[this.nextOfWaits++ % this.waits.length];
      this.go(lane, call);
    }
  }

  /** The call that the chosen one waited for, or the other end of its message. */
  meet() {
    if (!this.chosen) {
      return;
    }
    const {lane, call} = this.chosen;
    const {cause, partner} = this.trace.lanes[lane];
    if (cause[call] > 0 && partner[call] > 0) {
      this.go(cause[call] - 1, partner[call] - 1);
      return;
    }
    const [message] = messagesOf(this.trace, lane, call);
    const lines = this.trace.lines;
    if (message !== undefined) {
      const sent = lines.sender[message] === lane && lines.send[message] === call;
      this.go(sent ? lines.receiver[message] : lines.sender[message], sent ? lines.posted[message] : lines.send[message]);
    }
  }

  zoomToChosen() {
    if (this.chosen) {
      const lane = this.trace.lanes[this.chosen.lane];
      const start = lane.start[this.chosen.call];
      const length = Math.max(NEAREST / 4, lane.length[this.chosen.call]);
      this.setView(start - length / 4, start + 1.25 * length);
    }
  }

  timeAt(event) {
    const {left, right} = this.scene.place;
    const box = this.canvas.getBoundingClientRect();
    return this.view.from + (event.clientX - box.left - left) / (right - left) * (this.view.to - this.view.from);
  }

  laneAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top - AXIS) / this.scene.place.pitch);
    return lane >= 0 && lane < this.trace.lanes.length ? lane : -1;
  }

  hover(event) {
    const box = this.canvas.getBoundingClientRect();
    const lane = this.laneAt(event);
    const x = event.clientX - box.left;
    if (lane < 0 || x < this.scene.place.left) {
      this.tip.hidden = true;
      return;
    }
    const binned = this.scene.bins.some(bin => bin.lane === lane);
    let said;
    if (binned) {
      const time = this.timeAt(event);
      const pixel = (this.view.to - this.view.from) / (this.scene.place.right - this.scene.place.left);
      said = describeStretch(this.trace, lane, time - 2 * pixel, time + 2 * pixel);
    } else {
      const call = callAt(this.trace, this.view, this.scene, lane, x, event.clientY - box.top);
      if (call < 0) {
        this.tip.hidden = true;
        return;
      }
      said = describe(this.trace, lane, call);
    }
    this.tip.replaceChildren(element("div", element("b", said.title)), element("div", said.when),
      ...(said.facts.length ? [element("div", said.facts.join(", "))] : []),
      ...(said.waited ? [element("div", said.waited, {class: "waited"})] : []));
    this.tip.hidden = false;
    const width = this.tip.offsetWidth;
    this.tip.style.left = Math.max(0, Math.min(x + 14, box.width - width)) + "px";
    this.tip.style.top = this.scene.lanes[lane].top + this.scene.place.pitch + 2 + "px";
  }

  listen() {
    const pointers = new Map();
    const canvas = this.canvas;
    let moved = false;
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.move((event.deltaX || event.deltaY) / canvas.clientWidth);
      } else {
        this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.005), this.timeAt(event));
      }
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
      pointers.set(event.pointerId, event.clientX);
      canvas.setPointerCapture(event.pointerId);
      moved = false;
    });
    canvas.addEventListener("pointermove", event => {
      if (!pointers.has(event.pointerId)) {
        this.hover(event);
        return;
      }
      const before = [...pointers.values()];
      const by = event.clientX - pointers.get(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      const after = [...pointers.values()];
      const perPixel = (this.view.to - this.view.from) / (this.scene.place.right - this.scene.place.left);
      if (before.length >= 2) {
        const apart = Math.max(10, Math.abs(before[0] - before[1])) / Math.max(10, Math.abs(after[0] - after[1]));
        this.zoom(apart, this.timeAt({clientX: (after[0] + after[1]) / 2}));
        moved = true;
      } else if (moved || Math.abs(by) > 2) {
        this.setView(this.view.from - by * perPixel, this.view.to - by * perPixel);
        moved = true;
      }
      this.tip.hidden = true;
    });
    const released = event => {
      pointers.delete(event.pointerId);
      const lane = this.laneAt(event);
      if (!moved && lane >= 0 && event.type === "pointerup") {
        const box = canvas.getBoundingClientRect();
        const call = callAt(
          this.trace, this.view, this.scene, lane, event.clientX - box.left, event.clientY - box.top);
        this.choose(lane, call);
      }
    };
    canvas.addEventListener("pointerup", released);
    canvas.addEventListener("pointercancel", released);
    canvas.addEventListener("pointerleave", () => this.tip.hidden = true);
    canvas.addEventListener("dblclick", event => this.zoom(0.25, this.timeAt(event)));
    canvas.addEventListener("keydown", event => this.key(event));
    this.listenAround();
  }

  listenAround() {
    const whole = () => this.setView(0, this.trace.duration);
    document.getElementById("zoom-in").addEventListener("click", () => this.zoom(0.5));
    document.getElementById("zoom-out").addEventListener("click", () => this.zoom(2));
    document.getElementById("zoom-all").addEventListener("click", whole);
    document.getElementById("show-lines").addEventListener("change", () => this.redraw());
    document.getElementById("in-view").addEventListener("toggle", () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colors = palette();
      this.redraw();
    });
    window.addEventListener("hashchange", () => this.readAddress());
    const drag = event => {
      if (event.buttons === 1) {
        const box = this.overview.getBoundingClientRect();
        const time = (event.clientX - box.left) / box.width * this.trace.duration;
        const half = (this.view.to - this.view.from) / 2;
        this.setView(time - half, time + half);
      }
    };
    this.overview.addEventListener("pointerdown", drag);
    this.overview.addEventListener("pointermove", drag);
    this.overview.addEventListener("wheel", event => {
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.005));
    }, {passive: false});
  }

  key(event) {
    const actions = {
      "ArrowLeft": () => this.move(-0.15), "ArrowRight": () => this.move(0.15),
      "ArrowUp": () => this.changeLane(-1), "ArrowDown": () => this.changeLane(1),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
      "0": () => this.setView(0, this.trace.duration), "Home": () => this.setView(0, this.trace.duration),
      "n": () => this.step(1), "p": () => this.step(-1), "w": () => this.nextWait(), "m": () => this.meet(),
      "Enter": () => this.zoomToChosen(), "Escape": () => this.choose(this.lane, -1),
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}

start();
