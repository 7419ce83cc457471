// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ffmpi.base.Constants;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Queues;
import org.ffmpi.shm.account.RankAccount.Traffic;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.shm.diagnosis.JobState.Stage;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Test;

/** The sentences that explain accounts of ranks; the accounts that real jobs give are tested with real jobs. */
class DiagnosisTest {
  private static final long WORLD = Channel.WORLD_CONTEXT;

  private static RankFacts facts(int rank, Stage stage, RankAccount account) {
    return new RankFacts(rank, stage, 100 + rank, account);
  }

  private static RankFacts waiting(int rank, Wait wait, List<Message> receives, List<Message> unexpected, int begun) {
    return facts(
        rank, Stage.INSIDE,
        new RankAccount(
            List.of(wait), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), receives, unexpected,
            List.of(new Communicator(WORLD, begun, 0, 4, "MPI_COMM_WORLD"))));
  }

  private static RankFacts waiting(int rank, Wait wait) {
    return waiting(rank, wait, List.of(), List.of(), 0);
  }

  private static Wait send(int peer, int tag, long bytes) {
    return new Wait("MPI_Send", Kind.SEND, peer, tag, WORLD, bytes, -1, -1, 0);
  }

  private static Wait receive(int peer, int tag) {
    return new Wait("MPI_Recv", Kind.RECEIVE, peer, tag, WORLD, 8, -1, -1, 0);
  }

  private static Wait call(Collective what, int root, int number, int peer) {
    return new Wait("MPI_Wait", Kind.COLLECTIVE, peer, number, WORLD + 1, 8, what.ordinal(), root, 0);
  }

  private static List<String> of(RankFacts... ranks) {
    return Diagnosis.of(new JobState(List.of(ranks)));
  }

  @Test
  void nobodyWaits() {
    assertEquals(List.of(), of(facts(0, Stage.INSIDE, RankAccount.NONE), facts(1, Stage.OUTSIDE, RankAccount.NONE)));
  }

  @Test
  void ranksThatAreNotThere() {
    assertEquals(
        List.of("rank 0 waits for rank 1, which has not called MPI_Init",
            "ranks 2 and 3 wait for rank 4, which has finalized",
            "rank 5 waits for rank 6, which has died",
            "rank 7 waits for rank 8, which is in no call that waits: computing, or testing in a loop",
            "rank 9 waits for rank 10, which has no account that can be read"),
        of(waiting(0, receive(1, 1)), facts(1, Stage.OUTSIDE, RankAccount.NONE), waiting(2, receive(4, 1)),
            waiting(3, send(4, 1, 8)), facts(4, Stage.FINALIZED, RankAccount.NONE), waiting(5, receive(6, 1)),
            facts(6, Stage.DEAD, RankAccount.NONE), waiting(7, receive(8, 1)), facts(8, Stage.INSIDE, RankAccount.NONE),
            waiting(9, receive(10, 1)), facts(10, Stage.INSIDE, null)));
  }

  @Test
  void aLongCycleIsNamedOnce() {
    List<String> said = of(waiting(0, receive(2, 1)), waiting(1, receive(0, 1)), waiting(2, receive(1, 1)),
        waiting(3, receive(0, 9)));
    assertTrue(
        said.getFirst().startsWith("ranks 0, 1 and 2 wait for each other: rank 0 receives from"), said::toString);
    assertEquals(1, said.stream().filter(s -> s.contains("each other")).count(), said::toString);
    assertTrue(said.getLast().startsWith("rank 3 receives from rank 0 with tag 9"), said::toString);
  }

  @Test
  void aMessageOnItsWayIsNotMissing() {
    RankFacts receiver = waiting(1, receive(0, 7), List.of(new Message(0, 7, WORLD, 8)), List.of(), 0);
    String report = Diagnosis.report(new JobState(List.of(waiting(0, send(1, 7, 8)), receiver)), 1_500_000_000L);
    assertTrue(
        report.contains("rank 0: MPI_Send, 1.5 s: sends 8 bytes to rank 1 with tag 7 on MPI_COMM_WORLD\n"), report);
  }

  @Test
  void callsThatDiffer() {
    assertEquals(
        List.of("collective call 3 on MPI_COMM_WORLD differs between ranks: ranks 0 and 2 call MPI_Bcast with root 0"
            + " and rank 1 calls MPI_Reduce_scatter_block"),
        of(waiting(0, call(Collective.BCAST, 0, 2, 1), List.of(), List.of(), 3),
            waiting(1, call(Collective.REDUCE_SCATTER_BLOCK, -1, 2, 0), List.of(), List.of(), 3),
            waiting(2, call(Collective.BCAST, 0, 2, 1), List.of(), List.of(), 3)));
  }

  @Test
  void callsThatARankHasEnded() {
    List<String> said = of(waiting(0, call(Collective.GATHERV, 0, 2, 1), List.of(), List.of(), 3),
        waiting(1, receive(Constants.ANY_SOURCE, 1), List.of(), List.of(), 3));
    assertEquals("rank 1 has ended MPI_Gatherv with root 0 (collective call 3 on MPI_COMM_WORLD), in which rank 0 waits"
        + " for a message to or from it: the block is empty, or has another length, at one of the two ranks",
        said.getFirst());
  }

  @Test
  void aStandstillIsNewOnce() {
    JobState still = new JobState(List.of(waiting(0, receive(1, 1)), waiting(1, receive(0, 1))));
    JobState other = new JobState(List.of(waiting(0, receive(1, 2)), facts(1, Stage.INSIDE, RankAccount.NONE)));
    Standstill standstill = new Standstill(10);
    assertFalse(standstill.isNew(still, 0));
    assertFalse(standstill.isNew(still, 9));
    assertTrue(standstill.isNew(still, 11));
    assertFalse(standstill.isNew(still, 100));
    assertFalse(standstill.isNew(other, 200), "one computes");
    assertFalse(standstill.isNew(other, 300), "one computes");
    assertFalse(standstill.isNew(still, 301));
    assertTrue(standstill.isNew(still, 320));
  }

  @Test
  void anyAccountsAtAllHaveSomeSentences() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      int ranks = 1 + random.nextInt(6);
      List<RankFacts> all = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        all.add(facts(
            r, Stage.values()[random.nextInt(5)], random.nextInt(8) == 0 ? null : account(random, ranks)));
      }
      String report = Diagnosis.report(new JobState(all), 5);
      assertTrue(report.lines().count() >= 1, () -> "seed " + Arrays.toString(all.toArray()));
    }
  }

  private static RankAccount account(Random random, int ranks) {
    List<Wait> waits = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      waits.add(
          new Wait(
              random.nextBoolean() ? "" : "MPI_X", Kind.values()[random.nextInt(Kind.values().length)],
              wild(random, ranks), wild(random, 5), wild(random, 20), wild(random, 1 << 20), wild(random, 25),
              wild(random, ranks), random.nextInt(4)));
    }
    return new RankAccount(
        waits, new Traffic(0, 0, 0, 0, 0), new Queues(1, 1, 1, 1), messages(random, ranks), messages(random, ranks),
        messages(random, ranks), List.of(new Communicator(0, random.nextInt(4), 0, ranks, "")));
  }

  private static List<Message> messages(Random random, int ranks) {
    List<Message> list = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      list.add(new Message(wild(random, ranks), wild(random, 5), wild(random, 20), wild(random, 100)));
    }
    return list;
  }

  private static int wild(Random random, int bound) {
    return random.nextInt(12) == 0 ? random.nextInt() : random.nextInt(bound + 1) - 1;
  }
}
