// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.MpiConstants;
import org.ffmpi.mpi.binding.MpiLibrary;
import org.ffmpi.mpi.binding.MpiSettings;
import org.ffmpi.mpi.binding.NativeCollectives;
import org.ffmpi.mpi.binding.NativeComms;
import org.ffmpi.mpi.binding.NativeEnvironment;
import org.ffmpi.mpi.binding.NativeErrors;
import org.ffmpi.mpi.binding.NativeHandles;
import org.ffmpi.shm.engine.EngineStarter;
import org.ffmpi.shm.engine.RankSettings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.NodeSetting;
import org.ffmpi.shm.segment.Nodes;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineProvider;
import org.ffmpi.spi.ForeignStart;
import org.ffmpi.spi.RunSettings;

/**
 * Makes the engines of ranks that the launcher of an installed MPI has started. It finds the library, reads rank and
 * size from it, and gives the ranks of each node a shared segment, which the first of them creates.
 */
public final class MpiProvider implements EngineProvider {
  private static final int PRIORITY = 200;
  private static final int NAME_BYTES = 512;

  /** Creates the provider; for {@link java.util.ServiceLoader}. */
  public MpiProvider() {}

  @Override
  public String name() {
    return "mpi";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Engine join(Settings settings) {
    boolean asked = RunSettings.ENGINE.get(settings).equals(name());
    ForeignStart start = ForeignStart.of(System.getenv());
    boolean foreign = start != null && RunSettings.FOREIGN.get(settings) == RunSettings.Foreign.REFUSE;
    if (!asked && (!foreign || RankSettings.isPlaced(settings))) {
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "the engine over an installed MPI needs ranks that its launcher has started");
    }
    JobOptions.requireMortal(
        settings, "an installed MPI has started the ranks, whose launcher ends the job with its first dead rank");
    try {
      MpiLibrary.load(settings);
    } catch (MpiException e) {
      throw asked || start.isCertain() ? e : new MpiException(ErrorClass.ERR_UNSUPPORTED_OPERATION, e.getMessage(), e);
    }
    try (Arena arena = Arena.ofConfined()) {
      return join(settings, start, Raw.address(arena.allocate(NAME_BYTES, 64)), arena);
    }
  }

