// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.ffmpi.base.Constants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The matcher against a model that is plainly right, with two lists that are searched from their old end. Random runs
 * print their seed; {@code -Dffmpi.test.seed} repeats one. This file is long because the model, the random runs and the
 * cases that random runs seldom meet share one small language of events.
 */
@Tag("long")
class MatcherTest {
  private static final int ANY = Constants.ANY_SOURCE;
  private static final int ANY_TAG = Constants.ANY_TAG;
  private static final int DEEP = 10_000;

  private static final class Receive extends PostedReceive {
    Receive(long context, int peer, int tag) {
      pattern(context, peer, tag);
    }

    boolean fits(long context, int peer, int tag) {
      return this.context == context && (this.peer == ANY || this.peer == peer)
          && (this.tag == ANY_TAG || this.tag == tag);
    }

    @Override
    public String toString() {
      return "receive(context " + context + ", peer " + peer + ", tag " + tag + ")";
    }
  }

  private static final class Message extends Unexpected {
    Message(long context, int peer, int tag) {
      envelope(context, peer, tag);
    }

    @Override
    public String toString() {
      return "message(context " + context + ", peer " + peer + ", tag " + tag + ")";
    }
  }

  /** The matcher and its model side by side; every step compares their answers. */
  private static final class Pair {
    final Matcher matcher = new Matcher();
    final List<Receive> posted = new ArrayList<>();
    final List<Message> unexpected = new ArrayList<>();
    final String what;

    Pair(String what) {
      this.what = what;
    }

    Receive modelPosted(long context, int peer, int tag) {
      return posted.stream().filter(r -> r.fits(context, peer, tag)).findFirst().orElse(null);
    }

    Message modelUnexpected(long context, int peer, int tag) {
      Receive pattern = new Receive(context, peer, tag);
      return unexpected.stream().filter(m -> pattern.fits(m.context, m.peer, m.tag)).findFirst().orElse(null);
    }

    void post(Receive r) {
      matcher.post(r);
      posted.add(r);
    }

    void add(Message m) {
      matcher.addUnexpected(m);
      unexpected.add(m);
    }

    void find(long context, int peer, int tag) {
      assertSame(modelPosted(context, peer, tag), matcher.findPosted(context, peer, tag), what);
    }

    Receive match(long context, int peer, int tag) {
      Receive expected = modelPosted(context, peer, tag);
      assertSame(expected, matcher.matchPosted(context, peer, tag), what);
      posted.remove(expected);
      return expected;
    }

    Message probe(long context, int peer, int tag) {
      Message expected = modelUnexpected(context, peer, tag);
      assertSame(expected, matcher.findUnexpected(context, peer, tag), what);
      return expected;
    }

    boolean take(long context, int peer, int tag) {
      Message expected = probe(context, peer, tag);
      if (expected != null) {
        matcher.remove(expected);
        unexpected.remove(expected);
      }
      return expected != null;
    }

    void withdraw(Receive r) {
      assertEquals(posted.remove(r), matcher.withdraw(r), what);
    }

    void withdrawIf(Predicate<PostedReceive> which) {
      List<PostedReceive> withdrawn = new ArrayList<>();
      matcher.withdrawIf(which, withdrawn::add);
      List<Receive> expected = posted.stream().filter(which).toList();
      assertEquals(expected.size(), withdrawn.size(), what);
      assertEquals(Set.copyOf(expected), Set.copyOf(withdrawn), what);
      posted.removeAll(Set.copyOf(expected));
    }

    void compareCounts() {
      assertEquals(posted.size(), matcher.postedCount(), what);
      assertEquals(unexpected.size(), matcher.unexpectedCount(), what);
      assertEquals(posted.isEmpty() && unexpected.isEmpty(), matcher.isEmpty(), what);
    }

    /** Takes everything out, oldest first. */
    void drain() {
      while (!posted.isEmpty()) {
        Receive oldest = posted.getFirst();
        match(oldest.context, Math.max(0, oldest.peer), Math.max(0, oldest.tag));
      }
      while (!unexpected.isEmpty()) {
        Message oldest = unexpected.getFirst();
        take(oldest.context, oldest.peer, oldest.tag);
      }
      compareCounts();
      assertTrue(matcher.isEmpty(), what);
    }
  }

  /** Random steps as an engine makes them, and steps that only the structure itself allows. */
  private static final class Walk {
    final Random random;
    final Pair pair;
    final int contexts;
    final int peers;
    final int tags;
    final double wild;
    final List<Receive> ever = new ArrayList<>();

