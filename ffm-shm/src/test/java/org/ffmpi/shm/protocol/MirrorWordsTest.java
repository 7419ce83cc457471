// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.wire.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mirror words are found by their sender's word, whatever else is claimed, and no other is cancelled. */
class MirrorWordsTest {
  private static final int RANKS = 8;

  private final JobSegment segment = JobSegment.create(new JobOptions(RANKS, false, Settings.of(Map.of())));
  private final MemorySegment packet = Arena.ofAuto().allocate(Wire.PACKET_BYTES, 64);
  private final List<Theirs> cancelled = new ArrayList<>();
  private final MirrorWords mirrors = new MirrorWords(segment, new WirePackets(new Notes(), segment, 0));

  /** A sender's word. */
  private record Theirs(int peer, long word, int generation) {}

  @AfterEach
  void close() {
    segment.release();
  }

  /** Collects the notes that a message is cancelled. */
  private final class Notes implements Wire {
    @Override
    public long acquire(boolean urgent) {
      return Raw.address(packet);
    }

    @Override
    public void send(int peer, long packet, int bytes) {
      assertEquals(PacketLayout.WORD, PacketLayout.getPlainWhat(packet));
      if (PacketLayout.getPlainState(packet) == CompletionWordLayout.CANCELLED) {
        cancelled.add(new Theirs(peer, PacketLayout.getPlainWord(packet), PacketLayout.getPlainGeneration(packet)));
      }
    }

    @Override
    public boolean receive(Receiver to) {
      return false;
    }

    @Override
    public int startSend(int peer, int tag, long address, long bytes) {
      return -1;
    }

    @Override
    public int startReceive(int peer, int tag, long address, long bytes) {
      return -1;
    }

    @Override
    public boolean isDone(int request) {
      return false;
    }

    @Override
    public boolean withdraw(int request) {
      return true;
    }
  }

  @Test
  void wordsAreFoundByTheSendersWord() {
    SplittableRandom random = new SplittableRandom(5);
    Map<Theirs, Long> claimed = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      // Equal words of different peers, and earlier generations of a word, are different messages.
      Theirs theirs = new Theirs(1 + random.nextInt(RANKS - 1), 64L * random.nextInt(1_000), random.nextInt(3));
      Long word = claimed.remove(theirs);
      int before = cancelled.size();
      if (word == null) {
        mirrors.cancel(theirs.peer, theirs.word, theirs.generation);
        assertEquals(before, cancelled.size(), "there is no such message");
        claimed.put(theirs, mirrors.claim(theirs.peer, theirs.word, theirs.generation));
      } else if (random.nextInt(3) == 0) {
        mirrors.signal(word, CompletionWordLayout.DONE);
        assertEquals(before, cancelled.size());
      } else {
        int generation = MirrorWords.generation(word);
        mirrors.cancel(theirs.peer, theirs.word, theirs.generation);
        assertEquals(theirs, cancelled.getLast());
        assertEquals(before + 1, cancelled.size());
        assertTrue(CompletionWordLayout.isCancelled(word, generation));
      }
    }
    assertTrue(claimed.size() > 1_000, "words for several slabs");
  }

  @Test
  void aClaimedMessageIsNotCancelled() {
    long word = mirrors.claim(3, 640, 1);
    assertTrue(CompletionWordLayout.cas(
        word, MirrorWords.generation(word), CompletionWordLayout.PENDING, CompletionWordLayout.CLAIMED));
    mirrors.cancel(3, 640, 1);
    assertEquals(List.of(), cancelled);
    mirrors.release(word);
  }
}
