// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.ffmpi.datatype.Length;

/** A record with gaps, of numbers of all widths, an array and another record. */
record Atom(int kind, double x, boolean on, @Length(3) short[] bonds, long id, Spin spin, char name) {
  record Spin(byte up, float size) {}

  /** Returns the same record for the same number. */
  static Atom of(int number) {
    Random random = new Random(number);
    short[] bonds = {(short) random.nextInt(), (short) random.nextInt(), (short) number};
    return new Atom(number, random.nextDouble(), random.nextBoolean(), bonds, random.nextLong(),
        new Spin((byte) random.nextInt(), random.nextFloat()), (char) random.nextInt());
  }

  static Atom[] array(int first, int n) {
    return IntStream.range(first, first + n).mapToObj(Atom::of).toArray(Atom[]::new);
  }

  static List<Atom> list(int first, int n) {
    return new ArrayList<>(Arrays.asList(array(first, n)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Atom(int k, double d, boolean o, short[] b, long i, Spin s, char n)
        && k == kind && d == x && o == on && Arrays.equals(b, bonds) && i == id && s.equals(spin) && n == name;
  }

  @Override
  public int hashCode() {
    return kind;
  }

  @Override
  public String toString() {
    return "Atom " + kind;
  }
}
