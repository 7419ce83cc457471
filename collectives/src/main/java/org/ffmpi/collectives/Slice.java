// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * A run of units in a slot. What a unit is, the {@link Shape} says: an element of the datatype in reductions, a byte of
 * the packed stream where data are only moved.
 *
 * @param slot which place
 * @param from first unit
 * @param units how many
 */
record Slice(Slot slot, long from, long units) {
  /** What a message carries that says no more than that it has come. */
  static final Slice NOTHING = new Slice(Slot.SCRATCH, 0, 0);

  /** Returns a part of this slice, {@code start} being counted from its beginning. */
  Slice part(long start, long length) {
    if (start < 0 || length < 0 || start > units - length) {
      throw new IndexOutOfBoundsException("part " + start + "+" + length + " of " + this);
    }
    return new Slice(slot, from + start, length);
  }

  boolean overlaps(Slice other) {
    return slot == other.slot && from < other.from + other.units && other.from < from + units;
  }

  /** Equality without the record's own, whose first use costs start-up time. */
  boolean isSame(Slice other) {
    return slot == other.slot && from == other.from && units == other.units;
  }

  @Override
  public String toString() {
    return slot.name().toLowerCase(java.util.Locale.ROOT) + "[" + from + ".." + (from + units) + ")";
  }
}
