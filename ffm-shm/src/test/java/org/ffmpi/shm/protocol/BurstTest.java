// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.base.Settings;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.shm.engine.ShmProvider;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nonblocking sends to another node in quick sequence. The first ones leave at once, the others wait for a common
 * packet, and all arrive in order.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BurstTest {
  /** Fewer than the packets for which there is credit. */
  private static final int MESSAGES = 30;

  /** How many are on their way before one waits. */
  private static final int ALONE = 8;

  private List<Engine> engines;

  @BeforeEach
  void open() {
    engines = new ShmProvider().threads(2, Settings.of(Map.of("ffmpi.node", "1")));
  }

  @AfterEach
  void leave() {
    engines.forEach(engine -> engine.abort(0, "over"));
    engines.forEach(engine -> engine.leave(true));
  }

  private Operation send(int[] message) {
    BufImpl<?> b = BufImpl.of(Buf.of(message));
    return engines.get(0).isend(
        Engine.STANDARD, b.memoryKind(), b.memoryOwner(), b.memoryOffset(), 1, b.plan(), 1, 0, 7);
  }

  private Operation receive(int[] message) {
    BufImpl<?> b = BufImpl.of(Buf.of(message));
    return engines.get(1).irecv(b.memoryKind(), b.memoryOwner(), b.memoryOffset(), 1, b.plan(), 0, 0, 7);
  }

  /** Sends and receives as many messages; returns how many of them did not leave at once. */
  private int burst(int first, int messages) {
    List<Operation> operations = new ArrayList<>();
    List<int[]> received = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      operations.add(send(new int[] {first + i}));
    }
    for (int i = 0; i < messages; i++) {
      assertTrue(i >= Math.min(ALONE, messages) || operations.get(i).isDone(), "message " + i + " leaves at once");
    }
    int waiting = (int) operations.stream().filter(op -> !op.isDone()).count();
    for (int i = 0; i < messages; i++) {
      received.add(new int[1]);
      operations.add(receive(received.getLast()));
    }
    while (!operations.stream().allMatch(Operation::isDone)) {
      engines.forEach(Engine::progress);
    }
    for (int i = 0; i < messages; i++) {
      assertEquals(first + i, received.get(i)[0], "in order");
    }
    return waiting;
  }

  /** Tells the sender what the receiver has taken. */
  private void answer() {
    int[] in = new int[1];
    BufImpl<?> b = BufImpl.of(Buf.of(in));
    Operation answered =
        engines.get(0).irecv(b.memoryKind(), b.memoryOwner(), b.memoryOffset(), 1, b.plan(), 1, 0, 7);
    engines.get(1).isend(Engine.STANDARD, b.memoryKind(), b.memoryOwner(), b.memoryOffset(), 1, b.plan(), 0, 0, 7);
    while (!answered.isDone()) {
      engines.forEach(Engine::progress);
    }
  }

  /** The first bursts are slow, in which no message is close to the next. */
  @Test
  void messagesOfABurstShareAPacket() {
    int next = 0;
    int waiting = 0;
    while (waiting < MESSAGES / 2) {
      waiting = burst(next, MESSAGES);
      next += MESSAGES;
      answer();
    }
    assertTrue(waiting <= MESSAGES - ALONE, waiting + " wait");
  }

  @Test
  void aFewMessagesLeaveAtOnce() {
    for (int round = 0; round < 1_000; round++) {
      assertEquals(0, burst(round, ALONE), "messages that wait");
      answer();
    }
  }
}
