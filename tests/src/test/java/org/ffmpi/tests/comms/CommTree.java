// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.UNDEFINED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.CommRequest;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.tests.support.Errors;
import org.ffmpi.tests.support.Seeds;

/**
 * Communicators made out of each other at random, and a model of who is in which. All ranks take the same decisions,
 * from one seed, and know of each communicator which world ranks it has, their own or not; each makes the calls of
 * those it is in.
 */
final class CommTree {
  private static final int MOST_OPEN = 12;

  /** A communicator that has been made out of others. */
  static final class Node {
    final int id;
    final int[] members;
    /** Null where this process is no member, and as long as the communicator is being made. */
    IntraComm comm;
    private CommRequest<? extends IntraComm> pending;
    private boolean isReady = true;

    private Node(int id, int[] members) {
      this.id = id;
      this.members = members;
    }

    /** Returns the rank of a world rank, or -1. */
    int rankOf(int worldRank) {
      return IntStream.range(0, members.length).filter(r -> members[r] == worldRank).findFirst().orElse(-1);
    }

    @Override
    public String toString() {
      return "communicator " + id + " of " + Arrays.toString(members);
    }
  }

  final int me;
  final RandomGenerator plan;
  private final IntraComm world;
  private final String name;
  private final List<Node> open = new ArrayList<>();
  private final List<Node> roots = new ArrayList<>();
  private int made;

  /** Begins with the world and the process alone; the name tells trees apart that grow at the same time. */
  CommTree(IntraComm world, IntraComm self, long seed, String name) {
    this.world = world;
    this.name = name;
    this.plan = Seeds.random(seed);
    this.me = world.rank();
    Node all = add(IntStream.range(0, world.size()).toArray());
    all.comm = world;
    roots.add(all);
    // Everybody's own: other members at each rank, but in the same place of all lists and with the same fate.
    Node alone = add(new int[] {me});
    alone.comm = self;
    roots.add(alone);
  }

  /** Returns the communicators that exist and are ready, this process's and others. */
  List<Node> ready() {
    return open.stream().filter(n -> n.isReady).toList();
  }

  private Node add(int[] members) {
    Node node = new Node(made++, members);
    open.add(node);
    return node;
  }

  /** Does something with the tree: makes a communicator out of one or several, frees one, or compares two. */
  void step() {
    List<Node> ready = ready();
    Node parent = ready.get(plan.nextInt(ready.size()));
    if (open.size() >= MOST_OPEN) {
      close();
      return;
    }
    switch (plan.nextInt(10)) {
      case 0 -> dup(parent);
      case 1 -> idup(parent);
      case 2, 3 -> split(parent);
      case 4 -> create(parent);
      case 5 -> createGroup(parent);
      case 6 -> createFromGroup(parent);
      case 7 -> finishOne();
      case 8 -> compare(parent, ready.get(plan.nextInt(ready.size())));
      default -> close();
    }
  }

  /** Completes what is being made and frees everything. */
  void fell() {
    while (open.stream().anyMatch(n -> !n.isReady)) {
      finishOne();
    }
    while (open.size() > roots.size()) {
      close();
    }
  }

  // ---- making

  private void dup(Node parent) {
    Node child = add(parent.members);
    if (parent.comm != null) {
      adopt(child, parent.comm.dup());
    }
  }

  private void idup(Node parent) {
    Node child = add(parent.members);
    child.isReady = false;
    if (parent.comm != null) {
      child.pending = parent.comm.idup();
    }
  }

  /** Completes one of the communicators that are being made, not always the oldest. */
  private void finishOne() {
    List<Node> unready = open.stream().filter(n -> !n.isReady).toList();
    if (!unready.isEmpty()) {
      Node child = unready.get(plan.nextInt(unready.size()));
      child.isReady = true;
      if (child.pending != null) {
        child.pending.await();
        adopt(child, child.pending.comm());
        child.pending = null;
      }
    }
  }

  private void split(Node parent) {
    int size = parent.members.length;
    int colors = 1 + plan.nextInt(3);
    int[] color = new int[size];
    int[] key = new int[size];
    for (int r = 0; r < size; r++) {
      color[r] = plan.nextInt(8) == 0 ? UNDEFINED : plan.nextInt(colors) * 1_000_000_007;
      key[r] = plan.nextInt(4) == 0 ? plan.nextInt() : plan.nextInt(3) - 1;
    }
    TreeMap<Integer, List<Integer>> byColor = new TreeMap<>();
    for (int r = 0; r < size; r++) {
      if (color[r] != UNDEFINED) {
        byColor.computeIfAbsent(color[r], c -> new ArrayList<>()).add(r);
      }
    }
    IntraComm result = null;
    int rank = parent.rankOf(me);
    if (parent.comm != null) {
      result = parent.comm.split(color[rank], key[rank]);
      assertEquals(color[rank] == UNDEFINED, result == null, parent::toString);
    }
    for (List<Integer> ranks : byColor.values()) {
      ranks.sort(Comparator.comparingInt(r -> key[r])); // stable: ranks decide between equal keys
      Node child = add(ranks.stream().mapToInt(r -> parent.members[r]).toArray());
      if (child.rankOf(me) >= 0 && parent.comm != null) {
        adopt(child, result);
      }
    }
  }

