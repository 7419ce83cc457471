// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.GraphComm;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** A communicator whose processes form a graph. */
public class Graphcomm extends Intracomm {
  private final GraphComm graph;

  Graphcomm(GraphComm graph) {
    super(graph);
    this.graph = graph;
  }

  /**
   * Makes a communicator of the same processes and graph ({@code MPI_Comm_dup}). Collective.
   *
   * @return a {@code Graphcomm}
   * @throws MPIException when the communicator cannot be used
   */
  @Override
  public Object clone() throws MPIException {
    return super.clone();
  }

  /**
   * Returns the graph ({@code MPI_Graphdims_get}, {@code MPI_Graph_get}).
   *
   * @return index and edges
   * @throws MPIException when the communicator cannot be used
   */
  public GraphParms Get() throws MPIException {
    try {
      GraphParms parms = new GraphParms();
      parms.index = graph.index();
      parms.edges = graph.edges();
      return parms;
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the neighbours of a process ({@code MPI_Graph_neighbors}).
   *
   * @param rank a rank
   * @return their ranks
   * @throws MPIException when the rank does not exist
   */
  public int[] Neighbours(int rank) throws MPIException {
    try {
      return graph.neighbors(rank);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the rank that this process would have in a graph ({@code MPI_Graph_map}).
   *
   * @param index for each node, how many edges it and those before it have
   * @param edges the nodes that the edges lead to
   * @return the rank, or {@code MPI.UNDEFINED}
   * @throws MPIException when the graph does not exist
   */
  public int Map(int[] index, int[] edges) throws MPIException {
    try {
      return Codes.defined(graph.graphMap(index, Arguments.edges(index, edges)));
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the kind of topology ({@code MPI_Topo_test}).
   *
   * @return {@code MPI.GRAPH}
   * @throws MPIException never
   */
  @Override
  public int Topo_test() throws MPIException {
    return super.Topo_test();
  }
}
