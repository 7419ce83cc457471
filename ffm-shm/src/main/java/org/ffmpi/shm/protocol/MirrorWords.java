// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobSegment;

/**
 * The completion words of messages from other nodes. This rank cannot write to a sender's word there; so each such
 * message has a word here, which matching treats as any other, and a note carries its end to the sender. Guarded by the
 * rank's lock.
 *
 * <pre>
 *   0                   8                   16                  24        28        32   64
 *  +-------------------+-------------------+-------------------+---------+---------+----+
 *  | generation, state | transfer id       | the sender's word | its gen.| peer    |    |
 *  +-------------------+-------------------+-------------------+---------+---------+----+
 * </pre>
 */
final class MirrorWords {
  private static final int WORDS_PER_SLAB = 64;
  private static final long THEIR_WORD_OFFSET = 16;
  private static final long THEIR_GENERATION_OFFSET = 24;
  private static final long PEER_OFFSET = 28;
  private static final int FREE = -1;

  private final JobSegment segment;
  private final WirePackets packets;
  private final List<Long> slabs = new ArrayList<>();
  private long[] free = new long[WORDS_PER_SLAB];
  private int freeCount;
  private int generation;

  MirrorWords(JobSegment segment, WirePackets packets) {
    this.segment = segment;
    this.packets = packets;
  }

  /** Claims a word for a message whose own word is on another node. */
  long claim(int peer, long theirWord, int theirGeneration) {
    if (freeCount == 0) {
      refill();
    }
    long word = free[--freeCount];
    Raw.putLong(word + THEIR_WORD_OFFSET, theirWord);
    Raw.putInt(word + THEIR_GENERATION_OFFSET, theirGeneration);
    Raw.putInt(word + PEER_OFFSET, peer);
    CompletionWordLayout.setReleasePending(word, ++generation);
    return word;
  }

  private void refill() {
    long slab = segment.claim(WORDS_PER_SLAB * CompletionWordLayout.BYTES);
    slabs.add(slab);
    for (int i = WORDS_PER_SLAB - 1; i >= 0; i--) {
      Raw.putInt(slab + i * CompletionWordLayout.BYTES + PEER_OFFSET, FREE);
      putFree(slab + i * CompletionWordLayout.BYTES);
    }
  }

  private void putFree(long word) {
    Raw.putInt(word + PEER_OFFSET, FREE);
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = word;
  }

  long offset(long word) {
    return word - segment.base();
  }

  /** Returns the generation with which a word is claimed. */
  static int generation(long word) {
    return (int) (Raw.getLong(word + CompletionWordLayout.STATE_OFFSET) >>> 32);
  }

  /** Sends the sender the state MATCHED, DONE or CANCELLED; the word is free afterwards. */
  void signal(long word, int state) {
    packets.sendNote(
        Raw.getInt(word + PEER_OFFSET), PacketLayout.WORD, Raw.getLong(word + THEIR_WORD_OFFSET),
        Raw.getInt(word + THEIR_GENERATION_OFFSET), state, CompletionWordLayout.getPlainTransfer(word));
    putFree(word);
  }

  /** Cancels a message at its sender's request, if no receive has matched it, and signals that. */
  void cancel(int peer, long theirWord, int theirGeneration) {
    for (long slab : slabs) {
      for (long word = slab; word < slab + WORDS_PER_SLAB * CompletionWordLayout.BYTES;
          word += CompletionWordLayout.BYTES) {
        if (Raw.getInt(word + PEER_OFFSET) == peer && Raw.getLong(word + THEIR_WORD_OFFSET) == theirWord
            && Raw.getInt(word + THEIR_GENERATION_OFFSET) == theirGeneration
            && CompletionWordLayout.cas(
                word, generation(word), CompletionWordLayout.PENDING, CompletionWordLayout.CANCELLED)) {
          signal(word, CompletionWordLayout.CANCELLED);
          return;
        }
      }
    }
  }
}
