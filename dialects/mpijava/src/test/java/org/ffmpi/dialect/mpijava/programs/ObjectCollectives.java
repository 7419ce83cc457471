// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.User_function;

/** Objects in all collective calls. */
final class ObjectCollectives {
  private ObjectCollectives() {}

  /** Texts one after the other: the order of ranks shows. */
  private static final class Joined extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      Object[] in = (Object[]) invec;
      Object[] inout = (Object[]) inoutvec;
      for (int i = 0; i < count * datatype.Extent(); i++) {
        if (in[inoffset + i] != null) {
          inout[inoutoffset + i] = (String) in[inoffset + i] + inout[inoutoffset + i];
        }
      }
    }
  }

  /** A number that others are added to. */
  private static final class Sum implements Serializable {
    private static final long serialVersionUID = 1;
    int value;

    Sum(int value) {
      this.value = value;
    }
  }

  /** Adds to what is there; takes the arrays for what the receiving one is. */
  private static final class Adding extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      Sum[] in = (Sum[]) invec;
      Object[] inout = (Object[]) inoutvec;
      for (int i = 0; i < count; i++) {
        ((Sum) inout[inoutoffset + i]).value += in[inoffset + i].value;
      }
    }
  }

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int size = world.Size();
    for (int root = 0; root < size; root += 2) {
      rooted(check, world, root);
    }
    all(check, world);
    different(check, world);
    reductions(check, world);
    replaced(check, world);
    unwritable(check, world);
  }

  private static String text(int rank) {
    return "r" + rank + ".".repeat(rank * 100);
  }

  private static void rooted(Check check, Intracomm world, int root) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    Object[] told = new Object[3];
    List<Integer> list = new ArrayList<>(List.of(1, 2));
    if (rank == root) {
      told = new Object[] {"kept", "from " + root, list};
    }
    world.Bcast(told, 1, 2, MPI.OBJECT, root);
    check.equal("bcast", new Object[] {rank == root ? "kept" : null, "from " + root, List.of(1, 2)}, told);

    Object[] all = new Object[2 * size + 1];
    Object[] mine = {text(rank), list};
    world.Gather(mine, 0, 2, MPI.OBJECT, rank == root ? all : null, 1, 2, MPI.OBJECT, root);
    if (rank == root) {
      for (int r = 0; r < size; r++) {
        check.equal("gathered of " + r, text(r), all[1 + 2 * r]);
        check.equal("second gathered of " + r, List.of(1, 2), all[2 + 2 * r]);
      }
      check.that("a copy of its own", all[2 + 2 * rank] != list);
    }
    Object[] back = new Object[2];
    world.Scatter(all, 1, 2, MPI.OBJECT, back, 0, 2, MPI.OBJECT, root);
    check.equal("scattered", new Object[] {text(rank), List.of(1, 2)}, back);
  }

  private static void all(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    String[] all = new String[size];
    world.Allgather(new Object[] {text(rank)}, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
    for (int r = 0; r < size; r++) {
      check.equal("allgather of " + r, text(r), all[r]);
    }
    String[] mine = new String[size];
    Arrays.setAll(mine, r -> rank + " to " + r);
    world.Alltoall(mine, 0, 1, MPI.OBJECT, mine, 0, 1, MPI.OBJECT); // one array
    for (int r = 0; r < size; r++) {
      check.equal("alltoall of " + r, r + " to " + rank, mine[r]);
    }
    Datatype ends = Datatype.Vector(2, 1, 2, MPI.OBJECT); // extent 3
    Object[] spread = new Object[3 * size];
    world.Allgather(new Object[] {rank, "x"}, 0, 2, MPI.OBJECT, spread, 0, 1, ends);
    for (int r = 0; r < size; r++) {
      check.that("ends of " + r,
          spread[3 * r].equals(r) && spread[3 * r + 1] == null && spread[3 * r + 2].equals("x"));
    }
  }

  /** Rank r has r objects. */
  private static void different(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int root = size - 1;
    int[] counts = new int[size + 2];
    int[] displs = new int[size + 1];
    for (int r = 0; r < size; r++) {
      counts[r] = r;
      displs[r + 1] = displs[r] + r + 1;
    }
    Object[] mine = new Object[rank];
    Arrays.fill(mine, "of " + rank);
    Object[] expected = new Object[displs[size]];
    for (int r = 0; r < size; r++) {
      Arrays.fill(expected, displs[r], displs[r] + r, "of " + r);
    }
    Object[] all = rank == root ? new Object[displs[size]] : null;
    world.Gatherv(mine, 0, rank, MPI.OBJECT, all, 0, counts, displs, MPI.OBJECT, root);
    if (rank == root) {
      check.equal("gatherv", expected, all);
    }
    Object[] back = new Object[rank];
    world.Scatterv(all, 0, counts, displs, MPI.OBJECT, back, 0, rank, MPI.OBJECT, root);
    check.equal("scatterv", mine, back);
    Object[] everywhere = new Object[displs[size]];
    world.Allgatherv(mine, 0, rank, MPI.OBJECT, everywhere, 0, counts, displs, MPI.OBJECT);
    check.equal("allgatherv", expected, everywhere);

    int[] each = new int[size];
    int[] one = new int[size];
    int[] places = new int[size];
    for (int r = 0; r < size; r++) {
      each[r] = r;
      one[r] = rank;
      places[r] = r * size;
    }
    Object[] out = new Object[size * size];
    Object[] in = new Object[size * size];
    for (int r = 0; r < size; r++) {
      Arrays.fill(out, places[r], places[r] + r, rank + " to " + r);
    }
    world.Alltoallv(out, 0, each, places, MPI.OBJECT, in, 0, one, places, MPI.OBJECT);
    Object[] arrived = new Object[size * size];
    for (int r = 0; r < size; r++) {
      Arrays.fill(arrived, places[r], places[r] + rank, r + " to " + rank);
    }
    check.equal("alltoallv", arrived, in);
  }

  /** Not serializable. */
  private static final class Stubborn {}

  /** A rank that cannot write its objects keeps no other waiting: those who would have got them fail, too. */
  private static void unwritable(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int last = size - 1;
    Object[] mine = new Object[size];
    Arrays.fill(mine, rank == last ? new Stubborn() : "fine");
    Object[] got = new Object[size];
    int[] ones = new int[size];
    int[] places = new int[size];
    Arrays.fill(ones, 1);
    Arrays.setAll(places, r -> r);
    Op joined = new Op(new Joined(), false);
    String who = rank == last ? "Stubborn" : "rank " + last;
    check.fails("bcast", () -> world.Bcast(mine, 0, 1, MPI.OBJECT, last), who);
    check.fails("scatter", () -> world.Scatter(mine, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT, last), who);
    check.fails("allgather", () -> world.Allgather(mine, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT), who);
    check.fails("allgatherv",
        () -> world.Allgatherv(mine, 0, 1, MPI.OBJECT, got, 0, ones, places, MPI.OBJECT), who);
    check.fails("alltoall", () -> world.Alltoall(mine, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT), who);
    check.fails("alltoallv", () -> world.Alltoallv(
        mine, 0, ones, places, MPI.OBJECT, got, 0, ones, places, MPI.OBJECT), who);
    check.fails("allreduce", () -> world.Allreduce(mine, 0, got, 0, 1, MPI.OBJECT, joined), who);
    check.fails("reduce_scatter", () -> world.Reduce_scatter(mine, 0, got, 0, ones, MPI.OBJECT, joined), who);
    Check.Failing gather = () -> world.Gather(mine, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT, 0);
    Check.Failing reduce = () -> world.Reduce(mine, 0, got, 0, 1, MPI.OBJECT, joined, 0);
    if (rank == 0 || rank == last) {
      check.fails("gather", gather, who);
      check.fails("reduce", reduce, who);
    } else {
      world.Gather(mine, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT, 0);
      world.Reduce(mine, 0, got, 0, 1, MPI.OBJECT, joined, 0);
    }
    world.Barrier();
  }

  private static String joined(String what, int ranks) {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < ranks; r++) {
      text.append(what).append(r);
    }
    return text.toString();
  }

  /** The objects at the root become the result, where it takes their place and the order does not matter. */
  private static void replaced(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int root = size - 1;
    int all = size * (size - 1) / 2;
    Op adding = new Op(new Adding(), true);
    Sum own = new Sum(rank);
    Sum[] array = {null, own};
    world.Reduce(array, 1, array, 1, 1, MPI.OBJECT, adding, root);
    check.that("the same object", array[1] == own);
    check.equal("its value", rank == root ? all : rank, own.value);
    Sum[] got = new Sum[1];
    world.Reduce(new Object[] {new Sum(rank)}, 0, got, 0, 1, MPI.OBJECT, adding, 0);
    check.equal("of another class of array", rank == 0 ? all : -1, rank == 0 ? got[0].value : -1);
    world.Allreduce(new Object[] {new Sum(rank)}, 0, got, 0, 1, MPI.OBJECT, adding);
    check.equal("everywhere", all, got[0].value);
  }

  private static void reductions(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    Op joined = new Op(new Joined(), false);
    Object[] mine = {"-", "a" + rank, "b" + rank};
    Object[] all = new Object[3];
    world.Allreduce(mine, 1, all, 1, 2, MPI.OBJECT, joined);
    check.equal("allreduce", new Object[] {null, joined("a", size), joined("b", size)}, all);
    check.equal("what was sent", "a" + rank, mine[1]);
    Object[] atRoot = new Object[1];
    world.Reduce(mine, 1, atRoot, 0, 1, MPI.OBJECT, joined, size - 1);
    check.equal("reduce", rank == size - 1 ? joined("a", size) : null, atRoot[0]);
    world.Scan(mine, 1, all, 0, 1, MPI.OBJECT, joined);
    check.equal("scan", joined("a", rank + 1), all[0]);
    Object[] parts = new Object[size];
    Arrays.setAll(parts, r -> "p" + r + "-");
    int[] counts = new int[size];
    Arrays.fill(counts, 1);
    world.Reduce_scatter(parts, 0, atRoot, 0, counts, MPI.OBJECT, joined);
    check.equal("reduce_scatter", ("p" + rank + "-").repeat(size), atRoot[0]);
    Datatype ends = Datatype.Vector(2, 1, 2, MPI.OBJECT);
    Object[] spread = {"a" + rank, null, "b" + rank};
    world.Allreduce(spread, 0, spread, 0, 1, ends, joined);
    check.equal("ends, in place", new Object[] {joined("a", size), null, joined("b", size)}, spread);
    check.fails("a sum of objects",
        () -> world.Allreduce(mine, 1, all, 0, 1, MPI.OBJECT, MPI.SUM), "MPI.SUM", "MPI.OBJECT");
  }
}
