// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Matched;

/** The calls of {@link Comm} that look at messages before they are received. */
abstract sealed class ProbedMessages extends PointToPoint permits CombinedMessages {
  ProbedMessages(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  /**
   * Blocks until a message that matches is there and describes it without receiving it ({@code MPI_Probe}, MPI-4.1
   * §3.8.1).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return source, tag and length of the message
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender is
   *     gone
   */
  @Standard({"MPI_Probe"})
  public Status probe(int source, int tag) {
    return probe(source, tag, new Status());
  }

  /**
   * Blocks until a message that matches is there and describes it without receiving it ({@code MPI_Probe}, MPI-4.1
   * §3.8.1). Allocates nothing.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message
   * @return {@code into}
   * @throws MpiException as {@link #probe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Probe"})
  public Status probe(int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (isEnvelopeOfNobody(source, tag)) {
      return into.setNobody();
    }
    try {
      engine.probe(channel.peer(source), context, tag, into.envelope());
    } catch (RuntimeException e) {
      throw failed(e);
    }
    return into.received(channel, ErrorClass.SUCCESS);
  }

  /**
   * Looks for a message that matches, without blocking and without receiving it ({@code MPI_Iprobe}, MPI-4.1 §3.8.1). A
   * program that repeats the call will see a message that was sent.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return source, tag and length of the message; empty when there is none, also when the sender has finalized
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender
   *     has died
   */
  @Standard({"MPI_Iprobe"})
  public Optional<Status> iprobe(int source, int tag) {
    Status status = new Status();
    return iprobe(source, tag, status) ? Optional.of(status) : Optional.empty();
  }

  /**
   * Looks for a message that matches, without blocking and without receiving it ({@code MPI_Iprobe}, MPI-4.1 §3.8.1).
   * Allocates nothing.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length when the call returns true
   * @return true when there is such a message
   * @throws MpiException as {@link #iprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Iprobe"})
  public boolean iprobe(int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (isEnvelopeOfNobody(source, tag)) {
      into.setNobody();
      return true;
    }
    try {
      if (!engine.iprobe(channel.peer(source), context, tag, into.envelope())) {
        return false;
      }
    } catch (RuntimeException e) {
      throw failed(e);
    }
    into.received(channel, ErrorClass.SUCCESS);
    return true;
  }

  // ---- matched probes

  /**
   * Blocks until a message that matches is there and sets it apart, so that only the caller can receive it
   * ({@code MPI_Mprobe} without a status, MPI-4.1 §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the message, which has to be received
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender is
   *     gone
   */
  @Standard({"MPI_Mprobe"})
  public Message mprobe(int source, int tag) {
    return mprobe(source, tag, new Status());
  }

  /**
   * Blocks until a message that matches is there, sets it apart and describes it ({@code MPI_Mprobe}, MPI-4.1 §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message
   * @return the message, which has to be received
   * @throws MpiException as {@link #mprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Mprobe"})
  public Message mprobe(int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (isEnvelopeOfNobody(source, tag)) {
      into.setNobody();
      return Message.fromNobody(state);
    }
    try {
      Matched matched = engine.mprobe(channel.peer(source), context, tag, into.envelope());
      return Message.of(state, matched, into.received(channel, ErrorClass.SUCCESS));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * Looks for a message that matches, without blocking, and sets it apart ({@code MPI_Improbe} without a status,
   * MPI-4.1 §3.8.2). A program that repeats the call will get a message that was sent.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the message, which has to be received; empty when there is none
   * @throws MpiException as {@link #iprobe(int, int)}
   */
  @Standard({"MPI_Improbe"})
  public Optional<Message> improbe(int source, int tag) {
    return improbe(source, tag, new Status());
  }

  /**
   * Looks for a message that matches, without blocking, sets it apart and describes it ({@code MPI_Improbe}, MPI-4.1
   * §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length when there is a message, otherwise left as it is
   * @return the message, which has to be received; empty when there is none
   * @throws MpiException as {@link #iprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Improbe"})
  public Optional<Message> improbe(int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (isEnvelopeOfNobody(source, tag)) {
      into.setNobody();
      return Optional.of(Message.fromNobody(state));
    }
    try {
      Matched matched = engine.improbe(channel.peer(source), context, tag, into.envelope());
      return matched == null
          ? Optional.empty()
          : Optional.of(Message.of(state, matched, into.received(channel, ErrorClass.SUCCESS)));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }
}
