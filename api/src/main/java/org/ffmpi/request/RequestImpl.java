// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.concurrent.CompletableFuture;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.communicator.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;

/**
 * The requests of {@link Request}: an operation that runs, and how the last one ended. It is the request itself where
 * an operation is started once; the other kinds hold one of these and say in their {@link RequestTraits} what they do
 * otherwise. May be used by any thread, by one at a time.
 */
public final class RequestImpl implements Request {
  private final World world;
  private final CommState comm;
  private final RequestKind kind;
  private final boolean persistent;
  /** What still runs; null once complete, so that the buffer is not kept from being collected. */
  private Operation operation;
  /** How the operation ended that was completed last: in fields, which cost no further object. */
  private int source = Constants.ANY_SOURCE;
  private int tag = Constants.ANY_TAG;
  private long bytes;
  private boolean cancelled;
  private ErrorClass how = ErrorClass.SUCCESS;
  private MpiException error;
  /** What {@link #toCompletableFuture} has returned for the operation that runs, or null. */
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
   * @param traits what it does otherwise than an ordinary request; null for nothing
   */
  public RequestImpl(World world, CommState comm, RequestKind kind, Operation operation, RequestTraits traits) {
    this.world = world;
    this.comm = comm;
    this.kind = kind;
    this.operation = operation;
    this.traits = traits;
    this.persistent = traits != null && traits.isPersistent();
  }

  /** Returns the one request of all sends of a world that are over when they start. */
  public static RequestImpl sent(World world, Operation completed) {
    return new RequestImpl(world, null, RequestKind.SHARED, completed, null);
  }

  /** Returns a request of a send to {@code PROC_NULL}. */
  public static RequestImpl toNobody(CommState comm) {
    return new RequestImpl(comm, RequestKind.SEND, comm.world.engine().completed());
  }

  /** Returns a request of a receive from {@code PROC_NULL}. */
  public static RequestImpl fromNobody(CommState comm) {
    return new RequestImpl(comm, RequestKind.RECEIVE, ReceivedFromNobody.INSTANCE);
  }

  /** Returns what stands behind a request: the request itself, or what it holds. */
  public static RequestImpl of(Request request) {
    return request instanceof RequestImpl ordinary ? ordinary : ((RequestTraits) request).request();
  }

  // ---- one request

  /** Blocks until the operation is complete and ends it, see {@link #await()}. */
  public void complete() {
    Operation running = operation;
    if (running != null) {
      if (!running.isDone()) {
        awaitOperation(running);
      }
      end();
    } else if (persistent) {
      return;
    }
    throwError();
  }

