// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.CommRequest;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.SplitType;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;
import org.ffmpi.dialect.Job;

/** A communicator of one group. */
public class Intracomm extends Comm {
  //text degrees  how many edges it knows of each
  //text destinations  where these edges go
  //text errcodes  receives an error code for each process
  //text group  the ranks
  //text key  orders the ranks there
  //text maxprocs  number of processes
  //text return GraphComm  the graph
  //text return Intercomm  a communicator between the groups
  //text return Intracomm  the duplicate
  //text return String  its name
  //text service  name of the service
  //text sources  nodes of which this rank knows edges
  //text port  its name; significant at the root

  /** Wraps a communicator of ffmpi; null is {@code MPI_COMM_NULL}. */
  Intracomm(org.ffmpi.Comm comm) {
    super(comm);
  }

  /** Wraps a communicator that is being made. */
  Intracomm(CommRequest<?> making) {
    super(making);
  }

  private IntraComm intra() {
    return (IntraComm) comm();
  }

  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public Intracomm clone() throws MPIException {
    return dup();
  }

  //calls error(e)
  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public Intracomm dup() throws MPIException {
    return new Intracomm(comm().dup());
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public Intracomm iDup() throws MPIException {
    return new Intracomm(comm().idup());
  }

  /** Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}). */
  @Override
  public Intracomm dupWithInfo(Info info) throws MPIException {
    return new Intracomm(comm().dup(Info.infoOf(info)));
  }

  // ---- communicators made of this one

  /**
   * Divides the ranks ({@code MPI_Comm_split}).
   *
   * @param color number of the new communicator of this rank
   * @return the communicator of those with the same colour, null for {@code MPI.UNDEFINED}
   */
  public final Intracomm split(int color, int key) throws MPIException {
    return new Intracomm(intra().split(color, key));
  }

  /**
   * Divides the ranks by what they share ({@code MPI_Comm_split_type}).
   *
   * @param splitType {@link #TYPE_SHARED}
   * @return the communicator of those that share it, null for {@code MPI.UNDEFINED}
   */
  public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
    return new Intracomm(intra().splitType(splitTypeOf(splitType), key, Info.infoOf(info)));
  }

  private SplitType splitTypeOf(int code) {
    if (code == Constants.UNDEFINED) {
      return null;
    }
    for (SplitType known : SplitType.values()) {
      if (known.code() == code) {
        return known;
      }
    }
    throw raise(MpiException.argument(ErrorClass.ERR_ARG, "splitType", code, "TYPE_SHARED and MPI.UNDEFINED"));
  }

  /**
   * Makes a communicator of some ranks; all ranks call ({@code MPI_Comm_create}).
   *
   * @return the communicator, null for those that are not in the group
   */
  public final Intracomm create(Group group) throws MPIException {
    return new Intracomm(intra().create(groupOf(group)));
  }

  /**
   * Makes a communicator of some ranks, which alone call ({@code MPI_Comm_create_group}).
   *
   * @param tag distinguishes concurrent calls
   * @return the communicator
   */
  public final Intracomm createGroup(Group group, int tag) throws MPIException {
    return new Intracomm(intra().createGroup(groupOf(group), tag));
  }

