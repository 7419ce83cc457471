// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** A set of processes in some order ({@code MPI_Group}). */
public class Group implements Freeable {
  /** Number of the empty group, as {@link #code} has it. */
  public static final int EMPTY = 0;

  /** {@link #EMPTY} for the predefined empty group, 1 for all others. */
  public int code;

  private final org.ffmpi.Group group;

  Group(org.ffmpi.Group group) {
    this.group = group;
    this.code = group == org.ffmpi.Group.EMPTY ? EMPTY : 1;
  }

  /** Returns ffmpi's group of an argument. */
  static org.ffmpi.Group of(String name, Group group) {
    if (group == null) {
      throw MpiException.argument(ErrorClass.ERR_GROUP, name, null, "groups");
    }
    return group.group;
  }

  /** A call on ffmpi's groups; the error handler has seen its errors. */
  @FunctionalInterface
  private interface OfTwo<T> {
    T apply(org.ffmpi.Group group1, org.ffmpi.Group group2);
  }

  private static <T> T ofTwo(Group group1, Group group2, OfTwo<T> call) {
    org.ffmpi.Group one = argument("group1", group1);
    org.ffmpi.Group other = argument("group2", group2);
    try {
      return call.apply(one, other);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  private static Group made(Supplier<org.ffmpi.Group> call) {
    try {
      return new Group(call.get());
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  private static org.ffmpi.Group argument(String name, Group group) {
    try {
      return of(name, group);
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  /** Frees the group ({@code MPI_Group_free}); of the empty one, does nothing. */
  @Override
  public void free() {
    if (group != org.ffmpi.Group.EMPTY) {
      try {
        group.close();
      } catch (MpiException e) {
        throw Errors.thrown(e);
      }
    }
  }

  /**
   * Returns how many processes the group has ({@code MPI_Group_size}).
   *
   * @return the number
   * @throws MPIException when the group has been freed
   */
  public int Size() throws MPIException {
    try {
      return group.size();
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns this process's rank in the group ({@code MPI_Group_rank}).
   *
   * @return the rank, or {@code MPI.UNDEFINED} when it is not in it
   * @throws MPIException when the group has been freed
   */
  public int Rank() throws MPIException {
    try {
      return Codes.defined(group.rank());
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the ranks in one group of processes of another ({@code MPI_Group_translate_ranks}).
   *
   * @param group1 a group
   * @param ranks1 ranks in it
   * @param group2 another group
   * @return their ranks in that, or {@code MPI.UNDEFINED}
   * @throws MPIException when a rank is not in the group
   */
  public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
    int[] ranks = ofTwo(group1, group2, (from, to) -> from.translateRanks(ranks1, to));
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = Codes.defined(ranks[i]);
    }
    return ranks;
  }

  /**
   * Compares two groups ({@code MPI_Group_compare}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return {@code MPI.IDENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}
   * @throws MPIException when a group is null or has been freed
   */
  public static int Compare(Group group1, Group group2) throws MPIException {
    return ofTwo(group1, group2, (one, other) -> Codes.comparison(one.compare(other)));
  }

  /**
   * Returns the processes of either group ({@code MPI_Group_union}).
   *
   * @param group1 those that come first
   * @param group2 those that come behind, but for those of the first
   * @return the new group
   * @throws MPIException when a group is null or has been freed
   */
  public static Group Union(Group group1, Group group2) throws MPIException {
    return ofTwo(group1, group2, (one, other) -> new Group(one.union(other)));
  }

  /**
   * Returns the processes of both groups, in the order of the first ({@code MPI_Group_intersection}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return the new group
   * @throws MPIException when a group is null or has been freed
   */
  public static Group Intersection(Group group1, Group group2) throws MPIException {
    return ofTwo(group1, group2, (one, other) -> new Group(one.intersection(other)));
  }

  /**
   * Returns the processes of the first group that are not in the second ({@code MPI_Group_difference}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return the new group
   * @throws MPIException when a group is null or has been freed
   */
  public static Group Difference(Group group1, Group group2) throws MPIException {
    return ofTwo(group1, group2, (one, other) -> new Group(one.difference(other)));
  }

  /**
   * Returns some processes of the group ({@code MPI_Group_incl}).
   *
   * @param ranks their ranks, in the order of the new group
   * @return the new group
   * @throws MPIException when a rank is not in the group or occurs twice
   */
  public Group Incl(int[] ranks) throws MPIException {
    return made(() -> group.incl(ranks));
  }

  /**
   * Returns all other processes of the group ({@code MPI_Group_excl}).
   *
   * @param ranks ranks of those that are left out
   * @return the new group
   * @throws MPIException when a rank is not in the group or occurs twice
   */
  public Group Excl(int[] ranks) throws MPIException {
    return made(() -> group.excl(ranks));
  }

  /**
   * Returns the processes of some ranges of ranks ({@code MPI_Group_range_incl}).
   *
   * @param ranges triples of first rank, last rank and stride
   * @return the new group
   * @throws MPIException when a rank is not in the group or occurs twice
   */
  public Group Range_incl(int[][] ranges) throws MPIException {
    org.ffmpi.Group.Range[] given = ranges(ranges);
    return made(() -> group.rangeIncl(given));
  }

  /**
   * Returns the processes that are in none of some ranges of ranks ({@code MPI_Group_range_excl}).
   *
   * @param ranges triples of first rank, last rank and stride
   * @return the new group
   * @throws MPIException when a rank is not in the group or occurs twice
   */
  public Group Range_excl(int[][] ranges) throws MPIException {
    org.ffmpi.Group.Range[] given = ranges(ranges);
    return made(() -> group.rangeExcl(given));
  }

  private static org.ffmpi.Group.Range[] ranges(int[][] ranges) {
    if (ranges == null) {
      throw Errors.raised(Errors.argument("ranges", null, "arrays of triples"));
    }
    org.ffmpi.Group.Range[] given = new org.ffmpi.Group.Range[ranges.length];
    for (int i = 0; i < given.length; i++) {
      if (ranges[i] == null || ranges[i].length < 3) {
        throw Errors.raised(Errors.argument(
            "ranges[" + i + "]" + (ranges[i] == null ? "" : ".length"), ranges[i] == null ? null : ranges[i].length,
            "triples of first rank, last rank and stride"));
      }
      given[i] = new org.ffmpi.Group.Range(ranges[i][0], ranges[i][1], ranges[i][2]);
    }
    return given;
  }

  /**
   * Does nothing: a group that the program has forgotten needs no end.
   *
   * @throws MPIException never
   */
  @Override
  @SuppressWarnings({"removal", "deprecation"}) // programs may call it
  public void finalize() throws MPIException {}

  /**
   * Describes the group for messages.
   *
   * @return size and own rank
   */
  @Override
  public String toString() {
    return group.toString();
  }
}
