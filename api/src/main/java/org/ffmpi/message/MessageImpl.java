// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Codec;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.port.ObjectProvider;
import org.ffmpi.process.CommState;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/** A message that a matched probe has removed from matching. It can be received once, by any thread. */
public final class MessageImpl implements Message {
  private final CommState comm;
  private final int source;
  private final int tag;
  private final long bytes;
  private final boolean noProc;
  /** Null once the message has been received. */
  private final AtomicReference<Matched> matched;

  private MessageImpl(CommState comm, Matched matched, Status found, boolean noProc) {
    this.comm = comm;
    this.matched = new AtomicReference<>(matched);
    if (Lifetimes.kept && matched != null) {
      Lifetimes.made(this, "message");
    }
    this.source = found.source();
    this.tag = found.tag();
    this.bytes = found.bytes();
    this.noProc = noProc;
  }

  /** Returns the message that an engine has matched; the status describes it. */
  static MessageImpl of(CommState comm, Matched matched, Status found) {
    return new MessageImpl(comm, matched, found, false);
  }

  /** Returns the message of a probe of {@code PROC_NULL}. */
  static MessageImpl fromNobody(CommState comm) {
    return new MessageImpl(comm, null, StatusAccess.setNobody(new Status()), true);
  }

  /** Returns the communicator that it was found on. */
  public Comm communicator() {
    return comm.comm();
  }

  @Override
  public Status status() {
    return StatusAccess.set(new Status(), source, tag, bytes, false);
  }

  @Standard({"MPI_MESSAGE_NO_PROC"})
  @Override
  public boolean isNoProc() {
    return noProc;
  }

  @Standard({"MPI_MESSAGE_NULL"})
  @Override
  public boolean isConsumed() {
    return !noProc && matched.get() == null;
  }

  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  @Override
  public void mrecv(Buf<?> buf) {
    imrecv(buf).await();
  }

  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  @Override
  public Status mrecv(Buf<?> buf, Status into) {
    if (into == null) {
      throw comm.noStatus();
    }
    return imrecv(buf).await(into);
  }

  @Standard({"MPI_Imrecv", "MPI_Imrecv_c"})
  @Override
  public Request imrecv(Buf<?> buf) {
    comm.checkPending();
    EnvelopeChecks.checkMemory(comm, buf, true);
    if (noProc) {
      return RequestImpl.fromNobody(comm);
    }
    Matched found = matched.getAndSet(null);
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
    if (found == null) {
      throw comm.raise(new MpiException(
          ErrorClass.ERR_REQUEST, "message: has been received already, each can be received once"));
    }
    try {
      Operation operation = HeldOperation.start(
          comm.world,
          () -> comm.engine.imrecv(
              found, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
              buf.count(), BufImpl.of(buf).plan()),
          BufUses.receiving(buf));
      return new RequestImpl(comm, RequestKind.RECEIVE, operation);
    } catch (RuntimeException e) {
      matched.set(found); // nothing of it has been received
      throw comm.failed(e);
    }
  }

  @Override
  public <T> T mrecvObject(Codec<T> codec) {
    return ObjectProvider.get().of(comm).mrecvObject(this, codec);
  }

  @Override
  public String toString() {
    if (noProc) {
      return "Message[from PROC_NULL]";
    }
    return "Message[source=" + source + ", tag=" + tag + ", bytes=" + bytes + (isConsumed() ? ", received]" : "]");
  }
}
