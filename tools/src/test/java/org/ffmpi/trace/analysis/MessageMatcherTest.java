// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.ffmpi.trace.analysis.RandomTraffic.Pair;
import org.ffmpi.trace.model.JobRecording;
import org.junit.jupiter.api.Test;

/** Messages matched after the fact, against a model that matches them while it makes them. */
class MessageMatcherTest {
  private static final int WORLDS = 300;

  @Test
  void allMessagesAreFound() {
    for (int i = 0; i < WORLDS; i++) {
      long seed = System.nanoTime();
      RandomTraffic traffic = traffic(seed, true);
      check(seed, traffic, new int[8], all());
    }
  }

  @Test
  void lostCallsShiftNothing() {
    for (int i = 0; i < WORLDS; i++) {
      long seed = System.nanoTime();
      RandomTraffic traffic = traffic(seed, true);
      Random random = new Random(seed + 1);
      int[] lost = new int[8];
      for (int rank = 0; rank < 4; rank++) {
        lost[rank] = random.nextBoolean() ? random.nextInt(traffic.size(rank) + 1) : 0;
      }
      check(seed, traffic, lost, all());
    }
  }

  @Test
  void killedRanksShiftNothing() {
    for (int i = 0; i < WORLDS; i++) {
      long seed = System.nanoTime();
      RandomTraffic traffic = traffic(seed, false);
      Random random = new Random(seed + 1);
      int[] kept = all();
      kept[random.nextInt(4)] = random.nextInt(100);
      check(seed, traffic, new int[8], kept);
    }
  }

  /** The lengths tell where two rows meet that neither begin nor end together. */
  @Test
  void rowsWithoutCommonEndsAreMatchedByTheirLengths() {
    int right = 0;
    for (int i = 0; i < WORLDS; i++) {
      long seed = 17 + i;
      RandomTraffic traffic = traffic(seed, false);
      Random random = new Random(seed + 1);
      int[] lost = {random.nextInt(20), random.nextInt(20), random.nextInt(20), random.nextInt(20)};
      int[] kept = all();
      int killed = random.nextInt(4);
      kept[killed] = traffic.size(killed) - random.nextInt(20);
      Set<Pair> found = found(traffic.recording(lost, kept), lost);
      Set<Pair> expected = expected(traffic, lost, kept);
      expected.retainAll(found);
      right += 10 * expected.size() >= 8 * found.size() ? 1 : 0;
    }
    assertTrue(right > WORLDS * 3 / 4, right + " of " + WORLDS + " worlds are mostly right");
  }

  private static RandomTraffic traffic(long seed, boolean wildcards) {
    return new RandomTraffic(new Random(seed), 4, 400, wildcards);
  }

  private static int[] all() {
    int[] all = new int[8];
    Arrays.fill(all, Integer.MAX_VALUE);
    return all;
  }

  private static void check(long seed, RandomTraffic traffic, int[] lost, int[] kept) {
    assertEquals(
        expected(traffic, lost, kept), found(traffic.recording(lost, kept), lost),
        "seed " + seed + ", lost " + Arrays.toString(lost) + ", kept " + Arrays.toString(kept));
  }

  private static Set<Pair> expected(RandomTraffic traffic, int[] lost, int[] kept) {
    Set<Pair> expected = new HashSet<>();
    for (Pair pair : traffic.pairs()) {
      if (pair.send() >= lost[pair.sender()] && pair.send() < kept[pair.sender()]
          && pair.posted() >= lost[pair.receiver()] && pair.posted() < kept[pair.receiver()]) {
        expected.add(pair);
      }
    }
    return expected;
  }

  private static Set<Pair> found(JobRecording recording, int[] lost) {
    List<MatchedMessage> messages = new MessageMatcher(new JobLanes(recording)).match();
    Set<Pair> found = new HashSet<>();
    for (MatchedMessage message : messages) {
      assertTrue(found.add(new Pair(
          message.sender(), message.send() + lost[message.sender()], message.receiver(),
          message.posted() + lost[message.receiver()])), "a message twice");
    }
    return found;
  }
}
