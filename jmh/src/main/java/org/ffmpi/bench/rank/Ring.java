// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;

/** A message round all ranks, and a barrier, with any number of ranks. */
public final class Ring extends RankProgram {
  private static final int TAG = 1;
  private static final byte WIPED = (byte) 0xEE;
  private static final byte PAYLOAD = 0x5A;

  private final int size;
  private final int next;
  private final int previous;

  private Ring(Mpi mpi) {
    super(mpi);
    requireRanks("ring");
    size = world.size();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
  }

  public static void main(String[] args) {
    start(args, Ring::new);
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>(Work.of("ring", List.of("native-clean", "heap-clean"), 8, 1024, 16384));
    works.add(new Work("barrier", "native-clean", 0));
    return works;
  }

  @Override
  Prepared prepare(Work work) {
    int bytes = Math.toIntExact(work.bytes());
    MemorySegment send;
    MemorySegment receive;
    Buf<?> sendBuf;
    Buf<?> receiveBuf;
    if (work.memory().equals("heap")) {
      byte[] sendArray = new byte[bytes];
      byte[] receiveArray = new byte[bytes];
      send = MemorySegment.ofArray(sendArray);
      receive = MemorySegment.ofArray(receiveArray);
      sendBuf = Buf.of(sendArray);
      receiveBuf = Buf.of(receiveArray);
    } else {
      send = Arena.ofAuto().allocate(bytes, PAGE);
      receive = Arena.ofAuto().allocate(bytes, PAGE);
      sendBuf = Buf.of(send, bytes, Datatype.BYTE);
      receiveBuf = Buf.of(receive, bytes, Datatype.BYTE);
    }
    send.fill(PAYLOAD);
    boolean ring = work.bench().equals("ring");
    if (!ring && !work.bench().equals("barrier")) {
      throw new IllegalArgumentException("unknown bench: " + work);
    }
    Loop loop = ring ? n -> ring(sendBuf, receiveBuf, n) : this::barrier;
    return Prepared.micros(loop, ring ? size : 1, () -> {
      receive.fill(WIPED);
      world.barrier();
      loop.run(1);
      if (ring && receive.mismatch(send) >= 0) {
        throw new IllegalStateException(work + ": rank " + rank + " received wrong bytes");
      }
    });
  }

  private void ring(Buf<?> send, Buf<?> receive, long iterations) {
    for (long i = 0; i < iterations; i++) {
      if (rank == 0) {
        world.send(send, next, TAG);
        world.recv(receive, previous, TAG);
      } else {
        world.recv(receive, previous, TAG);
        world.send(send, next, TAG);
      }
    }
  }

  private void barrier(long iterations) {
    for (long i = 0; i < iterations; i++) {
      world.barrier();
    }
  }
}
