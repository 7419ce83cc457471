// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Groups, and communicators made of them. */
final class GroupProgram {
  private GroupProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    Group all = world.getGroup();
    Check.equal(size, all.getSize(), "getSize");
    Check.equal(rank, all.getRank(), "getRank");
    Check.that(!all.isNull(), "not null");
    Check.equal(0, MPI.GROUP_EMPTY.getSize(), "GROUP_EMPTY");

    int[] backwards = new int[size];
    for (int i = 0; i < size; i++) {
      backwards[i] = size - 1 - i;
    }
    Group reversed = all.incl(backwards);
    Check.equal(size - 1 - rank, reversed.getRank(), "rank in the other order");
    Check.equal(size == 1 ? MPI.IDENT : MPI.SIMILAR, Group.compare(all, reversed), "compare");
    Check.equal(MPI.IDENT, Group.compare(all, world.getGroup()), "compare with itself");
    Check.ints("translateRanks", Group.translateRanks(reversed, new int[] {0, size - 1}, all), size - 1, 0);
    Check.ints("translateRanks of PROC_NULL",
        Group.translateRanks(all, new int[] {MPI.PROC_NULL}, reversed), MPI.PROC_NULL);

    Group first = all.incl(new int[] {0});
    Group others = all.excl(new int[] {0});
    Check.equal(size - 1, others.getSize(), "excl");
    Check.equal(rank == 0 ? MPI.UNDEFINED : rank - 1, others.getRank(), "rank in excl");
    Check.equal(MPI.UNEQUAL, Group.compare(all, others), "compare with a smaller one");
    Group together = Group.union(others, first);
    Check.equal(size, together.getSize(), "union");
    Check.ints("union appends", Group.translateRanks(together, new int[] {size - 1}, all), 0);
    Group[] empty = {Group.intersection(first, others), all.incl(new int[0]), Group.difference(all, all),
        all.rangeExcl(new int[][] {{0, size - 1, 1}}), Group.union(MPI.GROUP_EMPTY, MPI.GROUP_EMPTY)};
    for (Group none : empty) {
      Check.equal(0, none.getSize(), "an empty group");
      Check.equal(MPI.UNDEFINED, none.getRank(), "rank in an empty group");
      Check.equal(MPI.IDENT, Group.compare(none, MPI.GROUP_EMPTY), "compare with GROUP_EMPTY");
      none.free();
      Check.that(none.isNull(), "a freed empty group");
    }
    Check.equal(0, MPI.GROUP_EMPTY.getSize(), "GROUP_EMPTY stays");
    Check.equal(1, Group.intersection(all, first).getSize(), "intersection with all");
    Group difference = Group.difference(all, first);
    Check.equal(MPI.IDENT, Group.compare(difference, others), "difference");

    Group even = all.rangeIncl(new int[][] {{0, size - 1, 2}});
    Check.equal((size + 1) / 2, even.getSize(), "rangeIncl");
    Group odd = all.rangeExcl(new int[][] {{0, size - 1, 2}});
    Check.equal(size / 2, odd.getSize(), "rangeExcl");
    Check.equal(rank % 2 == 0 ? rank / 2 : MPI.UNDEFINED, even.getRank(), "rank in rangeIncl");

    Intracomm evenComm = world.create(even);
    Check.equal(rank % 2 != 0, evenComm.isNull(), "create is null for those outside");
    if (rank % 2 == 0) {
      int[] sum = {1};
      evenComm.allReduce(sum, 1, MPI.INT, MPI.SUM);
      Check.equal((size + 1) / 2, sum[0], "sum over the group");
      Check.equal(MPI.IDENT, Group.compare(evenComm.getGroup(), even), "getGroup");
      evenComm.free();
    }
    Group mine = rank % 2 == 0 ? even : odd;
    Intracomm part = world.createGroup(mine, 5);
    Check.equal(mine.getSize(), part.getSize(), "createGroup");
    Check.equal(mine.getRank(), part.getRank(), "rank in createGroup");
    part.free();
    all.free();
    Check.that(all.isNull(), "a freed group");
    reversed.free();
    first.free();
    others.free();
    together.free();
    difference.free();
    even.free();
    odd.free();
  }
}
