// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

/**
 * A run of units in a symbolic buffer. A unit is an element of the datatype in reductions, else a byte of the packed
 * stream, or a whole block, depending on the {@link CallShape}.
 *
 * @param buffer where the units lie
 * @param from first unit
 * @param units how many
 */
public record Slice(SymbolicBuffer buffer, long from, long units) {
  /** The content of a message that only signals. */
  public static final Slice NOTHING = new Slice(SymbolicBuffer.SCRATCH, 0, 0);

  /** Returns a part of this slice, {@code start} being counted from its beginning. */
  public Slice part(long start, long length) {
    if (start < 0 || length < 0 || start > units - length) {
      throw new IndexOutOfBoundsException("part " + start + "+" + length + " of " + this);
    }
    return new Slice(buffer, from + start, length);
  }

  public boolean overlaps(Slice other) {
    return buffer == other.buffer && from < other.from + other.units && other.from < from + units;
  }

  /** Equality without the record's own, whose first use costs start-up time. */
  public boolean isSame(Slice other) {
    return buffer == other.buffer && from == other.from && units == other.units;
  }

  @Override
  public String toString() {
    return buffer.name().toLowerCase(java.util.Locale.ROOT) + "[" + from + ".." + (from + units) + ")";
  }
}
