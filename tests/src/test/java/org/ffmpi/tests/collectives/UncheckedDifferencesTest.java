// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.function.Executable;

/**
 * Short reductions whose ranks have different operations or element types of one length: an error at each rank,
 * although nothing is checked in full.
 */
class UncheckedDifferencesTest {
  private static final List<BiFunction<Buf<?>, Op<Object>, Function<IntraComm, Executable>>> FORMS = List.of(
      (buf, op) -> world -> () -> world.allreduce(buf, op),
      (buf, op) -> world -> () -> world.iallreduce(buf, op).await(),
      (buf, op) -> world -> () -> world.reduceScatterBlock(buf, op),
      (buf, op) -> world -> () -> world.reduceScatter(buf, counts(world.size()), op));

  /** The first calls go by messages, later ones by the region. */
  private static List<BiFunction<Buf<?>, Op<Object>, Function<IntraComm, Executable>>> twice() {
    return Stream.concat(FORMS.stream(), FORMS.stream()).toList();
  }

  private static long[] counts(int ranks) {
    long[] counts = new long[ranks];
    Arrays.fill(counts, 1);
    return counts;
  }

  private static void assertTold(IntraComm world, Executable call) {
    MpiException error = assertThrows(MpiException.class, call);
    if (world.size() == 2) {
      assertEquals(ErrorClass.ERR_COUNT, error.errorClass(), error.getMessage());
      String other = "rank " + (1 - world.rank()) + " calls something else";
      assertTrue(error.getMessage().contains(other), error.getMessage());
      assertTrue(error.getMessage().contains("operations or element types"), error.getMessage());
    }
    for (int i = 0; i < 5; i++) {
      int[] sum = {1};
      world.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size(), sum[0]);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void otherOperation(IntraComm world) {
    Op<Object> op = world.rank() == world.size() - 1 ? Op.MAX : Op.SUM;
    for (var form : twice()) {
      assertTold(world, form.apply(Buf.of(new int[world.size()]), op).apply(world));
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void otherType(IntraComm world) {
    int n = world.size();
    for (var form : twice()) {
      Buf<?> mine = world.rank() == n - 1 ? Buf.of(new float[n]) : Buf.of(new int[n]);
      assertTold(world, form.apply(mine, Op.SUM).apply(world));
    }
  }

  /** A type of two ints without gaps is the same as two ints, and an operation of the program's own as another one. */
  @MpiTest(ranks = {2, 3})
  void whatIsTheSameStaysAllowed(IntraComm world) {
    try (Datatype<Integer> pair = Datatype.contiguous(1, Datatype.INT).commit()) {
      int[] sum = {1, 2};
      world.allreduce(world.rank() == 0 ? Buf.of(sum, 2, pair) : Buf.of(sum), Op.SUM);
      assertEquals(2 * world.size(), sum[1]);
    }
  }
}
