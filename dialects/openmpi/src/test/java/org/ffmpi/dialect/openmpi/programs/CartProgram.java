// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.CartComm;
import mpi.CartParms;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/** Grids of ranks. */
final class CartProgram {
  private CartProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int[] dims = {0, 0};
    CartComm.createDims(size, dims);
    Check.equal(size, dims[0] * dims[1], "createDims");
    Check.that(dims[0] >= dims[1], "dimensions do not grow");
    int[] fixed = {0, 1, 0};
    CartComm.createDims(size, fixed);
    Check.that(fixed[1] == 1 && fixed[0] * fixed[2] == size, "createDims with a given dimension");

    boolean[] periods = {true, false};
    CartComm grid = world.createCart(dims, periods, false);
    Check.equal(MPI.CART, grid.getTopology(), "getTopology");
    Check.equal(rank, grid.getRank(), "ranks are not reordered");
    CartParms parms = grid.getTopo();
    Check.equal(2, parms.getDimCount(), "getDimCount");
    int[] coords = grid.getCoords(rank);
    for (int i = 0; i < 2; i++) {
      Check.equal(dims[i], parms.getDim(i), "getDim");
      Check.equal(periods[i], parms.getPeriod(i), "getPeriod");
      Check.equal(coords[i], parms.getCoord(i), "getCoord");
    }
    Check.ints("coordinates", coords, rank / dims[1], rank % dims[1]);
    Check.equal(rank, grid.getRank(coords), "getRank of coordinates");
    Check.equal(rank, grid.getRank(new int[] {coords[0] + dims[0], coords[1]}), "coordinates go round");

    ShiftParms round = grid.shift(0, 1);
    Check.equal((coords[0] + 1) % dims[0] * dims[1] + coords[1], round.getRankDest(), "destination of a shift");
    Check.equal((coords[0] + dims[0] - 1) % dims[0] * dims[1] + coords[1], round.getRankSource(), "source of a shift");
    ShiftParms edge = grid.shift(1, 1);
    Check.equal(coords[1] + 1 < dims[1] ? rank + 1 : MPI.PROC_NULL, edge.getRankDest(), "destination at the edge");
    Check.equal(coords[1] > 0 ? rank - 1 : MPI.PROC_NULL, edge.getRankSource(), "source at the edge");
    int[] got = {-1};
    grid.sendRecv(coords, 1, MPI.INT, round.getRankDest(), 1, got, 1, MPI.INT, round.getRankSource(), 1);
    Check.equal((coords[0] + dims[0] - 1) % dims[0], got[0], "message round the grid");

    CartComm row = grid.sub(new boolean[] {false, true});
    Check.equal(dims[1], row.getSize(), "sub");
    Check.equal(coords[1], row.getRank(), "rank in sub");
    Check.equal(1, row.getTopo().getDimCount(), "dimensions of sub");
    int place = grid.map(dims, periods);
    Check.that(place >= 0 && place < size, "map");
    copies(grid, dims);
    row.free();
    grid.free();

    // A grid for some of the ranks; the arrays are longer than needed nowhere: their length is the dimension.
    CartComm single = world.createCart(new int[] {1}, new boolean[] {false}, true);
    int members = single.isNull() ? 0 : 1;
    int[] sum = {members};
    world.allReduce(sum, 1, MPI.INT, MPI.SUM);
    Check.equal(1, sum[0], "a grid of one rank");
    if (!single.isNull()) {
      single.free();
    }
  }

  private static void copies(CartComm grid, int[] dims) throws MPIException {
    CartComm later = grid.iDup();
    later.getRequest().waitFor();
    CartComm[] copies = {grid.dup(), grid.clone(), grid.dupWithInfo(MPI.INFO_NULL), later};
    for (CartComm copy : copies) {
      Check.equal(dims[0], copy.getTopo().getDim(0), "a copy is a grid");
      copy.free();
    }
    Intracomm intra = grid;
    Comm comm = grid;
    Check.that(intra.dup() instanceof CartComm && comm.dup() instanceof CartComm, "a copy of a grid is one");
  }
}