  private org.ffmpi.Group groupOf(Group group) {
    try {
      return Group.groupOf(group);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Makes a grid of the ranks ({@code MPI_Cart_create}).
   *
   * @param dims ranks along each dimension
   * @param periods which dimensions are rings
   * @return the grid, null for ranks that it has no room for
   */
  public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    return new CartComm(intra().cartCreate(dims, cropped("periods", periods, dims), reorder));
  }

  private boolean[] cropped(String name, boolean[] entries, int[] dims) {
    try {
      return dims == null ? entries : Arguments.first(name, entries, dims.length);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Makes a graph of the ranks ({@code MPI_Graph_create}).
   *
   * @param index number of edges of the nodes up to and including each one
   * @param edges where the edges end
   * @return the graph, null for ranks that are no nodes
   */
  public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
    return new GraphComm(intra().graphCreate(index, Arguments.edges(index, edges), reorder));
  }

  /**
   * Makes a graph of which each rank knows some edges ({@code MPI_Dist_graph_create}).
   *
   * @param weights their weights
   */
  public final GraphComm createDistGraph(
      int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder) throws MPIException {
    int[] known = Arguments.atMost(degrees, lengthOf(sources));
    long all = known == null ? -1 : Arrays.stream(known).asLongStream().sum();
    return new GraphComm(intra().distGraphCreate(sources, known, Arguments.atMost(destinations, all),
        weightsOf(weights, all), Info.infoOf(info), reorder));
  }

  //plain
  /** Makes a graph without weights of which each rank knows some edges ({@code MPI_Dist_graph_create}). */
  public final GraphComm createDistGraph(
      int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder) throws MPIException {
    return createDistGraph(sources, degrees, destinations, DistGraphComm.UNWEIGHTED, info, reorder);
  }

  //calls error(e)
  /**
   * Makes a graph of which each rank knows its own edges ({@code MPI_Dist_graph_create_adjacent}).
   *
   * @param sources ranks that edges come from
   * @param sourceWeights weights of these
   * @param destinations ranks that edges go to
   * @param destWeights weights of these
   */
  public final GraphComm createDistGraphAdjacent(
      int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder)
      throws MPIException {
    return new GraphComm(intra().distGraphCreateAdjacent(sources, weightsOf(sourceWeights, lengthOf(sources)),
        destinations, weightsOf(destWeights, lengthOf(destinations)), Info.infoOf(info), reorder));
  }

  private static int lengthOf(int[] numbers) {
    return numbers == null ? -1 : numbers.length;
  }

  private static int[] weightsOf(int[] weights, long edges) {
    return weights == DistGraphComm.UNWEIGHTED ? weights : Arguments.atMost(weights, edges);
  }

  //plain
  /**
   * Makes a graph without weights of which each rank knows its own edges ({@code MPI_Dist_graph_create_adjacent}).
   *
   * @param sources ranks that edges come from
   * @param destinations ranks that edges go to
   */
  public final GraphComm createDistGraphAdjacent(
      int[] sources, int[] destinations, Info info, boolean reorder) throws MPIException {
    return createDistGraphAdjacent(
        sources, DistGraphComm.UNWEIGHTED, destinations, DistGraphComm.UNWEIGHTED, info, reorder);
  }

  // ---- reductions of the ranks up to this one

  //collectives error(e)
  /** Combines elements of the ranks up to this one ({@code MPI_Scan}). */
  public final void scan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
    comm().scan(buf(unaliased(sendBuf, recvBuf), count, type), buf(recvBuf, count, type), op(op, type));
  }

  /** Combines elements of the ranks up to this one, in place ({@code MPI_Scan}). */
  public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
    comm().scan(buf(buf, count, type), op(op, type));
  }

