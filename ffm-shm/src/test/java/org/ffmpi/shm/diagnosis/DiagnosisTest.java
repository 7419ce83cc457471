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
import org.ffmpi.shm.account.RankAccount.Epoch;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Place;
import org.ffmpi.shm.account.RankAccount.Queues;
import org.ffmpi.shm.account.RankAccount.Traffic;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.shm.diagnosis.JobState.Stage;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.WaitNote;
import org.junit.jupiter.api.Test;

/** The sentences that explain accounts of ranks; the accounts that real jobs give are tested with real jobs. */
class DiagnosisTest {
  private static final long WORLD = Channel.WORLD_CONTEXT;
  private static final long WINDOW = 9 * Channel.CONTEXTS;
  private static final long SECOND = 1_000_000_000;

  private static RankFacts facts(int rank, Stage stage, RankAccount account) {
    return new RankFacts(rank, stage, 100 + rank, account);
  }

  private static RankFacts waiting(int rank, Wait wait, List<Message> receives, List<Message> unexpected, int begun) {
    return facts(
        rank, Stage.INSIDE,
        new RankAccount(
            List.of(wait), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), receives, unexpected,
            List.of(new Communicator(WORLD, begun, 0, 4, "MPI_COMM_WORLD")), List.of(), Place.UNKNOWN));
  }

  /** Returns a rank that waits in a call of a window, or for a message, with its open epochs. */
  private static RankFacts inWindow(int rank, Wait wait, Epoch... epochs) {
    return facts(
        rank, Stage.INSIDE,
        new RankAccount(
            List.of(wait), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), List.of(), List.of(),
            List.of(new Communicator(WINDOW, 0, 0, 4, "w")), List.of(epochs), Place.UNKNOWN));
  }

  /** Returns a rank that is in no call. */
  private static RankFacts elsewhere(int rank, String text, boolean isBlocked, Epoch... epochs) {
    return facts(
        rank, Stage.INSIDE,
        new RankAccount(
            List.of(), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), List.of(), List.of(), List.of(),
            List.of(epochs), new Place(text, isBlocked, 2 * SECOND)));
  }

  private static Wait lock(int target, boolean exclusive, long since) {
    int detail = exclusive ? WaitNote.EXCLUSIVE : WaitNote.SHARED;
    return new Wait("MPI_Win_lock", "", Kind.LOCK, target, detail, WINDOW, -1, -1, -1, since);
  }

  private static Epoch epoch(EpochSource.Kind kind, int peer) {
    return new Epoch(WINDOW, peer, kind);
  }

  private static RankFacts waiting(int rank, Wait wait) {
    return waiting(rank, wait, List.of(), List.of(), 0);
  }

  private static Wait send(int peer, int tag, long bytes) {
    return new Wait("MPI_Send", "", Kind.SEND, peer, tag, WORLD, bytes, -1, -1, 0);
  }

  private static Wait receive(int peer, int tag) {
    return new Wait("MPI_Recv", "", Kind.RECEIVE, peer, tag, WORLD, 8, -1, -1, 0);
  }

  private static Wait call(Collective what, int root, int number, int peer) {
    return new Wait("MPI_Wait", "", Kind.COLLECTIVE, peer, number, WORLD + 1, 8, what.ordinal(), root, 0);
  }

  private static List<String> of(RankFacts... ranks) {
    return Diagnosis.of(new JobState(List.of(ranks)), SECOND * 5);
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
  void theLineOfTheProgramFollowsTheCall() {
    Wait named = new Wait("MPI_Recv", "Halo.java:44", Kind.RECEIVE, 1, 3, WORLD, 8, -1, -1, 0);
    Wait unnamed = new Wait("", "Halo.java:44", Kind.OTHER, -1, -1, -1, -1, -1, -1, 0);
    Wait other = new Wait("MPI_Wait", "Halo.java:60 for MPI_Irecv at Halo.java:58", Kind.RECEIVE, 0, 3, WORLD, 8, -1,
        -1, 0);
    JobState job = new JobState(
        List.of(waiting(0, named), waiting(1, unnamed), waiting(2, other), waiting(3, receive(0, 1))));
    String report = Diagnosis.report(job, 1_500_000_000L);
    assertTrue(report.contains("rank 0: MPI_Recv at Halo.java:44, 1.5 s: receives from rank 1 with tag 3"), report);
    assertTrue(report.contains("rank 1: at Halo.java:44, 1.5 s: waits"), report);
    assertTrue(report.contains("rank 2: MPI_Wait at Halo.java:60 for MPI_Irecv at Halo.java:58, 1.5 s: "), report);
    assertEquals(
        "ranks 0 and 1 wait at Halo.java:44 and rank 2 at Halo.java:60 for MPI_Irecv at Halo.java:58",
        Diagnosis.places(job));
    assertEquals("Halo.java:44", Diagnosis.rows(job, 0).getFirst().getLast());
    assertEquals("", Diagnosis.places(new JobState(List.of(waiting(0, receive(1, 1))))));
  }

  @Test
  void nestedLocks() {
    assertEquals(
        List.of("ranks 0 and 1 wait for each other: rank 0 waits for the exclusive lock of rank 3 on w (rank 1 has held"
            + " it for 4.0 s at least), rank 1 waits for the shared lock of rank 2 on w (rank 0 has held it for 3.0 s"
            + " at least)"),
        of(inWindow(0, lock(3, true, 2 * SECOND), epoch(EpochSource.Kind.EXCLUSIVE, 2)),
            inWindow(1, lock(2, false, SECOND), epoch(EpochSource.Kind.SHARED, 3)),
            facts(2, Stage.INSIDE, RankAccount.NONE), facts(3, Stage.INSIDE, RankAccount.NONE)));
  }

  @Test
  void aSharedLockAfterAWriter() {
    List<String> said = of(inWindow(0, lock(3, false, 2 * SECOND)),
        inWindow(1, lock(3, true, SECOND)), inWindow(2, receive(3, 1), epoch(EpochSource.Kind.SHARED, -1)),
        facts(3, Stage.INSIDE, RankAccount.NONE));
    assertEquals(
        List.of("rank 2 waits for rank 3, which is in no call that waits: computing, or testing in a loop",
            "rank 0 waits for the shared lock of rank 3 on w (after rank 1, which waits for it exclusively)",
            "rank 1 waits for the exclusive lock of rank 3 on w (rank 2 has held it for 5.0 s at least)"), said);
  }

  @Test
  void aLockOfARankThatComputes() {
    assertEquals(
        List.of("rank 0 waits for the exclusive lock of the rank itself on w (held by no rank that waits; rank 1"
            + " computes)"),
        of(inWindow(0, lock(0, true, 0)), facts(1, Stage.INSIDE, RankAccount.NONE)));
    assertEquals(
        List.of("rank 0 waits for rank 1, which is in no call that waits: thread main is BLOCKED at A.b"),
        of(inWindow(0, lock(0, true, 0)),
            elsewhere(1, "thread main is BLOCKED at A.b", true, epoch(EpochSource.Kind.EXCLUSIVE, 0))));
  }

  @Test
  void postsAndCompletionsThatAreMissing() {
    Wait start = new Wait("MPI_Win_start", "", Kind.POST, 1, 1, WINDOW, -1, -1, -1, 0);
    Wait await = new Wait("MPI_Win_wait", "", Kind.COMPLETES, Constants.ANY_SOURCE, 1, WINDOW, -1, -1, -1, 0);
    assertEquals(
        List.of("ranks 0 and 1 wait for each other: rank 0 waits for the post of rank 1 on w (rank 1 has not called"
            + " MPI_Win_post for it), rank 1 receives from rank 0 with tag 1 on MPI_COMM_WORLD (no such message)"),
        of(inWindow(0, start), waiting(1, receive(0, 1))));
    assertEquals(
        List.of("ranks 0 and 2 wait for each other: rank 0 waits for the end of 1 access epoch on w (rank 2 has not"
            + " called MPI_Win_complete), rank 2 receives from rank 0 with tag 1 on communicator 0 (no such message)"),
        of(inWindow(0, await, epoch(EpochSource.Kind.POST, 1), epoch(EpochSource.Kind.POST, 2)),
            facts(1, Stage.INSIDE, RankAccount.NONE),
            inWindow(2, receive(0, 1), epoch(EpochSource.Kind.START, 0))));
  }

  @Test
  void aStandstillMayIncludeAProgramThatWaitsElsewhere() {
    JobState job = new JobState(List.of(waiting(0, receive(1, 1)), elsewhere(1, "thread main is BLOCKED", true)));
    Standstill standstill = new Standstill(10);
    assertFalse(standstill.isNew(job, 0));
    assertTrue(standstill.isNew(job, 11));
    assertFalse(job.allWaitInCalls());
    JobState computing = new JobState(List.of(waiting(0, receive(1, 1)), elsewhere(1, "computing", false)));
    assertFalse(standstill.isNew(computing, 20));
    assertFalse(standstill.isNew(computing, 40));
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
              random.nextBoolean() ? "" : "MPI_X", random.nextBoolean() ? "" : "X.java:1",
              Kind.values()[random.nextInt(Kind.values().length)],
              wild(random, ranks), wild(random, 5), wild(random, 20), wild(random, 1 << 20), wild(random, 25),
              wild(random, ranks), random.nextInt(4)));
    }
    return new RankAccount(
        waits, new Traffic(0, 0, 0, 0, 0), new Queues(1, 1, 1, 1), messages(random, ranks), messages(random, ranks),
        messages(random, ranks), List.of(new Communicator(0, random.nextInt(4), 0, ranks, "")),
        List.of(
            new Epoch(wild(random, 20), wild(random, ranks), EpochSource.Kind.values()[random.nextInt(4)])),
        random.nextBoolean() ? Place.UNKNOWN : new Place("x", random.nextBoolean(), random.nextInt(9)));
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
