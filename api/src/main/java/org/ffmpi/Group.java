// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.BitSet;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.MemberSets;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.Identities;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;

/**
 * An ordered set of processes, numbered by <em>rank</em> from 0 ({@code MPI_Group}, MPI-4.1 §7.3). Groups come from
 * communicators ({@code comm.group()}) and from other groups; communicators are made of them.
 *
 * {@snippet :
 * Group even = world.group().rangeIncl(new Group.Range(0, world.size() - 1, 2));
 * IntraComm evens = world.create(even); // null at the odd ranks
 * }
 *
 * <p>A group never changes. All of its methods are local, never wait, and may be called by any thread. Ranges of
 * processes are kept as ranges: the group of a thousand processes takes no more room than that of one. Two groups are
 * {@linkplain #equals equal} when they have the same members in the same order; an empty result equals {@link #EMPTY}.
 *
 * <p>Every method throws {@link MpiException} with ERR_GROUP when this group or an argument has been
 * {@linkplain #close freed}, when a group that is an argument is null, and when the two belong to different sessions;
 * and with ERR_OTHER after finalize. Like all errors of calls without a communicator, they first go through the error
 * handler that serves such calls.
 *
 * <p>This file is long because each call on groups has its contract here.
 */
@Standard({"MPI_Group"})
public final class Group {
  static {
    GroupAccess.register(new Access());
  }

  private static final class Access extends GroupAccess {
    @Override
    protected Group make(World world, Engine engine, Members members) {
      return new Group(world, engine, members);
    }

    @Override
    protected Members membersOf(Group group) {
      return group.members();
    }

    @Override
    protected World worldOf(Group group) {
      return group.world();
    }

    @Override
    protected Engine engineOf(Group group) {
      return group.engine;
    }

    @Override
    protected boolean isClosedGroup(Group group) {
      return group.isClosed();
    }

    @Override
    protected Comparison compareMembers(Members a, Members b) {
      return Group.compare(a, b);
    }

    @Override
    protected MpiException whyUnusable(String name, Group group, World world) {
      return Group.unusable(name, group, world);
    }

    @Override
    protected MpiException whyNotWithin(String name, Group group, World world, Channel whole) {
      return Group.notWithin(name, group, world, whole);
    }
  }

  /** The group without members ({@code MPI_GROUP_EMPTY}). It goes with groups of every session and cannot be freed. */
  @Standard({"MPI_GROUP_EMPTY"})
  public static final Group EMPTY = new Group(null, null, Members.EMPTY);

  private final World world;

  /** Numbers the members; null for {@link #EMPTY} only. */
  private final Engine engine;

  private final Members members;
  private volatile boolean closed;

  /** Creates a group of peers of a world's own engine. */
  Group(World world, Members members) {
    this(world, world.engine(), members);
  }

  /** Creates a group of peers of an engine of a world. */
  Group(World world, Engine engine, Members members) {
    this.world = world;
    this.engine = engine;
    this.members = members;
  }

  /**
   * Ranks at equal distances: {@code first}, {@code first + stride}, and so on, as long as {@code last} is not passed.
   *
   * @param first the first rank
   * @param last the rank that ends the range; the last one when the stride leads there
   * @param stride distance from one to the next, not 0; negative to count down
   */
  public record Range(int first, int last, int stride) {
    /**
     * Makes a range of neighbours.
     *
     * @param first the first rank
     * @param last the last rank, not before {@code first}
     */
    public Range(int first, int last) {
      this(first, last, 1);
    }

    /** How many ranks there are; only of ranges that go from first to last. */
    private long count() {
      return ((long) last - first) / stride + 1;
    }

    private int rank(long index) {
      return (int) (first + index * stride);
    }
  }

  // ---- what it is

  /**
   * Returns how many members the group has ({@code MPI_Group_size}, MPI-4.1 §7.3.1).
   *
   * @return number of members, possibly 0
   */
  @Standard({"MPI_Group_size"})
  public int size() {
    check();
    return members.size();
  }

  /**
   * Returns this process's rank in the group ({@code MPI_Group_rank}, MPI-4.1 §7.3.1).
   *
   * @return from 0 to {@link #size} - 1, or {@code UNDEFINED} when it is no member
   */
  @Standard({"MPI_Group_rank"})
  public int rank() {
    check();
    return world == null ? Constants.UNDEFINED : members.rankOf(engine.self());
  }

