// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.ffmpi.datatype.Datatype.CHAR;
import static org.ffmpi.datatype.Datatype.DOUBLE;
import static org.ffmpi.datatype.Datatype.FLOAT;
import static org.ffmpi.datatype.Datatype.INT;
import static org.ffmpi.datatype.Datatype.REAL;
import static org.ffmpi.datatype.tree.BoundsTest.check;
import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.stream.LongStream;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The worked examples of the standard's chapter on datatypes, with their numbers. */
public class ExampleTypesTest {
  public static Datatype<Object> particle() {
    return Datatype.struct(longs(1, 6, 7), longs(0, 8, 56), INT, DOUBLE, CHAR);
  }

  @Test
  @DisplayName("S1-4.12: elements and counts of messages that end within an element")
  void partialElements() {
    Datatype<Float> pair = Datatype.contiguous(2, REAL);
    assertEquals(1, pair.count(8));
    assertEquals(2, pair.elements(8));
    assertEquals(Constants.UNDEFINED, pair.count(12));
    assertEquals(3, pair.elements(12));
    assertEquals(0, pair.count(0));
    assertEquals(0, pair.elements(0));
    assertEquals(Constants.UNDEFINED, pair.count(6));
    assertEquals(Constants.UNDEFINED, pair.elements(6));
    Datatype<?> struct = Datatype.struct(longs(1, 2), longs(0, 8), INT, DOUBLE);
    long[][] expected = {{4, 1, -1}, {12, 2, -1}, {20, 3, 1}, {24, 4, -1}, {40, 6, 2}};
    for (long[] row : expected) {
      assertEquals(row[1], struct.elements(row[0]), "elements of " + row[0]);
      assertEquals(row[2] < 0 ? Constants.UNDEFINED : row[2], struct.count(row[0]), "count of " + row[0]);
      assertEquals(row[0], struct.bytesOf(row[1]), "bytes of " + row[1]);
    }
  }

  @Test
  @DisplayName("S1-12.3-d: three elements of pairs are 12 bytes, no whole number of pairs; four are two pairs")
  void bytesOfElements() {
    Datatype<Float> pair = Datatype.contiguous(2, REAL);
    assertEquals(12, pair.bytesOf(3));
    assertEquals(Constants.UNDEFINED, pair.count(pair.bytesOf(3)));
    assertEquals(16, pair.bytesOf(4));
    assertEquals(2, pair.count(pair.bytesOf(4)));
  }

  @Test
  @DisplayName("S1-4.13: slices of a section of an array of three dimensions")
  void section() {
    Datatype<Float> one = Datatype.vector(9, 1, 2, REAL);
    check(one, 36, 0, 68, 0, 68);
    Datatype<Float> two = Datatype.hvector(9, 1, 400, one);
    check(two, 324, 0, 3268, 0, 3268);
    check(Datatype.hvector(9, 1, 40000, two), 2916, 0, 323268, 0, 323268);
  }

  @Test
  @DisplayName("S1-4.14: the strict lower triangle of a matrix")
  void lowerTriangle() {
    long[] lengths = LongStream.rangeClosed(1, 100).map(i -> 100 - i).toArray();
    long[] displacements = LongStream.rangeClosed(1, 100).map(i -> 100 * (i - 1) + i).toArray();
    Datatype<Float> triangle = Datatype.indexed(lengths, displacements, REAL);
    check(triangle, 19800, 4, 39596, 4, 39596);
    assertEquals(39600, triangle.upperBound());
    assertEquals(new TypeEnvelope(Combiner.INDEXED, 201, 0, 1), triangle.envelope());
    assertEquals(1, triangle.count(19800));
    assertEquals(4950, triangle.elements(19800));
  }

  @Test
  @DisplayName("S1-4.15: a transpose whose extent equals its size is not contiguous")
  void transpose() {
    Datatype<Float> row = Datatype.vector(100, 1, 100, REAL);
    check(row, 400, 0, 39604, 0, 39604);
    Datatype<Float> transposed = Datatype.hvector(100, 1, 4, row);
    check(transposed, 40000, 0, 40000, 0, 40000);
    assertFalse(TypeHandle.planOf(transposed.commit()).isContiguous());
  }

  @Test
  @DisplayName("S1-4.16: rows with the extent of an element")
  void resizedRows() {
    Datatype<Float> row = Datatype.vector(100, 1, 100, REAL).resized(0, 4);
    check(row, 400, 0, 4, 0, 39604);
    check(Datatype.contiguous(100, row), 40000, 0, 400, 0, 40000);
  }

  @Test
  @DisplayName("S1-4.17-1 S1-4.17-1b: an array of structures")
  void particles() {
    Datatype<Object> type = particle();
    check(type, 59, 0, 64, 0, 63);
    assertEquals(new TypeEnvelope(Combiner.STRUCT, 4, 3, 3), type.envelope());
    assertEquals(1000, type.count(59000));
    assertEquals(14000, type.elements(59000));
    assertEquals(59000, TypeHandle.planOf(type.commit()).packedBytes(1000));
    check(type.resized(0, 64), 59, 0, 64, 0, 63);
  }

  @Test
  @DisplayName("S1-4.17-2: particles of one class, and their number in front")
  void chosenParticles() {
    long[] positions = LongStream.range(0, 1000).filter(i -> i % 3 == 0).toArray();
    assertEquals(334, positions.length);
    long[] ones = LongStream.generate(() -> 1).limit(334).toArray();
    Datatype<Object> chosen = Datatype.indexed(ones, positions, particle());
    assertEquals(19706, chosen.size());
    assertEquals(64000, chosen.extent());
    assertEquals(19710, Datatype.struct(longs(1, 1), longs(0x7000_0000_0000L, 0x7000_0001_0000L), INT, chosen).size());
  }

  @Test
  @DisplayName("S1-4.17-3 S1-4.17-3b: the first two numbers of every particle")
  void pairsOfParticles() {
    check(Datatype.hvector(1000, 2, 64, DOUBLE), 16000, 0, 63952, 0, 63952);
    check(Datatype.contiguous(2, DOUBLE).resized(0, 64), 16, 0, 64, 0, 16);
  }

  @Test
  @DisplayName("S1-4.18: absolute addresses as displacements")
  void absoluteAddresses() {
    long base = 0x7f12_3456_7000L;
    Datatype<?> type = Datatype.struct(longs(1, 6, 7), longs(base, base + 8, base + 56), INT, DOUBLE, CHAR);
    check(type, 59, base, 64, base, 63);
  }

  @Test
  @DisplayName("S1-4.19: members of a union")
  void union() {
    check(INT.resized(0, 4), 4, 0, 4, 0, 4);
    check(FLOAT.resized(0, 4), 4, 0, 4, 0, 4);
  }
}
