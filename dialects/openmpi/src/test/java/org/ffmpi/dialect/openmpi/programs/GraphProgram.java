// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.util.Arrays;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Graphs that all ranks know, and graphs of which each rank knows a part. */
final class GraphProgram {
  private GraphProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    graph();
    adjacent();
    general();
    longerArrays();
  }

  /** Each rank has an edge to the next and to the previous one. */
  private static void graph() throws MPIException {
    int[] index = new int[size];
    int[] edges = new int[2 * size];
    for (int i = 0; i < size; i++) {
      index[i] = 2 * (i + 1);
      edges[2 * i] = (i + 1) % size;
      edges[2 * i + 1] = (i + size - 1) % size;
    }
    GraphComm ring = world.createGraph(index, edges, false);
    Check.equal(MPI.GRAPH, ring.getTopology(), "getTopology");
    GraphParms parms = ring.getDims();
    Check.equal(size, parms.getIndexCount(), "getIndexCount");
    Check.equal(2 * size, parms.getEdgeCount(), "getEdgeCount");
    for (int i = 0; i < size; i++) {
      Check.equal(index[i], parms.getIndex(i), "getIndex");
      Check.equal(edges[2 * i + 1], parms.getEdge(2 * i + 1), "getEdge");
    }
    Check.ints("getNeighbors", ring.getNeighbors(rank), (rank + 1) % size, (rank + size - 1) % size);
    int place = ring.map(index, edges);
    Check.that(place >= 0 && place < size, "map");
    GraphComm later = ring.iDup();
    later.getRequest().waitFor();
    for (GraphComm copy : new GraphComm[] {ring.dup(), ring.clone(), ring.dupWithInfo(MPI.INFO_NULL), later}) {
      Check.equal(2 * size, copy.getDims().getEdgeCount(), "a copy is a graph");
      copy.free();
    }
    ring.free();
  }

  private static void adjacent() throws MPIException {
    int[] sources = {(rank + size - 1) % size};
    int[] destinations = {(rank + 1) % size, rank};
    int[] self = {(rank + size - 1) % size, rank};
    GraphComm weighted = world.createDistGraphAdjacent(
        self, new int[] {3, 4}, destinations, new int[] {5, 6}, MPI.INFO_NULL, false);
    Check.equal(MPI.DIST_GRAPH, weighted.getTopology(), "getTopology");
    DistGraphNeighbors neighbors = weighted.getDistGraphNeighbors();
    Check.equal(2, neighbors.getInDegree(), "getInDegree");
    Check.equal(2, neighbors.getOutDegree(), "getOutDegree");
    Check.that(neighbors.isWeighted(), "isWeighted");
    Check.equal(self[0], neighbors.getSource(0), "getSource");
    Check.equal(4, neighbors.getSourceWeight(1), "getSourceWeight");
    Check.equal(destinations[0], neighbors.getDestination(0), "getDestination");
    Check.equal(6, neighbors.getDestinationWeight(1), "getDestinationWeight");
    weighted.free();
    GraphComm plain = world.createDistGraphAdjacent(
        sources, new int[] {(rank + 1) % size}, MPI.INFO_NULL, false);
    DistGraphNeighbors few = plain.getDistGraphNeighbors();
    Check.that(!few.isWeighted(), "not weighted");
    Check.that(few.getInDegree() == 1 && few.getOutDegree() == 1, "degrees");
    plain.free();
  }

  /** Rank 0 knows all edges: from each rank to the next. */
  private static void general() throws MPIException {
    int known = rank == 0 ? size : 0;
    int[] sources = new int[known];
    int[] degrees = new int[known];
    int[] destinations = new int[known];
    int[] weights = new int[known];
    for (int i = 0; i < known; i++) {
      sources[i] = i;
      degrees[i] = 1;
      destinations[i] = (i + 1) % size;
      weights[i] = 10 + i;
    }
    GraphComm ring = world.createDistGraph(sources, degrees, destinations, weights, MPI.INFO_NULL, false);
    DistGraphNeighbors neighbors = ring.getDistGraphNeighbors();
    Check.that(neighbors.isWeighted(), "isWeighted");
    Check.equal((rank + size - 1) % size, neighbors.getSource(0), "getSource");
    Check.equal(10 + (rank + size - 1) % size, neighbors.getSourceWeight(0), "getSourceWeight");
    Check.equal(10 + rank, neighbors.getDestinationWeight(0), "getDestinationWeight");
    ring.free();
    GraphComm plain = world.createDistGraph(sources, degrees, destinations, MPI.INFO_NULL, false);
    int[] got = {-1};
    plain.neighborAllGather(new int[] {rank}, 1, MPI.INT, got, 1, MPI.INT);
    Check.ints("neighborAllGather", got, (rank + size - 1) % size);
    Check.that(!plain.getDistGraphNeighbors().isWeighted(), "not weighted");
    plain.free();
    Check.that(Arrays.equals(got, new int[] {(rank + size - 1) % size}), "after free");
  }

  /** As in C, where arrays have no length, only what a call needs is read; the rest is no rank's number. */
  private static void longerArrays() throws MPIException {
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    int[] index = new int[size];
    int[] edges = new int[size + 3];
    Arrays.fill(edges, -7);
    for (int i = 0; i < size; i++) {
      index[i] = i + 1;
      edges[i] = (i + 1) % size;
    }
    GraphComm ring = world.createGraph(index, edges, false);
    Check.equal(size, ring.getDims().getEdgeCount(), "edges beyond the last index");
    Check.that(ring.map(index, edges) < size, "map");
    ring.free();
    GraphComm adjacent = world.createDistGraphAdjacent(
        new int[] {previous}, new int[] {4, -7}, new int[] {next}, new int[] {5, -7, -7}, MPI.INFO_NULL, false);
    Check.equal(4, adjacent.getDistGraphNeighbors().getSourceWeight(0), "weights beyond the sources");
    adjacent.free();
    GraphComm general = world.createDistGraph(
        new int[] {rank}, new int[] {1, 9}, new int[] {next, -7}, new int[] {6, -7}, MPI.INFO_NULL, false);
    Check.equal(6, general.getDistGraphNeighbors().getDestinationWeight(0), "degrees beyond the sources");
    general.free();
    GraphComm plain =
        world.createDistGraph(new int[] {rank}, new int[] {1, 9}, new int[] {next, -7}, MPI.INFO_NULL, false);
    Check.equal(next, plain.getDistGraphNeighbors().getDestination(0), "destinations beyond the degrees");
    plain.free();
  }
}
