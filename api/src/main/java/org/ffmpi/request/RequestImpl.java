// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;

/**
 * The class behind {@link Request}, around an operation that runs. It is the request itself where an operation is
 * started once; the other kinds hold one of these and differ by their {@link RequestTraits}. Any thread may use it, one
 * at a time.
 *
 * <p>The request of a send that was complete when it started may stand for another one later, see {@link SentRequests}.
 * Its {@link #stage} holds whether it is active, and whether the program may still refer to it after its completion.
 *
 * <p>This file is long because all calls on one request are here, with the states that they share.
 */
public final class RequestImpl implements Request {
  private final World world;
  private final CommState comm;
  private final RequestKind kind;
  private final boolean persistent;

  /** An operation that is started once, or by the traits; {@link #operation} determines whether it is active. */
  private static final int ORDINARY = 0;
  /** A send that is over, and active. */
  private static final int SENT = 1;
  /** As {@link #SENT}, in a list that keeps its entries. */
  private static final int SENT_LISTED = 2;
  /** Inactive, and free for another send. */
  private static final int OVER = 3;
  /** Inactive for ever. */
  private static final int OVER_KEPT = 4;

  /** The kind of an active request among lifetimes, and that of a persistent one that can be started again. */
  private static final String REQUEST = "request";

  private static final String PERSISTENT = "persistent request";

  /** One word: the thread that starts another send and those that complete them do not synchronize otherwise. */
  private int stage;

  /** The running operation; null once complete, so that the buffer can be collected. */
  private Operation operation;
  /** The error of the operation that was completed last, or null. */
  private MpiException error;
  /** The result of {@link #toCompletableFuture} for the running operation, or null. */
  private CompletableFuture<Status> future;

  /** Null for an ordinary request. */
  private final RequestTraits traits;

  /** Creates the request of an operation that has been started. */
  public RequestImpl(CommState comm, RequestKind kind, Operation operation) {
    this(comm.world, comm, kind, operation, null);
  }

  /**
   * Creates a request.
   *
   * @param comm null when it belongs to no communicator
   * @param operation null when it begins inactive
   * @param traits its differences from an ordinary request, or null
   */
  public RequestImpl(World world, CommState comm, RequestKind kind, Operation operation, RequestTraits traits) {
    this.world = world;
    this.comm = comm;
    this.kind = kind;
    this.operation = operation;
    this.traits = traits;
    this.persistent = traits != null && traits.isPersistent();
    if (Lifetimes.kept && operation != null) {
      Lifetimes.made(this, REQUEST);
    }
  }

  /** Returns a new request of a complete send. */
  static RequestImpl sent(World world) {
    RequestImpl request = new RequestImpl(world, null, RequestKind.SEND, world.engine().completed(), null);
    request.stage = SENT;
    return request;
  }

  /** Returns a request of a send to {@code PROC_NULL}. */
  public static RequestImpl toNobody(CommState comm) {
    return new RequestImpl(comm, RequestKind.SEND, comm.world.engine().completed());
  }

  /** Returns a request of a receive from {@code PROC_NULL}. */
  public static RequestImpl fromNobody(CommState comm) {
    return new RequestImpl(comm, RequestKind.RECEIVE, ReceivedFromNobody.INSTANCE);
  }

  /** Returns the object behind a request: the request itself, or the one it holds. */
  public static RequestImpl of(Request request) {
    return request instanceof RequestImpl ordinary ? ordinary : ((RequestTraits) request).request();
  }

  // ---- one request

  @Standard({"MPI_Wait"})
  @Override
  public void await() {
    if (stage == SENT) {
      stage = OVER;
      return;
    }
    Operation running = operation();
    if (running != null) {
      if (!running.isDone()) {
        awaitOperation(running);
      }
      end(null);
      throwError();
    }
  }

  @Standard({"MPI_Wait"})
  @Override
  public Status await(Status into) {
    checkStatus(into);
    Operation running = operation();
    if (running == null) {
      return StatusAccess.setEmpty(into);
    }
    if (!running.isDone()) {
      awaitOperation(running);
    }
    end(into);
    throwError();
    return into;
  }

  @Standard({"MPI_Test"})
  @Override
  public boolean test() {
    Operation running = operation();
    if (running != null) {
      if (!testOperation(running)) {
        return false;
      }
      end(null);
      throwError();
    }
    return true;
  }

  @Standard({"MPI_Test"})
  @Override
  public boolean test(Status into) {
    checkStatus(into);
    Operation running = operation();
    if (running == null) {
      StatusAccess.setEmpty(into);
      return true;
    }
    if (!testOperation(running)) {
      return false;
    }
    end(into);
    throwError();
    return true;
  }

  @Standard({"MPI_Request_get_status"})
  @Override
  public boolean getStatus(Status into) {
    checkStatus(into);
    Operation running = operation();
    if (running == null) {
      StatusAccess.setEmpty(into);
      return true;
    }
    if (!testOperation(running)) {
      return false;
    }
    peekOne(running, into);
    return true;
  }

