// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.function.Executable;

/**
 * A block that is empty at one end and not at the other: no message tells, as an empty block sends none, and without
 * {@code ffmpi.check=full} a rank may wait for ever. With it, all ranks get an error.
 */
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
class EmptyBlocksTest {
  private final Buf<Integer> none = Buf.of(new int[0]);
  private final Buf<Integer> one = Buf.of(new int[1]);

  private static void bad(Executable... calls) {
    for (Executable call : calls) {
      assertError(ErrorClass.ERR_COUNT, call, "0");
    }
  }

  /** A block at the sender and none at the receiver, then the other way round. */
  @MpiTest(ranks = {2, 3, 4})
  void fromAndToTheRoot(IntraComm world) {
    int n = world.size();
    int last = n - 1;
    Buf<Integer> all = Buf.of(new int[n]);
    for (boolean sent : new boolean[] {true, false}) {
      Buf<Integer> mine = sent ? one : none;
      Buf<Integer> due = sent ? none : one;
      Buf<Integer> dueOfAll = sent ? none : all;
      Buf<Integer> sentOfAll = sent ? all : none;
      long[] dues = new long[n];
      long[] sents = new long[n];
      dues[last] = sent ? 0 : 1;
      sents[last] = sent ? 1 : 0;
      long[] displs = new long[n];
      boolean isRoot = world.rank() == 0;
      Buf<Integer> ofLast = world.rank() == last ? mine : none;
      Buf<Integer> dueLast = world.rank() == last ? due : none;
      bad(
          () -> world.gather(isRoot ? due : mine, isRoot ? dueOfAll : null, 0),
          () -> world.igather(isRoot ? due : mine, isRoot ? dueOfAll : null, 0).await(),
          () -> world.gatherInit(isRoot ? due : mine, isRoot ? dueOfAll : null, 0, null),
          () -> world.gatherv(ofLast, all, dues, displs, 0),
          () -> world.igatherv(ofLast, all, dues, displs, 0).await(),
          () -> world.scatter(isRoot ? sentOfAll : null, isRoot ? mine : due, 0),
          () -> world.iscatter(isRoot ? sentOfAll : null, isRoot ? mine : due, 0).await(),
          () -> world.scatterv(all, sents, displs, dueLast, 0),
          () -> world.bcast(isRoot ? mine : due, 0),
          () -> world.ibcast(isRoot ? mine : due, 0).await());
    }
    world.barrier();
  }

  @MpiTest(ranks = {2, 3, 4})
  void betweenAll(IntraComm world) {
    int n = world.size();
    int last = n - 1;
    boolean isLast = world.rank() == last;
    Buf<Integer> all = Buf.of(new int[n]);
    Buf<Integer> others = Buf.of(new int[n]);
    long[] zeros = new long[n];
    long[] toFirst = new long[n];
    toFirst[0] = 1;
    long[] fromLast = new long[n];
    fromLast[last] = 1;
    Datatype<?>[] types = new Datatype<?>[n];
    Arrays.fill(types, Datatype.INT);
    bad(
        // the last rank sends to rank 0, which expects nothing
        () -> world.alltoallv(all, isLast ? toFirst : zeros, zeros, others, zeros, zeros),
        () -> world.ialltoallv(all, isLast ? toFirst : zeros, zeros, others, zeros, zeros).await(),
        () -> world.alltoallw(all, isLast ? toFirst : zeros, zeros, types, others, zeros, zeros, types),
        // rank 0 expects something of the last rank, which sends nothing
        () -> world.alltoallv(all, zeros, zeros, others, world.rank() == 0 ? fromLast : zeros, zeros),
        () -> world.allgatherv(none, all, world.rank() == 0 ? fromLast : zeros, zeros),
        () -> world.iallgatherv(isLast ? one : none, all, isLast ? fromLast : zeros, zeros).await(),
        () -> world.allgather(isLast ? one : none, isLast ? all : none),
        () -> world.alltoallInit(isLast ? all : none, isLast ? others : none, null));
    world.barrier();
  }

  /** A rank that is its own neighbour; on one rank there is no other. */
  @MpiTest(ranks = {1, 2, 3})
  void toItself(IntraComm world) {
    int[] itself = {world.rank()};
    long[] single = {1};
    long[] zero = {0};
    try (DistGraphComm graph = world.distGraphCreateAdjacent(itself, itself, false)) {
      bad(
          () -> graph.neighborAllgather(none, one), () -> graph.neighborAllgather(one, none),
          () -> graph.neighborAlltoall(none, one), () -> graph.ineighborAlltoall(one, none).await(),
          () -> graph.neighborAlltoallv(one, zero, zero, Buf.of(new int[1]), single, zero),
          () -> graph.neighborAlltoallvInit(one, single, zero, Buf.of(new int[1]), zero, zero, null),
          () -> graph.neighborAlltoallw(new Buf<?>[] {none}, new Buf<?>[] {one}));
      graph.neighborAlltoall(none, none);
      assertError(
          ErrorClass.ERR_TYPE, () -> graph.neighborAlltoall(one, Buf.of(new float[1])), "receives 1 x FLOAT");
    }
  }

  /** Several edges between two ranks: the sum is right, but not the order. */
  @MpiTest(ranks = {1, 2, 3})
  void severalEdges(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int before = Math.floorMod(world.rank() - 1, world.size());
    try (DistGraphComm graph =
        world.distGraphCreateAdjacent(new int[] {before, before}, new int[] {next, next}, false)) {
      Buf<Integer> two = Buf.of(new int[2]);
      Buf<Integer> to = Buf.of(new int[2]);
      long[] displs = {0, 1};
      long[] first = {1, 0};
      long[] second = {0, 1};
      bad(
          () -> graph.neighborAlltoallv(two, first, displs, to, second, displs),
          () -> graph.ineighborAlltoallv(two, second, displs, to, first, displs).await());
      graph.neighborAlltoallv(two, first, displs, to, first, displs);
    }
  }

  /** In a ring of one or two, the block for the neighbour below is received as the one from above. */
  @MpiTest(ranks = {1, 2, 3})
  void rings(IntraComm world) {
    try (CartComm ring = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false)) {
      int[] out = {1, 2};
      int[] in = new int[2];
      long[] displs = {0, 1};
      List<long[]> halves = List.of(new long[] {1, 0}, new long[] {0, 1});
      for (int down = 0; down < 2; down++) {
        long[] sent = halves.get(down);
        long[] due = halves.get(1 - down);
        ring.neighborAlltoallv(Buf.of(out), sent, displs, Buf.of(in), due, displs);
        assertEquals(out[down], in[1 - down]);
        bad(() -> ring.neighborAlltoallv(Buf.of(out), sent, displs, Buf.of(in), sent, displs));
      }
    }
  }
}
