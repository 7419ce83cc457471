// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Packer;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Unpacker;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

/** Arrays and lists of records, and of boxes, go through every collective operation. */
class RecordCollectivesTest {
  private static final Datatype<Atom> ATOM = Datatype.ofRecord(Atom.class).commit();
  private static final int[] LENGTHS = {0, 1, 5, 2000};

  /** What a reduction of records is good for: several results of one pass. */
  record Summary(long n, double sum, double largest) {
    Summary plus(Summary o) {
      return new Summary(n + o.n, sum + o.sum, Math.max(largest, o.largest));
    }

    static Summary of(double x) {
      return new Summary(1, x, x);
    }
  }

  private static final Op<Summary> PLUS = Op.commutative(Summary.class, Summary::plus);

  @MpiTest(ranks = {2, 3, 4})
  void fromOneToAll(Mpi mpi) {
    IntraComm world = mpi.world();
    int size = world.size();
    for (int n : LENGTHS) {
      for (int root = 0; root < size; root++) {
        boolean atRoot = world.rank() == root;
        List<Atom> atoms = atRoot ? List.of(Atom.array(root, n)) : new ArrayList<>(Arrays.asList(new Atom[n]));
        world.bcast(Buf.of(atoms, ATOM), root);
        assertEquals(Atom.list(root, n), atoms);
        Atom[] all = atRoot ? Atom.array(7, n * size) : null;
        Atom[] mine = new Atom[n];
        world.scatter(atRoot ? Buf.of(all) : null, Buf.of(mine), root);
        assertArrayEquals(Atom.array(7 + world.rank() * n, n), mine);
        if (n > 0) {
        Atom[] own = new Atom[atRoot ? n * size : n];
        System.arraycopy(mine, 0, own, atRoot ? root * n : 0, n);
        world.gather(Buf.of(own), root);
        assertArrayEquals(atRoot ? all : mine, own);
      }
      Atom[] back = new Atom[n * size];
        world.gather(Buf.of(mine), atRoot ? Buf.of(back) : null, root);
        assertArrayEquals(atRoot ? all : new Atom[n * size], back);
        world.ibcast(Buf.of(mine), root).await();
        assertArrayEquals(Atom.array(7 + root * n, n), mine);
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void blocksOfDifferentLengths(Mpi mpi) {
    IntraComm world = mpi.world();
    int size = world.size();
    long[] counts = IntStream.range(0, size).mapToLong(r -> r + 1).toArray();
    long[] displs = IntStream.range(0, size).mapToLong(r -> r * (r + 3) / 2).toArray(); // a gap of one after each
    Atom[] all = new Atom[size * (size + 3) / 2];
    world.allgatherv(Buf.of(Atom.array(100 * world.rank(), world.rank() + 1)), Buf.of(all), counts, displs);
    for (int r = 0; r < size; r++) {
      int at = (int) displs[r];
      assertArrayEquals(Atom.array(100 * r, r + 1), Arrays.copyOfRange(all, at, at + r + 1));
      assertNull(all[at + r + 1], "gaps stay");
    }
    Atom[] part = new Atom[world.rank() + 1];
    world.scatterv(Buf.of(all), counts, displs, Buf.of(part), 0);
    assertArrayEquals(Atom.array(100 * world.rank(), world.rank() + 1), part);
    Atom[] collected = new Atom[all.length];
    world.gatherv(Buf.of(part), Buf.of(collected), counts, displs, size - 1);
    assertArrayEquals(world.rank() == size - 1 ? all : new Atom[all.length], collected);
    Atom[] own = new Atom[all.length];
    System.arraycopy(part, 0, own, (int) displs[world.rank()], part.length);
    world.allgatherv(Buf.of(own), counts, displs);
    assertArrayEquals(all, own);
    Buf<?>[] out = new Buf<?>[size];
    Atom[][] got = new Atom[size][3];
    Buf<?>[] in = new Buf<?>[size];
    for (int r = 0; r < size; r++) {
      out[r] = Buf.of(Atom.array(10 * world.rank() + r, 3));
      in[r] = Buf.of(got[r]);
    }
    world.alltoallw(out, in);
    for (int r = 0; r < size; r++) {
      assertArrayEquals(Atom.array(10 * r + world.rank(), 3), got[r]);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void fromAllToAll(Mpi mpi) {
    IntraComm world = mpi.world();
    int size = world.size();
    for (int n : LENGTHS) {
      Atom[] all = new Atom[n * size];
      world.allgather(Buf.of(Atom.array(world.rank() * n, n)), Buf.of(all));
      assertArrayEquals(Atom.array(0, n * size), all);
      Arrays.fill(all, null);
      System.arraycopy(Atom.array(world.rank() * n, n), 0, all, world.rank() * n, n);
      world.allgather(Buf.of(all)); // the blocks of others may be null
      assertArrayEquals(Atom.array(0, n * size), all);
      Atom[] swapped = new Atom[n * size];
      world.alltoall(Buf.of(all), Buf.of(swapped));
      for (int r = 0; r < size; r++) {
        assertArrayEquals(Atom.array(world.rank() * n, n), Arrays.copyOfRange(swapped, r * n, (r + 1) * n));
      }
      world.alltoall(Buf.of(swapped));
      assertArrayEquals(all, swapped);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void reductions(Mpi mpi) {
    IntraComm world = mpi.world();
    int size = world.size();
    int rank = world.rank();
    for (int n : LENGTHS) {
      Summary[] mine = new Summary[n];
      Arrays.setAll(mine, i -> Summary.of(rank + i));
      Summary[] all = new Summary[n];
      world.allreduce(Buf.of(mine), Buf.of(all), PLUS);
      assertArrayEquals(sums(n, 0, size), all);
      Summary[] kept = mine.clone();
      world.iallreduce(Buf.of(kept), PLUS).await();
      assertArrayEquals(all, kept);
      Summary[] first = new Summary[n];
      world.reduce(Buf.of(mine), rank == 0 ? Buf.of(first) : null, PLUS, 0);
      assertArrayEquals(rank == 0 ? all : new Summary[n], first);
      world.scan(Buf.of(mine), Buf.of(first), PLUS);
      assertArrayEquals(sums(n, 0, rank + 1), first);
      Summary[] before = new Summary[n];
      world.exscan(Buf.of(mine), Buf.of(before), PLUS);
      assertArrayEquals(rank == 0 ? new Summary[n] : sums(n, 0, rank), before, "rank 0 has no result");
      Summary[] inPlace = mine.clone();
      world.exscan(Buf.of(inPlace), PLUS);
      assertArrayEquals(rank == 0 ? mine : sums(n, 0, rank), inPlace, "rank 0 contributes in place");
      Summary[] wide = new Summary[n * size];
      Arrays.setAll(wide, i -> Summary.of(rank + i % Math.max(1, n)));
      world.reduceScatterBlock(Buf.of(wide), Buf.of(first), PLUS);
      assertArrayEquals(all, first);
      Summary[] local = mine.clone();
      PLUS.reduceLocal(Buf.of(mine), Buf.of(local));
      assertArrayEquals(Arrays.stream(mine).map(s -> s.plus(s)).toArray(Summary[]::new), local);
    }
    Double[] boxes = {1.0 + rank, 2.0};
    world.allreduce(Buf.of(boxes), Op.MAX);
    assertArrayEquals(new Double[] {(double) size, 2.0}, boxes);
    List<Integer> list = Arrays.asList(1, rank);
    world.allreduce(Buf.of(list, Integer.class), Op.SUM);
    assertEquals(List.of(size, size * (size - 1) / 2), list);
    int[] plain = new int[2];
    world.allreduce(Buf.of(new Integer[] {1, 2}), Buf.of(plain), Op.SUM);
    assertArrayEquals(new int[] {size, 2 * size}, plain);
  }

  private static Summary[] sums(int n, int from, int to) {
    Summary[] sums = new Summary[n];
    Arrays.setAll(sums, i -> IntStream.range(from, to).mapToObj(r -> Summary.of(r + i)).reduce(Summary::plus).get());
    return sums;
  }

  @MpiTest(ranks = {2, 3})
  void persistentAndNonblocking(Mpi mpi) {
    IntraComm world = mpi.world();
    Summary[] values = new Summary[40];
    Atom[] atoms = new Atom[40];
    try (Persistent sum = world.allreduceInit(Buf.of(values), PLUS, null);
        Persistent share = world.bcastInit(Buf.of(atoms), 1, null)) {
      for (int step = 0; step < 4; step++) {
        int now = step;
        Arrays.setAll(values, i -> Summary.of(now + world.rank() + i));
        if (world.rank() == 1) {
          System.arraycopy(Atom.array(step, 40), 0, atoms, 0, 40);
        }
        Persistent.startAll(List.of(sum, share));
        Request.waitAll(List.of(sum, share));
        assertArrayEquals(Atom.array(step, 40), atoms);
        assertArrayEquals(sums(40, step, step + world.size()), values);
      }
    }
  }

  @MpiTest(ranks = {2, 4})
  void neighboursThatAreNotThere(Mpi mpi) {
    CartComm line = mpi.world().cartCreate(new int[] {mpi.world().size()}, new boolean[] {false}, false);
    int rank = line.rank();
    Atom[] halo = new Atom[4];
    line.neighborAlltoall(Buf.of(Atom.array(10 * rank, 4)), Buf.of(halo));
    Atom[] expected = new Atom[4];
    if (rank > 0) {
      System.arraycopy(Atom.array(10 * (rank - 1) + 2, 2), 0, expected, 0, 2);
    }
    if (rank < line.size() - 1) {
      System.arraycopy(Atom.array(10 * (rank + 1), 2), 0, expected, 2, 2);
    }
    assertArrayEquals(expected, halo);
    Arrays.fill(halo, null);
    line.neighborAllgather(Buf.of(Atom.array(rank, 2)), Buf.of(halo));
    assertEquals(rank > 0 ? Atom.of(rank - 1) : null, halo[0]);
    assertEquals(rank < line.size() - 1 ? Atom.of(rank + 2) : null, halo[3]);
  }

  @MpiTest(ranks = {2, 4})
  void betweenGroups(Mpi mpi) {
    IntraComm world = mpi.world();
    boolean left = world.rank() % 2 == 0;
    try (IntraComm own = world.split(left ? 0 : 1, 0); InterComm both = own.intercomm(0, world, left ? 1 : 0, 0)) {
      int size = own.size();
      Atom[] got = new Atom[2 * size];
      both.allgather(Buf.of(Atom.array(10 * world.rank(), 2)), Buf.of(got));
      assertEquals(Atom.of((left ? 10 : 0) + 1), got[1]);
      Atom[] shared = left && own.rank() == 0 ? Atom.array(5, 3) : new Atom[3];
      both.bcast(Buf.of(shared), left ? own.rank() == 0 ? Mpi.ROOT : Mpi.PROC_NULL : 0);
      assertArrayEquals(left && own.rank() > 0 ? new Atom[3] : Atom.array(5, 3), shared);
      Summary[] sum = new Summary[1];
      both.allreduce(Buf.of(new Summary[] {Summary.of(left ? 1 : 2)}), Buf.of(sum), PLUS);
      assertEquals(left ? 2 * size : size, sum[0].sum());
      Atom[] all = new Atom[size];
      both.gather(left ? Buf.of(Atom.array(own.rank(), 1)) : null, left ? null : Buf.of(all),
          left ? 0 : own.rank() == 0 ? Mpi.ROOT : Mpi.PROC_NULL);
      assertArrayEquals(!left && own.rank() == 0 ? Atom.array(0, size) : new Atom[size], all);
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.check=full")
  void underFullChecks(Mpi mpi) {
    Atom[] atoms = mpi.world().rank() == 0 ? Atom.array(1, 3) : new Atom[3];
    mpi.world().bcast(Buf.of(atoms), 0);
    assertArrayEquals(Atom.array(1, 3), atoms);
    Atom[] all = new Atom[6];
    mpi.world().iallgather(Buf.of(atoms), Buf.of(all)).await();
    assertEquals(Atom.of(3), all[5]);
  }

  @Test
  void packing() {
    byte[] memory = new byte[4096];
    Packer packer = Packer.into(memory).pack(Buf.of(Atom.array(1, 3))).pack(Buf.of(List.of(Atom.of(9)), ATOM));
    Atom[] atoms = new Atom[4];
    Unpacker.from(memory).unpack(Buf.of(atoms));
    assertArrayEquals(new Atom[] {Atom.of(1), Atom.of(2), Atom.of(3), Atom.of(9)}, atoms);
    assertEquals(4 * ATOM.size(), packer.packed().count());
    assertError(ErrorClass.ERR_BUFFER, () -> Unpacker.from(Buf.of(new Byte[4])), "over memory");
  }

  /** Whoever passes what is no memory reads what to write instead. */
  @Test
  @SuppressWarnings("deprecation")
  void saysWhatToDoInstead() {
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new double[2][3]), "array = double[][]",
        "Keep the matrix in one double[] with element (i, j) at i * columns + j", "Buf.of(rows[i])");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[2][3][4], 0, 1), "each int[][] in this one",
        "in one int[]");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new String[2]), "getBytes");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of("text"), "Buf.of(text.getBytes(StandardCharsets.UTF_8))");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(List.of(1.0)), "Buf.of(list, Double.class)");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new Thread[2]), "A record with the components");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(List.of("a"), String.class), "record classes and boxes");
    Datatype<Atom> two = Datatype.contiguous(2, ATOM).commit();
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(Atom.array(0, 2), two), "types of one object");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(Atom.array(0, 2), 1, 2), "from = 1", "of the 2 elements");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(Atom.array(0, 2), 1, -1), "count = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((Atom[]) null), "array = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((List<Atom>) null, ATOM), "a list");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(Atom.array(0, 2), null), "type = null");
    Buf.of(Atom.array(0, 2)).type().close(); // the type of the class, which the next buffer makes again
    assertEquals(2, Buf.of(Atom.array(0, 2)).count());
    assertEquals("Buf[2 x " + ATOM + " in Atom[]]", Buf.of(Atom.array(0, 2), ATOM).toString());
  }
}
