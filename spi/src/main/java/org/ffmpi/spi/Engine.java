// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.plan.Plan;

/**
 * The port between the API and the transport of bytes: one engine per rank and world. Unstable: its shape follows
 * the needs of the engines.
 *
 * <p>An engine knows <em>peers</em> (its own dense numbers of the processes it reaches) and <em>contexts</em> (64-bit
 * matching keys); ranks, groups and communicators belong to the caller, see {@link Channel}. Arguments arrive
 * checked: peers in range, counts not negative, buffers large enough, types committed. A buffer is a flat descriptor
 * {@code (kind, owner, offset)} as {@code org.ffmpi.base.raw.Memory} defines it, with {@code count} elements of a
 * {@code plan}.
 *
 * <p>Errors found at the call are thrown as {@code MpiException}; errors of a started operation are
 * {@link Operation#error}. Any thread may call, at any time, unless the thread level was lowered.
 *
 * <p>This file is long because all calls of the port are here, each with its comment.
 */
@SuppressWarnings("exports") // plans cross this port only between our own modules, to which their package is exported
public interface Engine {
  /** Mode of a send: completes when the buffer may be reused ({@code MPI_Send}). */
  int STANDARD = 0;

  /** Mode of a send: completes when the receiver has matched it ({@code MPI_Ssend}). */
  int SYNCHRONOUS = 1;

  /**
   * Mode of a send: as {@link #STANDARD}, of a program that promises that the receive is posted
   * ({@code MPI_Rsend}). Where everything is checked ({@link RunSettings#CHECK}), a broken promise ends the job.
   */
  int READY = 2;

  /**
   * Bit beside the mode of a send: the message carries its signature also where types are not checked, so that a
   * receive of another one refuses it. For plans with the signature of objects.
   */
  int SIGNED = 4;

  /**
   * Returns this process's own number.
   *
   * @return own peer number
   */
  int self();

  /**
   * Returns how many processes the world has.
   *
   * @return number of peers, this one included
   */
  int peers();

  /**
   * Returns where a peer is. Peers of one node share memory.
   *
   * @param peer a peer
   * @return number of its node, from 0
   */
  default int node(int peer) {
    return 0;
  }

  /**
   * Returns the settings this rank runs with.
   *
   * @return the settings
   */
  Settings settings();

  /**
   * Returns where the rank keeps a number about its own work.
   *
   * @param measure a measure of the rank, not of a communicator
   * @return the gauge, also after the rank has left; null when this engine keeps no such number
   */
  default Gauge gauge(Measure measure) {
    return null;
  }

  /**
   * Returns the incidents of the rank.
   *
   * @return what to listen to, or null when this engine reports none
   */
  default Incidents incidents() {
    return null;
  }

  /**
   * Changes a setting during the run, if the engine reads it anew.
   *
   * @param setting the setting
   * @param text its new value, which {@link Setting#parse} has accepted
   * @return false when the setting keeps its value
   */
  default boolean change(Setting<?> setting, String text) {
    return false;
  }

  /**
   * Sends and blocks until the buffer may be reused.
   *
   * @param mode {@link #STANDARD}, {@link #SYNCHRONOUS} or {@link #READY}
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements
   * @param plan committed plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   */
  void send(int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag);