  /** Combines elements of the ranks before this one ({@code MPI_Exscan}). */
  public final void exScan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
    comm().exscan(buf(unaliased(sendBuf, recvBuf), count, type), ofOthers(recvBuf, count, type), op(op, type));
  }

  /** Combines elements of the ranks before this one, in place ({@code MPI_Exscan}). */
  public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
    comm().exscan(buf(buf, count, type), op(op, type));
  }

  /** Returns the results of ranks before this one; rank 0 has none. */
  private Buf<Object> ofOthers(Object memory, int count, Datatype type) {
    return getRank() == 0 ? null : buf(memory, count, type);
  }

  // ---- groups that meet

  //plain
  /** Opens a port, at which {@link #accept} finds those that connect ({@code MPI_Open_port}). */
  public static String openPort() throws MPIException {
    return openPort(MPI.INFO_NULL);
  }

  /** Opens a port, at which {@link #accept} finds those that connect ({@code MPI_Open_port}). */
  public static String openPort(Info info) throws MPIException {
    return Errors.call(() -> Job.mpi().openPort(Info.infoOf(info)));
  }

  /**
   * Closes a port ({@code MPI_Close_port}).
   *
   * @param port name of the port
   */
  public static void closePort(String port) throws MPIException {
    Errors.run(() -> Job.mpi().closePort(port));
  }

  /**
   * Waits for a group that connects ({@code MPI_Comm_accept}).
   *
   * @param root the rank that knows the port
   */
  public final Intercomm accept(String port, int root) throws MPIException {
    return accept(port, MPI.INFO_NULL, root);
  }

  //calls error(e)
  /**
   * Waits for a group that connects ({@code MPI_Comm_accept}).
   *
   * @param root the rank that knows the port
   */
  public final Intercomm accept(String port, Info info, int root) throws MPIException {
    return new Intercomm(intra().accept(port, Info.infoOf(info), root));
  }

  //plain
  /**
   * Connects to a group that accepts ({@code MPI_Comm_connect}).
   *
   * @param root the rank that knows the port
   */
  public final Intercomm connect(String port, int root) throws MPIException {
    return connect(port, MPI.INFO_NULL, root);
  }

  //calls error(e)
  /**
   * Connects to a group that accepts ({@code MPI_Comm_connect}).
   *
   * @param root the rank that knows the port
   */
  public final Intercomm connect(String port, Info info, int root) throws MPIException {
    return new Intercomm(intra().connect(port, Info.infoOf(info), root));
  }

  //plain
  /**
   * Makes a port known under a name ({@code MPI_Publish_name}).
   *
   * @param port name of the port
   */
  public static void publishName(String service, String port) throws MPIException {
    publishName(service, MPI.INFO_NULL, port);
  }

  /**
   * Makes a port known under a name ({@code MPI_Publish_name}).
   *
   * @param port name of the port
   */
  public static void publishName(String service, Info info, String port) throws MPIException {
    Errors.run(() -> Job.mpi().publish(service, port));
  }

  /**
   * Takes back a name ({@code MPI_Unpublish_name}).
   *
   * @param port name of the port
   */
  public static void unpublishName(String service, String port) throws MPIException {
    unpublishName(service, MPI.INFO_NULL, port);
  }

  /**
   * Takes back a name ({@code MPI_Unpublish_name}).
   *
   * @param port name of the port
   */
  public static void unpublishName(String service, Info info, String port) throws MPIException {
    Errors.run(() -> Job.mpi().unpublish(service, port));
  }

  /**
   * Returns the port that is known under a name ({@code MPI_Lookup_name}).
   *
   * @return name of the port
   */
  public static String lookupName(String service) throws MPIException {
    return lookupName(service, MPI.INFO_NULL);
  }

  /**
   * Returns the port that is known under a name ({@code MPI_Lookup_name}).
   *
   * @return name of the port
   */
  public static String lookupName(String service, Info info) throws MPIException {
    return Errors.call(() -> Job.mpi().lookup(service));
  }

  //calls error(e)
  /**
   * Starts processes ({@code MPI_Comm_spawn}).
   *
   * @param command program
   * @param argv its arguments
   */
  public final Intercomm spawn(
      String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes) throws MPIException {
    return new Intercomm(intra().spawn(errcodes, root, Spawns.of(command, argv, maxprocs, info)));
  }

  //calls error(e)
  /**
   * Starts processes of several programs ({@code MPI_Comm_spawn_multiple}).
   *
   * @param commands programs
   * @param argvs their arguments
   * @param infos hints for each
   */
  public final Intercomm spawnMultiple(
      String[] commands, String[][] argvs, int[] maxprocs, Info[] infos, int root, int[] errcodes) throws MPIException {
    return new Intercomm(intra().spawn(errcodes, root, Spawns.of(commands, argvs, maxprocs, infos)));
  }
}
