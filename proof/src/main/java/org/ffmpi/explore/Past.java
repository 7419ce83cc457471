// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Arrays;

/**
 * The causal past of a point in a run, with the choices that it depends on, and the number of receives that each rank
 * had posted for certain, and of sends that it had completed. Immutable.
 */
final class Past {
  /** The past of the start of a run. */
  static final Past NONE = new Past(new long[0], new int[0], new int[0]);

  /** One bit for each choice, by its number in the run. */
  private final long[] choices;
  /** Posted receives of each rank. */
  private final int[] posts;
  /** Completed sends of each rank. */
  private final int[] sends;

  private Past(long[] choices, int[] posts, int[] sends) {
    this.choices = choices;
    this.posts = posts;
    this.sends = sends;
  }

  /** Returns whether a choice belongs to this past. */
  boolean has(int choice) {
    int word = choice >> 6;
    return word < choices.length && (choices[word] & 1L << choice) != 0;
  }

  /** Returns how many receives a rank had posted. */
  int posts(int rank) {
    return rank < posts.length ? posts[rank] : 0;
  }

  /** Returns how many sends a rank had completed. */
  int sends(int rank) {
    return rank < sends.length ? sends[rank] : 0;
  }

  /** Returns the past of what depends on both. */
  Past and(Past other) {
    if (other == this || includes(other)) {
      return this;
    }
    if (other.includes(this)) {
      return other;
    }
    long[] bits = Arrays.copyOf(choices, Math.max(choices.length, other.choices.length));
    for (int i = 0; i < other.choices.length; i++) {
      bits[i] |= other.choices[i];
    }
    return new Past(bits, most(posts, other.posts), most(sends, other.sends));
  }

  private static int[] most(int[] first, int[] second) {
    int[] counts = Arrays.copyOf(first, Math.max(first.length, second.length));
    for (int i = 0; i < second.length; i++) {
      counts[i] = Math.max(counts[i], second[i]);
    }
    return counts;
  }

  private boolean includes(Past other) {
    if (other.choices.length > choices.length) {
      return false;
    }
    for (int i = 0; i < other.choices.length; i++) {
      if ((other.choices[i] & ~choices[i]) != 0) {
        return false;
      }
    }
    return areNoMore(other.posts, posts) && areNoMore(other.sends, sends);
  }

  private static boolean areNoMore(int[] first, int[] second) {
    for (int i = 0; i < first.length; i++) {
      if (first[i] > (i < second.length ? second[i] : 0)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the past of what follows a choice. */
  Past after(int choice) {
    if (has(choice)) {
      return this;
    }
    long[] bits = Arrays.copyOf(choices, Math.max(choices.length, (choice >> 6) + 1));
    bits[choice >> 6] |= 1L << choice;
    return new Past(bits, posts, sends);
  }

  /** Returns the past of what follows a rank's post of its n-th receive. */
  Past posted(int rank, int count) {
    return new Past(choices, with(posts, rank, count), sends);
  }

  /** Returns the past of what follows the n-th completion of a send of a rank. */
  Past sent(int rank, int count) {
    return new Past(choices, posts, with(sends, rank, count));
  }

  private static int[] with(int[] counts, int rank, int count) {
    int[] more = Arrays.copyOf(counts, Math.max(counts.length, rank + 1));
    more[rank] = count;
    return more;
  }
}
