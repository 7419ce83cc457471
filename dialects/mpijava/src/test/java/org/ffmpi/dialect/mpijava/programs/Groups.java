// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Group;
import mpi.MPI;
import mpi.MPIException;

/** Sets of processes. */
final class Groups {
  private Groups() {}

  static void run(Check check) throws MPIException {
    Group world = MPI.COMM_WORLD.Group();
    int size = world.Size();
    int rank = MPI.COMM_WORLD.Rank();
    check.equal("rank", rank, world.Rank());
    check.that("codes", MPI.GROUP_EMPTY.code == Group.EMPTY && world.code != Group.EMPTY);

    int[] evens = new int[(size + 1) / 2];
    for (int i = 0; i < evens.length; i++) {
      evens[i] = 2 * i;
    }
    Group even = world.Incl(evens);
    Group odd = world.Excl(evens);
    check.equal("even ranks", evens.length, even.Size());
    check.equal("odd ranks", size - evens.length, odd.Size());
    check.equal("rank among even ones", rank % 2 == 0 ? rank / 2 : MPI.UNDEFINED, even.Rank());
    check.equal("rank among odd ones", rank % 2 == 1 ? rank / 2 : MPI.UNDEFINED, odd.Rank());

    Group back = Group.Union(odd, even);
    check.equal("union", size, back.Size());
    check.equal("order of the union", size == 1 ? MPI.IDENT : MPI.SIMILAR, Group.Compare(world, back));
    check.equal("the same", MPI.IDENT, Group.Compare(world, MPI.COMM_WORLD.Group()));
    check.equal("others", MPI.UNEQUAL, Group.Compare(even, odd));
    check.equal("nothing in common", 0, Group.Intersection(even, odd).Size());
    check.equal("in common", MPI.IDENT, Group.Compare(even, Group.Intersection(world, even)));
    check.equal("difference", MPI.IDENT, Group.Compare(odd, Group.Difference(world, even)));
    check.equal("nothing left", 0, Group.Difference(even, world).Size());

    int[] there = Group.Translate_ranks(world, evens, even);
    for (int i = 0; i < evens.length; i++) {
      check.equal("translated", i, there[i]);
    }
    if (size > 1) {
      check.equal("not there", new int[] {MPI.UNDEFINED}, Group.Translate_ranks(world, new int[] {1}, even));
    }

    int[][] ranges = {{size - 1, 0, -1}};
    Group reversed = world.Range_incl(ranges);
    check.equal("reversed", size - 1 - rank, reversed.Rank());
    check.equal("every second", MPI.IDENT, Group.Compare(even, world.Range_incl(new int[][] {{0, size - 1, 2}})));
    check.equal("without every second", MPI.IDENT,
        Group.Compare(odd, world.Range_excl(new int[][] {{0, size - 1, 2}})));
    check.fails("no such rank", () -> world.Incl(new int[] {size}), "ranks[0] = " + size);
    check.fails("no triple", () -> world.Range_incl(new int[][] {{0, 1}}), "ranges[0]");
    check.fails("no group", () -> Group.Union(world, null), "group2");
    even.free();
    check.fails("a freed group", even::Size, "freed");
    MPI.GROUP_EMPTY.free();
    check.equal("the empty group stays", 0, MPI.GROUP_EMPTY.Size());
    odd.finalize();
  }
}
