// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeContents;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.oracle.Leaves;
import org.ffmpi.datatype.oracle.Typemap;

/** Decodes types by the calls of the API, and builds them again from the results. */
public final class Decoding {
  private Decoding() {}

  /** Returns part of an array of arguments. */
  private static long[] slice(TypeContents contents, long from, long count) {
    return Arrays.copyOfRange(contents.integers(), (int) from, (int) (from + count));
  }

  private static int[] ints(long[] values) {
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  private static long[] repeated(long value, long count) {
    long[] values = new long[(int) count];
    Arrays.fill(values, value);
    return values;
  }

  private static Datatype.Order order(long code) {
    return code == Constants.ORDER_C ? Datatype.Order.C : Datatype.Order.FORTRAN;
  }

  /** Calls the constructors again, all the way down. */
  public static Datatype<?> rebuild(Datatype<?> type) {
    Combiner combiner = type.envelope().combiner();
    if (combiner == Combiner.NAMED) {
      return type;
    }
    TypeContents contents = type.contents();
    long[] i = contents.integers();
    long[] a = contents.addresses();
    Datatype<?>[] types = contents.datatypes().stream().map(Decoding::rebuild).toArray(Datatype<?>[]::new);
    return switch (combiner) {
      case DUP -> types[0].dup();
      case CONTIGUOUS -> Datatype.contiguous(i[0], types[0]);
      case VECTOR -> Datatype.vector(i[0], i[1], i[2], types[0]);
      case HVECTOR -> Datatype.hvector(i[0], i[1], a[0], types[0]);
      case INDEXED -> Datatype.indexed(slice(contents, 1, i[0]), slice(contents, i[0] + 1, i[0]), types[0]);
      case HINDEXED -> Datatype.hindexed(slice(contents, 1, i[0]), a, types[0]);
      case INDEXED_BLOCK -> Datatype.indexedBlock(i[1], slice(contents, 2, i[0]), types[0]);
      case HINDEXED_BLOCK -> Datatype.hindexedBlock(i[1], a, types[0]);
      case STRUCT -> Datatype.struct(slice(contents, 1, i[0]), a, types);
      case SUBARRAY -> Datatype.subarray(
          slice(contents, 1, i[0]), slice(contents, i[0] + 1, i[0]), slice(contents, 2 * i[0] + 1, i[0]),
          order(i[(int) (3 * i[0] + 1)]), types[0]);
      case DARRAY -> darray(contents, types[0]);
      case RESIZED -> types[0].resized(a[0], a[1]);
      case VALUE_INDEX -> Datatype.valueIndex(types[0], types[1]);
      default -> throw new AssertionError(combiner);
    };
  }

  private static Datatype<?> darray(TypeContents contents, Datatype<?> old) {
    long[] i = contents.integers();
    long n = i[2];
    Datatype.Distribution[] distributions = Arrays.stream(slice(contents, 3 + n, n))
        .mapToObj(Decoding::distribution).toArray(Datatype.Distribution[]::new);
    return Datatype.darray(
        (int) i[0], (int) i[1], slice(contents, 3, n), distributions, ints(slice(contents, 3 + 2 * n, n)),
        ints(slice(contents, 3 + 3 * n, n)), order(i[(int) (3 + 4 * n)]), old);
  }

  private static Datatype.Distribution distribution(long code) {
    for (Datatype.Distribution distribution : Datatype.Distribution.values()) {
      if (distribution.code() == code) {
        return distribution;
      }
    }
    throw new AssertionError("distribution " + code);
  }

  /** Applies the calls to typemaps. */
  public static Typemap interpret(Datatype<?> type) {
    Combiner combiner = type.envelope().combiner();
    if (combiner == Combiner.NAMED) {
      return Leaves.mapOf(type);
    }
    TypeContents contents = type.contents();
    long[] i = contents.integers();
    long[] a = contents.addresses();
    List<Typemap> maps = contents.datatypes().stream().map(Decoding::interpret).toList();
    Typemap old = maps.isEmpty() ? null : maps.getFirst();
    return switch (combiner) {
      case DUP -> old;
      case CONTIGUOUS -> old.contiguous(i[0]);
      case VECTOR -> old.vector(i[0], i[1], i[2]);
      case HVECTOR -> old.hvector(i[0], i[1], a[0]);
      case INDEXED -> old.indexed(slice(contents, 1, i[0]), slice(contents, i[0] + 1, i[0]));
      case HINDEXED -> old.hindexed(slice(contents, 1, i[0]), a);
      case INDEXED_BLOCK -> old.indexed(repeated(i[1], i[0]), slice(contents, 2, i[0]));
      case HINDEXED_BLOCK -> old.hindexed(repeated(i[1], i[0]), a);
      case STRUCT -> Typemap.struct(slice(contents, 1, i[0]), a, maps);
      case SUBARRAY -> old.subarray(
          slice(contents, 1, i[0]), slice(contents, i[0] + 1, i[0]), slice(contents, 2 * i[0] + 1, i[0]),
          i[(int) (3 * i[0] + 1)] == Constants.ORDER_FORTRAN);
      case DARRAY -> {
        List<Typemap.Dealing> dealings = new ArrayList<>();
        int n = (int) i[2];
        for (int d = 0; d < n; d++) {
          dealings.add(dealing(i[3 + d], i[3 + n + d], i[3 + 2 * n + d], (int) i[3 + 3 * n + d]));
        }
        yield old.darray((int) i[1], dealings, i[3 + 4 * n] == Constants.ORDER_FORTRAN);
      }
      case RESIZED -> old.resized(a[0], a[1]);
      case VALUE_INDEX -> Leaves.mapOf(type);
      default -> throw new AssertionError(combiner);
    };
  }

  private static Typemap.Dealing dealing(long gsize, long distribution, long darg, int psize) {
    long usual = switch (distribution(distribution)) {
      case BLOCK -> (gsize + psize - 1) / psize;
      case CYCLIC -> 1;
      case NONE -> gsize;
    };
    return new Typemap.Dealing(gsize, darg == Constants.DISTRIBUTE_DFLT_DARG ? usual : darg, psize);
  }

  /** Checks that two types were made by the same calls with the same arguments, all the way down. */
  public static void assertSameCalls(Datatype<?> expected, Datatype<?> actual) {
    TypeEnvelope envelope = expected.envelope();
    assertEquals(envelope, actual.envelope());
    if (envelope.combiner() == Combiner.NAMED) {
      assertSame(expected, actual);
      return;
    }
    TypeContents contents = expected.contents();
    assertEquals(envelope.integers(), contents.integers().length, "integers of " + envelope);
    assertEquals(envelope.addresses(), contents.addresses().length, "addresses of " + envelope);
    assertEquals(envelope.datatypes(), contents.datatypes().size(), "datatypes of " + envelope);
    assertArrayEquals(contents.integers(), actual.contents().integers(), "integers of " + envelope);
    assertArrayEquals(contents.addresses(), actual.contents().addresses(), "addresses of " + envelope);
    for (int d = 0; d < contents.datatypes().size(); d++) {
      assertSameCalls(contents.datatypes().get(d), actual.contents().datatypes().get(d));
    }
  }
}
