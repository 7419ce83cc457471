// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.CartParms;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/** Grids and graphs. */
final class Topologies {
  private Topologies() {}

  static void run(Check check) throws MPIException {
    dimensions(check);
    grid(check, MPI.COMM_WORLD);
    ring(check, MPI.COMM_WORLD);
    graph(check, MPI.COMM_WORLD);
  }

  private static void dimensions(Check check) throws MPIException {
    int[] dims = {0, 0};
    Cartcomm.Dims_create(12, dims);
    check.equal("twelve", new int[] {4, 3}, dims);
    dims = new int[] {0, 2, 0};
    Cartcomm.Dims_create(8, dims);
    check.equal("eight", new int[] {2, 2, 2}, dims);
    check.fails("seven in rows of two", () -> Cartcomm.Dims_create(7, new int[] {2, 0}));
    check.fails("no dimensions", () -> Cartcomm.Dims_create(7, null), "dims");
  }

  /** Two rows, of which the second has the ranks behind the first; a rank too many has no place. */
  private static void grid(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int columns = world.Size() / 2;
    if (columns == 0) {
      return;
    }
    int[] dims = {2, columns, 77}; // longer arrays are for dims of their own length only
    Cartcomm cart =
        world.Create_cart(new int[] {dims[0], dims[1]}, new boolean[] {false, true, true}, false);
    check.that("places", (cart == null) == (rank >= 2 * columns));
    if (cart == null) {
      return;
    }
    check.equal("grid", MPI.CART, cart.Topo_test());
    CartParms parms = cart.Get();
    check.equal("dims", new int[] {2, columns}, parms.dims);
    check.equal("periods", new boolean[] {false, true}, parms.periods);
    check.equal("coords", new int[] {rank / columns, rank % columns}, parms.coords);
    for (int r = 0; r < 2 * columns; r++) {
      check.equal("coordinates of " + r, new int[] {r / columns, r % columns}, cart.Coords(r));
      check.equal("rank of " + r, r, cart.Rank(new int[] {r / columns, r % columns, 5}));
    }
    check.equal("round the ring", rank / columns * columns, cart.Rank(new int[] {rank / columns, columns}));
    check.fails("outside", () -> cart.Rank(new int[] {2, 0}));
    check.fails("too few", () -> cart.Rank(new int[] {0}), "coords.length = 1");
    check.fails("no such rank", () -> cart.Coords(2 * columns));

    ShiftParms down = cart.Shift(0, 1);
    check.equal("from above", rank < columns ? MPI.PROC_NULL : rank - columns, down.rank_source);
    check.equal("to below", rank < columns ? rank + columns : MPI.PROC_NULL, down.rank_dest);
    int[] above = {-1};
    cart.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, down.rank_dest, 0, above, 0, 1, MPI.INT, down.rank_source, 0);
    check.equal("value from above", rank < columns ? -1 : rank - columns, above[0]);

    Cartcomm row = cart.Sub(new boolean[] {false, true});
    check.equal("row", columns, row.Size());
    check.equal("rank in the row", rank % columns, row.Rank());
    check.equal("dimensions of the row", 1, row.Get().dims.length);
    int mapped = cart.Map(new int[] {1, 1}, new boolean[] {false, false});
    check.that("mapped", mapped == 0 || mapped == MPI.UNDEFINED);
    Cartcomm twin = (Cartcomm) cart.clone();
    check.equal("twin", MPI.CONGRUENT, Comm.Compare(cart, twin));
    check.equal("grid of the twin", new int[] {2, columns}, twin.Get().dims);
    twin.Free();
  }

  private static void ring(Check check, Intracomm world) throws MPIException {
    int size = world.Size();
    Cartcomm ring = world.Create_cart(new int[] {size}, new boolean[] {true}, true);
    ShiftParms shift = ring.Shift(0, 1);
    int me = ring.Rank();
    check.equal("left", (me + size - 1) % size, shift.rank_source);
    check.equal("right", (me + 1) % size, shift.rank_dest);
    int[] token = {me};
    for (int i = 0; i < size; i++) {
      ring.Sendrecv_replace(token, 0, 1, MPI.INT, shift.rank_dest, 0, shift.rank_source, 0);
    }
    check.equal("once round", me, token[0]);
    int[] sum = new int[1];
    ring.Allreduce(token, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    check.equal("sum on the ring", size * (size - 1) / 2, sum[0]);
    check.fails("a grid too large", () -> world.Create_cart(new int[] {size + 1}, new boolean[] {true}, false));
  }

  /** A star: all are neighbours of rank 0. */
  private static void graph(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] index = new int[size];
    int[] edges = new int[2 * (size - 1) + 3]; // longer than needed
    for (int r = 0; r < size; r++) {
      index[r] = size - 1 + r;
      if (r > 0) {
        edges[r - 1] = r;
        edges[size - 2 + r] = 0;
      }
    }
    Graphcomm star = world.Create_graph(index, edges, false);
    check.equal("graph", MPI.GRAPH, star.Topo_test());
    GraphParms parms = star.Get();
    check.equal("index", index, parms.index);
    check.equal("edges", 2 * (size - 1), parms.edges.length);
    check.equal("neighbours of the middle", size - 1, star.Neighbours(0).length);
    if (rank > 0) {
      check.equal("neighbours", new int[] {0}, star.Neighbours(rank));
    }
    int mapped = star.Map(index, edges);
    check.that("mapped", mapped >= 0 && mapped < size || mapped == MPI.UNDEFINED);
    Graphcomm twin = (Graphcomm) star.clone();
    check.equal("twin", size - 1, twin.Neighbours(0).length);
    check.equal("as objects", true, new GraphParms().index == null);
    check.fails("no such neighbour", () -> star.Neighbours(size));
    twin.Free();
  }
}