  /** Blocks until the operation is complete, ends it and fills in its status, see {@link #await(Status)}. */
  public Status complete(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running != null) {
      if (!running.isDone()) {
        awaitOperation(running);
      }
      end();
    } else if (persistent) {
      return StatusAccess.setEmpty(into);
    }
    status(into);
    throwError();
    return into;
  }

  /** Ends the operation if it is complete, see {@link #test()}. */
  public boolean completeIfDone() {
    Operation running = operation;
    if (running != null) {
      if (!testOperation(running)) {
        return false;
      }
      end();
    } else if (persistent) {
      return true;
    }
    throwError();
    return true;
  }

  /** Ends the operation if it is complete and fills in its status, see {@link #test(Status)}. */
  public boolean completeIfDone(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running != null) {
      if (!testOperation(running)) {
        return false;
      }
      end();
    } else if (persistent) {
      StatusAccess.setEmpty(into);
      return true;
    }
    status(into);
    throwError();
    return true;
  }

  /** Fills in the status of the operation if it is complete, see {@link #getStatus(Status)}. */
  public boolean lookIfDone(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running == null) {
      inactive(into);
      return true;
    }
    if (!testOperation(running)) {
      return false;
    }
    look(running, into);
    return true;
  }

  /** Asks to cancel the operation, see {@link #cancel}. */
  public void startCancel() {
    Operation running = operation;
    if (running == null) {
      world.checkOpen();
      throw raise(new MpiException(ErrorClass.ERR_REQUEST, "request: is not active, there is nothing to cancel"));
    }
    if (kind != RequestKind.GENERALIZED && running.isDone()) {
      forgive(running);
      return;
    }
    world.checkOpen();
    checkAllowed("cancelled");
    try {
      running.cancel();
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
    if (running.isDone()) {
      forgive(running); // another thread may have found out meanwhile that no sender is left
    }
  }

  /** A receive that is no longer wanted and finds no sender is no error. */
  private void forgive(Operation ended) {
    if (kind == RequestKind.RECEIVE && ended.error() != null && !isMissed(ended.error())) {
      operation = CancelledReceive.INSTANCE;
    }
  }

  /** Frees the request, see {@link #close}. */
  public void free() {
    Operation running = kind == RequestKind.SHARED ? null : operation;
    boolean held = running != null && world.isOpen();
    if (held && !running.isDone()) {
      checkAllowed("freed");
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

  /** Returns a future of the status, see {@link #toCompletableFuture}. */
  public CompletableFuture<Status> future() {
    world.checkOpen();
    if (!world.engine().hasProgressThread()) {
      throw raise(new MpiException(
          ErrorClass.ERR_OTHER, "a future needs the progress thread: set " + RunSettings.PROGRESS.name() + "=thread"));
    }
    CompletableFuture<Status> asked = future;
    if (asked == null) {
      asked = Futures.of(this, operation);
      future = operation == null || kind == RequestKind.SHARED ? null : asked;
    }
    return asked;
  }

  // ---- for the other rooms

  /** Returns the world whose engine moves the operation. */
  public World world() {
    return world;
  }

  /** Returns the communicator that it came from, or null. */
  public Comm communicator() {
    return comm == null ? null : comm.comm();
  }

  /** Returns what still runs, or null. */
  public Operation operation() {
    return operation;
  }

  /** Returns the error with which the last operation has ended, or null. */
  public MpiException error() {
    return error;
  }

  /** Puts an error through the handler of the communicator that the request came from. */
  public MpiException raise(MpiException reason) {
    return comm == null ? world.raise(reason) : comm.raise(reason);
  }

  /** Whether the request stays where it is when it has become inactive, to be started again. */
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
  }

  /** Returns why this request cannot be {@code what} while its operation is in flight, or null. */
  private MpiException refusal(String what) {
    if (kind == RequestKind.COLLECTIVE) {
      return new MpiException(
          ErrorClass.ERR_REQUEST, "request: a collective operation in flight cannot be " + what);
    }
    return traits == null ? null : traits.refusal(operation, what);
  }

  private void checkAllowed(String what) {
    MpiException refused = refusal(what);
    if (refused != null) {
      throw raise(refused);
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

  /** Whether the error of an abandoned operation matters: not when a receive can find no sender any more. */
  private boolean isMissed(MpiException failure) {
    return kind != RequestKind.RECEIVE || failure.errorClass() != ErrorClass.ERR_PROC_ABORTED;
  }

  /** Takes over the result of the operation, which has ended, and lets go of it. */
  void end() {
    if (kind == RequestKind.SHARED) {
      return;
    }
    Operation ended = operation;
    operation = null;
    if (ended == world.engine().completed()) {
      keepEmpty();
    } else {
      keep(ended);
      if (future == null) {
        world.engine().release(ended); // otherwise the progress thread still looks at it
      }
    }
    if (future != null) {
      Futures.settleLater(future, status(new Status()), error);
      future = null;
    }
  }

  private void keepEmpty() {
    keep(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false, null);
  }

  private void keep(Operation ended) {
    if (traits != null && traits.hasStatus()) {
      Status status = new Status();
      MpiException failure = traits.finish(status);
      keep(status.source(), status.tag(), status.bytes(), status.isCancelled(), failure);
      how = status.error();
    } else if (comm == null) {
      keep(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false, ended.error()); // it receives nothing
    } else {
      Envelope envelope = new Envelope(); // which the compiler does without, if all of this is inlined
      ended.envelope(envelope);
      keep(comm.channel.rankOf(envelope.peer()), envelope.tag(), envelope.bytes(), envelope.cancelled(), ended.error());
    }
  }

  private void keep(int from, int withTag, long length, boolean isCancelled, MpiException failure) {
    source = from;
    tag = withTag;
    bytes = length;
    cancelled = isCancelled;
    error = failure;
    how = failure == null ? ErrorClass.SUCCESS : failure.errorClass();
  }

  /** Fills in how an operation ended, and leaves the request as it is; returns the error, or null. */
  MpiException look(Operation ended, Status into) {
    if (ended == world.engine().completed()) {
      StatusAccess.setEmpty(into);
      return null;
    }
    if (traits != null && traits.hasStatus()) {
      return traits.look(into);
    }
    MpiException failure = ended.error();
    ErrorClass result = failure == null ? ErrorClass.SUCCESS : failure.errorClass();
    if (comm == null) {
      StatusAccess.setEmpty(into).setError(result); // of no communicator: it receives nothing
    } else {
      ended.envelope(StatusAccess.envelope(into));
      StatusAccess.received(into, comm.channel, result);
    }
    return failure;
  }

  /** Fills in the status of a request that has just been completed. */
  Status status(Status into) {
    return StatusAccess.set(into, source, tag, bytes, cancelled, how);
  }

  /** Fills in the status of an inactive request. */
  Status inactive(Status into) {
    return persistent ? StatusAccess.setEmpty(into) : status(into);
  }

  private void awaitOperation(Operation running) {
    world.checkCommunication();
    try {
      world.engine().await(running);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private boolean testOperation(Operation running) {
    if (running.isDone()) {
      return true;
    }
    world.checkCommunication();
    try {
      return world.engine().test(running);
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
    if (operation != null) {
      return operation.isDone() ? "Request[complete]" : "Request[in flight]";
    }
    return "Request[" + inactive(new Status()) + "]";
  }
}
