// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.race.RaceFindings;
import org.junit.jupiter.api.Test;

/** The search for races finds all that the full check finds, each mistake once. */
class RacesAndChecksTest {
  private static final Map<String, String> SETTINGS = Map.of("ffmpi.check", "races");

  private static MpiException errorOf(Mpi.Body body) {
    RaceFindings.take();
    return assertThrows(MpiException.class, () -> Mpi.runThreads(2, SETTINGS, body));
  }

  @Test
  void aMessageThatIsNeverReceivedIsFoundAtTheEnd() {
    MpiException error = errorOf(mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        world.send(new int[] {1}, 1, 7);
      }
    });
    assertEquals(ErrorClass.ERR_PENDING, error.errorClass());
    assertTrue(error.getMessage().contains("with tag 7 was never received"), error::getMessage);
    assertEquals(List.of(), RaceFindings.take());
  }

  /** The clocks that nobody has read are no messages of the program. */
  @Test
  void aRightProgramEndsWithoutAWord() {
    RaceFindings.take();
    Mpi.runThreads(2, SETTINGS, mpi -> {
      IntraComm world = mpi.world();
      int[] word = {1};
      if (world.rank() == 0) {
        world.send(word, 1, 7);
        world.probe(1, 8);
        world.recv(word, 1, 8);
      } else {
        world.send(word, 0, 8);
        world.recv(word, 0, 7);
      }
    });
    assertEquals(List.of(), RaceFindings.take());
  }

  /** Their communicators pass unseen, whose ranks have other numbers than those of the job. */
  @Test
  void jobsThatMeetAreNotAccused() {
    RaceFindings.take();
    Mpi.runThreads(2, SETTINGS, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        InterComm parent = child.parent();
        child.world().allreduce(new int[] {1}, Op.SUM);
        try (IntraComm all = parent.merge(true)) {
          useOfWindow(all);
        }
        parent.disconnect();
      }).processes(2));
      try (IntraComm all = workers.merge(false)) {
        useOfWindow(all);
      }
      useOfWindow(mpi.world());
      workers.disconnect();
    });
    assertEquals(List.of(), RaceFindings.take());
  }

  private static void useOfWindow(IntraComm comm) {
    int[] sum = {1};
    comm.iallreduce(sum, Op.SUM).await();
    assertEquals(comm.size(), sum[0]);
    try (Win win = comm.winAllocate(8L * comm.size(), 8)) {
      win.fence();
      win.put(Buf.of(new long[] {1}), 0, comm.rank());
      win.fence();
    }
  }

  /** A call that begins when the ranks have been compared, and one that is complete at once, name their own lines. */
  @Test
  void buffersOfNonblockingCollectivesAreFreeAfterTheWait() {
    RaceFindings.take();
    Mpi.runThreads(2, SETTINGS, mpi -> {
      for (IntraComm comm : List.of(mpi.world(), mpi.self())) {
        int[] words = {1, 2};
        int[] sums = new int[2];
        for (int i = 0; i < 3; i++) {
          comm.iallreduce(words, sums, Op.SUM).await();
          words[0] = i;
          comm.ibcast(Buf.of(sums), 0).await();
          comm.exscan(words, sums, Op.SUM);
          comm.exscan(words, Op.SUM);
        }
      }
    });
    assertEquals(List.of(), RaceFindings.take());
    MpiException error = errorOf(mpi -> {
      int[] words = {1, 2};
      Request request = mpi.world().ibcast(Buf.of(words), 0);
      words[0] = 2;
      request.await();
    });
    assertTrue(error.getMessage().contains("MPI_Ibcast at RacesAndChecksTest.java"), error::getMessage);
  }

  @Test
  void partitionsAreStoredUntilTheyAreReadyAndReadOnceTheyHaveArrived() {
    RaceFindings.take();
    Mpi.runThreads(2, SETTINGS, mpi -> {
      int[] words = new int[8];
      if (mpi.world().rank() == 0) {
        try (PartitionedSend send = mpi.world().psendInit(Buf.of(words), 4, 1, 0)) {
          for (int i = 0; i < 3; i++) {
            send.start();
            for (int k = 3; k >= 0; k--) {
              words[2 * k] = i;
              send.pready(k);
            }
            send.await();
            words[1] = i;
          }
        }
      } else {
        try (PartitionedRecv recv = mpi.world().precvInit(Buf.of(words), 4, 0, 0)) {
          for (int i = 0; i < 3; i++) {
            recv.start();
            while (!recv.parrived(2)) {
              Thread.onSpinWait();
            }
            assertEquals(i, words[4]);
            recv.await();
            words[0] = -1;
          }
        }
      }
    });
    assertEquals(List.of(), RaceFindings.take());
  }

  /** Rank 0 has no result of an exscan, and its buffer is only read. */
  @Test
  void anExscanOfWhatIsBeingSentIsRight() {
    for (String check : List.of("full", "races")) {
      RaceFindings.take();
      Mpi.runThreads(2, Map.of("ffmpi.check", check), mpi -> {
        IntraComm world = mpi.world();
        int[] words = {1, 2};
        Request received = world.irecv(new int[2], 1 - world.rank(), 0);
        Request sent = world.isend(words, 1 - world.rank(), 0);
        world.exscan(words, new int[2], Op.SUM);
        sent.await();
        received.await();
      });
      assertEquals(List.of(), RaceFindings.take());
    }
  }

  /** The checksum of the full check would find the same once more. The agent that sees the store has loaded itself. */
  @Test
  void aStoreToABufferIsOneFinding() {
    MpiException error = errorOf(mpi -> {
      int[] word = {1};
      if (mpi.world().rank() == 0) {
        Request request = mpi.world().isend(word, 1, 7);
        word[0] = 2;
        request.await();
      } else {
        mpi.world().recv(word, 0, 7);
      }
    });
    List<String> found = RaceFindings.take();
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().endsWith(error.getMessage().substring(error.getMessage().indexOf(": ") + 2)),
        () -> found + " " + error);
  }

  @Test
  void memoryThatIsFreedUnderAReceiveIsFound() {
    MpiException error = errorOf(mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(8);
        Request request = world.isend(Buf.of(memory, 1, Datatype.INT64_T), 1, 7);
        arena.close();
        request.await();
      } else {
        world.recv(new long[1], 0, 7);
      }
    });
    assertTrue(error.getMessage().contains("its arena was closed before that"), error::getMessage);
  }
}
