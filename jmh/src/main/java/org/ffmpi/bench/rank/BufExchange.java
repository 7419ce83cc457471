// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Persistent;
import org.ffmpi.datatype.Datatype;

/** Exchange of {@link Buf}s over native memory (private, shared or mapped), or over {@code byte[]}. */
final class BufExchange extends Exchange {
  private static final byte WIPED = (byte) 0xEE;

  private final long bytes;
  private final long stride;
  private final Buf<?>[] send;
  private final Buf<?> receive;
  /** The memory of the receive buffer, checked outside of all timing. */
  private final MemorySegment received;
  /** The memory of the send buffers; null where they are {@link #arrays}. */
  private final MemorySegment block;
  private final byte[][] arrays;

  /** Uses the beginnings of two native blocks, which later points use again. */
  BufExchange(IntraComm world, Work work, MemorySegment sendBlock, MemorySegment receiveBlock) {
    super(world, work);
    bytes = work.bytes();
    stride = stride(bytes);
    block = sendBlock;
    arrays = null;
    send = new Buf<?>[buffers];
    for (int j = 0; j < buffers; j++) {
      send[j] = Buf.of(sendBlock.asSlice(j * stride, bytes), bytes, Datatype.BYTE);
    }
    received = receiveBlock.asSlice(0, bytes);
    receive = Buf.of(received, bytes, Datatype.BYTE);
    // Not by refresh(0): the block may be mapped, a class of segment that would spoil the store loop for the others.
    sendBlock.asSlice(0, bytes).fill((byte) 1);
  }

  /** Makes arrays of its own. */
  BufExchange(IntraComm world, Work work) {
    super(world, work);
    bytes = work.bytes();
    stride = 0;
    block = null;
    arrays = new byte[buffers][Math.toIntExact(bytes)];
    send = new Buf<?>[buffers];
    for (int j = 0; j < buffers; j++) {
      send[j] = Buf.of(arrays[j]);
    }
    byte[] array = new byte[Math.toIntExact(bytes)];
    received = MemorySegment.ofArray(array);
    receive = Buf.of(array);
    refresh(0);
  }

  @Override
  void refresh(int buffer) {
    if (block != null) {
      Refresh.segment(block, buffer * stride, bytes);
    } else {
      Refresh.bytes(arrays[buffer]);
    }
  }

  @Override
  void latency(long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        if (dirty) {
          refresh(0);
        }
        world.send(send[0], 1, DATA_TAG);
        world.recv(receive, 1, DATA_TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, 0, DATA_TAG);
        if (dirty) {
          refresh(0);
        }
        world.send(send[0], 0, DATA_TAG);
      }
    }
  }

  @Override
  void nonblocking(long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        world.isend(send[0], 1, DATA_TAG).await();
        world.recv(receive, 1, DATA_TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, 0, DATA_TAG);
        world.isend(send[0], 0, DATA_TAG).await();
      }
    }
  }

  @Override
  void persistent(long iterations) {
    try (Persistent sending = world.sendInit(send[0], 1 - rank, DATA_TAG)) {
      if (rank == 0) {
        for (long i = 0; i < iterations; i++) {
          sending.start();
          sending.await();
          world.recv(receive, 1, DATA_TAG);
        }
      } else {
        for (long i = 0; i < iterations; i++) {
          world.recv(receive, 0, DATA_TAG);
          sending.start();
          sending.await();
        }
      }
    }
  }

  @Override
  void startSends(int peer) {
    for (int j = 0; j < WINDOW; j++) {
      int buffer = next(j);
      if (dirty) {
        if (j >= buffers) {
          requests[j - buffers].await();
        }
        refresh(buffer);
      }
      requests[j] = world.isend(send[buffer], peer, DATA_TAG);
    }
  }

  @Override
  void startReceives(int peer) {
    for (int j = WINDOW; j < 2 * WINDOW; j++) {
      requests[j] = world.irecv(receive, peer, DATA_TAG);
    }
  }

  @Override
  void wipe() {
    received.fill(WIPED);
  }

  @Override
  boolean arrived() {
    for (long i = 0; i < bytes; i++) {
      if (received.get(ValueLayout.JAVA_BYTE, i) != received.get(ValueLayout.JAVA_BYTE, i & 7)) {
        return false;
      }
    }
    return bytes < 8 || received.get(ValueLayout.JAVA_BYTE, 7) != WIPED;
  }
}
