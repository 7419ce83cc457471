// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.function.Function;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.communicator.Hardware;
import org.ffmpi.communicator.IntraCommImpl;
import org.ffmpi.connect.Names;
import org.ffmpi.connect.OpenPorts;
import org.ffmpi.connect.SpawnImpl;
import org.ffmpi.message.ProcessBuffer;
import org.ffmpi.process.EngineHeap;
import org.ffmpi.process.Failures;
import org.ffmpi.process.ProcessErrors;
import org.ffmpi.process.ProcessFacts;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.RankThreads;
import org.ffmpi.process.ThreadSettings;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.ProfilingLevel;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.spi.WorkReport;
import org.ffmpi.topology.Dims;

/**
 * One rank's MPI environment, from initializing to finalizing (MPI-4.1 chapters 9 and 11).
 *
 * {@snippet :
 * public static void main(String[] args) {
 *   Mpi.run(args, mpi -> {
 *     IntraComm world = mpi.world();
 *     System.out.printf("rank %d of %d%n", world.rank(), world.size());
 *   });
 * }
 * }
 *
 * <p>Started by the launcher, the process is one rank of a job; started as a plain Java program it is a world of one.
 * In both cases there is one such environment in the life of a process. {@link #runThreads} makes worlds whose ranks
 * are threads of this JVM, as many as one likes, also at the same time: for tests, debuggers and programs that embed
 * MPI.
 *
 * <p>An exception that leaves the body of {@link #run} is printed with the rank and ends the job. Where a lambda does
 * not fit, {@link #init} in a try-with-resources does. In a process of its own, an exception that no thread catches
 * ends the job, also after it has left that block, unless the program has set a default handler for such exceptions
 * before.
 *
 * <p>The constants that programs use most are here too, {@link #ANY_SOURCE} for example; all of them are in {@link
 * Constants}.
 *
 * <p>This file is long because each call on the environment has its contract here.
 */
public final class Mpi implements TypeCalls, ErrorCalls, AutoCloseable {
  /** {@code MPI_ANY_SOURCE}: receives and probes: from any rank. */
  public static final int ANY_SOURCE = Constants.ANY_SOURCE;

  /** {@code MPI_ANY_TAG}: receives and probes: with any tag; also the tag of an empty status. */
  public static final int ANY_TAG = Constants.ANY_TAG;

  /** {@code MPI_PROC_NULL}: a rank that does nothing: operations with it complete at once and move no data. */
  public static final int PROC_NULL = Constants.PROC_NULL;

  /** {@code MPI_ROOT}: collectives of an intercommunicator: given by the root itself as root. */
  public static final int ROOT = Constants.ROOT;

  /** {@code MPI_UNDEFINED}: no such rank, color, count or index. */
  public static final int UNDEFINED = Constants.UNDEFINED;

  private final World world;
  private final IntraComm commWorld;
  private final IntraComm commSelf;
  private final SharedHeap shared;
  private final InterComm parent;

  /** Null where no launcher shows it. */
  private final WorkReport workReport;

  private boolean finalized;

  /** Creates the environment of a rank around its engine. */
  Mpi(World world) {
    this.world = world;
    Engine engine = world.engine();
    this.commWorld = new IntraCommImpl(
        world, new Channel(engine, Channel.WORLD_CONTEXT), "MPI_COMM_WORLD", world.errhandler());
    this.commSelf =
        new IntraCommImpl(world, new Channel(engine, Channel.SELF_CONTEXT, Members.of(engine.self())), "MPI_COMM_SELF",
            world.errhandler());
    this.shared = new EngineHeap(world);
    world.raiseOn(CommImpl.of(commSelf).state()::raise);
    String parents = RunSettings.PARENT.get(world.settings());
    this.workReport = engine.workReport();
    this.parent = parents.isEmpty() ? null : CommImpl.of(commWorld).spawning().parents(parents);
  }

  // ---- starting