  /**
   * Returns the ranks that members of this group have in another one ({@code MPI_Group_translate_ranks}, MPI-4.1
   * §7.3.1).
   *
   * @param ranks ranks in this group, repeated ones too, or {@code PROC_NULL}
   * @param other the other group
   * @return for each of {@code ranks} the rank in {@code other}: {@code UNDEFINED} when it is no member there,
   *     {@code PROC_NULL} for {@code PROC_NULL}
   * @throws MpiException ERR_RANK when a rank is none of this group, ERR_ARG when {@code ranks} is null
   */
  @Standard({"MPI_Group_translate_ranks"})
  public int[] translateRanks(int[] ranks, Group other) {
    checkWith("other", other);
    checkGiven("ranks", ranks);
    int[] translated = new int[ranks.length];
    Members theirs = inOurs(other);
    for (int i = 0; i < ranks.length; i++) {
      int rank = ranks[i];
      if (rank != Constants.PROC_NULL) {
        checkRank("ranks[" + i + "]", rank, " or PROC_NULL");
      }
      translated[i] = rank == Constants.PROC_NULL ? rank : theirs.rankOf(members.peer(rank));
    }
    return translated;
  }

  /**
   * Compares the members and their order ({@code MPI_Group_compare}, MPI-4.1 §7.3.1).
   *
   * @param other the other group
   * @return IDENT, SIMILAR or UNEQUAL
   */
  @Standard({"MPI_Group_compare"})
  public Comparison compare(Group other) {
    checkWith("other", other);
    return compare(members, inOurs(other));
  }

  /** Compares members and order; never CONGRUENT. */
  static Comparison compare(Members a, Members b) {
    if (a.equals(b)) {
      return Comparison.IDENT;
    }
    boolean same = a.size() == b.size() && MemberSets.intersection(a, b).size() == a.size();
    return same ? Comparison.SIMILAR : Comparison.UNEQUAL;
  }

  // ---- other groups made of it

  /**
   * Makes the group of all members of this group, followed by those of the other that are not in this one
   * ({@code MPI_Group_union}, MPI-4.1 §7.3.2).
   *
   * @param other the other group
   * @return the group
   */
  @Standard({"MPI_Group_union"})
  public Group union(Group other) {
    World common = checkWith("other", other);
    Members theirs = inOurs(other);
    if (engine == null || engine == other.engine || Identities.areKnown(engine, theirs)) {
      return new Group(common, engineWith(other), MemberSets.union(members, theirs));
    }
    Members ours = Identities.in(other.engine, engine, members);
    if (!Identities.areKnown(other.engine, ours)) {
      throw raise(common, new MpiException(
          ErrorClass.ERR_GROUP, "other: no communicator has had processes of both groups, so that no group can"));
    }
    return new Group(common, other.engine, MemberSets.union(ours, other.members));
  }

  /**
   * Makes the group of all members of this group that are in the other one too, in the order of this group
   * ({@code MPI_Group_intersection}, MPI-4.1 §7.3.2).
   *
   * @param other the other group
   * @return the group, possibly an empty one
   */
  @Standard({"MPI_Group_intersection"})
  public Group intersection(Group other) {
    World common = checkWith("other", other);
    return new Group(common, engineWith(other), MemberSets.intersection(members, inOurs(other)));
  }

  /**
   * Makes the group of all members of this group that are not in the other one, in the order of this group
   * ({@code MPI_Group_difference}, MPI-4.1 §7.3.2).
   *
   * @param other the other group
   * @return the group, possibly an empty one
   */
  @Standard({"MPI_Group_difference"})
  public Group difference(Group other) {
    World common = checkWith("other", other);
    return new Group(common, engineWith(other), MemberSets.difference(members, inOurs(other)));
  }