  @Standard({"MPI_Request_get_status"})
  @Override
  public Optional<Status> getStatus() {
    Operation running = operation();
    if (running != null && !testOperation(running)) {
      return Optional.empty();
    }
    Status status = new Status();
    if (running != null) {
      peek(running, status);
    }
    return Optional.of(status);
  }

  @Standard({"MPI_Cancel"})
  @Override
  public void cancel() {
    Operation running = operation();
    if (running == null) {
      world.checkOpen();
      throw raise(new MpiException(ErrorClass.ERR_REQUEST, "request: is not active, there is nothing to cancel"));
    }
    checkAllowed("cancelled");
    if (kind != RequestKind.GENERALIZED && running.isDone()) {
      forgive(running);
      return;
    }
    world.checkOpen();
    try {
      running.cancel();
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
    if (running.isDone()) {
      forgive(running); // another thread may have found out meanwhile that no sender is left
    }
  }

  @Override
  public boolean isActive() {
    return operation() != null;
  }

  /** A receive that is no longer wanted and finds no sender is not an error. */
  private void forgive(Operation ended) {
    if (kind == RequestKind.RECEIVE && ended.error() != null && !isMissed(ended.error())) {
      operation = CancelledReceive.INSTANCE;
    }
  }

  @Standard({"MPI_Request_free"})
  @Override
  public void close() {
    if (stage != ORDINARY) {
      endSent();
      return;
    }
    Operation running = operation;
    boolean held = running != null && world.isOpen();
    if (held) {
      checkAllowed("freed");
    }
    if (Lifetimes.kept) {
      checkInactive(held);
    }
    if (traits != null) {
      traits.onFree();
    }
    if (running != null) {
      operation = null;
    }
    if (held) {
      release(running);
    }
  }

  /**
   * Throws when a persistent request or a receive is active, where everything is checked: nothing could complete it any
   * more, or tell when its buffer may be used.
   */
  private void checkInactive(boolean active) {
    if (active && kind == RequestKind.RECEIVE && !persistent && world.isChecking()) {
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: is a receive that is freed before a wait or test has completed it: nothing tells when its buffer"
              + " may be used"));
    }
    if (active && persistent && world.isChecking()) {
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: is persistent, was started, and is freed before a wait or test has completed it"));
    }
    Lifetimes.freed(this);
  }

  @Override
  public CompletableFuture<Status> toCompletableFuture() {
    world.checkOpen();
    if (!engine().hasProgressThread()) {
      throw raise(new MpiException(
          ErrorClass.ERR_OTHER, "a future needs the progress thread: set " + RunSettings.PROGRESS.name() + "=thread"));
    }
    CompletableFuture<Status> asked = future;
    if (asked == null) {
      Operation running = operation();
      asked = Futures.of(this, running);
      future = running == null || stage != ORDINARY ? null : asked;
      markListed(); // the program may leave it at that
    }
    return asked;
  }

  // ---- for the other rooms

  /** Returns the world that the request belongs to. */
  public World world() {
    return world;
  }

  /** Returns the engine that moves the operation. */
  Engine engine() {
    return comm == null ? world.engine() : comm.engine;
  }

  /** Returns the communicator that it came from, or null. */
  public Comm communicator() {
    return comm == null ? null : comm.comm();
  }

  /** Returns the operation that has been started and not completed, or null. */
  public Operation operation() {
    if (stage >= OVER) {
      stage = OVER_KEPT; // the caller still refers to it
      return null;
    }
    return operation;
  }

  /** Returns the error with which the operation has ended that was completed last, or null. */
  public MpiException error() {
    return error;
  }

  /** Passes an error to the handler of the communicator that the request came from, or of its window. */
  public MpiException raise(MpiException reason) {
    return comm != null ? comm.raise(reason) : traits == null ? world.raise(reason) : traits.raise(world, reason);
  }

  /** Returns whether the request stays in its list when it has become inactive, to be started again. */
  public boolean isPersistent() {
    return persistent;
  }

  /** Returns whether a wait or test has completed this request, or is about to, where the program performs it. */
  boolean isFinished() {
    return traits instanceof GrequestImpl generalized && generalized.isFinished();
  }

  /** Makes this request active again. */
  void begin(Operation started) {
    operation = started;
    if (Lifetimes.kept) {
      Lifetimes.made(this, REQUEST);
    }
  }

  /** Notes, where lifetimes are kept, that this request can be started until it is freed. */
  void keep() {
    if (Lifetimes.kept) {
      Lifetimes.made(this, PERSISTENT);
    }
  }

  /** Notes that the program has a future of the operation, which is complete: it need not wait for the request. */
  void completedByFuture() {
    if (Lifetimes.kept && !persistent && kind != RequestKind.GENERALIZED) {
      Lifetimes.freed(this);
    }
  }

  /** Notes that no operation has to be completed. */
  private void forget() {
    if (persistent) {
      keep();
    } else {
      Lifetimes.freed(this);
    }
  }

  /** Throws when a request of this kind cannot be {@code what} while it is active, for the sake of the other ranks. */
  private void checkAllowed(String what) {
    if (kind.isBinding()) {
      world.checkOpen();
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: of a " + kind.text() + " operation, which cannot be " + what
              + " until a wait or test has completed it"));
    }
  }

  /** Lets an operation continue for which no thread will wait. */
  private void release(Operation running) {
    if (traits != null && traits.release()) {
      return;
    }
    if (!running.isDone()) {
      running.abandon(this::onOrphanFailed);
    } else if (running.error() != null && isMissed(running.error())) {
      throw raise(running.error());
    }
  }

  /**
   * Passes the error of an operation for which no thread waits to the handler, in a thread of its own: the caller may
   * hold locks of the engine.
   */
  private void onOrphanFailed(MpiException failure) {
    if (world.isOpen() && isMissed(failure)) {
      Thread.ofPlatform().daemon().name("ffmpi-orphan").start(() -> raise(failure));
    }
  }

  /** Returns whether the error of an abandoned operation matters; that of a receive without a sender does not. */
  private boolean isMissed(MpiException failure) {
    return kind != RequestKind.RECEIVE || !failure.errorClass().isOfEnd();
  }

  // ---- sends that were over when they started

  /** Makes this request stand for another send and returns true, if it is free for that. */
  boolean beginsAnew() {
    if (stage != OVER) {
      return false;
    }
    stage = SENT;
    return true;
  }

  /** Returns whether the program has yet to complete this request. */
  boolean isUncompleted() {
    return stage == SENT;
  }

  /** Marks that this request stays in a list of the program, which is used again after its completion. */
  void markListed() {
    if (stage == SENT) {
      stage = SENT_LISTED;
    } else if (stage == OVER) {
      stage = OVER_KEPT;
    }
  }

  private void endSent() {
    stage = stage == SENT ? OVER : OVER_KEPT;
  }

  // ---- ends

  /**
   * Completes the request: releases the ended operation, keeps its error, and fills in the status of the program, if
   * it wants one, except the error (MPI-4.1 §3.2.5).
   */
  void end(Status into) {
    if (stage != ORDINARY) {
      endSent();
      receivedNothing(into);
      return;
    }
    Operation ended = operation;
    operation = null;
    if (ended == null) {
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: another thread has completed it; allowed is one thread at a time that waits for a request"));
    }
    if (ended.mark() != 0) {
      engine().ended(ended);
    }
    if (Lifetimes.kept) {
      forget();
    }
    if (traits != null && traits.hasStatus() || future != null) {
      endWithResult(ended, into);
      return;
    }
    finish(ended, into);
    ended.release();
  }

  /** Completes a request that knows its status itself, or has a future, which keeps one. */
  private void endWithResult(Operation ended, Status into) {
    Status result = new Status();
    if (traits != null && traits.hasStatus()) {
      error = traits.finish(result);
    } else {
      finish(ended, result);
    }
    if (into != null) {
      StatusAccess.set(into, result.source(), result.tag(), result.bytes(), result.isCancelled());
    }
    if (future != null) {
      Futures.completeLater(future, result, error);
      future = null; // the progress thread still uses the operation
    } else {
      ended.release();
    }
  }

  private void finish(Operation ended, Status into) {
    error = ended.error();
    if (error != null) {
      operation = SurvivingReceive.resume(ended);
    }
    if (comm == null) {
      receivedNothing(into);
    } else if (into != null) {
      ended.envelope(StatusAccess.envelope(into));
      StatusAccess.received(into, comm.channel);
    }
  }

  private static void receivedNothing(Status into) {
    if (into != null) {
      StatusAccess.set(into, Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false);
    }
  }

  /** Fills in the result of an operation, and leaves the request unchanged; returns the error, or null. */
  MpiException peek(Operation ended, Status into) {
    if (ended == world.engine().completed()) {
      StatusAccess.setEmpty(into);
      return null;
    }
    if (traits != null && traits.hasStatus()) {
      return traits.peek(into);
    }
    MpiException failure = ended.error();
    ErrorClass result = failure == null ? ErrorClass.SUCCESS : failure.errorClass();
    if (comm == null) {
      StatusAccess.setEmpty(into).setError(result); // of no communicator: it receives nothing
    } else {
      ended.envelope(StatusAccess.envelope(into));
      StatusAccess.received(into, comm.channel).setError(result);
    }
    return failure;
  }

  /** Fills in the result of one operation as {@link #peek} does, except the error (MPI-4.1 §3.2.5). */
  void peekOne(Operation ended, Status into) {
    ErrorClass before = into.error();
    peek(ended, into);
    into.setError(before);
  }

  private void awaitOperation(Operation running) {
    if (!world.isUsable()) {
      world.checkCommunication();
    }
    try {
      engine().await(running);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private boolean testOperation(Operation running) {
    if (running.isDone() && !world.isChoosing()) {
      return true;
    }
    if (!world.isUsable()) {
      world.checkCommunication();
    }
    try {
      return engine().test(running);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private void throwError() {
    if (error != null) {
      throw raise(error);
    }
  }

  private void checkStatus(Status into) {
    if (into == null) {
      throw raise(RequestLists.noStatus());
    }
  }

  @Override
  public String toString() {
    if (operation == null || stage >= OVER) {
      return "Request[inactive]";
    }
    return operation.isDone() ? "Request[complete]" : "Request[in flight]";
  }
}
