// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** An ordered set of processes ({@code MPI_Group}). */
public final class Group implements Freeable {
  private org.ffmpi.Group group;

  Group(org.ffmpi.Group group) {
    this.group = group;
  }

  /** Returns ffmpi's group; throws ERR_GROUP once freed. */
  org.ffmpi.Group group() {
    return Errors.present(ErrorClass.ERR_GROUP, "group", group);
  }

  /** Returns ffmpi's group of what a program has passed. */
  static org.ffmpi.Group groupOf(Group group) {
    return Errors.present(ErrorClass.ERR_GROUP, "group", group).group();
  }

  /**
   * Returns the number of processes ({@code MPI_Group_size}).
   *
   * @return 0 or more
   */
  public int getSize() throws MPIException {
    return Errors.call(() -> group().size());
  }

  /**
   * Returns this process's rank in the group ({@code MPI_Group_rank}).
   *
   * @return a rank, or {@code MPI.UNDEFINED}
   */
  public int getRank() throws MPIException {
    return Errors.call(() -> group().rank());
  }

  /** Frees the group ({@code MPI_Group_free}). */
  @Override
  public void free() throws MPIException {
    Errors.run(() -> {
      group().close();
      group = null;
    });
  }

  /**
   * Returns whether the group is {@code MPI_GROUP_NULL}.
   *
   * @return true once freed
   */
  public boolean isNull() {
    return group == null;
  }

  /**
   * Returns which ranks processes of one group have in another ({@code MPI_Group_translate_ranks}).
   *
   * @param group1 a group
   * @param ranks1 ranks in it
   * @param group2 another group
   * @return their ranks there, {@code MPI.UNDEFINED} for those that it has not
   */
  public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
    return Errors.call(() -> groupOf(group1).translateRanks(ranks1, groupOf(group2)));
  }

  /**
   * Compares two groups ({@code MPI_Group_compare}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return {@code MPI.IDENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}
   */
  public static int compare(Group group1, Group group2) throws MPIException {
    return Errors.call(() -> groupOf(group1).compare(groupOf(group2)).code());
  }

  /**
   * Returns the processes of either group ({@code MPI_Group_union}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return a new group
   */
  public static Group union(Group group1, Group group2) throws MPIException {
    return Errors.call(() -> new Group(groupOf(group1).union(groupOf(group2))));
  }

  /**
   * Returns the processes of both groups ({@code MPI_Group_intersection}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return a new group
   */
  public static Group intersection(Group group1, Group group2) throws MPIException {
    return Errors.call(() -> new Group(groupOf(group1).intersection(groupOf(group2))));
  }

  /**
   * Returns the processes of the first group that the second has not ({@code MPI_Group_difference}).
   *
   * @param group1 a group
   * @param group2 another group
   * @return a new group
   */
  public static Group difference(Group group1, Group group2) throws MPIException {
    return Errors.call(() -> new Group(groupOf(group1).difference(groupOf(group2))));
  }

  /**
   * Returns the processes of some ranks ({@code MPI_Group_incl}).
   *
   * @param ranks ranks in this group
   * @return a new group
   */
  public Group incl(int[] ranks) throws MPIException {
    return Errors.call(() -> new Group(group().incl(ranks)));
  }

  /**
   * Returns the processes of all but some ranks ({@code MPI_Group_excl}).
   *
   * @param ranks ranks in this group
   * @return a new group
   */
  public Group excl(int[] ranks) throws MPIException {
    return Errors.call(() -> new Group(group().excl(ranks)));
  }

  /**
   * Returns the processes of ranges of ranks ({@code MPI_Group_range_incl}).
   *
   * @param ranges first rank, last rank and stride of each range
   * @return a new group
   */
  public Group rangeIncl(int[][] ranges) throws MPIException {
    return Errors.call(() -> new Group(group().rangeIncl(rangesOf(ranges))));
  }

  /**
   * Returns the processes outside of ranges of ranks ({@code MPI_Group_range_excl}).
   *
   * @param ranges first rank, last rank and stride of each range
   * @return a new group
   */
  public Group rangeExcl(int[][] ranges) throws MPIException {
    return Errors.call(() -> new Group(group().rangeExcl(rangesOf(ranges))));
  }

  private static org.ffmpi.Group.Range[] rangesOf(int[][] ranges) {
    if (ranges == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ranges", null, "arrays, also empty ones");
    }
    org.ffmpi.Group.Range[] all = new org.ffmpi.Group.Range[ranges.length];
    for (int i = 0; i < all.length; i++) {
      int[] range = Arguments.first("ranges[" + i + "]", ranges[i], 3);
      all[i] = new org.ffmpi.Group.Range(range[0], range[1], range[2]);
    }
    return all;
  }
}