  /**
   * Makes the group of some members, in the order in which they are named ({@code MPI_Group_incl}, MPI-4.1 §7.3.2).
   *
   * @param ranks different ranks of this group; member {@code i} of the new group is {@code ranks[i]} of this one
   * @return the group; an empty one when no rank is named
   * @throws MpiException ERR_RANK when a rank is none of this group or is named twice, ERR_ARG when {@code ranks} is
   *     null
   */
  @Standard({"MPI_Group_incl"})
  public Group incl(int... ranks) {
    check();
    checkGiven("ranks", ranks);
    mark(ranks);
    int[] peers = new int[ranks.length];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = members.peer(ranks[i]);
    }
    return new Group(world, engine, Members.of(peers));
  }

  /**
   * Makes the group of all members but some, in the order of this group ({@code MPI_Group_excl}, MPI-4.1 §7.3.2).
   *
   * @param ranks different ranks of this group, in any order
   * @return the group; an equal one when no rank is named
   * @throws MpiException ERR_RANK when a rank is none of this group or is named twice, ERR_ARG when {@code ranks} is
   *     null
   */
  @Standard({"MPI_Group_excl"})
  public Group excl(int... ranks) {
    check();
    checkGiven("ranks", ranks);
    return without(mark(ranks));
  }

  /**
   * Makes the group of some members, range after range ({@code MPI_Group_range_incl}, MPI-4.1 §7.3.2).
   *
   * @param ranges ranges of ranks of this group, which have no rank in common
   * @return the group; an empty one when there is no range
   * @throws MpiException ERR_RANK when a rank is none of this group or comes twice; ERR_ARG when a stride is 0 or leads
   *     away from the end of its range, and when {@code ranges} or one of them is null
   */
  @Standard({"MPI_Group_range_incl"})
  public Group rangeIncl(Range... ranges) {
    check();
    checkGiven("ranges", ranges);
    if (ranges.length == 1) {
      Range range = ranges[0];
      checkRange("ranges[0]", range);
      return new Group(world, engine, MemberSets.select(members, range.first(), (int) range.count(), range.stride()));
    }
    int[] peers = new int[mark(ranges).cardinality()];
    int n = 0;
    for (Range range : ranges) {
      for (long i = 0; i < range.count(); i++) {
        peers[n++] = members.peer(range.rank(i));
      }
    }
    return new Group(world, engine, Members.of(peers));
  }

  /**
   * Makes the group of all members but those of some ranges, in the order of this group
   * ({@code MPI_Group_range_excl}, MPI-4.1 §7.3.2).
   *
   * @param ranges ranges of ranks of this group, which have no rank in common
   * @return the group; an equal one when there is no range
   * @throws MpiException as {@link #rangeIncl}
   */
  @Standard({"MPI_Group_range_excl"})
  public Group rangeExcl(Range... ranges) {
    check();
    checkGiven("ranges", ranges);
    if (ranges.length == 1) {
      Range range = ranges[0];
      checkRange("ranges[0]", range);
      Members gone = MemberSets.select(members, range.first(), (int) range.count(), range.stride());
      return new Group(world, engine, MemberSets.difference(members, gone));
    }
    return without(mark(ranges));
  }

  /**
   * Frees the group ({@code MPI_Group_free}, MPI-4.1 §7.3.3). Communicators and groups that were made of it live on;
   * this one cannot be used any more. Nothing is lost when a group is not freed. Closing again, and closing after
   * finalize, does nothing.
   *
   * @throws MpiException ERR_GROUP when the group is {@link #EMPTY}
   */
  @Standard({"MPI_Group_free"})
  public void close() {
    if (this == EMPTY) {
      throw new MpiException(ErrorClass.ERR_GROUP, "Group.EMPTY is predefined and cannot be freed");
    }
    closed = true;
  }

  // ---- for the rest of the package

  /** Returns the world that the members belong to; null for {@link #EMPTY} only. */
  World world() {
    return world;
  }

  /** Returns the members; of a freed group too. */
  Members members() {
    return members;
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns why a group cannot be an argument of a call in a world, or null. */
  static MpiException unusable(String name, Group group, World world) {
    if (group == null) {
      return MpiException.argument(ErrorClass.ERR_GROUP, name, null, "groups; Group.EMPTY is the one without members");
    }
    if (group.closed) {
      return new MpiException(ErrorClass.ERR_GROUP, name + ": the group has been freed");
    }
    if (group.world != null && world != null && group.world != world) {
      return new MpiException(ErrorClass.ERR_GROUP, name + ": the group belongs to another session");
    }
    return null;
  }

  /** Returns why a group does not lie within a communicator's, or null. */
  static MpiException notWithin(String name, Group group, World world, Channel whole) {
    MpiException wrong = unusable(name, group, world);
    if (wrong == null && group.members != whole.local()
        && MemberSets.difference(group.in(whole.engine()), whole.local()).size() > 0) {
      wrong = MpiException.argument(
          ErrorClass.ERR_GROUP, name, group.members, "subsets of the communicator's group " + whole.local());
    }
    return wrong;
  }

  /** Returns the members as peers of an engine; one that it does not know has a number beyond them. */
  Members in(Engine other) {
    return engine == null || engine == other ? members : Identities.in(other, engine, members);
  }

  private Members inOurs(Group other) {
    return engine == null ? other.members : other.in(engine);
  }

  private Engine engineWith(Group other) {
    return engine == null ? other.engine : engine;
  }

  // ---- checks

  private void check() {
    if (world != null) {
      world.checkOpen();
    }
    if (closed) {
      throw raise(world, new MpiException(ErrorClass.ERR_GROUP, "the group has been freed"));
    }
  }

  /** Checks this group and another; returns the world that a group of both belongs to. */
  private World checkWith(String name, Group other) {
    check();
    World common = world != null || other == null ? world : other.world;
    MpiException wrong = unusable(name, other, world);
    if (wrong != null) {
      throw raise(common, wrong);
    }
    if (common != null) {
      common.checkOpen();
    }
    return common;
  }

  private void checkGiven(String name, Object argument) {
    if (argument == null) {
      throw raise(world, MpiException.argument(ErrorClass.ERR_ARG, name, null, "arrays, also empty ones"));
    }
  }

  private void checkRank(String name, int rank, String orElse) {
    if (rank < 0 || rank >= members.size()) {
      throw raise(world, MpiException.argument(ErrorClass.ERR_RANK, name, rank, ranks() + orElse));
    }
  }

  private void checkRange(String name, Range range) {
    if (range == null || range.stride() == 0) {
      throw raise(world, MpiException.argument(ErrorClass.ERR_ARG, name, range, "ranges with a stride that is not 0"));
    }
    if (range.stride() > 0 ? range.first() > range.last() : range.first() < range.last()) {
      throw raise(world, MpiException.argument(
          ErrorClass.ERR_ARG, name, range, "ranges whose stride leads from the first rank to the last"));
    }
    checkRank("first rank of " + name, range.first(), "");
    long last = range.first() + (range.count() - 1) * range.stride();
    if (last < 0 || last >= members.size()) {
      throw raise(world, MpiException.argument(ErrorClass.ERR_RANK, "last rank of " + name, last, ranks()));
    }
  }

  private String ranks() {
    return switch (members.size()) {
      case 0 -> "none, the group is empty,";
      case 1 -> "0";
      default -> "0.." + (members.size() - 1);
    };
  }

  private BitSet mark(int[] ranks) {
    BitSet marked = new BitSet();
    for (int i = 0; i < ranks.length; i++) {
      checkRank("ranks[" + i + "]", ranks[i], "");
      mark(marked, "ranks[" + i + "]", ranks[i]);
    }
    return marked;
  }

  private BitSet mark(Range[] ranges) {
    BitSet marked = new BitSet();
    for (int i = 0; i < ranges.length; i++) {
      String name = "ranges[" + i + "]";
      checkRange(name, ranges[i]);
      for (long k = 0; k < ranges[i].count(); k++) {
        mark(marked, name, ranges[i].rank(k));
      }
    }
    return marked;
  }

  private void mark(BitSet marked, String name, int rank) {
    if (marked.get(rank)) {
      throw raise(world, MpiException.argument(ErrorClass.ERR_RANK, name, rank, "ranks that are not named twice"));
    }
    marked.set(rank);
  }

  private Group without(BitSet marked) {
    if (marked.isEmpty()) {
      return new Group(world, engine, members);
    }
    int[] peers = new int[members.size() - marked.cardinality()];
    int n = 0;
    for (int r = marked.nextClearBit(0); r < members.size(); r = marked.nextClearBit(r + 1)) {
      peers[n++] = members.peer(r);
    }
    return new Group(world, engine, Members.of(peers));
  }

  private static MpiException raise(World world, MpiException error) {
    return world == null ? error : world.raise(error);
  }

  // ---- as an object

  /**
   * Returns whether another group has the same members in the same order, which {@link #compare} calls IDENT. Freed
   * groups may be asked too.
   *
   * @param other anything
   * @return true for an equal group of the same session; all empty groups are equal
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof Group group
        && (members.size() == 0 && group.members.size() == 0
            || world == group.world && members.size() == group.members.size() && members.equals(inOurs(group)));
  }

  /**
   * Returns a hash of the members.
   *
   * @return the hash code
   */
  @Override
  public int hashCode() {
    int hash = members.size();
    for (int r = 0; r < members.size(); r++) {
      hash = 31 * hash + Long.hashCode(engine.identity(members.peer(r)));
    }
    return hash;
  }

  /**
   * Describes the group for messages.
   *
   * @return size and own rank
   */
  @Override
  public String toString() {
    int rank = world == null ? Constants.UNDEFINED : members.rankOf(engine.self());
    return "Group[" + (closed ? "freed, " : "") + members.size() + " members"
        + (rank == Constants.UNDEFINED ? "" : ", this is rank " + rank) + "]";
  }
}