    Walk(long seed, int contexts, int peers, int tags, double wild) {
      this.random = new Random(seed);
      this.pair = new Pair(contexts + " contexts, " + peers + " peers, " + tags + " tags, wild " + wild
          + ": repeat with -Dffmpi.test.seed=" + seed);
      this.contexts = contexts;
      this.peers = peers;
      this.tags = tags;
      this.wild = wild;
    }

    long context() {
      return 4L * random.nextInt(contexts);
    }

    int peer() {
      return random.nextInt(peers);
    }

    int tag() {
      return random.nextInt(8) == 0 ? Integer.MAX_VALUE - random.nextInt(tags) : random.nextInt(tags);
    }

    int peerPattern() {
      return random.nextDouble() < wild ? ANY : peer();
    }

    int tagPattern() {
      return random.nextDouble() < wild ? ANY_TAG : tag();
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        boolean growing = i / 500 % 3 != 2;
        step(growing);
        if (i % 64 == 0) {
          pair.compareCounts();
        }
      }
      pair.drain();
    }

    private void step(boolean growing) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> post(growing);
        case 3, 4, 5 -> add(growing);
        case 6 -> pair.find(context(), peer(), tag());
        case 7 -> pair.probe(context(), peerPattern(), tagPattern());
        case 8 -> withdraw(growing);
        default -> {
          pair.match(context(), peer(), tag());
          pair.take(context(), peerPattern(), tagPattern());
        }
      }
    }

    private void post(boolean growing) {
      long context = context();
      int peer = peerPattern();
      int tag = tagPattern();
      for (int i = random.nextInt(3) == 0 ? random.nextInt(20) : 1; i > 0; i--) {
        if (growing || !pair.take(context, peer, tag)) {
          Receive r = new Receive(context, peer, tag);
          ever.add(r);
          pair.post(r);
        }
      }
    }

    private void add(boolean growing) {
      long context = context();
      int peer = peer();
      int tag = tag();
      for (int i = random.nextInt(3) == 0 ? random.nextInt(20) : 1; i > 0; i--) {
        if (growing && random.nextBoolean() || pair.match(context, peer, tag) == null) {
          pair.add(new Message(context, peer, tag));
        }
      }
    }

    private void withdraw(boolean growing) {
      if (!growing && random.nextInt(20) == 0) {
        int peer = peerPattern();
        pair.withdrawIf(p -> p.peer == peer);
      } else if (!pair.posted.isEmpty() && random.nextBoolean()) {
        pair.withdraw(pair.posted.get(random.nextInt(pair.posted.size())));
      } else if (!ever.isEmpty()) {
        pair.withdraw(ever.get(random.nextInt(ever.size()))); // perhaps long gone: then both must say so
      }
    }
  }

  @Test
  void agreesWithListsOnRandomTraffic() {
    long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
    System.out.println("MatcherTest: repeat with -Dffmpi.test.seed=" + seed);
    new Walk(seed, 1, 1, 1, 0).run(2_000);
    new Walk(seed, 2, 3, 3, 0.3).run(12_000);
    new Walk(seed, 3, 8, 40, 0.02).run(12_000);
    new Walk(seed, 1, 2, 2, 0.9).run(6_000);
    new Walk(seed, 50, 64, 1000, 0.1).run(6_000);
  }

  @Test
  void keepsOrderWhenBinsGrow() {
    Pair pair = new Pair("growth");
    for (int i = 0; i < 2_000; i++) {
      pair.post(new Receive(4L * (i % 3), i % 5, i % 401));
      pair.add(new Message(4L * (i % 3), i % 5, 1000 + i % 401));
    }
    pair.compareCounts();
    for (int i = 0; i < 401; i++) {
      pair.find(4L * (i % 3), i % 5, i);
      pair.probe(4L * (i % 3), i % 5, 1000 + i);
      pair.probe(4L * (i % 3), ANY, 1000 + i);
    }
    pair.drain();
  }

  @Test
  void servesRunsOfEqualReceivesInOrder() {
    Pair pair = new Pair("runs");
    List<Receive> run = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Receive r = new Receive(0, 1, 2);
      run.add(r);
      pair.post(r);
    }
    pair.withdraw(run.get(0));
    pair.withdraw(run.get(9));
    pair.withdraw(run.get(5));
    pair.withdraw(run.get(5));
    assertSame(run.get(1), pair.match(0, 1, 2));
    pair.post(new Receive(0, 1, 3)); // the run is filed
    assertSame(run.get(2), pair.match(0, 1, 2));
    Receive young = new Receive(0, 1, 2);
    pair.post(young); // a second run with the first one's key
    pair.withdraw(run.get(4));
    for (int i : new int[] {3, 6, 7, 8}) {
      assertSame(run.get(i), pair.match(0, 1, 2));
    }
    assertSame(young, pair.match(0, 1, 2));
    assertNull(pair.match(0, 1, 2));
    pair.drain();
  }

  @Test
  void servesRunsOfWildcardsInOrder() {
    Pair pair = new Pair("wild runs");
    List<Receive> run = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Receive r = new Receive(0, ANY, i < 3 ? ANY_TAG : 7);
      run.add(r);
      pair.post(r);
    }
    pair.withdraw(run.get(1));
    for (int i : new int[] {0, 2, 3, 4, 5}) {
      assertSame(run.get(i), pair.match(0, i, 7));
    }
    assertTrue(pair.matcher.isEmpty());
  }

  @Test
  void lettingExactAndWildCompeteByAge() {
    Pair pair = new Pair("age");
    Receive exact = new Receive(0, 1, 5);
    Receive anyPeer = new Receive(0, ANY, 5);
    Receive anyTag = new Receive(0, 1, ANY_TAG);
    Receive any = new Receive(0, ANY, ANY_TAG);
    Receive exactToo = new Receive(0, 1, 5);
    for (Receive r : List.of(any, exact, anyTag, exactToo, anyPeer)) {
      pair.post(r);
    }
    assertSame(any, pair.match(0, 1, 5));
    assertSame(exact, pair.match(0, 1, 5));
    assertSame(anyTag, pair.match(0, 1, 5));
    assertSame(exactToo, pair.match(0, 1, 5));
    assertNull(pair.match(0, 1, 6));
    assertNull(pair.match(4, 2, 5));
    assertSame(anyPeer, pair.match(0, 2, 5));
    assertTrue(pair.matcher.isEmpty());
  }

  @Test
  void wildReceivesTakeTheOldestMessage() {
    Pair pair = new Pair("oldest");
    Message first = new Message(0, 3, 9);
    Message second = new Message(0, 1, 9);
    Message third = new Message(0, 3, 8);
    Message elsewhere = new Message(4, 3, 8);
    for (Message m : List.of(elsewhere, first, second, third)) {
      pair.add(m);
    }
    assertSame(first, pair.probe(0, ANY, ANY_TAG));
    assertSame(third, pair.probe(0, ANY, 8));
    assertSame(second, pair.probe(0, 1, ANY_TAG));
    assertTrue(pair.take(0, ANY, 9));
    assertSame(second, pair.probe(0, ANY, 9));
    assertSame(third, pair.probe(0, 3, ANY_TAG));
    assertFalse(pair.take(8, ANY, ANY_TAG));
    pair.drain();
  }

  @Test
  void withdrawsByPredicateFromEveryPlace() {
    Pair pair = new Pair("predicate");
    for (int i = 0; i < 300; i++) {
      pair.post(new Receive(0, i % 7, i));
    }
    for (int i = 0; i < 20; i++) {
      pair.post(new Receive(0, i % 2 == 0 ? ANY : i % 7, ANY_TAG));
    }
    for (int i = 0; i < 5; i++) {
      pair.post(new Receive(4, 3, 1));
    }
    pair.withdrawIf(p -> p.peer == 3);
    pair.compareCounts();
    assertNull(pair.match(4, 3, 1));
    pair.withdrawIf(p -> false);
    pair.withdrawIf(p -> p.isWild());
    pair.drain();
  }

  /** Long queues, taken apart in another order than they were made. */
  @Test
  void agreesWithListsTenThousandDeep() {
    long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
    System.out.println("MatcherTest: repeat with -Dffmpi.test.seed=" + seed);
    for (double wild : new double[] {0, 0.2}) {
      deepPosted(new Walk(seed, 3, 8, 20_000, wild));
      deepUnexpected(new Walk(seed, 3, 8, 20_000, wild));
    }
    deepPosted(new Walk(seed, 1, 1, 40, 0.5));
    deepUnexpected(new Walk(seed, 1, 3, 40, 0.5));
  }

  private static void deepPosted(Walk walk) {
    Pair pair = walk.pair;
    Random random = walk.random;
    for (int i = 0; i < DEEP; i++) {
      pair.post(new Receive(walk.context(), walk.peerPattern(), walk.tagPattern()));
    }
    for (int i = 0; i < DEEP; i++) {
      Receive r = pair.posted.get(random.nextInt(pair.posted.size()));
      switch (random.nextInt(8)) {
        case 0 -> pair.withdraw(r);
        case 1 -> pair.find(walk.context(), walk.peer(), walk.tag());
        case 2 -> pair.post(new Receive(r.context, walk.peerPattern(), walk.tagPattern()));
        default -> pair.match(r.context, r.peer < 0 ? walk.peer() : r.peer, r.tag < 0 ? walk.tag() : r.tag);
      }
    }
    pair.compareCounts();
    pair.withdrawIf(p -> p.tag % 3 == 0);
    pair.compareCounts();
    pair.drain();
  }

  private static void deepUnexpected(Walk walk) {
    Pair pair = walk.pair;
    Random random = walk.random;
    for (int i = 0; i < DEEP; i++) {
      pair.add(new Message(walk.context(), walk.peer(), walk.tag()));
    }
    for (int i = 0; i < DEEP; i++) {
      Message m = pair.unexpected.get(random.nextInt(pair.unexpected.size()));
      int peer = random.nextDouble() < walk.wild ? ANY : m.peer;
      int tag = random.nextDouble() < walk.wild ? ANY_TAG : m.tag;
      switch (random.nextInt(8)) {
        case 0 -> pair.probe(walk.context(), walk.peerPattern(), walk.tagPattern());
        case 1 -> pair.add(new Message(m.context, walk.peer(), walk.tag()));
        default -> pair.take(m.context, peer, tag);
      }
    }
    pair.compareCounts();
    pair.drain();
  }

  /** The queue empties now and then, and what a far search has built has to go and to come again. */
  @Test
  void wildSearchesFindTheOldestWheneverTheyWalkFar() {
    Pair pair = new Pair("far");
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 200; i++) {
        pair.add(new Message(0, i % 5, i % 50));
        pair.add(new Message(4, 7, 1_000 + i));
      }
      assertNull(pair.probe(8, ANY, ANY_TAG));
      pair.probe(4, ANY, ANY_TAG);
      pair.probe(4, ANY, 1_100);
      for (int i = 0; i < 20; i++) {
        assertTrue(pair.take(0, ANY, 49 - i));
        assertTrue(pair.take(0, i % 5, ANY_TAG));
        assertTrue(pair.take(4, ANY, ANY_TAG));
        pair.take(0, 3, 3 + 5 * i % 50);
        pair.add(new Message(0, 3, 3));
      }
      pair.add(new Message(4, 6, 1_150));
      assertTrue(pair.take(4, 6, ANY_TAG));
      pair.compareCounts();
      if (round % 2 == 0) {
        pair.drain();
      }
    }
    pair.drain();
  }

  /** Two keys with one hash are rare, and must not be taken for each other. */
  @Test
  void tellsKeysWithEqualHashesApart() {
    Random random = new Random(4);
    Map<Integer, Message> seen = new HashMap<>();
    Pair pair = new Pair("equal hashes");
    int found = 0;
    while (found < 20) {
      Message m = new Message(4L * random.nextInt(100), random.nextInt(64), random.nextInt(Integer.MAX_VALUE));
      Message other = seen.put(QueueTable.hash(m.context, m.peer, m.tag), m);
      if (other != null && (other.tag != m.tag || other.peer != m.peer || other.context != m.context)) {
        found++;
        for (Message each : List.of(other, m, new Message(other.context, other.peer, other.tag))) {
          pair.post(new Receive(each.context, each.peer, each.tag));
          pair.add(each);
        }
      }
    }
    pair.compareCounts();
    for (Message m : new ArrayList<>(pair.unexpected)) {
      pair.find(m.context, m.peer, m.tag);
      pair.match(m.context, m.peer, m.tag);
      pair.take(m.context, m.peer, m.tag);
    }
    pair.drain();
  }

  @Test
  void walksTheMessagesThatAreAlike() {
    Matcher matcher = new Matcher();
    List<Message> alike = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Message m = new Message(0, 1, 2);
      alike.add(m);
      matcher.addUnexpected(m);
      matcher.addUnexpected(new Message(0, 1, 3 + i));
    }
    Unexpected a = matcher.findUnexpected(0, 1, 2);
    for (Message m : alike) {
      assertSame(m, a);
      a = a.nextAlike();
    }
    assertNull(a);
  }
}