  /** Fails where the library does not understand the launcher, and each process would be a world of its own. */
  private static void requireSame(ForeignStart start, int size) {
    if (start != null && start.size() != ForeignStart.UNKNOWN && start.size() != size) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "this process was started as rank " + start.rank() + " of " + start.size() + " by " + start.launcher() + " ("
              + start.found() + "), but " + MpiLibrary.current() + " sees " + size
              + (size == 1 ? " process" : " processes") + ": start the program with the mpiexec that belongs to this"
              + " library, with srun by the --mpi that the library knows (srun --mpi=list), or name the launcher's"
              + " library in " + MpiSettings.LIBRARY.name());
    }
  }

  private static Engine join(Settings settings, ForeignStart start, long scratch, Arena arena) {
    check(NativeEnvironment.initThread(0, 0, MpiConstants.THREAD_SERIALIZED, scratch), "MPI_Init_thread");
    long world = MpiConstants.COMM_WORLD;
    check(NativeComms.commSetErrhandler(world, MpiConstants.ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(NativeComms.commRank(world, scratch), "MPI_Comm_rank");
    int rank = Raw.getInt(scratch);
    check(NativeComms.commSize(world, scratch), "MPI_Comm_size");
    int size = Raw.getInt(scratch);
    requireSame(start, size);
    long packets = dup(scratch);
    long transfers = dup(scratch);
    int[] wanted = NodeSetting.nodes(settings, size);
    long node = node(wanted == null ? MpiConstants.UNDEFINED : wanted[rank], rank, scratch);
    int[] nodeOf = nodeOf(node, rank, size, scratch, arena);
    Nodes nodes = new Nodes(nodeOf, nodeOf[rank]);
    boolean isFirst = rank == firstOf(nodeOf, nodeOf[rank]);
    JobSegment segment = isFirst ? JobSegment.create(new JobOptions(size, true, settings), nodes) : null;
    long job = ofRank0(rank == 0 ? segment.key() : 0, scratch);
    if (isFirst) {
      segment.setJob(job);
    }
    String name = broadcast(node, isFirst ? segment.nameForRanks() : "", scratch);
    if (!isFirst) {
      segment = JobSegment.open(name, size, nodes, false);
    }
    segment.claimRank(rank);
    check(NativeComms.commFree(handle(scratch, node)), "MPI_Comm_free");
    NativeWire wire = new NativeWire(packets, transfers, size);
    return EngineStarter.start(
        segment, rank, settings, new MpiRank(segment, rank, wire, !isFirst), nodes.count() == 1 ? null : wire);
  }

  private static long dup(long scratch) {
    check(NativeComms.commDup(MpiConstants.COMM_WORLD, scratch), "MPI_Comm_dup");
    return NativeHandles.get(scratch);
  }

  private static long handle(long scratch, long handle) {
    NativeHandles.put(scratch, handle);
    return scratch;
  }

  /** Makes the communicator of this rank's node, by the setting, or by the library's view of the machine. */
  private static long node(int wanted, int rank, long scratch) {
    if (wanted == MpiConstants.UNDEFINED) {
      check(
          NativeComms.commSplitType(
              MpiConstants.COMM_WORLD, MpiConstants.COMM_TYPE_SHARED, rank, MpiConstants.INFO_NULL, scratch),
          "MPI_Comm_split_type");
    } else {
      check(NativeComms.commSplit(MpiConstants.COMM_WORLD, wanted, rank, scratch), "MPI_Comm_split");
    }
    return NativeHandles.get(scratch);
  }

  /** Numbers the nodes in the order of their first ranks. */
  private static int[] nodeOf(long node, int rank, int size, long scratch, Arena arena) {
    Raw.putInt(scratch, rank);
    check(NativeCollectives.bcast(scratch, Integer.BYTES, MpiConstants.BYTE, 0, node), "MPI_Bcast");
    long all = Raw.address(arena.allocate((long) size * Integer.BYTES, Integer.BYTES));
    check(
        NativeCollectives.allgather(
            scratch, Integer.BYTES, MpiConstants.BYTE, all, Integer.BYTES, MpiConstants.BYTE,
            MpiConstants.COMM_WORLD),
        "MPI_Allgather");
    int[] nodeOf = new int[size];
    int nodes = 0;
    for (int r = 0; r < size; r++) {
      int first = Raw.getInt(all + (long) r * Integer.BYTES);
      nodeOf[r] = first == r ? nodes++ : nodeOf[first];
    }
    return nodeOf;
  }

  /** Returns a number of rank 0 at all ranks. */
  private static long ofRank0(long number, long scratch) {
    Raw.putLong(scratch, number);
    check(
        NativeCollectives.bcast(scratch, Long.BYTES, MpiConstants.BYTE, 0, MpiConstants.COMM_WORLD), "MPI_Bcast");
    return Raw.getLong(scratch);
  }

  private static int firstOf(int[] nodeOf, int node) {
    int first = 0;
    while (nodeOf[first] != node) {
      first++;
    }
    return first;
  }

  private static String broadcast(long node, String name, long scratch) {
    byte[] bytes = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), NAME_BYTES);
    for (int i = 0; i < NAME_BYTES; i++) {
      Raw.putByte(scratch + i, bytes[i]);
    }
    check(NativeCollectives.bcast(scratch, NAME_BYTES, MpiConstants.BYTE, 0, node), "MPI_Bcast");
    int length = 0;
    for (; length < NAME_BYTES && Raw.getByte(scratch + length) != 0; length++) {
      bytes[length] = Raw.getByte(scratch + length);
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private static void check(int code, String call) {
    NativeErrors.check(code, call);
  }

  @Override
  public List<Engine> threads(int ranks, Settings settings) {
    throw new MpiException(
        ErrorClass.ERR_UNSUPPORTED_OPERATION, "ranks in threads are those of the shared-memory engine");
  }
}
