// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.Operation;

/**
 * A receive from any source in a job that outlives its dead. It reports an unacknowledged failure, since the rank that
 * failed may have been about to send. The receive itself stays posted, and the request active; for calls without a
 * request it is cancelled.
 */
public final class SurvivingReceive extends GatedOperation {
  private final Operation receive;
  private final Health health;
  private final boolean once;

  private SurvivingReceive(Operation receive, Health health, boolean once) {
    this.receive = receive;
    this.health = health;
    this.once = once;
  }

  /**
   * Returns the wrapper of a receive that has been started.
   *
   * @param health of its channel
   * @param once whether the receive is cancelled when it reports a failure
   */
  public static Operation of(Operation receive, Health health, boolean once) {
    SurvivingReceive made = new SurvivingReceive(receive, health, once);
    receive.parent(made);
    made.open();
    made.advance();
    return made;
  }

  /** Makes the operation pending again after it has reported a failure, if the receive is still posted. */
  static Operation resume(Operation ended) {
    if (!(ended instanceof SurvivingReceive reported)
        || reported.error().errorClass() != ErrorClass.ERR_PROC_FAILED_PENDING) {
      return null;
    }
    reported.renew();
    reported.open();
    return reported;
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    do {
      if (receive.isDone() || receive.advance() && receive.isDone()) {
        close();
        if (receive.error() != null) {
          fail(receive.error());
        } else {
          complete();
        }
        return true;
      }
      if (health.isUnacknowledged() && (!once || receive.cancel())) {
        MpiException error = health.anySourceError(
            once ? ErrorClass.ERR_PROC_FAILED : ErrorClass.ERR_PROC_FAILED_PENDING);
        close();
        fail(error);
        return true;
      }
    } while (!leave());
    return false;
  }

  /** No call will check it any more: only the receive itself continues. */
  @Override
  public void abandon(Consumer<MpiException> onError) {
    receive.abandon(onError);
  }

  @Override
  public void envelope(Envelope into) {
    if (receive.isDone()) {
      receive.envelope(into);
    } else {
      into.clear();
    }
  }

  @Override
  public boolean cancel() {
    boolean cancelled = receive.cancel();
    advance();
    return cancelled;
  }
}
