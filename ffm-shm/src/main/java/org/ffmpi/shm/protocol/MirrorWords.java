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
 *   0                   8                   16                  24        28        32        40  64
 *  +-------------------+-------------------+-------------------+---------+---------+---------+---+
 *  | generation, state | transfer id       | the sender's word | its gen.| peer    | next    |   |
 *  +-------------------+-------------------+-------------------+---------+---------+---------+---+
 * </pre>
 *
 * <p>The words of messages that are not matched are found by the sender's word: a table has the first word of a chain
 * for each of its places, and {@code next} is the address of the following one.
 */
final class MirrorWords {
  private static final int WORDS_PER_SLAB = 64;
  private static final long THEIR_WORD_OFFSET = 16;
  private static final long THEIR_GENERATION_OFFSET = 24;
  private static final long PEER_OFFSET = 28;
  private static final long NEXT_OFFSET = 32;

  private final JobSegment segment;
  private final WirePackets packets;
  private final List<Long> slabs = new ArrayList<>();
  private long[] free = new long[WORDS_PER_SLAB];
  private int freeCount;
  private int generation;

  /** The first words of the chains; as many places as there are words, or more. */
  private long[] chains = new long[WORDS_PER_SLAB];

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
    link(word);
    CompletionWordLayout.setReleasePending(word, ++generation);
    return word;
  }

  private int place(int peer, long theirWord) {
    int hash = ((int) (theirWord / CompletionWordLayout.BYTES) * 31 + peer) * 0x9E37_79B9;
    return hash >>> 8 & chains.length - 1;
  }

  private int placeOf(long word) {
    return place(Raw.getInt(word + PEER_OFFSET), Raw.getLong(word + THEIR_WORD_OFFSET));
  }

  private void link(long word) {
    int place = placeOf(word);
    Raw.putLong(word + NEXT_OFFSET, chains[place]);
    chains[place] = word;
  }

  private void unlink(long word) {
    int place = placeOf(word);
    long next = Raw.getLong(word + NEXT_OFFSET);
    if (chains[place] == word) {
      chains[place] = next;
      return;
    }
    long before = chains[place];
    while (Raw.getLong(before + NEXT_OFFSET) != word) {
      before = Raw.getLong(before + NEXT_OFFSET);
    }
    Raw.putLong(before + NEXT_OFFSET, next);
  }

  private void refill() {
    long slab = segment.claim(WORDS_PER_SLAB * CompletionWordLayout.BYTES);
    slabs.add(slab);
    if (slabs.size() * WORDS_PER_SLAB > chains.length) {
      widen();
    }
    for (int i = WORDS_PER_SLAB - 1; i >= 0; i--) {
      putFree(slab + i * CompletionWordLayout.BYTES);
    }
  }

  /** Doubles the table; called when all words of the earlier slabs are claimed. */
  private void widen() {
    chains = new long[2 * chains.length];
    for (long slab : slabs.subList(0, slabs.size() - 1)) {
      for (int i = 0; i < WORDS_PER_SLAB; i++) {
        link(slab + i * CompletionWordLayout.BYTES);
      }
    }
  }

  private void putFree(long word) {
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
    release(word);
  }

  /** Releases a claimed word. */
  void release(long word) {
    unlink(word);
    putFree(word);
  }

  /** Cancels a message at its sender's request, if no receive has matched it, and signals that. */
  void cancel(int peer, long theirWord, int theirGeneration) {
    for (long word = chains[place(peer, theirWord)]; word != 0; word = Raw.getLong(word + NEXT_OFFSET)) {
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
