// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/** Many messages with distinct tags, received in another order than they are sent; {@code matching.c} in Java. */
public final class Matching extends RankProgram {
  private static final int DEPTH = 10_000;
  private static final long LARGEST = 1024;
  private static final int READY_TAG = 20_000;
  private static final int ANSWER_TAG = 20_001;
  private static final byte WIPED = (byte) 0xEE;

  /** Messages of each turn of the warm-up, at least. */
  private static final int TURN = 20_000;

  private final MemorySegment block = Arena.global().allocate(DEPTH * LARGEST, 4096);
  private final Buf<?> nothing = Buf.of(new byte[0]);

  private Matching(Mpi mpi) {
    super(mpi);
    requireTwoRanks("matching");
  }

  public static void main(String[] args) {
    start(args, Matching::new);
  }

  @Override
  List<Work> warmUpWork() {
    return List.of(
        new Work("matching", "posted-100", 8), new Work("matching", "unexpected-100", 8),
        new Work("matching", "posted", 8), new Work("matching", "unexpected", 8),
        new Work("matching", "posted-anysource", 64), new Work("matching", "unexpected-anysource", 64));
  }

  @Override
  void turn(Work work, Loop loop) {
    loop.run(Math.max(1, TURN / depth(work)));
  }

  /** More than usual: a turn has few calls of long loops, which the compilers take up late. */
  @Override
  int warmUpParts() {
    return 4;
  }

  private static boolean anySource(Work work) {
    return work.name().endsWith("-anysource");
  }

  private static int depth(Work work) {
    int hyphen = work.name().indexOf('-');
    int depth = hyphen < 0 || anySource(work) ? DEPTH : Integer.parseInt(work.name().substring(hyphen + 1));
    if (depth < 1 || depth > DEPTH) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    return depth;
  }

  @Override
  Prepared prepare(Work work) {
    if (!work.bench().equals("matching") || work.bytes() < 0 || work.bytes() > LARGEST) {
      throw new IllegalArgumentException("unknown bench, or not 0.." + LARGEST + " bytes: " + work);
    }
    Queue queue = new Queue(depth(work), anySource(work) ? Constants.ANY_SOURCE : 0, work.bytes());
    Loop loop;
    if (work.name().startsWith("posted")) {
      loop = queue::posted;
    } else if (work.name().startsWith("unexpected")) {
      loop = queue::unexpected;
    } else {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    return Prepared.micros(loop, queue.depth, () -> {
      queue.fill(rank == 1);
      world.barrier();
      loop.run(1);
      queue.check(work);
    });
  }

  /** As many messages as the queue is long, their buffers side by side. */
  private final class Queue {
    final int depth;
    private final int source;
    private final long bytes;
    private final long stride;
    private final Buf<?>[] bufs;
    private final int[] sendOrder;
    private final int[] receiveOrder;
    private final Request[] requests;
    private final List<Request> all;

    Queue(int depth, int source, long bytes) {
      this.depth = depth;
      this.source = source;
      this.bytes = bytes;
      stride = Math.max(8, bytes + 7 & -8);
      bufs = new Buf<?>[depth];
      for (int tag = 0; tag < depth; tag++) {
        bufs[tag] = Buf.of(block.asSlice(tag * stride, bytes), bytes, Datatype.BYTE);
      }
      sendOrder = shuffled(1);
      receiveOrder = shuffled(2);
      requests = new Request[depth];
      all = Arrays.asList(requests);
      fill(false);
    }

    /** Makes the same order as the C program. */
    private int[] shuffled(int seed) {
      int[] order = new int[depth];
      for (int i = 0; i < depth; i++) {
        order[i] = i;
      }
      int state = seed;
      for (int i = depth - 1; i > 0; i--) {
        state = state * 1664525 + 1013904223;
        int j = (state >>> 8) % (i + 1);
        int other = order[j];
        order[j] = order[i];
        order[i] = other;
      }
      return order;
    }

    private static byte payload(int tag, long at) {
      return (byte) (tag * 31 + at * 7 + (tag >> 8) + 1);
    }

    void fill(boolean wiped) {
      for (int tag = 0; tag < depth; tag++) {
        for (long i = 0; i < bytes; i++) {
          block.set(ValueLayout.JAVA_BYTE, tag * stride + i, wiped ? WIPED : payload(tag, i));
        }
      }
    }

    void check(Work work) {
      for (int tag = 0; tag < depth; tag++) {
        for (long i = 0; i < bytes; i++) {
          if (block.get(ValueLayout.JAVA_BYTE, tag * stride + i) != payload(tag, i)) {
            throw new IllegalStateException(work + ": message " + tag + " is wrong at " + i);
          }
        }
      }
    }

    private void sendAll() {
      for (int tag : sendOrder) {
        world.send(bufs[tag], 1, tag);
      }
    }

    private void postAll() {
      for (int i = 0; i < depth; i++) {
        int tag = receiveOrder[i];
        requests[i] = world.irecv(bufs[tag], source, tag);
      }
    }

    private void receiveAll() {
      for (int tag : receiveOrder) {
        world.recv(bufs[tag], source, tag);
      }
    }

    void posted(long iterations) {
      for (long n = 0; n < iterations; n++) {
        if (rank == 0) {
          world.recv(nothing, 1, READY_TAG);
          sendAll();
          world.recv(nothing, 1, ANSWER_TAG);
        } else {
          postAll();
          world.send(nothing, 0, READY_TAG);
          Request.waitAll(all);
          world.send(nothing, 0, ANSWER_TAG);
        }
      }
    }

    void unexpected(long iterations) {
      for (long n = 0; n < iterations; n++) {
        if (rank == 0) {
          sendAll();
          world.send(nothing, 1, READY_TAG);
          world.recv(nothing, 1, ANSWER_TAG);
        } else {
          world.recv(nothing, 0, READY_TAG);
          receiveAll();
          world.send(nothing, 0, ANSWER_TAG);
        }
      }
    }
  }
}
