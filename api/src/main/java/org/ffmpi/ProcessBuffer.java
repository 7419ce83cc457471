// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;

/** The calls of {@link Mpi} on the buffer that all communicators of the process use in buffered mode. */
abstract sealed class ProcessBuffer extends ErrorCalls permits Mpi {
  ProcessBuffer(World world) {
    super(world);
  }

  /**
   * Gives the process a buffer for messages in buffered mode ({@code MPI_Buffer_attach}, MPI-4.1 §3.6), for all
   * communicators that have none of their own. Local. Its size has to allow for all messages that are to be in it at a
   * time: the bytes of each as {@link Packer#size} tells them, and {@code BSEND_OVERHEAD} each.
   *
   * {@snippet :
   * mpi.bufferAttach(Buf.of(new byte[1 << 20]));
   * mpi.world().bsend(Buf.of(data), 1, 7);        // returns at once
   * mpi.bufferDetach();                           // blocks until it has left
   * }
   *
   * @param buf elements without gaps, of any type and alignment, in an array other than {@code boolean[]}, an NIO
   *     buffer or a segment that any thread may touch; not to be touched until it is detached. Or
   *     {@link Buf#automatic}: then memory is taken as it is needed
   * @throws MpiException ERR_BUFFER when a buffer is attached already, or this one is null, has gaps, is read-only, of
   *     a confined or closed arena or a {@code boolean[]}; ERR_TYPE when its type is not committed; ERR_OTHER after
   *     finalize
   */
  @Standard({"MPI_Buffer_attach", "MPI_Buffer_attach_c"})
  public void bufferAttach(Buf<?> buf) {
    try {
      world.processBuffer().attach(buf);
    } catch (MpiException e) {
      throw world.raise(e);
    }
  }

  /**
   * Takes the process's buffer back ({@code MPI_Buffer_detach}, MPI-4.1 §3.6). Blocks until all messages in it have
   * left; finalizing does the same.
   *
   * @return the buffer that was attached
   * @throws MpiException ERR_BUFFER when none is attached, ERR_OTHER after finalize; what went wrong with messages that
   *     could not be delivered, for example ERR_PROC_ABORTED when the receiver is gone: the buffer is detached then,
   *     too
   */
  @Standard({"MPI_Buffer_detach", "MPI_Buffer_detach_c"})
  public Buf<?> bufferDetach() {
    try {
      return world.processBuffer().detach();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  /**
   * Blocks until all messages in the process's buffer have left ({@code MPI_Buffer_flush}, MPI-4.1 §3.6). Without a
   * buffer there is nothing to do.
   *
   * @throws MpiException what went wrong with messages that could not be delivered, for example ERR_PROC_ABORTED when
   *     the receiver is gone; ERR_OTHER after finalize
   */
  @Standard({"MPI_Buffer_flush"})
  public void bufferFlush() {
    try {
      world.processBuffer().flush();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  /**
   * Returns a request for the moment when all messages have left that are in the process's buffer now
   * ({@code MPI_Buffer_iflush}, MPI-4.1 §3.6). Does not block.
   *
   * @return the request, which fails as {@link #bufferFlush}; it cannot be cancelled
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Buffer_iflush"})
  public Request bufferIflush() {
    try {
      Operation flush = world.processBuffer().iflush();
      return flush == world.engine().completed()
          ? world.sent()
          : new Request(world, null, Request.Kind.SEND, false, flush);
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }
}
