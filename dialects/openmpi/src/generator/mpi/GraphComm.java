// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.CommRequest;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** A graph of ranks: known to all of them, or distributed, so that each rank knows its own edges. */
public final class GraphComm extends Intracomm {
  //text return GraphComm  the duplicate

  /** Wraps a communicator of ffmpi; null is {@code MPI_COMM_NULL}. */
  GraphComm(org.ffmpi.Comm comm) {
    super(comm);
  }

  /** Wraps a communicator that is being made. */
  GraphComm(CommRequest<?> making) {
    super(making);
  }

  private DistGraphComm distGraph() {
    if (comm() instanceof DistGraphComm graph) {
      return graph;
    }
    throw raise(new MpiException(ErrorClass.ERR_TOPOLOGY, "communicator: it is no distributed graph"));
  }

  private org.ffmpi.GraphComm graph() {
    if (comm() instanceof org.ffmpi.GraphComm graph) {
      return graph;
    }
    throw raise(new MpiException(ErrorClass.ERR_TOPOLOGY, "communicator: it is no graph that all ranks know"));
  }

  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public GraphComm clone() throws MPIException {
    return dup();
  }

  //calls error(e)
  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public GraphComm dup() throws MPIException {
    return new GraphComm(comm().dup());
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public GraphComm iDup() throws MPIException {
    return new GraphComm(comm().idup());
  }

  /** Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}). */
  @Override
  public GraphComm dupWithInfo(Info info) throws MPIException {
    return new GraphComm(comm().dup(Info.infoOf(info)));
  }

  /**
   * Returns the graph ({@code MPI_Graph_get}).
   *
   * @return its nodes and edges
   */
  public GraphParms getDims() throws MPIException {
    return new GraphParms(graph().index(), graph().edges());
  }

  /**
   * Returns the neighbours of a rank ({@code MPI_Graph_neighbors}).
   *
   * @param rank a rank
   * @return ranks
   */
  public int[] getNeighbors(int rank) throws MPIException {
    return graph().neighbors(rank);
  }

  /**
   * Returns the neighbours of this rank in a distributed graph ({@code MPI_Dist_graph_neighbors}).
   *
   * @return ranks and weights
   */
  public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
    DistGraphComm graph = distGraph();
    return new DistGraphNeighbors(graph.neighbors(), graph.neighborsCount().weighted());
  }

  /**
   * Returns the best rank of this process in a graph ({@code MPI_Graph_map}).
   *
   * @param index number of edges of the nodes up to and including each one
   * @param edges where the edges end
   * @return a rank, or {@code MPI.UNDEFINED}
   */
  public int map(int[] index, int[] edges) throws MPIException {
    return ((IntraComm) comm()).graphMap(index, Arguments.edges(index, edges));
  }
}
