// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Arrays;

/**
 * The causal past of a point in a run, with the choices that it depends on, and the number of receives of each rank
 * that had been posted for certain. Immutable.
 */
final class Past {
  /** The past of the start of a run. */
  static final Past NONE = new Past(new long[0], new int[0]);

  /** One bit for each choice, by its number in the run. */
  private final long[] choices;
  /** Posted receives of each rank. */
  private final int[] posts;

  private Past(long[] choices, int[] posts) {
    this.choices = choices;
    this.posts = posts;
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
    int[] counts = Arrays.copyOf(posts, Math.max(posts.length, other.posts.length));
    for (int i = 0; i < other.posts.length; i++) {
      counts[i] = Math.max(counts[i], other.posts[i]);
    }
    return new Past(bits, counts);
  }

  private boolean includes(Past other) {
    if (other.choices.length > choices.length || other.posts.length > posts.length) {
      return false;
    }
    for (int i = 0; i < other.choices.length; i++) {
      if ((other.choices[i] & ~choices[i]) != 0) {
        return false;
      }
    }
    for (int i = 0; i < other.posts.length; i++) {
      if (other.posts[i] > posts[i]) {
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
    return new Past(bits, posts);
  }

  /** Returns the past of what follows a rank's post of its n-th receive. */
  Past posted(int rank, int count) {
    int[] counts = Arrays.copyOf(posts, Math.max(posts.length, rank + 1));
    counts[rank] = count;
    return new Past(choices, counts);
  }
}
