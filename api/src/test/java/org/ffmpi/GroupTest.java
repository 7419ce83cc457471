// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ffmpi.Group.Range;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.spi.Members;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls on groups, one by one. */
class GroupTest {
  private final Worlds here = Worlds.returning(2, 10);
  private final Group all = group(Members.all(10));

  private Group group(Members members) {
    return new Group(CommImpl.of(here.mpi.world()).state().world, members);
  }

  private Group of(int... peers) {
    return group(Members.of(peers));
  }

  private static void assertMembers(Group group, int... peers) {
    assertArrayEquals(peers, group.members().toArray());
  }

  // ---- what they are

  @Test
  void sizeAndRankAreThoseOfTheGroup() {
    assertEquals(10, all.size());
    assertEquals(2, all.rank());
    assertEquals(1, of(5, 2, 9).rank());
    assertEquals(Constants.UNDEFINED, of(5, 9).rank());
  }

  @Test
  void theEmptyGroupNeedsNoWorld() {
    assertEquals(0, Group.EMPTY.size());
    assertEquals(Constants.UNDEFINED, Group.EMPTY.rank());
    assertEquals(Comparison.IDENT, Group.EMPTY.compare(Group.EMPTY));
    assertEquals(Comparison.UNEQUAL, Group.EMPTY.compare(all));
    assertMembers(Group.EMPTY.union(all), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertMembers(Group.EMPTY.incl());
    assertArrayEquals(new int[] {Constants.PROC_NULL}, Group.EMPTY.translateRanks(new int[] {-3}, all));
  }

  @Test
  void ranksAreTranslated() {
    assertArrayEquals(
        new int[] {1, Constants.UNDEFINED, Constants.PROC_NULL, 0, 1},
        of(9, 4, 7).translateRanks(new int[] {0, 1, Constants.PROC_NULL, 2, 0}, of(7, 9, 3)));
    assertArrayEquals(new int[0], all.translateRanks(new int[0], all));
    assertArrayEquals(
        new int[] {Constants.UNDEFINED}, all.translateRanks(new int[] {3}, Group.EMPTY));
  }

  @Test
  void comparisonTellsOrderAndMembers() {
    assertEquals(Comparison.IDENT, all.compare(all));
    assertEquals(Comparison.IDENT, of(3, 5, 9).compare(of(3, 5, 9)));
    assertEquals(Comparison.SIMILAR, of(3, 5, 9).compare(of(9, 3, 5)));
    assertEquals(Comparison.SIMILAR, of(1, 3, 5).compare(of(5, 3, 1)));
    assertEquals(Comparison.UNEQUAL, of(3, 5, 9).compare(of(3, 5)));
    assertEquals(Comparison.UNEQUAL, of(3, 5, 9).compare(of(3, 5, 8)));
  }

  @ParameterizedTest
  @EnumSource(Comparison.class)
  @DisplayName("S1-2.5.3: results of comparisons are an enumeration with the numbers of the ABI")
  void comparisonsHaveTheNumbersOfTheAbi(Comparison comparison) throws ReflectiveOperationException {
    assertEquals(Constants.class.getField(comparison.name()).getInt(null), comparison.code());
  }

  @Test
  void equalGroupsAreIdent() {
    assertEquals(of(1, 4), of(1, 4));
    assertEquals(of(1, 4).hashCode(), of(1, 4).hashCode());
    assertNotEquals(of(1, 4), of(4, 1));
    assertEquals(Group.EMPTY, all.incl());
    assertEquals(all.incl(), Group.EMPTY);
    assertEquals("Group[10 members, this is rank 2]", all.toString());
  }

  // ---- made of others

  @Test
  void setOperationsKeepTheOrderOfTheFirst() {
    assertMembers(of(5, 1, 7).union(of(7, 2, 5, 0)), 5, 1, 7, 2, 0);
    assertMembers(of(5, 1, 7).intersection(of(7, 2, 5, 0)), 5, 7);
    assertMembers(of(7, 2, 5, 0).intersection(of(5, 1, 7)), 7, 5);
    assertMembers(of(5, 1, 7).difference(of(7, 2, 5, 0)), 1);
    assertMembers(of(5, 1, 7).difference(of(7, 1, 5, 0)));
  }

  @Test
  void membersAreTakenInTheOrderNamed() {
    assertMembers(all.incl(7, 0, 3), 7, 0, 3);
    assertMembers(of(4, 8, 6).incl(2, 0), 6, 4);
    assertMembers(all.excl(7, 0, 3), 1, 2, 4, 5, 6, 8, 9);
    assertMembers(of(4, 8, 6).excl(0), 8, 6);
    assertMembers(all.incl());
    assertEquals(all, all.excl());
  }

  @Test
  void rangesCountUpAndDown() {
    assertMembers(all.rangeIncl(new Range(6, 7), new Range(1, 6, 4), new Range(9, 0, -9)), 6, 7, 1, 5, 9, 0);
    assertMembers(all.rangeIncl(new Range(9, 1, -3)), 9, 6, 3);
    assertMembers(all.rangeIncl(new Range(4, 4, -5)), 4);
    assertMembers(all.rangeExcl(new Range(6, 7), new Range(1, 6, 4), new Range(9, 0, -9)), 2, 3, 4, 8);
    assertMembers(all.rangeExcl(new Range(8, 0, -2)), 1, 3, 5, 7, 9);
    assertMembers(all.rangeIncl());
    assertEquals(all, all.rangeExcl());
  }

  @Test
  @DisplayName("the last number of a range need not be a rank when the stride does not lead there")
  void onlyComputedRanksHaveToBeMembers() {
    assertMembers(all.rangeIncl(new Range(3, Integer.MAX_VALUE, Integer.MAX_VALUE - 1)), 3);
    assertMembers(all.rangeIncl(new Range(3, -9, Integer.MIN_VALUE)), 3);
    assertMembers(all.rangeIncl(new Range(2, 13, 6)), 2, 8);
  }

  @Test
  @DisplayName("groups of ranges are made without lists of members")
  void rangesStayRanges() {
    Group million = group(Members.all(1_000_000));
    Group even = million.rangeIncl(new Range(0, 999_999, 2));
    Group odd = million.difference(even);
    Group sixth = even.intersection(million.rangeIncl(new Range(0, 999_999, 3)));
    Group lower = million.rangeIncl(new Range(0, 499_999));
    Group upper = million.rangeExcl(new Range(0, 499_999));
    for (Group range : List.of(
        even, odd, sixth, lower, upper, lower.union(upper), million.difference(upper),
        odd.rangeIncl(new Range(499_999, 1, -3)), million.union(even), million.excl())) {
      assertTrue(range.members().isRange(), range::toString);
    }
    assertEquals(million, lower.union(upper));
    assertEquals(166_667, sixth.size());
    assertEquals(500_000, odd.size());
    assertEquals(lower, million.difference(upper));
  }

  @Test
  @DisplayName("S1-2.5.1-a: a group lives on when the one it was made of is freed")
  void groupsAreApart() {
    Group source = of(3, 2, 8);
    Group made = source.excl(0);
    source.close();
    assertMembers(made, 2, 8);
    assertEquals(0, made.rank());
    assertError(ErrorClass.ERR_GROUP, source::size, "freed");
  }

  // ---- wrong arguments

  @Test
  void ranksThatAreNoneAreRefused() {
    assertError(ErrorClass.ERR_RANK, () -> all.incl(1, 10), "ranks[1] = 10", "0..9");
    assertError(ErrorClass.ERR_RANK, () -> all.excl(-1), "ranks[0] = -1", "0..9");
    assertError(ErrorClass.ERR_RANK, () -> all.incl(Constants.PROC_NULL), "ranks[0] = -3");
    assertError(ErrorClass.ERR_RANK, () -> all.incl(4, 2, 4), "ranks[2] = 4", "twice");
    assertError(ErrorClass.ERR_RANK, () -> all.excl(4, 4), "ranks[1] = 4", "twice");
    assertError(ErrorClass.ERR_RANK, () -> Group.EMPTY.incl(0), "ranks[0] = 0", "empty");
    assertError(
        ErrorClass.ERR_RANK, () -> all.translateRanks(new int[] {0, 11}, all), "ranks[1] = 11", "0..9 or PROC_NULL");
    assertError(ErrorClass.ERR_RANK, () -> all.translateRanks(new int[] {Constants.ANY_SOURCE}, all), "ranks[0] = -1");
  }

  @Test
  void rangesThatAreNoneAreRefused() {
    assertError(ErrorClass.ERR_ARG, () -> all.rangeIncl(new Range(0, 3, 0)), "ranges[0]", "stride");
    assertError(ErrorClass.ERR_ARG, () -> all.rangeExcl(new Range(3, 0, 1)), "ranges[0]", "stride");
    assertError(ErrorClass.ERR_ARG, () -> all.rangeIncl(new Range(0, 3, -1)), "ranges[0]", "stride");
    assertError(ErrorClass.ERR_RANK, () -> all.rangeIncl(new Range(10, 12)), "first rank of ranges[0] = 10", "0..9");
    assertError(ErrorClass.ERR_RANK, () -> all.rangeIncl(new Range(8, 12)), "last rank of ranges[0] = 12", "0..9");
    assertError(
        ErrorClass.ERR_RANK, () -> all.rangeExcl(new Range(0, 1), new Range(5, -1, -2)), "last rank of ranges[1] = -1");
    assertError(
        ErrorClass.ERR_RANK, () -> all.rangeIncl(new Range(0, Integer.MAX_VALUE)), "last rank of ranges[0]", "0..9");
    assertError(
        ErrorClass.ERR_RANK,
        () -> all.rangeIncl(new Range(0, Integer.MAX_VALUE), new Range(0, 1)), "last rank of ranges[0]", "0..9");
    assertError(
        ErrorClass.ERR_RANK, () -> all.rangeIncl(new Range(0, 4), new Range(6, 3, -1)), "ranges[1] = 4", "twice");
    assertError(ErrorClass.ERR_RANK, () -> all.rangeExcl(new Range(0, 4), new Range(4, 4)), "ranges[1] = 4", "twice");
  }

  @Test
  void nullsAreRefused() {
    assertError(ErrorClass.ERR_ARG, () -> all.incl((int[]) null), "ranks = null");
    assertError(ErrorClass.ERR_ARG, () -> all.excl((int[]) null), "ranks = null");
    assertError(ErrorClass.ERR_ARG, () -> all.rangeIncl((Range[]) null), "ranges = null");
    assertError(ErrorClass.ERR_ARG, () -> all.rangeExcl((Range) null), "ranges[0] = null");
    assertError(ErrorClass.ERR_ARG, () -> all.rangeIncl(new Range(0, 1), null), "ranges[1] = null");
    assertError(ErrorClass.ERR_ARG, () -> all.translateRanks(null, all), "ranks = null");
    assertError(ErrorClass.ERR_GROUP, () -> all.translateRanks(new int[0], null), "other = null");
    assertError(ErrorClass.ERR_GROUP, () -> all.union(null), "other = null");
    assertError(ErrorClass.ERR_GROUP, () -> all.intersection(null), "other = null");
    assertError(ErrorClass.ERR_GROUP, () -> Group.EMPTY.difference(null), "other = null");
    assertError(ErrorClass.ERR_GROUP, () -> all.compare(null), "other = null");
  }

  @Test
  void freedGroupsAreRefused() {
    Group freed = of(1, 3);
    freed.close();
    freed.close();
    assertError(ErrorClass.ERR_GROUP, freed::rank, "freed");
    assertError(ErrorClass.ERR_GROUP, () -> freed.incl(0), "freed");
    assertError(ErrorClass.ERR_GROUP, () -> freed.rangeIncl(), "freed");
    assertError(ErrorClass.ERR_GROUP, () -> freed.union(all), "freed");
    assertError(ErrorClass.ERR_GROUP, () -> all.union(freed), "other", "freed");
    assertError(ErrorClass.ERR_GROUP, () -> all.compare(freed), "other", "freed");
    assertError(ErrorClass.ERR_GROUP, () -> all.translateRanks(new int[] {0}, freed), "other", "freed");
    assertError(ErrorClass.ERR_GROUP, Group.EMPTY::close, "predefined");
  }

  @Test
  void emptyResultsMayBeFreed() {
    Group nobody = all.difference(all);
    nobody.close();
    assertError(ErrorClass.ERR_GROUP, nobody::size, "freed");
    assertEquals(0, Group.EMPTY.size());
  }

  @Test
  void groupsOfDifferentWorldsDoNotMix() {
    Worlds other = Worlds.returning(2, 10);
    Group foreign = new Group(CommImpl.of(other.mpi.world()).state().world, Members.all(10));
    assertError(ErrorClass.ERR_GROUP, () -> all.union(foreign), "other", "session");
    assertError(ErrorClass.ERR_GROUP, () -> all.compare(foreign), "other", "session");
    assertNotEquals(all, foreign);
    assertEquals(foreign, Group.EMPTY.union(foreign));
  }

  @Test
  void nothingIsDoneAfterFinalize() {
    here.mpi.close();
    assertError(ErrorClass.ERR_OTHER, all::size, "finalized");
    assertError(ErrorClass.ERR_OTHER, () -> Group.EMPTY.union(all), "finalized");
  }

  @Test
  void errorsGoThroughTheHandlerOfCallsWithoutACommunicator() {
    Worlds fatal = Worlds.with(Map.of());
    Group group = new Group(CommImpl.of(fatal.mpi.world()).state().world, Members.all(4));
    MpiException error = assertError(ErrorClass.ERR_RANK, () -> group.incl(4), "ranks[0] = 4");
    assertEquals(List.of(error), fatal.told);
  }
}
