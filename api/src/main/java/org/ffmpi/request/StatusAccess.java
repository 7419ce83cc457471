// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.Status;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Envelope;

/** Fills in statuses, through hidden methods of {@link Status} that it registers here. */
public abstract class StatusAccess {
  private static StatusAccess status;

  /** Creates the access of {@link Status}. */
  protected StatusAccess() {}

  /** Called once, when {@link Status} is initialized. */
  public static void register(StatusAccess access) {
    status = access;
  }

  /** Returns the envelope for an engine to fill in; {@link #received} has to follow. */
  public static Envelope envelope(Status into) {
    return status.envelopeOf(into);
  }

  /** Copies the envelope that the engine has filled in. The error stays unchanged (MPI-4.1 §3.2.5). */
  public static Status received(Status into, Channel channel) {
    return status.setReceived(into, channel);
  }

  /** Sets all fields but the error. */
  public static Status set(Status into, int source, int tag, long bytes, boolean cancelled) {
    return status.setMessage(into, source, tag, bytes, cancelled);
  }

  /** Makes this the status of a call that had nothing to do. */
  public static Status setEmpty(Status into) {
    return status.setNothing(into);
  }

  /** Makes this the status of a receive from {@code PROC_NULL}. The error stays unchanged. */
  public static Status setNobody(Status into) {
    return status.setNoSender(into);
  }

  /** See {@link #envelope}. */
  protected abstract Envelope envelopeOf(Status into);

  /** See {@link #received}. */
  protected abstract Status setReceived(Status into, Channel channel);

  /** See {@link #set}. */
  protected abstract Status setMessage(Status into, int source, int tag, long bytes, boolean cancelled);

  /** See {@link #setEmpty}. */
  protected abstract Status setNothing(Status into);

  /** See {@link #setNobody}. */
  protected abstract Status setNoSender(Status into);
}
