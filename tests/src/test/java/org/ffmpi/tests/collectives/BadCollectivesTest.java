// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.function.Executable;

/** Calls with wrong arguments: each is refused by name before anything has been sent, and all goes on. */
class BadCollectivesTest {
  private static void bad(ErrorClass expected, String part, Executable... calls) {
    for (Executable call : calls) {
      assertError(expected, call, part);
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void roots(IntraComm world) {
    int n = world.size();
    Buf<Integer> one = Buf.of(new int[1]);
    Buf<Integer> all = Buf.of(new int[n]);
    long[] ones = new long[n];
    for (int root : List.of(-1, n, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
      bad(ErrorClass.ERR_ROOT, "root",
          () -> world.bcast(one, root), () -> world.ibcast(one, root), () -> world.bcastInit(one, root, null),
          () -> world.gather(one, all, root), () -> world.igather(one, root),
          () -> world.gatherInit(one, all, root, null),
          () -> world.scatter(all, one, root), () -> world.iscatter(one, root),
          () -> world.scatterInit(all, one, root, null),
          () -> world.gatherv(one, all, ones, ones, root), () -> world.igatherv(one, all, ones, ones, root),
          () -> world.gathervInit(one, all, ones, ones, root, null),
          () -> world.scatterv(all, ones, ones, one, root), () -> world.iscatterv(all, ones, ones, one, root),
          () -> world.scattervInit(all, ones, ones, one, root, null),
          () -> world.reduce(one, all, Op.SUM, root), () -> world.ireduce(one, Op.SUM, root),
          () -> world.reduceInit(one, Op.SUM, root, null));
    }
    world.barrier();
  }

  @MpiTest(ranks = {1, 2, 3})
  void operations(IntraComm world) {
    int n = world.size();
    Buf<Double> in = Buf.of(new double[n]);
    Buf<Double> out = Buf.of(new double[n]);
    Buf<Double> one = Buf.of(new double[1]);
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    for (Op<Object> op : Arrays.asList(null, Op.BAND, Op.LOR, Op.MAXLOC)) {
      bad(ErrorClass.ERR_OP, op == null ? "op" : "MPI_",
          () -> world.reduce(in, out, op, 0), () -> world.ireduce(in, out, op, 0),
          () -> world.reduceInit(in, out, op, 0, null),
          () -> world.allreduce(in, op), () -> world.iallreduce(in, out, op),
          () -> world.allreduceInit(in, out, op, null),
          () -> world.reduceScatterBlock(in, one, op), () -> world.ireduceScatterBlock(in, one, op),
          () -> world.reduceScatterBlockInit(in, op, null),
          () -> world.reduceScatter(in, one, ones, op), () -> world.ireduceScatter(in, ones, op),
          () -> world.reduceScatterInit(in, one, ones, op, null),
          () -> world.scan(in, out, op), () -> world.iscan(in, op), () -> world.scanInit(in, out, op, null),
          () -> world.exscan(in, out, op), () -> world.iexscan(in, op), () -> world.exscanInit(in, out, op, null));
    }
    world.barrier();
  }

  @MpiTest(ranks = {2, 3})
  void inPlaceMisused(IntraComm world) {
    int n = world.size();
    Buf<Integer> one = Buf.of(new int[1]);
    Buf<Integer> all = Buf.of(new int[n]);
    Buf<Integer> here = Buf.inPlace();
    long[] ones = new long[n];
    int other = (world.rank() + 1) % n;
    bad(ErrorClass.ERR_BUFFER, "",
        () -> world.bcast(here, 0), () -> world.ibcast(here, other), () -> world.bcastInit(here, 0, null),
        () -> world.gather(here, all, other), () -> world.gatherv(here, all, ones, ones, other),
        () -> world.gather(one, here, world.rank()), () -> world.igather(here, world.rank()),
        () -> world.scatter(all, here, other), () -> world.scatter(here, one, world.rank()),
        () -> world.allgather(one, here), () -> world.allgather(here, here), () -> world.iallgather(here),
        () -> world.allgatherv(here, here, ones, ones),
        () -> world.alltoall(all, here), () -> world.alltoallInit(here, null),
        () -> world.alltoallv(all, ones, ones, here, ones, ones), () -> world.alltoallv(here, ones, ones),
        () -> world.reduce(here, all, Op.SUM, other), () -> world.reduce(all, here, Op.SUM, world.rank()),
        () -> world.allreduce(all, here, Op.SUM), () -> world.allreduce(here, Op.SUM),
        () -> world.reduceScatterBlock(all, here, Op.SUM), () -> world.iscan(here, Op.SUM));
    world.barrier();
  }

  @MpiTest(ranks = {2, 3})
  void lengthsAndPlaces(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    Buf<Integer> two = Buf.of(new int[2]);
    Buf<Integer> all = Buf.of(new int[n]);
    Buf<Integer> odd = Buf.of(new int[2 * n + 1]);
    bad(ErrorClass.ERR_COUNT, "count",
        () -> world.gather(two, odd, me), () -> world.scatter(odd, two, me), () -> world.allgather(two, odd),
        () -> world.ialltoall(odd), () -> world.alltoallInit(odd, all, null),
        () -> world.reduceScatterBlock(odd, two, Op.SUM), () -> world.reduceScatterBlock(odd, Op.SUM),
        () -> world.allreduce(two, odd, Op.SUM), () -> world.scan(odd, two, Op.SUM));
    bad(ErrorClass.ERR_COUNT, "bytes",
        () -> world.gather(two, all, me), () -> world.iscatter(all, two, me),
        () -> world.allgatherInit(two, all, null));
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    long[] beyond = new long[n];
    beyond[n - 1] = n;
    long[] before = new long[n];
    before[0] = -1;
    bad(ErrorClass.ERR_BUFFER, "Displs[" + (n - 1) + "]",
        () -> world.gatherv(Buf.of(new int[1]), all, ones, beyond, me),
        () -> world.iscatterv(all, ones, beyond, Buf.of(new int[1]), me),
        () -> world.allgathervInit(Buf.of(new int[1]), all, ones, beyond, null),
        () -> world.alltoallv(all, ones, ones.clone(), all, ones, beyond));
    bad(ErrorClass.ERR_BUFFER, "Displs[0]", () -> world.alltoallv(all, ones, before),
        () -> world.allgatherv(all, ones, before));
    bad(ErrorClass.ERR_BUFFER, "overlap", () -> world.allreduce(all, all, Op.SUM), () -> world.alltoall(all, all));
    bad(ErrorClass.ERR_BUFFER, "recv", () -> world.allgatherInit(Buf.of(new int[1]), (Buf<?>) null, null));
    world.barrier();
  }

  @MpiTest(ranks = {1, 2})
  void typesAndMemory(IntraComm world) {
    int n = world.size();
    int[] a = new int[8 * n];
    Datatype<Integer> open = Datatype.contiguous(2, Datatype.INT);
    MemorySegment segment = MemorySegment.ofArray(a);
    bad(ErrorClass.ERR_TYPE, "", () -> world.bcast(Buf.of(segment, 1, open), 0),
        () -> world.allreduce(Buf.of(a), Buf.of(MemorySegment.ofArray(new int[8 * n]), 8 * n, Datatype.UNSIGNED),
            Op.SUM));
    Arena arena = Arena.ofShared();
    MemorySegment gone = arena.allocate(64);
    Buf<Integer> buf = Buf.of(gone, 4, Datatype.INT);
    Persistent request = world.allreduceInit(buf, Op.SUM, null);
    arena.close();
    bad(ErrorClass.ERR_BUFFER, "", () -> world.bcast(buf, 0), () -> world.iallreduce(buf, Op.MAX),
        () -> world.scanInit(buf, Op.MAX, null), request::start);
    request.close();
    world.barrier();
  }
}
