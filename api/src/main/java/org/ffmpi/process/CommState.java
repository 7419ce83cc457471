// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Health;

/**
 * The state that all topics of one communicator share: its world, its channel, the engine, its error handler, and
 * whether it is still open. Requests and messages refer to it too. Any thread may use it.
 */
public final class CommState {
  /** The object behind a communicator, which has a state beside the calls of {@link Comm}. */
  public interface Holder {
    CommState state();

    /** Ends the use of a communicator that no program has seen yet. */
    void discard();
  }

  public final World world;
  public final Channel channel;
  public final Engine engine;
  private static final int CLOSED = 1;
  private static final int SURVIVES = 2;

  private final Comm comm;
  private volatile Errhandler<? super Comm> errhandler;
  private volatile CommHints hints = CommHints.NONE;

  /** The failures that this rank has seen; null in a job that ends with its first dead rank. */
  public final Health health;

  /** Bits for checks that calls have to make before they begin; mostly 0 in an open communicator. */
  private volatile int barriers;

  /**
   * Creates the state of a communicator that is open.
   *
   * @param comm the communicator that error handlers are given
   * @param errhandler the handler that it begins with
   */
  public CommState(Comm comm, World world, Channel channel, Errhandler<? super Comm> errhandler) {
    this.comm = comm;
    this.world = world;
    this.channel = channel;
    this.engine = channel.engine();
    this.errhandler = errhandler;
    this.health = channel.health();
    this.barriers = health == null ? 0 : SURVIVES;
  }

  /** Returns the state of a communicator. */
  public static CommState of(Comm comm) {
    return ((Holder) comm).state();
  }

  /** Returns the communicator of this state. */
  public Comm comm() {
    return comm;
  }

  // ---- errors

  /** Returns a reference to the error handler, as one more user of it. */
  public Errhandler<? super Comm> errhandler() {
    return ErrhandlerImpl.of(errhandler).reference();
  }

  public void setErrhandler(Errhandler<? super Comm> handler) {
    errhandler = handler;
  }

  /** Passes an error to the communicator's handler and returns the exception to throw. */
  public MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, comm, error);
  }

  /** Passes an exception of a call to the communicator's handler and returns the exception to throw. */
  public MpiException failed(RuntimeException thrown) {
    return raise(Failures.translate(thrown));
  }

  // ---- open or closed

  public boolean isClosed() {
    return (barriers & CLOSED) != 0;
  }

  /** Ends the use of the communicator in calls. Operations in flight continue. */
  public void close() {
    barriers = CLOSED;
  }

  /** Throws when no call on this communicator is allowed any more. */
  public void checkOpen() {
    world.checkOpen();
    if (barriers != 0) {
      checkNotClosed();
    }
  }

  private void checkNotClosed() {
    if (isClosed()) {
      throw world.raise(new MpiException(ErrorClass.ERR_COMM, "communicator: " + comm + " has been closed"));
    }
  }

  /** Throws when no communication on this communicator is allowed, or not in the calling thread at the moment. */
  public void checkCommunication() {
    if (barriers == 0 && world.isUsable()) {
      return;
    }
    checkUsable();
    if (barriers != 0) {
      health.survival().refresh();
      if (health.isRevoked()) {
        throw raise(health.error());
      }
    }
  }

  /** Throws when no communication between all members is allowed: as above, or because one of them has failed. */
  public void checkCollective() {
    if (barriers == 0 && world.isUsable()) {
      return;
    }
    checkUsable();
    if (barriers != 0) {
      health.survival().refresh();
      MpiException broken = health.collectiveError();
      if (broken != null) {
        throw raise(broken);
      }
    }
  }

  /** Throws when no call of this kind is allowed, on a communicator that may have been revoked. */
  public void checkUsable() {
    checkOpen();
    checkThread();
  }

  /**
   * Throws when communication that has begun cannot be ended, or not in the calling thread at the moment. The
   * communicator may have been closed since: pending operations continue (MPI-4.1 §7.4.3).
   */
  public void checkPending() {
    if (!world.isUsable()) {
      world.checkOpen();
      checkThread();
    }
  }

  private void checkThread() {
    MpiException refused = world.communicationError();
    if (refused != null) {
      throw raise(refused);
    }
  }

  // ---- hints

  public CommHints hints() {
    return hints;
  }

  public void setHints(CommHints given) {
    hints = given;
    channel.setExactLength(given.exactLength());
  }

  // ---- arguments

  /** Returns the error of a call whose status is null. */
  public MpiException noStatus() {
    return raise(MpiException.argument(ErrorClass.ERR_ARG, "into", null, "a Status; leave it out to ignore it"));
  }
}
