// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;

/** The calls of {@link Comm} that send and receive in one. */
abstract sealed class CombinedMessages extends ProbedMessages permits BufferedMessages {
  CombinedMessages(World world, Channel channel) {
    super(world, channel);
  }

  /**
   * Sends one message and receives another, blocking until both are done ({@code MPI_Sendrecv}, MPI-4.1 §3.10). Cannot
   * deadlock when all ranks of a chain or ring call it.
   *
   * @param send elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill; no byte of it may belong to {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @throws MpiException as {@link #send(Buf, int, int)} and {@link #recv(Buf, int, int)}
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  public void sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag) {
    sendrecv(send, dest, sendTag, recv, source, recvTag, new Status());
  }

  /**
   * Sends one message and receives another, blocking until both are done, and tells what came ({@code MPI_Sendrecv},
   * MPI-4.1 §3.10).
   *
   * @param send elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill; no byte of it may belong to {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message received
   * @return {@code into}
   * @throws MpiException as {@link #send(Buf, int, int)} and {@link #recv(Buf, int, int)}; ERR_BUFFER when the buffers
   *     overlap, ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  public Status sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    boolean toNobody = isSendToNobody(send, dest, sendTag); // checked before anything is started
    if (!toNobody && !isReceiveFromNobody(recv, source, recvTag) && send.overlaps(recv)) {
      throw raise(MpiException.argument(ErrorClass.ERR_BUFFER, "recv", recv, "memory that does not overlap " + send));
    }
    Request incoming = irecv(recv, source, recvTag);
    try {
      if (!toNobody) {
        engine.send(Engine.STANDARD, send.memoryKind(), send.memoryOwner(), send.memoryOffset(), send.count(),
            send.plan(), channel.peer(dest), context, sendTag);
      }
    } catch (RuntimeException e) {
      MpiException error = Failures.translate(e);
      MpiException stuck = RequestLists.abandon(world, List.of(incoming));
      if (stuck != null) {
        error.addSuppressed(stuck);
      }
      throw raise(error);
    }
    return incoming.await(into);
  }
}
