// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.base.Settings;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.collectives.ScheduledCollectives;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.shm.engine.EngineParts;
import org.ffmpi.shm.engine.ShmProvider;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A distributed matrix in the shared heap is transposed straight out of its rows into the columns of another one,
 * without packing, streaming or staging.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransposeTest {
  private static final int RANKS = 2;
  private static final int ROWS = 60;
  private static final int N = RANKS * ROWS;
  private static final long BLOCK_BYTES = (long) Double.BYTES * ROWS * ROWS;

  private final ScheduledCollectives collectives = new ScheduledCollectives();
  private List<Engine> engines;

  @BeforeEach
  void open() {
    engines = new ShmProvider().threads(RANKS, Settings.of(Map.of()));
  }

  @AfterEach
  void leave() {
    engines.forEach(engine -> engine.abort(0, "over"));
    engines.forEach(engine -> engine.leave(true));
  }

  private static MemorySegment matrix(Engine engine) {
    return engine.allocateShared((long) Double.BYTES * ROWS * N, 64, null);
  }

  private static Buf<?>[] blocks(MemorySegment matrix, Datatype<?> type) {
    Buf<?>[] blocks = new Buf<?>[RANKS];
    for (int r = 0; r < RANKS; r++) {
      blocks[r] = Buf.of(matrix.asSlice((long) Double.BYTES * r * ROWS), 1, type);
    }
    return blocks;
  }

  private static void set(FlatBlocks into, Buf<?>[] blocks) {
    into.resize(blocks.length);
    for (int i = 0; i < blocks.length; i++) {
      Buf<?> buf = blocks[i];
      into.get(i).set(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
          buf.count(), BufImpl.of(buf).plan());
    }
  }

  @Test
  void everyBlockIsCopiedOnce() {
    Datatype<Double> rows = Datatype.vector(ROWS, ROWS, N, Datatype.DOUBLE).commit();
    Datatype<Double> columns =
        Datatype.contiguous(ROWS, Datatype.vector(ROWS, 1, N, Datatype.DOUBLE).resized(0, Double.BYTES)).commit();
    List<MemorySegment> results = new ArrayList<>();
    List<Channel> channels = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      MemorySegment matrix = matrix(engines.get(rank));
      for (int w = 0; w < ROWS * N; w++) {
        matrix.setAtIndex(ValueLayout.JAVA_DOUBLE, w, rank * ROWS * N + w);
      }
      results.add(matrix(engines.get(rank)));
      channels.add(new Channel(engines.get(rank), 0));
      CollectiveCall call = new CollectiveCall().begin(Collective.ALLTOALLV);
      set(call.sendBlocks(), blocks(matrix, rows));
      set(call.recvBlocks(), blocks(results.get(rank), columns));
      operations.add(collectives.call(channels.get(rank), call, CollectiveForm.NONBLOCKING));
    }
    while (!operations.stream().allMatch(Operation::isDone)) {
      engines.forEach(Engine::progress);
    }
    for (int rank = 0; rank < RANKS; rank++) {
      assertNull(operations.get(rank).error());
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < N; column++) {
          assertEquals((double) column * N + rank * ROWS + row,
              results.get(rank).getAtIndex(ValueLayout.JAVA_DOUBLE, (long) row * N + column));
        }
      }
      RendezvousReceiver receivers = EngineParts.traffic(engines.get(rank)).receivers();
      assertEquals(BLOCK_BYTES, receivers.copied(), "read once, where it lay");
      assertNull(receivers.pipe(1 - rank), "nothing was streamed");
    }
  }
}
