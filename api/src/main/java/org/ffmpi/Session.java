// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.Standard;
import org.ffmpi.message.ProcessBuffer;
import org.ffmpi.process.EngineHeap;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.Membership;
import org.ffmpi.process.MemoryKinds;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.World;
import org.ffmpi.spi.Members;

/**
 * An instance of MPI that a part of a program, such as a library, opens and closes for itself, whatever the other parts
 * do ({@code MPI_Session}, MPI-4.1 §11.3). It knows sets of processes by name, and from their groups communicators are
 * made.
 *
 * {@snippet :
 * try (Session session = Session.init()) {
 *   Group all = session.group("mpi://WORLD");
 *   try (IntraComm comm = IntraComm.createFromGroup(all, "com.example.solver")) {
 *     comm.barrier();
 *   }
 * }
 * }
 *
 * <p>A process may have any number of sessions, one after the other and at the same time, beside the {@linkplain Mpi
 * world model} and without it. They share nothing but the process: groups, communicators and what is made of them must
 * not be mixed with those of others in one call; requests may. Since it may open another one at any time, a process
 * stays in its job until it ends, also when it has finalized the world model.
 *
 * <p>Any thread may call, unless the session was opened with a lower thread level. Errors go through the session's
 * error handler.
 */
@Standard({"MPI_Session"})
public final class Session implements TypeCalls, ErrorCalls, AutoCloseable {
  /** Name of the set of all processes of the job. */
  public static final String WORLD = "mpi://WORLD";

  /** Name of the set of this process alone. */
  public static final String SELF = "mpi://SELF";

  private static final List<String> SETS = List.of(WORLD, SELF);
  private static final String THREAD_LEVEL = "thread_level";
  private static final String LEVEL_PREFIX = "MPI_THREAD_";

  private final World world;
  private final Info used;
  private final SharedHeap shared;
  private volatile Errhandler<? super Session> errhandler;
  private boolean finalized;

  private Session(World world, Info used, Errhandler<? super Session> errhandler) {
    this.world = world;
    this.used = used;
    this.shared = new EngineHeap(world);
    this.errhandler = errhandler;
    world.raiseOn(this::raise);
  }

  World world() {
    return world;
  }

