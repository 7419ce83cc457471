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

  /**
   * Duplicates the communicator ({@code MPI_Comm_dup}).
   *
   * @return the duplicate
   */
  @Override
  public GraphComm clone() throws MPIException {
    return dup();
  }

  /**
   * Duplicates the communicator ({@code MPI_Comm_dup}).
   *
   * @return the duplicate
   */
  @Override
  public GraphComm dup() throws MPIException {
    try {
      return new GraphComm(comm().dup());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public GraphComm iDup() throws MPIException {
    try {
      return new GraphComm(comm().idup());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}).
   *
   * @param info hints
   * @return the duplicate
   */
  @Override
  public GraphComm dupWithInfo(Info info) throws MPIException {
    try {
      return new GraphComm(comm().dup(Info.infoOf(info)));
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the graph ({@code MPI_Graph_get}).
   *
   * @return its nodes and edges
   */
  public GraphParms getDims() throws MPIException {
    try {
      return new GraphParms(graph().index(), graph().edges());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the neighbours of a rank ({@code MPI_Graph_neighbors}).
   *
   * @param rank a rank
   * @return ranks
   */
  public int[] getNeighbors(int rank) throws MPIException {
    try {
      return graph().neighbors(rank);
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the neighbours of this rank in a distributed graph ({@code MPI_Dist_graph_neighbors}).
   *
   * @return ranks and weights
   */
  public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
    try {
      if (!(comm() instanceof DistGraphComm graph)) {
        throw raise(new MpiException(ErrorClass.ERR_TOPOLOGY, "communicator: it is no distributed graph"));
      }
      return new DistGraphNeighbors(graph.neighbors(), graph.neighborsCount().weighted());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns which rank this process would best have in a graph ({@code MPI_Graph_map}).
   *
   * @param index how many edges begin at each node or at one before it
   * @param edges where the edges end
   * @return a rank, or {@code MPI.UNDEFINED}
   */
  public int map(int[] index, int[] edges) throws MPIException {
    try {
      return ((IntraComm) comm()).graphMap(index, Arguments.edges(index, edges));
    } catch (MpiException e) {
      throw error(e);
    }
  }
}
