// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.CommRequest;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** Ranks with neighbours: a graph that all ranks know, or one of which each rank knows its part. */
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
    if (!(comm() instanceof DistGraphComm graph)) {
      throw raise(new MpiException(ErrorClass.ERR_TOPOLOGY, "communicator: it is no distributed graph"));
    }
    return new DistGraphNeighbors(graph.neighbors(), graph.neighborsCount().weighted());
  }

  /**
   * Returns which rank this process would best have in a graph ({@code MPI_Graph_map}).
   *
   * @param index how many edges begin at each node or at one before it
   * @param edges where the edges end
   * @return a rank, or {@code MPI.UNDEFINED}
   */
  public int map(int[] index, int[] edges) throws MPIException {
    return ((IntraComm) comm()).graphMap(index, Arguments.edges(index, edges));
  }
}
