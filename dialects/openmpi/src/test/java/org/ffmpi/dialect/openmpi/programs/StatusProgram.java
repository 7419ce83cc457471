// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Counts in several types, what a program sets itself, and Count. */
final class StatusProgram {
  private StatusProgram() {}

  static void run() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    Datatype three = Datatype.createContiguous(3, MPI.INT);
    three.commit();
    int[] got = new int[9];
    Status status = world.sendRecv(new int[7], 7, MPI.INT, rank, 1, got, 3, three, rank, 1);
    Check.equal(7, status.getCount(MPI.INT), "count of ints");
    Check.equal(MPI.UNDEFINED, status.getCount(three), "7 ints are no whole number of triples");
    Check.equal(7, status.getElements(three), "elements in triples");
    Check.equal(7L, status.getElementsX(three).getCount(), "elements in triples as a Count");
    Check.equal(MPI.SUCCESS, status.getError(), "error of a status");
    Check.that(!status.isCancelled(), "not cancelled");
    Status whole = world.sendRecv(new int[6], 6, MPI.INT, rank, 1, got, 3, three, rank, 1);
    Check.equal(2, whole.getCount(three), "6 ints are 2 triples");

    status.setElements(MPI.INT, 4);
    Check.equal(4, status.getCount(MPI.INT), "setElements");
    status.setElementsX(MPI.INT, new Count(5));
    Check.equal(5, status.getElements(MPI.INT), "setElementsX");
    status.setCancelled(true);
    Check.that(status.isCancelled(), "setCancelled");
    status.setCancelled(false);
    Check.that(!status.isCancelled(), "setCancelled back");
    three.free();

    Count count = new Count(3_000_000_000L);
    Check.equal(3_000_000_000L, count.getCount(), "a Count beyond an int");
    Check.that(count.equals(new Count(3_000_000_000L)) && !count.equals(new Count(3)), "equal Counts");
    Check.equal(count.hashCode(), new Count(3_000_000_000L).hashCode(), "equal Counts have equal hash codes");
    Check.that(!count.equals("3000000000"), "a Count is no text");
    Check.that(count.compareTo(new Count(4)) > 0 && count.compareTo(new Count(5_000_000_000L)) < 0
        && count.compareTo(new Count(3_000_000_000L)) == 0, "order of Counts");
    count.setCount(2);
    Check.equal(2L, count.getCount(), "setCount");
  }
}