  /** Several groups at once, none of whose processes is in another, and some processes in none. */
  private void create(Node parent) {
    List<Integer> ranks = shuffled(parent.members.length);
    int groups = 1 + plan.nextInt(2);
    IntraComm result = null;
    Node mine = null;
    int[] chosen = {};
    for (int g = 0; g < groups; g++) {
      int count = plan.nextInt(ranks.size() + 1);
      int[] part = ranks.subList(0, count).stream().mapToInt(r -> r).toArray();
      ranks = ranks.subList(count, ranks.size());
      if (part.length > 0) {
        Node child = add(Arrays.stream(part).map(r -> parent.members[r]).toArray());
        if (parent.comm != null && child.rankOf(me) >= 0) {
          mine = child;
          chosen = part;
        }
      }
    }
    if (parent.comm != null) {
      result = parent.comm.create(parent.comm.group().incl(chosen));
    }
    if (mine == null) {
      assertNull(result, parent::toString);
    } else {
      adopt(mine, result);
    }
  }

  /** Only the members call it, not the others of the parent. */
  private void createGroup(Node parent) {
    int[] part = part(parent);
    int tag = plan.nextInt(3);
    Node child = add(Arrays.stream(part).map(r -> parent.members[r]).toArray());
    if (parent.comm != null && child.rankOf(me) >= 0) {
      adopt(child, parent.comm.createGroup(parent.comm.group().incl(part), tag));
    }
  }

  private void createFromGroup(Node parent) {
    int[] part = part(parent);
    Node child = add(Arrays.stream(part).map(r -> parent.members[r]).toArray());
    String tag = name + " " + plan.nextInt(2);
    if (parent.comm != null && child.rankOf(me) >= 0) {
      Group group = parent.comm.group().incl(part);
      adopt(child, IntraComm.createFromGroup(group, tag, null, Errhandler.RETURN));
    }
  }

  /** Returns at least one rank, in any order. */
  private int[] part(Node parent) {
    List<Integer> ranks = shuffled(parent.members.length);
    return ranks.subList(0, 1 + plan.nextInt(ranks.size())).stream().mapToInt(r -> r).toArray();
  }

  private List<Integer> shuffled(int size) {
    List<Integer> ranks = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    Collections.shuffle(ranks, new Random(plan.nextLong()));
    return ranks;
  }

  private void adopt(Node child, IntraComm comm) {
    assertNotNull(comm, child::toString);
    child.comm = comm;
    assertEquals(child.members.length, comm.size(), child::toString);
    assertEquals(child.rankOf(me), comm.rank(), child::toString);
    int[] ranks = IntStream.range(0, comm.size()).toArray();
    assertArrayEquals(child.members, comm.group().translateRanks(ranks, world.group()), child::toString);
  }

  // ---- looking and freeing

  private void compare(Node a, Node b) {
    if (a.comm != null && b.comm != null) {
      assertEquals(expected(a, b), a.comm.compare(b.comm), () -> a + " and " + b);
    }
  }

  private static Comparison expected(Node a, Node b) {
    if (a == b) {
      return Comparison.IDENT;
    }
    if (Arrays.equals(a.members, b.members)) {
      return Comparison.CONGRUENT;
    }
    return Arrays.equals(sorted(a.members), sorted(b.members)) ? Comparison.SIMILAR : Comparison.UNEQUAL;
  }

  private static int[] sorted(int[] members) {
    return Arrays.stream(members).sorted().toArray();
  }

  /** Frees one; what is under way on it goes on, also what is being made out of it. */
  private void close() {
    List<Node> closable = open.stream().filter(n -> n.isReady && !roots.contains(n)).toList();
    if (closable.isEmpty()) {
      return;
    }
    Node node = closable.get(plan.nextInt(closable.size()));
    open.remove(node);
    if (node.comm != null) {
      IntraComm comm = node.comm;
      comm.close();
      Errors.assertError(ErrorClass.ERR_COMM, comm::barrier);
      Errors.assertError(ErrorClass.ERR_COMM, comm::dup);
    }
  }
}