  /**
   * Initializes MPI, runs the program's body and finalizes. Blocks until all of that is done. When the body throws, the
   * exception is printed with this rank's number and the job ends with an exit code that is not 0.
   *
   * @param args the program's arguments; not looked at, since settings reach a rank otherwise
   * @param body what this rank runs
   * @throws MpiException ERR_OTHER when MPI has been initialized before in this process
   */
  @Standard({"MPI_Init", "MPI_Init_thread", "MPI_Finalize"})
  public static void run(String[] args, Body body) {
    Mpi mpi = init(args);
    mpi.runBody(body);
  }

  /**
   * Initializes MPI at the thread level of the setting {@code ffmpi.thread.level}, by default MULTIPLE
   * ({@code MPI_Init}, MPI-4.1 §11.2.1). Blocks until the other ranks have been reached as far as that is needed.
   *
   * @param args the program's arguments; not looked at, since settings reach a rank otherwise
   * @return the environment, to be closed by the same thread
   * @throws MpiException ERR_OTHER when MPI has been initialized before in this process
   */
  @Standard({"MPI_Init"})
  public static Mpi init(String[] args) {
    return join(Settings.ofProcess());
  }

  /**
   * Initializes MPI for a program whose threads keep to a level ({@code MPI_Init_thread}, MPI-4.1 §11.6). What is asked
   * for is provided.
   *
   * @param args the program's arguments; not looked at, since settings reach a rank otherwise
   * @param required which threads will call MPI
   * @return the environment, to be closed by the same thread
   * @throws MpiException ERR_OTHER when MPI has been initialized before in this process, ERR_ARG when the level is null
   */
  @Standard({"MPI_Init_thread"})
  public static Mpi init(String[] args, ThreadLevel required) {
    if (required == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "required", null, "SINGLE, FUNNELED, SERIALIZED and MULTIPLE");
    }
    return join(Settings.ofProcess().with(ThreadSettings.THREAD_LEVEL, required));
  }

  private static Mpi join(Settings settings) {
    return RankEnvironment.join(settings, Mpi::new);
  }

  /**
   * Runs a body on several ranks that are threads of this JVM, and blocks until all have ended. When one fails its
   * world is aborted, so that the others end as well, unless the setting {@code ffmpi.survive} lets them go on; the JVM
   * goes on.
   *
   * @param ranks number of ranks, at least 1
   * @param body what each rank runs, on a thread of its own named {@code ffmpi-rank-N}
   * @throws MpiException what a body threw, or an ERR_OTHER around a checked exception; the failures of other ranks are
   *     suppressed in it. Any other unchecked exception is thrown as it is. ERR_ARG when {@code ranks} is less than 1
   */
  public static void runThreads(int ranks, Body body) {
    runThreads(ranks, Map.of(), body);
  }

  /**
   * Runs a body on several ranks that are threads of this JVM, with settings of their own.
   *
   * @param ranks number of ranks, at least 1
   * @param settings values by property name, which go before system properties and environment
   * @param body what each rank runs, on a thread of its own named {@code ffmpi-rank-N}
   * @throws MpiException as {@link #runThreads(int, Body)}
   */
  public static void runThreads(int ranks, Map<String, String> settings, Body body) {
    try (RankThreads threads = RankThreads.start(ranks, settings, threadBody(body))) {
      threads.await();
    }
  }

  /** Runs the body of a rank that is a process. */
  private void runBody(Body body) {
    try {
      body.run(this);
      close();
    } catch (Throwable failure) {
      endBecauseOf(failure);
      throw Failures.unchecked(failure);
    }
  }

  /** Returns the program of a rank that is a thread. */
  static RankThreads.Body threadBody(Body body) {
    return body == null ? null : world -> new Mpi(world).runThread(body);
  }

  private void runThread(Body body) throws Throwable {
    RankEnvironment.setOfThread(world);
    try {
      body.run(this);
      close();
      world.membership().endAll();
    } catch (Throwable failure) {
      endBecauseOf(failure);
      throw failure;
    } finally {
      RankEnvironment.setOfThread(null);
    }
  }

  private void endBecauseOf(Throwable failure) {
    world.membership().endByBody(failure);
    leave();
  }

  World rankWorld() {
    return world;
  }

  // ---- ending

  /**
   * Finalizes MPI ({@code MPI_Finalize}, MPI-4.1 §11.2.2). Blocks until what this rank has promised its peers is done,
   * messages in attached buffers included, but waits for no other rank. After a second it prints what it waits for; the
   * setting {@code ffmpi.finalize.limit} limits the wait; a rank that closes because of an exception does not wait.
   * While sessions are open, their calls go on with what has been promised. Sessions may be opened afterwards,
   * too; so peers see that this rank has left when the process ends, or the body of a rank thread. First of all the
   * {@linkplain Comm#attributes attributes} of {@link #self} are deleted, what was set last going first: a library that
   * has to tidy up attaches something there, whose delete function may still use MPI. Then go those of {@link #world}
   * and of {@linkplain #typeAttributes predefined datatypes}. What the keys' functions throw is thrown at the end.
   * Later calls on anything that belongs to this environment throw ERR_OTHER. Closing twice does
   * nothing.
   *
   * @throws MpiException ERR_PROC_ABORTED when the job has ended early, or a buffered message's receiver has,
   *     ERR_PENDING when the setting's time is over
   */
  @Standard({"MPI_Finalize"})
  @Override
  public void close() {
    leave();
  }

  private void leave() {
    world.checkNotInside();
    synchronized (this) {
      if (finalized) {
        return;
      }
      finalized = true;
    }
    RuntimeException thrown = deleteAttributes();
    RuntimeException lost = world.flushParts();
    if (thrown == null) {
      thrown = lost;
    }
    world.close();
    world.membership().end(world);
    RuntimeException left = world.reportLeft(thrown != null);
    if (thrown == null) {
      thrown = left;
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  /** The keys' functions may still use MPI. Their exceptions do not keep this rank from leaving. */
  private RuntimeException deleteAttributes() {
    if (world.hasFailed()) {
      return null;
    }
    RuntimeException thrown = deleted(CommImpl.of(commSelf).properties()::deleteAttributes, null);
    thrown = deleted(CommImpl.of(commWorld).properties()::deleteAttributes, thrown);
    return deleted(world.predefinedTypes()::deleteAttributes, thrown);
  }

  private RuntimeException deleted(Runnable table, RuntimeException before) {
    if (world.hasEnded()) {
      return before;
    }
    try {
      table.run();
      return before;
    } catch (RuntimeException e) {
      world.markFailed();
      if (before == null) {
        return e;
      }
      before.addSuppressed(e);
      return before;
    }
  }

  /**
   * Ends the job ({@code MPI_Abort} on the world, MPI-4.1 §11.4), as {@link Comm#abort}.
   *
   * @param code exit code of the job, which is its lowest 8 bits; when they are 0 it is 1
   * @throws MpiException ERR_PROC_ABORTED in a world of threads, where the call returns this way
   */
  @Standard({"MPI_Abort"})
  public void abort(int code) {
    commWorld.abort(code);
  }

  /**
   * Returns whether MPI has been initialized ({@code MPI_Initialized}, MPI-4.1 §11.2.3): in a rank thread that rank's
   * environment, otherwise the one of this process. May be called at any time; stays true after finalize.
   *
   * @return true after init
   */
  @Standard({"MPI_Initialized"})
  public static boolean isInitialized() {
    return RankEnvironment.current() != null;
  }

  /**
   * Returns whether MPI has been finalized ({@code MPI_Finalized}, MPI-4.1 §11.2.3), of the same environment as
   * {@link #isInitialized}. May be called at any time.
   *
   * @return true after finalize
   */
  @Standard({"MPI_Finalized"})
  public static boolean isFinalized() {
    World current = RankEnvironment.current();
    return current != null && !current.isOpen();
  }

  // ---- what there is

  /**
   * Returns the communicator of all ranks ({@code MPI_COMM_WORLD}, MPI-4.1 §7.2.4).
   *
   * @return the world communicator
   */
  @Standard({"MPI_COMM_WORLD"})
  public IntraComm world() {
    return commWorld;
  }

  /**
   * Returns the communicator of this rank alone ({@code MPI_COMM_SELF}, MPI-4.1 §7.2.4).
   *
   * @return a communicator of size 1
   */
  @Standard({"MPI_COMM_SELF"})
  public IntraComm self() {
    return commSelf;
  }

  // ---- processes that come and meet

  /**
   * Returns the communicator with the processes that have spawned this rank's world ({@code MPI_Comm_get_parent},
   * MPI-4.1 §11.8.2). Does not block.
   *
   * @return the communicator, which is the same at each call; null when a launcher has started this program, and after
   *     the communicator has been closed or disconnected
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Comm_get_parent"})
  public InterComm parent() {
    world.checkOpen();
    return parent == null || CommImpl.of(parent).state().isClosed() ? null : parent;
  }

  /**
   * Describes a thread that runs a body, for {@link IntraComm#spawn(Spawn...)} in programs whose ranks are threads.
   *
   * @param body what it runs, with an environment whose {@link #parent} leads back
   * @return one thread
   * @throws MpiException ERR_SPAWN when the body is null
   */
  @Standard({"MPI_Comm_spawn"})
  public static Spawn spawnBody(Body body) {
    return SpawnImpl.of(SpawnImpl.Kind.BODY, body == null ? null : "a body", () -> run(new String[0], body));
  }

  /**
   * Opens a port, at which another program can {@linkplain IntraComm#connect(String) connect} to one that
   * {@linkplain IntraComm#accept(String) accepts} ({@code MPI_Open_port}, MPI-4.1 §11.9.2). Does not block. It stays
   * open for any number of connections until it is closed, or this rank finalizes.
   *
   * @return the name of the port, three groups of four letters and digits; it can be passed on by hand, and only
   *     processes of the same user on this machine can connect
   * @throws MpiException ERR_OTHER when the folder of the user's ports cannot be used (setting
   *     {@code ffmpi.port.folder}) or after finalize
   */
  @Standard({"MPI_Open_port"})
  public String openPort() {
    return openPort(null);
  }

  /**
   * Opens a port with hints ({@code MPI_Open_port}, MPI-4.1 §11.9.2), as {@link #openPort()}.
   *
   * @param info hints, none of which is looked at; may be null
   * @return the name of the port
   * @throws MpiException as {@link #openPort()}
   */
  @Standard({"MPI_Open_port"})
  public String openPort(Info info) {
    return connecting(OpenPorts::open);
  }

  /**
   * Closes a port ({@code MPI_Close_port}, MPI-4.1 §11.9.2). Connections that have been made stay; whoever waits to be
   * accepted gets ERR_PORT. Does not block.
   *
   * @param port what {@link #openPort()} has returned to this rank
   * @throws MpiException ERR_PORT when this rank has no such port open, ERR_OTHER after finalize
   */
  @Standard({"MPI_Close_port"})
  public void closePort(String port) {
    connecting(ports -> {
      ports.close(port);
      return null;
    });
  }

  /**
   * Publishes a port under a name, which other programs of this user on this machine can look up
   * ({@code MPI_Publish_name}, MPI-4.1 §11.9.4). The name lasts until it is taken back, or this rank finalizes. Does
   * not block.
   *
   * @param service the name, not empty
   * @param port a port's name
   * @throws MpiException ERR_SERVICE when a living process has published the name, or it is null or empty; ERR_PORT
   *     when {@code port} is no port's name; ERR_OTHER after finalize
   */
  @Standard({"MPI_Publish_name"})
  public void publish(String service, String port) {
    connecting(ports -> {
      ports.publish(service, port);
      return null;
    });
  }

  /**
   * Takes a name back ({@code MPI_Unpublish_name}, MPI-4.1 §11.9.4). Does not block.
   *
   * @param service the name
   * @param port the port that it was published for
   * @throws MpiException ERR_SERVICE when the name is not published for that port, ERR_OTHER after finalize
   */
  @Standard({"MPI_Unpublish_name"})
  public void unpublish(String service, String port) {
    connecting(ports -> {
      ports.unpublish(service, port);
      return null;
    });
  }

  /**
   * Finds the port that is published under a name ({@code MPI_Lookup_name}, MPI-4.1 §11.9.4). Does not block.
   *
   * @param service the name
   * @return the name of the port
   * @throws MpiException ERR_NAME when no living process of this user has published the name, ERR_SERVICE when it is
   *     null or empty, ERR_OTHER after finalize
   */
  @Standard({"MPI_Lookup_name"})
  public String lookup(String service) {
    return connecting(ports -> Names.lookup(service, world.settings()));
  }

  /**
   * Meets the process at the other end of a socket, which makes the same call ({@code MPI_Comm_join}, MPI-4.1
   * §11.10.3). Blocks until it does. Nothing may be under way on the socket, which stays open and can be used again
   * afterwards.
   *
   * @param socket a connected socket
   * @return the communicator with the other process; null when it is on another machine
   * @throws MpiException ERR_ARG when the socket is null or not connected, ERR_PORT when the other end has been closed,
   *     ERR_OTHER after finalize
   */
  @Standard({"MPI_Comm_join"})
  public InterComm join(Socket socket) {
    return CommImpl.of(commSelf).connecting().join(socket);
  }

  /**
   * Meets the process at the other end of a channel ({@code MPI_Comm_join}, MPI-4.1 §11.10.3), as
   * {@link #join(Socket)}.
   *
   * @param channel a connected channel
   * @return the communicator with the other process; null when it is on another machine
   * @throws MpiException as {@link #join(Socket)}
   */
  @Standard({"MPI_Comm_join"})
  public InterComm join(SocketChannel channel) {
    return CommImpl.of(commSelf).connecting().join(channel);
  }

  private <T> T connecting(Function<OpenPorts, T> call) {
    world.checkOpen();
    try {
      return call.apply(OpenPorts.of(world));
    } catch (MpiException e) {
      throw world.raise(e);
    }
  }

  /**
   * Returns the heap of memory that peers can read in place.
   *
   * @return an allocator of shared memory
   */
  public SharedHeap shared() {
    return shared;
  }

  /**
   * Returns which threads may call MPI ({@code MPI_Query_thread}, MPI-4.1 §11.6). Local.
   *
   * @return the level provided
   */
  @Standard({"MPI_Query_thread"})
  public ThreadLevel threadLevel() {
    return world.threadLevel();
  }

  /**
   * Returns whether the calling thread is the one that initialized MPI ({@code MPI_Is_thread_main}, MPI-4.1 §11.6).
   * Local.
   *
   * @return true in the thread that called {@link #init} or runs the body
   */
  @Standard({"MPI_Is_thread_main"})
  public boolean isThreadMain() {
    return Thread.currentThread() == world.initThread();
  }

  /**
   * Reports how far this rank's program is, for {@code mpirun --progress}, which shows one line of all ranks with the
   * least and the most that any of them has done, the rate, the time that is left, and a rank that is far behind or
   * stands still. Local, does not block, and may be called as often as steps end, from any thread: without that option
   * a call only looks at its arguments. Other ranks do not notice. Nothing is shown of ranks as threads, of ranks that
   * another launcher has started, and of spawned processes.
   *
   * {@snippet :
   * for (int step = 1; step <= steps; step++) {
   *   sweep();
   *   mpi.progress("sweep", step, steps);
   * }
   * }
   *
   * @param what what the program is doing, a word or two, at best the same constant at each step; a new name, another
   *     total or a smaller number begin another piece of work
   * @param done how many steps of it are done, from 0 on
   * @param total how many steps there are; 0 when that is not known
   * @throws MpiException ERR_ARG when {@code what} is null or blank, or a number is not one of these; ERR_OTHER after
   *     finalize
   */
  public void progress(String what, long done, long total) {
    world.checkOpen();
    if (what == null || what.isBlank()) {
      throw world.raise(
          MpiException.argument(ErrorClass.ERR_ARG, "what", what, "names of what the program is doing"));
    }
    if (total < 0) {
      throw world.raise(
          MpiException.argument(ErrorClass.ERR_ARG, "total", total, "numbers from 1 on, and 0 for an unknown one"));
    }
    if (done < 0 || total > 0 && done > total) {
      throw world.raise(
          MpiException.argument(ErrorClass.ERR_ARG, "done", done, total > 0 ? "0.." + total : "numbers from 0 on"));
    }
    if (workReport != null) {
      workReport.report(what, done, total);
    }
  }

  /**
   * Returns this library's version, and after init the engine's facts ({@code MPI_Get_library_version}, MPI-4.1
   * §9.1.1). May be called at any time.
   *
   * @return one line, at most {@code MAX_LIBRARY_VERSION_STRING} characters
   */
  @Standard({"MPI_Get_library_version"})
  public static String libraryVersion() {
    return ProcessFacts.libraryVersion(RankEnvironment.current());
  }

  /**
   * A version of the MPI standard.
   *
   * @param version the number before the point
   * @param subversion the number after the point
   */
  public record Version(int version, int subversion) {
    /**
     * Returns the version as it is written.
     *
     * @return for example {@code 4.1}
     */
    @Override
    public String toString() {
      return version + "." + subversion;
    }
  }

  /**
   * Returns the version of the standard that this library follows ({@code MPI_Get_version}, MPI-4.1 §9.1.1), which is
   * that of {@link Constants#VERSION} and {@link Constants#SUBVERSION}. May be called at any time.
   *
   * @return the version
   */
  @Standard({"MPI_Get_version"})
  public static Version version() {
    return new Version(Constants.VERSION, Constants.SUBVERSION);
  }

  /**
   * Returns the error classes, codes and texts of this process, or in a rank thread of that rank: the same that its
   * {@code Mpi} and its sessions have. For use before MPI is initialized and by code that has neither at hand.
   *
   * {@snippet :
   * static final int STOPPED = Mpi.errors().addErrorClass();
   * }
   *
   * @return the calls on them, which may be made at any time
   */
  public static ErrorCalls errors() {
    return ProcessErrors.INSTANCE;
  }

  /**
   * Returns the name of the machine ({@code MPI_Get_processor_name}, MPI-4.1 §9.1.2).
   *
   * @return a name of at most {@code MAX_PROCESSOR_NAME} - 1 characters
   */
  @Standard({"MPI_Get_processor_name"})
  public static String processorName() {
    return ProcessFacts.processorName();
  }

  /**
   * Chooses the dimensions of a grid ({@code MPI_Dims_create}, MPI-4.1 §8.5.2): as close to each other as possible. May
   * be called at any time.
   *
   * @param nnodes number of places of the grid, at least 1
   * @param dims for each dimension its length, or 0 to have it chosen; not changed. Without dimensions a grid has one
   *     place
   * @return all lengths; the chosen ones do not increase
   * @throws MpiException ERR_DIMS when no grid of so many places has such dimensions
   */
  @Standard({"MPI_Dims_create"})
  public static int[] dimsCreate(int nnodes, int... dims) {
    try {
      return Dims.create(nnodes, dims);
    } catch (MpiException e) {
      World current = RankEnvironment.current();
      throw current == null || !current.isOpen() ? e : current.raise(e);
    }
  }

  /**
   * Returns the kinds of hardware of which the machine is made ({@code MPI_Get_hw_resource_info}, MPI-4.1 §9.1.2). Keys
   * are the kinds, such as {@code hwloc://L3Cache}, from the whole machine to single hardware threads; the value is
   * {@code true} when this rank is bound to a single one of them at this moment. The keys serve
   * {@link IntraComm#splitType}. Local; may be called at any time.
   *
   * @return a new info
   */
  @Standard({"MPI_Get_hw_resource_info"})
  public static Info hwResourceInfo() {
    return Hardware.info(RankEnvironment.current());
  }

  /**
   * Returns the time ({@code MPI_Wtime}, MPI-4.1 §9.6): seconds since some moment in the past that does not change
   * while the machine runs: one clock, the same for all ranks. May be called at any time.
   *
   * @return seconds
   */
  @Standard({"MPI_Wtime"})
  public static double wtime() {
    return System.nanoTime() * 1e-9;
  }

  /**
   * Returns the resolution of {@link #wtime} ({@code MPI_Wtick}, MPI-4.1 §9.6). May be called at any time.
   *
   * @return seconds between two ticks
   */
  @Standard({"MPI_Wtick"})
  public static double wtick() {
    return 1e-9;
  }

  /**
   * Sets the recording level of listeners to this program's calls ({@code MPI_Pcontrol}, MPI-4.1 §15.2.4). Without a
   * listener it does nothing. {@code mpirun --profile} counts no calls of a rank after level 0 and counts them again
   * after any other; what a {@link CallListener} of the program makes of it is its own affair. Local; may be called at
   * any time.
   *
   * @param level 0 for nothing, 1 for the usual, more for what listeners offer
   * @param arguments further arguments, for listeners
   */
  @Standard({"MPI_Pcontrol"})
  public static void pcontrol(int level, Object... arguments) {
    ProfilingLevel.set(level); // listeners see the call itself
  }

  // ---- the buffer of the process

  /**
   * Gives the process a buffer for messages in buffered mode ({@code MPI_Buffer_attach}, MPI-4.1 §3.6), for all
   * communicators that have none of their own. Local. Its size has to allow for all messages that are to be in it at a
   * time: the bytes of each as {@link Packer#size} returns them, and {@code BSEND_OVERHEAD} each.
   *
   * {@snippet :
   * mpi.bufferAttach(Buf.of(new byte[1 << 20]));
   * mpi.world().bsend(Buf.of(data), 1, 7);        // returns at once
   * mpi.bufferDetach();                           // blocks until it has left
   * }
   *
   * @param buf elements without gaps, of any type and alignment, in an array other than {@code boolean[]}, an NIO
   *     buffer or a segment that any thread may touch; not to be touched until it is detached. Or
   *     {@link Buf#automatic}: then memory is taken as it is needed
   * @throws MpiException ERR_BUFFER when a buffer is attached already, or this one is null, has gaps, is read-only, of
   *     a confined or closed arena or a {@code boolean[]}; ERR_TYPE when its type is not committed; ERR_OTHER after
   *     finalize
   */
  @Standard({"MPI_Buffer_attach", "MPI_Buffer_attach_c"})
  public void bufferAttach(Buf<?> buf) {
    new ProcessBuffer(world).attach(buf);
  }

  /**
   * Detaches the process's buffer ({@code MPI_Buffer_detach}, MPI-4.1 §3.6). Blocks until all messages in it have left;
   * finalizing does the same.
   *
   * @return the buffer that was attached
   * @throws MpiException ERR_BUFFER when none is attached, ERR_OTHER after finalize; what went wrong with messages that
   *     could not be delivered, for example ERR_PROC_ABORTED when the receiver is gone: the buffer is detached then,
   *     too
   */
  @Standard({"MPI_Buffer_detach", "MPI_Buffer_detach_c"})
  public Buf<?> bufferDetach() {
    return new ProcessBuffer(world).detach();
  }

  /**
   * Blocks until all messages in the process's buffer have left ({@code MPI_Buffer_flush}, MPI-4.1 §3.6). Without a
   * buffer there is nothing to do.
   *
   * @throws MpiException what went wrong with messages that could not be delivered, for example ERR_PROC_ABORTED when
   *     the receiver is gone; ERR_OTHER after finalize
   */
  @Standard({"MPI_Buffer_flush"})
  public void bufferFlush() {
    new ProcessBuffer(world).flush();
  }

  /**
   * Returns a request for the moment when all messages have left that are in the process's buffer now
   * ({@code MPI_Buffer_iflush}, MPI-4.1 §3.6). Does not block.
   *
   * @return the request, which fails as {@link #bufferFlush}; it cannot be cancelled
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Buffer_iflush"})
  public Request bufferIflush() {
    return new ProcessBuffer(world).iflush();
  }

  /**
   * Describes the environment for messages.
   *
   * @return rank and size of the world
   */
  @Override
  public String toString() {
    return "Mpi[rank " + commWorld.rank() + " of " + commWorld.size() + "]";
  }

  /** The program of one rank: the argument of {@link Mpi#run} and {@link Mpi#runThreads}. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs this rank's part of the program. Every rank of the job calls it once, each with its own {@code mpi}.
     *
     * @param mpi this rank's MPI environment, initialized; finalized by the caller when the body returns
     * @throws Exception any exception of the program; it is printed and ends the whole job
     */
    void run(Mpi mpi) throws Exception;
  }
}