  /**
   * Starts a send; never waits.
   *
   * @param mode {@link #STANDARD}, {@link #SYNCHRONOUS} or {@link #READY}
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements
   * @param plan committed plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   * @return the operation; {@link #completed()} when it has already ended well
   */
  Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag);

  /**
   * Sends if that takes neither waiting nor the buffer afterwards, in standard mode.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements
   * @param plan committed plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   * @return false when nothing has been sent, because of the message's length or because there is no room
   */
  boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag);

  /**
   * Receives and blocks until the message is in the buffer.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements that fit
   * @param plan committed plan of the element type
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return; null to ignore
   */
  void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope);

  /**
   * Starts a receive; never waits.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements that fit
   * @param plan committed plan of the element type
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @return the operation
   */
  Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag);

  /**
   * Starts a receive that gets its memory when its message is matched; never waits.
   *
   * @param memory gets the number of bytes of the message and returns where they go; called once, by the thread that
   *     makes progress then, while the engine is at work: it makes no calls of the engine. What it throws is the error
   *     of the receive
   * @param plan committed plan of bytes without gaps
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @return the operation
   */
  default Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    throw new MpiException(
        ErrorClass.ERR_UNSUPPORTED_OPERATION, "this engine asks for no memory when a message is matched");
  }

  /**
   * Blocks until a message that matches has arrived, and describes it without receiving it.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return
   */
  void probe(int peer, long context, int tag, Envelope envelope);

  /**
   * Looks, after some progress, for a message that matches.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled when true is returned
   * @return true when such a message has arrived
   */
  boolean iprobe(int peer, long context, int tag, Envelope envelope);

  /**
   * Blocks until a message that matches has arrived, and removes it from matching.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return
   * @return the message, for {@link #imrecv}
   */
  Matched mprobe(int peer, long context, int tag, Envelope envelope);

  /**
   * Looks, after some progress, for a message that matches, and removes it from matching.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled when there is a message
   * @return the message, for {@link #imrecv}; null when none has arrived
   */
  Matched improbe(int peer, long context, int tag, Envelope envelope);

  /**
   * Looks for a message that matches, and removes it from matching, as {@link #improbe} does but without progress: for
   * operations in their {@link Operation#advance}, which progress calls.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled when there is a message
   * @return the message, for {@link #imrecv}; null when none has arrived
   */
  Matched claim(int peer, long context, int tag, Envelope envelope);

  /**
   * Starts to receive a message that a matched probe has returned; never waits.
   *
   * @param message what {@link #mprobe} or {@link #improbe} returned; each may be received once
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements that fit
   * @param plan committed plan of the element type
   * @return the operation
   */
  Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan);

  /**
   * Ends a collective call in which this rank has failed, for all ranks that take part. Here and at the peers, receives
   * in that call fail with {@link ReceiveException}, now and later, and messages without a receiver are dropped, so
   * that their senders continue. Never waits; does nothing where the call is known to have failed.
   *
   * @param context context of the call's messages; {@link Channel#callOf} and the tag name the call
   * @param tag tag of the call's messages
   * @param errorClass class of the error with which this rank ends the call
   * @param cause context of another peer's messages, which differ from this rank's and are why it fails; others may
   *     differ from them too. 0 for another reason
   * @param causePeer that peer
   * @param peers who takes part; this rank may be among them
   */
  void failCall(long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] peers);

  /**
   * Returns the one operation that is always complete.
   *
   * @return a completed operation that may be shared
   */
  Operation completed();

  /**
   * Releases a complete operation: the caller has read its result, no thread uses it any more, and the engine may reuse
   * the object. Optional; cheap.
   *
   * @param operation one of this engine's operations, or any other, which is ignored
   */
  void release(Operation operation);

  /** Makes a bounded amount of progress on everything this rank has in flight; never waits. */
  void progress();

  /**
   * Makes a bounded amount of progress and returns whether the operation is complete; never waits.
   *
   * @param operation one of this engine's operations
   * @return true when complete, successfully or not
   */
  boolean test(Operation operation);

  /**
   * Blocks until the operation is complete, successfully or not; the caller looks at {@link Operation#error}. An
   * interrupt does not end the wait; the thread's interrupt status is kept.
   *
   * @param operation one of this engine's operations
   */
  void await(Operation operation);

  /**
   * Blocks until at least one of the operations is complete.
   *
   * @param operations operations of this engine; null entries are ignored
   * @param length how many entries of the array count
   */
  void awaitAny(Operation[] operations, int length);

  /**
   * Blocks until the operation is complete or the time is over.
   *
   * @param operation one of this engine's operations
   * @param nanos how long to wait at most
   * @return true when complete
   */
  boolean awaitFor(Operation operation, long nanos);

  /**
   * Registers an operation: {@link Operation#advance} is called at each progress of this rank until it is complete.
   *
   * @param operation an operation made of others, such as a collective
   */
  void register(Operation operation);

  /**
   * Wakes the waiting threads of this rank after a thread of the program, not a message, has completed an operation
   * that they may wait for.
   */
  void wakeWaiters();

  /**
   * Returns whether a progress thread makes this rank's progress while the program computes.
   *
   * @return true when {@link RunSettings#PROGRESS} asks for it
   */
  boolean hasProgressThread();

  /**
   * Runs an action in the progress thread once the operation is complete, or at once when the job ends or the rank
   * leaves before that. Any number of operations may be watched, each by one action. The thread holds no lock then, and
   * makes no progress while the action runs.
   *
   * @param operation one of this engine's operations
   * @param action what to do; looks at {@link Operation#isDone} and throws nothing
   * @throws IllegalStateException when the rank has no progress thread
   */
  void whenDone(Operation operation, Runnable action);

  /**
   * Claims {@code count} context numbers that no communicator of this world has had before. Local: one fetch-and-add.
   *
   * @param count how many consecutive numbers
   * @return the first of them; they are multiples of {@link Channel#CONTEXTS}, one after the other
   */
  long claimContexts(int count);

  /**
   * Announces a channel before its first use: in its contexts, messages come from its
   * {@linkplain Channel#remote members} only. A receive from any source that only finalized or dead
   * members could satisfy is then an error. The engine does not keep the channel from being collected.
   *
   * @param channel a new channel
   */
  void opened(Channel channel);

  /**
   * Allocates zeroed memory that peers can read in place. Does not wait.
   *
   * @param bytes size, not negative
   * @param alignment power of two
   * @param arena lifetime of the memory, or null for automatic: freed after it has become unreachable
   * @return a native segment
   */
  MemorySegment allocateShared(long bytes, long alignment, Arena arena);

  /**
   * Allocates as {@link #allocateShared}, for the program: where memory is short, may ask the garbage collector for
   * unreachable blocks, and wait a bounded time for them.
   *
   * @param bytes size, not negative
   * @param alignment power of two
   * @param arena lifetime of the memory, or null for automatic: freed after it has become unreachable
   * @return a native segment
   */
  default MemorySegment allocateCollecting(long bytes, long alignment, Arena arena) {
    return allocateShared(bytes, alignment, arena);
  }

  /**
   * Returns the port through which ranks share structures in memory.
   *
   * @return the port, or null when this engine's peers share no memory
   */
  default SharedMemory sharedMemory() {
    return null;
  }

  /**
   * Returns the port through which this rank outlives others.
   *
   * @return the port, or null when the job ends with its first dead rank
   */
  default Survival survival() {
    return null;
  }

  /**
   * Returns the port through which this process meets those of other jobs.
   *
   * @return the port, or null when this engine has none
   */
  default Meetings meetings() {
    return null;
  }

  /**
   * Returns the port through which this rank reports how far its program is.
   *
   * @return the port, or null where no launcher shows it
   */
  default WorkReport workReport() {
    return null;
  }

  /**
   * Returns the port through which an observer of this engine chooses among complete operations.
   *
   * @return the port, or null when the first complete operation is taken
   */
  default Choices choices() {
    return null;
  }

  /**
   * Returns the port through which windows and files report their calls.
   *
   * @return the port, or null without an observer
   */
  default CallObserver observer() {
    return null;
  }

  /**
   * Watches a window whose ranks are about to use it. Collective: all ranks of the channel call, and it waits for them.
   *
   * @param channel the window's own channel
   * @param parts its memory
   * @return its watch, or null when windows are not watched
   */
  default WindowWatch watch(Channel channel, WindowWatch.Parts parts) {
    return null;
  }

  /**
   * Returns what keeps the lifetimes of this rank's objects.
   *
   * @return the lifetimes, or null unless everything is checked
   */
  default Lifetimes lifetimes() {
    return null;
  }

  /**
   * Called when a request ends whose operation has a {@linkplain Operation#mark mark}, before it is released.
   *
   * @param operation a complete operation
   */
  default void ended(Operation operation) {}

  /**
   * Returns by which protocol a message would travel now, in standard mode.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements
   * @param plan committed plan of the element type
   * @param peer destination
   * @return a word; empty when this engine has no protocols
   */
  default String protocol(int kind, Object owner, long offset, long count, Plan plan, int peer) {
    return "";
  }

  /**
   * Returns the messages of the program that have come and that no receive has matched, after some progress.
   *
   * @return their envelopes, in the order in which they have come; none where the engine does not know them
   */
  default List<LeftMessage> unreceived() {
    return List.of();
  }

  /**
   * Returns whether this rank has waited in a call for some tenths of a second.
   *
   * @return false also where the engine does not know
   */
  default boolean waits() {
    return false;
  }

  /**
   * Returns whether each peer has left, is leaving, or has waited in a call for some tenths of a second.
   *
   * @return false while one of them computes, or where the engine does not know
   */
  default boolean doAllOthersWait() {
    return false;
  }

  /**
   * Returns whether a peer has begun to finalize, or has left.
   *
   * @param peer a peer
   * @return false while it may receive, or where the engine does not know
   */
  default boolean isLeaving(int peer) {
    return false;
  }

  /**
   * Returns a number by which a process is known in all engines that it has.
   *
   * @param peer a peer that has joined
   * @return a number that no other process has
   */
  default long identity(int peer) {
    return peer;
  }

  /**
   * Returns whether a process of a meeting has entered it.
   *
   * @param peer its number there
   * @return true once it has, also after it has left again
   */
  default boolean hasJoined(int peer) {
    return true;
  }

  /**
   * Ends this rank because of an error, and no other: the others see that it has failed. In a process of its own the
   * process ends with {@code code} and the call does not return. Only where there is {@link #survival}.
   *
   * @param code exit code of the process; 0 is taken as 1
   * @param reason the reason, in one line
   */
  default void die(int code, String reason) {
    abort(code, reason);
  }

  /**
   * Returns the processors that this rank's first thread is bound to, or will be shortly.
   *
   * @return their numbers, as the kernel counts; empty when it may run wherever its process may
   */
  default int[] boundTo() {
    return new int[0];
  }

  /**
   * Returns the engine's name, version and host facts in one line, for {@code MPI_Get_library_version}.
   *
   * @return a description
   */
  String describe();

  /**
   * Marks that the error because of which this rank is about to end itself or the job has been printed, with its stack.
   * Without a launcher of ours, the reason is not printed again.
   */
  default void markFailurePrinted() {}

  /**
   * Ends the job (of threads: this world) because of an error: peers that wait get an error. In a process of its own
   * the process ends with {@code code} and the call does not return; in a world of threads it returns and every later
   * call of any rank that waits, or would have to wait, fails with ERR_PROC_ABORTED.
   *
   * @param code exit code for the job; 0 is taken as 1
   * @param reason the reason, in one line; it is printed once for the job
   */
  void abort(int code, String reason);

  /**
   * Blocks until all sends of this rank have left, abandoned ones included, or the job has ended.
   *
   * @param nanos how long at most; MAX_VALUE for no limit
   * @return false when the time was over first
   */
  boolean flush(long nanos);

  /**
   * Describes the sends that {@link #flush} would wait for: receiving rank, bytes and tag.
   *
   * @return the awaited event, in one line that follows "until"; empty for none
   */
  default String unsent() {
    return "";
  }

  /**
   * Records whether the program has stopped using MPI in this rank, by closing all that it had begun, or begins again.
   * A launcher can recognize a rank that is done by that.
   *
   * @param done true when nothing is open
   */
  default void done(boolean done) {}

  /**
   * Returns whether other ranks of the job use MPI, or may begin to, so that they could wait for this one.
   *
   * @return false when all others are {@linkplain #done done}, and without others
   */
  default boolean hasActivePeers() {
    return false;
  }

  /**
   * Blocks until nothing is under way at this rank in the contexts of a channel: no send, no posted receive and no
   * operation that has been {@linkplain #register registered}. Operations of other threads count. Returns also when
   * peers have departed, once that has ended the operations with them.
   *
   * @param channel a channel of this engine
   */
  void awaitQuiet(Channel channel);

  /**
   * Leaves the world: completes the sends of this rank, then publishes that it has left. Called once.
   *
   * @param failed true when the rank leaves because of an error; the job's exit code will not be 0
   */
  void leave(boolean failed);

  /**
   * Returns whether the failure of this rank is to be printed. All ranks of a job meet a shortage of its memory at
   * about the same time, and the first one reports it for all.
   *
   * @param failure the error that ends the job
   * @return false when another rank has reported the same
   */
  default boolean isNews(Throwable failure) {
    return true;
  }

  /**
   * Returns whether another rank of the job has already reported a failure with this stack; if none has, this rank
   * reports it.
   *
   * @param stack a hash of the stack, not 0
   * @return true when one line about it is enough
   */
  default boolean isRepeated(int stack) {
    return false;
  }

  /**
   * Names the thread that runs this rank, where another one has made the engine.
   *
   * @param thread the thread of the program
   */
  default void setThread(Thread thread) {}

  /**
   * Returns what the ranks of this world wait for, and why nothing moves. Waits are known when they have lasted for
   * some tenths of a second.
   *
   * @return whole lines for people to read; empty when this engine does not know
   */
  default String diagnosis() {
    return "";
  }

  /**
   * Returns why the world has ended early.
   *
   * @return the reason of an abort or a death, empty while all is well
   */
  Optional<String> endReason();
}
