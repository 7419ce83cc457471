// SPDX-License-Identifier: Apache-2.0
"use strict";

/** Numbers as people read them; the same words as those of the sentences. */
function scaled(value, step, units) {
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= step;
    unit++;
  }
  if (unit === 0) {
    return Math.round(value) + " " + units[0];
  }
  return value.toFixed(Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0) + " " + units[unit];
}

const asTime = nanos => scaled(nanos, 1000, ["ns", "µs", "ms", "s"]);
const asSize = bytes => scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
const asCount = number => number.toLocaleString("en-US");

function asPercent(part, whole) {
  const share = whole === 0 ? 0 : 100 * part / whole;
  return share > 0 && share < 1 ? "< 1 %" : Math.round(share) + " %";
}

/** A time on the axis with the digits that a step needs, in the unit that fits another time. */
function asTick(nanos, step, unitOf = nanos) {
  if (nanos === 0) {
    return "0";
  }
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const [size, name] = units.find(([each]) => unitOf >= each * 0.999) || units[3];
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9)));
  return (nanos / size).toFixed(digits) + " " + name;
}

/** Makes an element with text, or with other elements inside. */
function element(tag, inside, attributes) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    made.setAttribute(name, value);
  }
  for (const each of Array.isArray(inside) ? inside : [inside]) {
    if (each !== undefined && each !== null) {
      made.append(each);
    }
  }
  return made;
}
