// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

/**
 * A hash table of queues by key, with open addressing, for the {@link Matcher}. It compares whole hashes, which lie
 * together; the keys are in the heads of the queues, and the caller compares them. So a search without a result touches
 * one cache line, and a successful one hardly ever touches a queue of another key.
 *
 * @param <Q> type of a queue's head
 */
final class QueueTable<Q> {
  private static final int FIRST_SLOTS = 64;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
  private static final long CONTEXT_MIX = 0xD1B5_4A32_D192_ED03L;

  /** Hashes, whose high bits are the slot in which a search begins; 0 in free slots. */
  private int[] hashes = new int[FIRST_SLOTS];

  private Object[] heads = new Object[FIRST_SLOTS];
  private int shift = Integer.numberOfLeadingZeros(FIRST_SLOTS - 1);
  private int used;

  /**
   * Spreads a key over all bits, the high ones above all: contexts, peers and tags grow by small steps.
   *
   * @return never 0
   */
  static int hash(long context, int peer, int tag) {
    long key = ((long) peer << 32 | tag & 0xFFFF_FFFFL) ^ context * CONTEXT_MIX;
    return (int) (key * MIX >>> 32) | 1;
  }

  /** Returns the first slot with a hash, or the complement, which is negative, of the free slot for it. */
  int find(int hash) {
    return search(hash, hash >>> shift);
  }

  /** Returns the next slot with the same hash, or the complement of the free slot for another. */
  int findAfter(int slot) {
    return search(hashes[slot], slot + 1);
  }

  private int search(int hash, int from) {
    int[] table = hashes;
    int mask = table.length - 1;
    for (int i = from & mask; ; i = i + 1 & mask) {
      int there = table[i];
      if (there == hash) {
        return i;
      }
      if (there == 0) {
        return ~i;
      }
    }
  }

  @SuppressWarnings("unchecked")
  Q head(int slot) {
    return (Q) heads[slot];
  }

  /** Replaces the head of a queue in the table. */
  void replace(int slot, Q head) {
    heads[slot] = head;
  }

  /**
   * Adds a queue whose key is not in the table.
   *
   * @param free the free slot that the search for it has found
   */
  void add(int free, int hash, Q head) {
    hashes[free] = hash;
    heads[free] = head;
    if (2 * ++used > heads.length) {
      grow();
    }
  }

  private void put(int hash, Object head) {
    int mask = hashes.length - 1;
    int i = hash >>> shift;
    while (hashes[i] != 0) {
      i = i + 1 & mask;
    }
    hashes[i] = hash;
    heads[i] = head;
  }

  /** Frees a slot, and moves entries that it had displaced back to where a search finds them. */
  void remove(int slot) {
    int mask = hashes.length - 1;
    int hole = slot;
    for (int i = slot + 1 & mask; hashes[i] != 0; i = i + 1 & mask) {
      int home = hashes[i] >>> shift;
      if ((i - home & mask) >= (i - hole & mask)) {
        hashes[hole] = hashes[i];
        heads[hole] = heads[i];
        hole = i;
      }
    }
    hashes[hole] = 0;
    heads[hole] = null;
    used--;
  }

  private void grow() {
    int[] oldHashes = hashes;
    Object[] oldHeads = heads;
    hashes = new int[2 * oldHashes.length];
    heads = new Object[2 * oldHeads.length];
    shift--;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0) {
        put(oldHashes[i], oldHeads[i]);
      }
    }
  }

  /** Returns whether a slot holds the head of a queue; the slot may come from an older state of the table. */
  boolean isAt(int slot, Q head) {
    return heads[slot] == head;
  }

  /** Returns the number of queues. */
  int size() {
    return used;
  }

  /** Returns the number of slots, for walks over all of them; free ones have no head. */
  int slots() {
    return heads.length;
  }
}