  private MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, this, error);
  }

  // ---- opening and closing

  /**
   * Opens a session for threads as the setting {@code ffmpi.thread.level} says, whose errors end the job as the setting
   * {@code ffmpi.errors} says ({@code MPI_Session_init}, MPI-4.1 §11.3.1). Local; the first in a process joins the job.
   * In a world of threads, to be called by the rank's own thread.
   *
   * @return the session, to be closed by the program
   * @throws MpiException ERR_OTHER when this process has left its job, after a failure
   */
  @Standard({"MPI_Session_init"})
  public static Session init() {
    return init(null, null);
  }

  /**
   * Opens a session ({@code MPI_Session_init}, MPI-4.1 §11.3.1). Local; the first in a process joins the job. In a
   * world of threads, to be called by the rank's own thread.
   *
   * @param info hints, or null: {@code thread_level} is the level of thread support, such as
   *     {@code MPI_THREAD_SERIALIZED}, by default that of the setting {@code ffmpi.thread.level}; what is asked for is
   *     provided. {@code mpi_memory_alloc_kinds} are the kinds of memory that buffers will lie in, separated by commas;
   *     {@link #info} returns which of them there are
   * @param errhandler what happens when a call on the session fails, this one included; null for what the setting
   *     {@code ffmpi.errors} says
   * @return the session, to be closed by the program
   * @throws MpiException ERR_OTHER when this process has left its job, after a failure; ERR_INFO when the info has been
   *     freed, ERR_INFO_VALUE when its thread level is none, ERR_ERRHANDLER when the handler has been freed
   */
  @Standard({"MPI_Session_init"})
  public static Session init(Info info, Errhandler<? super Session> errhandler) {
    Settings settings = RankEnvironment.settings();
    MpiException refused = errhandler == null ? null : ErrhandlerImpl.refusal(errhandler);
    if (refused != null) {
      throw refused;
    }
    Membership membership = RankEnvironment.membership();
    World world = new World(membership, settings, true);
    Errhandler<? super Session> handler = errhandler == null ? world.errhandler() : errhandler;
    try {
      Optional<String> asked = info == null ? Optional.empty() : info.get(THREAD_LEVEL);
      ThreadLevel level = asked.map(Session::level).orElseGet(world::threadLevel);
      world.setThreadLevel(level);
      Optional<String> kinds = info == null ? Optional.empty() : info.get(MemoryKinds.KEY);
      world.setMemoryKinds(kinds.map(MemoryKinds::provided).orElse(MemoryKinds.DEFAULT));
      Info used = new Info();
      used.set(THREAD_LEVEL, LEVEL_PREFIX + level).set(MemoryKinds.KEY, world.memoryKinds());
      return new Session(world, used, handler);
    } catch (MpiException e) {
      world.close();
      membership.end(world);
      throw ErrhandlerImpl.of(handler).handle(world, null, e);
    }
  }

  private static ThreadLevel level(String name) {
    String bare = name.strip().toUpperCase(Locale.ROOT);
    return Arrays.stream(ThreadLevel.values())
        .filter(level -> bare.equals(LEVEL_PREFIX + level))
        .findFirst()
        .orElseThrow(() -> MpiException.argument(ErrorClass.ERR_INFO_VALUE, THREAD_LEVEL, name,
            "MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED and MPI_THREAD_MULTIPLE"));
  }

  /**
   * Finalizes the session ({@code MPI_Session_finalize}, MPI-4.1 §11.3.1). Blocks until the messages in its
   * buffers have left, and until all that this process has promised its peers is done, unless the world model or
   * another session is open, whose calls go on with that. First the {@linkplain #typeAttributes attributes} of
   * predefined datatypes are deleted. Communicators, groups and requests of the session cannot be used any more.
   * Closing twice does nothing.
   *
   * @throws MpiException ERR_PROC_ABORTED when the job has ended early, or a buffered message's receiver has
   */
  @Standard({"MPI_Session_finalize"})
  @Override
  public void close() {
    world.checkNotInside();
    synchronized (this) {
      if (finalized || !world.isOpen()) {
        return;
      }
      finalized = true;
    }
    RuntimeException thrown = deleteAttributes();
    RuntimeException lost = world.flushParts();
    world.close();
    world.membership().end(world);
    if (thrown != null || lost != null) {
      throw thrown != null ? thrown : lost;
    }
  }

  /** The keys' functions may still use the session. What one throws shall not keep it from being finalized. */
  private RuntimeException deleteAttributes() {
    if (world.hasFailed() || world.hasEnded()) {
      return null;
    }
    try {
      world.predefinedTypes().deleteAttributes();
      return null;
    } catch (RuntimeException e) {
      return raise(Failures.ofCallback("an attribute's delete function", e));
    }
  }

  // ---- what it knows

  /**
   * Returns how many sets of processes the session knows ({@code MPI_Session_get_num_psets}, MPI-4.1 §11.3.2). Local.
   *
   * @return number of names
   */
  @Standard({"MPI_Session_get_num_psets"})
  public int numPsets() {
    world.checkOpen();
    return SETS.size();
  }

  /**
   * Returns the name of a set of processes ({@code MPI_Session_get_nth_pset}, MPI-4.1 §11.3.2). Local.
   *
   * @param n from 0 to {@link #numPsets} - 1
   * @return its name
   * @throws MpiException ERR_ARG when there is none of that number
   */
  @Standard({"MPI_Session_get_nth_pset"})
  public String nthPset(int n) {
    world.checkOpen();
    if (n < 0 || n >= SETS.size()) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "n", n, "0.." + (SETS.size() - 1)));
    }
    return SETS.get(n);
  }

  /**
   * Returns the facts of a set of processes ({@code MPI_Session_get_pset_info}, MPI-4.1 §11.3.2). Local.
   *
   * @param name name of the set
   * @return a new info: {@code mpi_size} is the number of processes
   * @throws MpiException ERR_ARG when there is no set of that name
   */
  @Standard({"MPI_Session_get_pset_info"})
  public Info psetInfo(String name) {
    world.checkOpen();
    Members members = members(name);
    if (members == null) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "name", name, String.join(" and ", SETS)));
    }
    return new Info().set("mpi_size", Integer.toString(members.size()));
  }

  /**
   * Returns the processes of a set as a group ({@code MPI_Group_from_session_pset}, MPI-4.1 §7.3.2). Local.
   *
   * @param name name of the set
   * @return the group; of {@link #WORLD} in the order of the ranks that the launcher has given. Null when there is no
   *     set of that name
   */
  @Standard({"MPI_Group_from_session_pset"})
  public Group group(String name) {
    world.checkOpen();
    Members members = members(name);
    return members == null ? null : new Group(world, world.engine(), members);
  }

  private Members members(String name) {
    if (WORLD.equals(name)) {
      return Members.all(world.engine().peers());
    }
    return SELF.equals(name) ? Members.of(world.engine().self()) : null;
  }

  /**
   * Returns the heap of memory that peers can read in place ({@code MPI_Alloc_mem}, MPI-4.1 §9.2), as
   * {@link Mpi#shared}.
   *
   * @return an allocator of shared memory, the same at each call
   */
  public SharedHeap shared() {
    return shared;
  }

  /**
   * Returns the hints that are in force ({@code MPI_Session_get_info}, MPI-4.1 §11.3.1). Local.
   *
   * @return a new info
   */
  @Standard({"MPI_Session_get_info"})
  public Info info() {
    world.checkOpen();
    return used.dup();
  }

  /**
   * Returns which threads may call MPI with what belongs to this session. Local.
   *
   * @return the level that was asked for
   */
  public ThreadLevel threadLevel() {
    return world.threadLevel();
  }

  // ---- errors

  /**
   * Returns what happens when a call on this session fails ({@code MPI_Session_get_errhandler}, MPI-4.1 §9.3.3). Local.
   *
   * @return the error handler; need not be closed
   */
  @Standard({"MPI_Session_get_errhandler"})
  public Errhandler<? super Session> errhandler() {
    return ErrhandlerImpl.of(errhandler).reference();
  }

  /**
   * Sets the reaction to failures of calls on this session or its groups ({@code MPI_Session_set_errhandler}, MPI-4.1
   * §9.3.3). Local. Communicators have handlers of their own.
   *
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed
   */
  @Standard({"MPI_Session_set_errhandler"})
  public void setErrhandler(Errhandler<? super Session> errhandler) {
    world.checkOpen();
    MpiException refused = ErrhandlerImpl.refusal(errhandler);
    if (refused != null) {
      throw raise(refused);
    }
    this.errhandler = errhandler;
  }

  /**
   * Raises an error of the program's own, or of a library that it uses, as calls on this session raise theirs
   * ({@code MPI_Session_call_errhandler}, MPI-4.1 §9.5.1): the error handler runs, and where it has not ended the job
   * the error is there to be thrown. Local.
   *
   * @param errorcode a predefined class, or a class or code that has been added
   * @return the error, with the text that the code has been given
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when there is no such code
   */
  @Standard({"MPI_Session_call_errhandler"})
  public MpiException callErrhandler(int errorcode) {
    world.checkOpen();
    MpiException error;
    try {
      error = world.errorCodes().exception(errorcode);
    } catch (MpiException e) {
      throw raise(e);
    }
    Errhandler<? super Session> handler = errhandler;
    ErrhandlerImpl.of(handler).handle(world, this, error);
    if (ErrhandlerImpl.of(handler).isFatal()) {
      throw error;
    }
    return error;
  }

  // ---- the buffer for buffered mode

  /**
   * Gives the session a buffer for messages in buffered mode ({@code MPI_Session_attach_buffer}, MPI-4.1 §3.6), for all
   * of its communicators that have none of their own. Without it they use that of {@link Mpi#bufferAttach}. Local.
   *
   * @param buf what {@link Mpi#bufferAttach} takes; not to be touched until it is detached
   * @throws MpiException as {@link Mpi#bufferAttach}
   */
  @Standard({"MPI_Session_attach_buffer", "MPI_Session_attach_buffer_c"})
  public void attachBuffer(Buf<?> buf) {
    new ProcessBuffer(world).attach(buf);
  }

  /**
   * Detaches the session's buffer ({@code MPI_Session_detach_buffer}, MPI-4.1 §3.6). Blocks until all messages in it
   * have left; finalizing the session does the same.
   *
   * @return the buffer that was attached
   * @throws MpiException as {@link Mpi#bufferDetach}
   */
  @Standard({"MPI_Session_detach_buffer", "MPI_Session_detach_buffer_c"})
  public Buf<?> detachBuffer() {
    return new ProcessBuffer(world).detach();
  }

  /**
   * Blocks until all messages in the session's buffer have left ({@code MPI_Session_flush_buffer}, MPI-4.1 §3.6).
   * Without a buffer there is nothing to do.
   *
   * @throws MpiException as {@link Mpi#bufferFlush}
   */
  @Standard({"MPI_Session_flush_buffer"})
  public void flushBuffer() {
    new ProcessBuffer(world).flush();
  }

  /**
   * Returns a request for the moment when all messages have left that are in the session's buffer now
   * ({@code MPI_Session_iflush_buffer}, MPI-4.1 §3.6). Does not block.
   *
   * @return the request; it cannot be cancelled
   * @throws MpiException as {@link Mpi#bufferIflush}
   */
  @Standard({"MPI_Session_iflush_buffer"})
  public Request iflushBuffer() {
    return new ProcessBuffer(world).iflush();
  }

  /** Describes the session for messages. */
  @Override
  public String toString() {
    return "Session[process " + world.rank() + " of " + world.engine().peers()
        + (world.isOpen() ? "]" : ", finalized]");
  }
}
