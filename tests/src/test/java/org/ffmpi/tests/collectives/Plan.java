// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What all ranks know of one collective call, drawn by all of them alike, whether they take part or not.
 *
 * @param number of the trial
 * @param kind the operation
 * @param form how it is called
 * @param place the communicator
 * @param rooted rank of the root
 * @param rootInLow whether the root is in the low one of two groups
 * @param signature number of the list of layouts
 * @param most elements that a block has at most
 * @param inPlace whether it is asked for
 * @param rounds starts of a persistent request
 * @param seed of the lengths
 */
record Plan(
    int number, Kind kind, Form form, Place place, int rooted, boolean rootInLow, int signature, int most,
    boolean inPlace, int rounds, long seed) {
  enum Kind {
    BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, REDUCE,
    ALLREDUCE, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN;

    boolean isReduction() {
      return ordinal() >= REDUCE.ordinal();
    }

    boolean isDefinedBetweenGroups() {
      return this != SCAN && this != EXSCAN;
    }
  }

  enum Form {
    BLOCKING, NONBLOCKING, PERSISTENT
  }

  private static final int[] MOST = {0, 1, 4, 4, 30, 30, 200, 1_500, 10_000};

  static Plan draw(int number, List<Place> places, List<Form> forms, RandomGenerator random) {
    Place place = places.get(random.nextInt(places.size()));
    Kind kind;
    do {
      kind = Kind.values()[random.nextInt(Kind.values().length)];
    } while (place.isBetweenGroups() && !kind.isDefinedBetweenGroups());
    boolean rootInLow = !place.isBetweenGroups() || random.nextBoolean();
    int root = random.nextInt(rootInLow ? place.lows() : place.highs());
    int most = MOST[random.nextInt(MOST.length)] / (place.lows() + place.highs() > 4 ? 4 : 1);
    return new Plan(number, kind, forms.get(random.nextInt(forms.size())), place, root, rootInLow,
        random.nextInt(Layout.SIGNATURES.size()), most, random.nextBoolean() && !place.isBetweenGroups(),
        random.nextInt(4), random.nextLong());
  }

  /** The same of another operation. */
  Plan of(Kind other) {
    return new Plan(number, other, form, place, rooted, rootInLow, signature, most, inPlace, rounds, seed);
  }

  int root() {
    return place.root(rooted, rootInLow);
  }

  boolean isRoot() {
    return place.isRoot(rooted, rootInLow);
  }

  boolean takesPart() {
    return place.takesPart(rooted, rootInLow);
  }

  List<Layout> layouts() {
    return Layout.SIGNATURES.get(signature);
  }

  /** A length that all ranks know: often the most, or nothing. */
  int length(long which) {
    long h = (seed ^ which * 0x9E37_79B9_7F4A_7C15L) * 0xC2B2_AE3D_27D4_EB4FL;
    h ^= h >>> 29;
    h *= 0x9E37_79B9_7F4A_7C15L;
    int draw = (int) (h >>> 60);
    return draw == 0 ? 0 : draw < 4 ? most : (int) Long.remainderUnsigned(h & 0xFF_FFFF_FFFFL, most + 1L);
  }

  /** Elements that go from a rank to a peer in a call whose blocks have one length; the groups' lengths differ. */
  int uniform(boolean fromLow) {
    return length(fromLow ? 1 : 2);
  }

  /** Elements of the block that a rank contributes to those of all, or is given by the root. */
  int each(boolean inLow, int rank) {
    return length((inLow ? 100 : 200) + rank);
  }

  /** Elements that go from a rank to a peer. */
  int pair(boolean fromLow, int from, int to) {
    // In place, as much goes to and fro.
    return inPlace ? length(1_000 + Math.min(from, to) * 100 + Math.max(from, to))
        : length((fromLow ? 20_000 : 40_000) + from * 100 + to);
  }

  @Override
  public String toString() {
    return "trial " + number + ", " + form + " " + kind + " on " + place + ", root " + rooted
        + (place.isBetweenGroups() ? rootInLow ? " of the low group" : " of the high group" : "")
        + (inPlace ? ", in place" : "") + ", most " + most + ", rounds " + rounds;
  }
}
