// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.diagnosis;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mistakes that beginners make with MPI, each of which stops a job: the diagnosis names them. */
@DisplayName("A job that does not move is explained")
@Tag("long")
class BeginnersMistakesTest {
  private static final int LONG = 1 << 17;

  private final Explained explained = new Explained();

  /** Over when the diagnosis is known, and the ranks may end. */
  private final CountDownLatch known = explained.known;

  /** Runs ranks until the diagnosis says what is expected. */
  private void explains(int ranks, String expected, Explained.Body body) {
    explains(ranks, Pattern.compile(Pattern.quote("=> " + expected)), body);
  }

  private void explains(int ranks, Pattern expected, Explained.Body body) {
    explained.explains(ranks, Map.of(), expected, body);
  }

  @Test
  void bothSendFirst() {
    explains(2, "ranks 0 and 1 wait for each other: rank 0 sends 1 MiB to rank 1 with tag 7 on MPI_COMM_WORLD (no such"
        + " receive), rank 1 sends 1 MiB to rank 0 with tag 7 on MPI_COMM_WORLD (no such receive)", world -> {
      int other = 1 - world.rank();
      world.send(new long[LONG], other, 7);
      world.recv(new long[LONG], other, 7);
    });
  }

  @Test
  void bothReceiveFirst() {
    explains(2, "ranks 0 and 1 wait for each other: rank 0 receives from rank 1 with tag 3 on MPI_COMM_WORLD (no such"
        + " message), rank 1 receives from rank 0 with tag 3 on MPI_COMM_WORLD (no such message)", world -> {
      int other = 1 - world.rank();
      world.recv(new int[1], other, 3);
      world.send(new int[1], other, 3);
    });
  }

  @Test
  void wrongTag() {
    explains(2, "ranks 0 and 1 wait for each other: rank 0 sends 1 MiB to rank 1 with tag 7 on MPI_COMM_WORLD (no such"
        + " receive: rank 1 receives with tag 8), rank 1 receives from rank 0 with tag 8 on MPI_COMM_WORLD (no such"
        + " message: rank 0 has sent one with tag 7)", world -> {
      if (world.rank() == 0) {
        world.send(new long[LONG], 1, 7);
      } else {
        world.recv(new long[LONG], 0, 8);
      }
    });
  }

  @Test
  void wrongCommunicator() {
    explains(2, "ranks 0 and 1 wait for each other: rank 0 sends 1 MiB to rank 1 with tag 7 on MPI_COMM_WORLD (no such"
        + " receive: rank 1 receives it on rows), rank 1 receives from rank 0 with tag 7 on rows (no such message: rank"
        + " 0 has sent it on MPI_COMM_WORLD)", world -> {
      IntraComm rows = world.dup();
      rows.setName("rows");
      if (world.rank() == 0) {
        world.send(new long[LONG], 1, 7);
      } else {
        rows.recv(new long[LONG], 0, 7);
      }
    });
  }

  @Test
  void oneRankDoesNotDuplicate() {
    explains(2, "ranks 0 and 1 wait for each other: rank 0 receives from rank 1 with tag 1 on MPI_COMM_WORLD (no such"
        + " message), rank 1 waits in MPI_Comm_dup: a message of the library's own from rank 0", world -> {
      if (world.rank() == 1) {
        world.dup();
      } else {
        world.recv(new int[1], 1, 1);
      }
    });
  }

  @Test
  void wrongSource() {
    explains(3, "rank 1 receives that tag from rank 2", Pattern.compile("one with that tag has come from rank 0"),
        world -> {
          if (world.rank() == 0) {
            world.ssend(Buf.of(new int[4]), 1, 7);
          } else {
            world.recv(new int[4], 3 - world.rank(), world.rank() == 1 ? 7 : 9);
          }
        });
  }

  private void explains(int ranks, String first, Pattern second, Explained.Body body) {
    explains(ranks, Pattern.compile("(?s)" + Pattern.quote(first) + ".*" + second.pattern() + "|" + second.pattern()
        + ".*" + Pattern.quote(first)), body);
  }

  @Test
  void oneRankSkipsTheBroadcast() {
    explains(3, Pattern.compile("=> rank 1 has not called MPI_Bcast with root 1 \\(collective call 1 on MPI_COMM_WORLD"
        + "\\), in which ranks 0 and 2 wait: it receives from rank 0 with tag 1"), world -> {
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
      }
      world.bcast(Buf.of(new int[10]), 1);
    });
  }

  @Test
  @DisplayName("different collectives are an error, not a hang")
  void differentCollectives() {
    List<String> errors = Collections.synchronizedList(new ArrayList<>());
    ThreadWorld.start(3, Map.of("ffmpi.errors", "return"), mpi -> {
      try {
        if (mpi.world().rank() == 0) {
          mpi.world().gather(Buf.of(new int[1]), Buf.of(new int[3]), 0);
        } else {
          mpi.world().barrier();
        }
      } catch (MpiException e) {
        errors.add(e.getMessage());
      }
    }).await();
    assertTrue(errors.stream().anyMatch(e -> e.contains("calls something else")), errors.toString());
  }

  @Test
  void differentRoots() {
    explains(3, "collective call 1 on MPI_COMM_WORLD differs between ranks: rank 0 calls MPI_Bcast with root 1 and rank"
        + " 1 calls MPI_Bcast with root 0", world -> {
      if (world.rank() < 2) {
        world.bcast(Buf.of(new int[10]), 1 - world.rank());
      } else {
        world.recv(new int[1], 0, 1);
      }
    });
  }

  @Test
  void barrierMissedByOneThatComputes() {
    explains(3, "rank 2 is not in MPI_Barrier (collective call 1 on MPI_COMM_WORLD), in which ranks 0 and 1 wait: it is"
        + " in no call that waits: thread ffmpi-rank-2 is WAITING in CountDownLatch.await, called at"
        + " BeginnersMistakesTest.barrierMissedByOneThatComputes(", world -> {
      if (world.rank() == 2) {
        known.await();
      }
      world.barrier();
    });
  }

  @Test
  @DisplayName("a rank leaves a loop of collective calls, which go through shared memory by then")
  void oneCallLess() {
    explains(3, "rank 1 has not called MPI_Allreduce (collective call 51 on MPI_COMM_WORLD), in which ranks 0 and 2"
        + " wait: it receives from rank 0 with tag 1 on MPI_COMM_WORLD (no such message)", world -> {
      Buf<Integer> buf = Buf.of(new int[1]);
      for (int i = 0; i < 50; i++) {
        world.allreduce(buf, Op.SUM);
      }
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
      }
      world.allreduce(buf, Op.SUM);
    });
  }

  @Test
  void oneRankForgetsANonblockingCollective() {
    explains(2, "rank 1 has not called MPI_Bcast with root 1 (collective call 1 on MPI_COMM_WORLD), in which rank 0"
        + " waits: it probes for a message from rank 0", world -> {
      if (world.rank() == 0) {
        world.ibcast(Buf.of(new int[3]), 1).await();
      } else {
        world.probe(0, 0);
      }
    });
  }

  @Test
  void waitForARequestThatNobodyServes() {
    explains(2, Pattern.compile("rank 0: MPI_Wait at .*: receives from rank 1 with tag 4 on MPI_COMM_WORLD .no such me"
        + "ssage(?s:.)*=> rank 0 has not called MPI_Barrier .collective call 1 on MPI_COMM_WORLD., in which rank 1 wait"
        + "s: it receives"), world -> {
      if (world.rank() == 0) {
        Request request = world.irecv(new int[1], 1, 4);
        request.await();
        world.barrier();
      } else {
        world.barrier();
      }
    });
  }

  @Test
  void aRingOfSynchronousSends() {
    explains(4, "ranks 0 to 3 wait for each other: rank 0 sends 4 bytes to rank 1 with tag 0 on MPI_COMM_WORLD (no such"
        + " receive), rank 1 sends 4 bytes to rank 2 with tag 0", world -> {
      world.ssend(Buf.of(new int[1]), (world.rank() + 1) % 4, 0);
      world.recv(new int[1], (world.rank() + 3) % 4, 0);
    });
  }

  @Test
  void probeForWhatNeverComes() {
    explains(2, "rank 0 probes for a message from any rank with tag 6 on MPI_COMM_WORLD (no such message: rank 1 has"
        + " sent one with tag 5)", world -> {
      if (world.rank() == 0) {
        world.probe(Constants.ANY_SOURCE, 6);
      } else {
        world.send(new int[1], 0, 5);
        world.probe(Constants.ANY_SOURCE, 6);
      }
    });
  }

  @Test
  void oneSendsToItself() {
    explains(1, "rank 0 waits for itself: it sends 1 MiB to itself with tag 1 on MPI_COMM_WORLD (no such receive)",
        world -> world.send(new long[LONG], 0, 1));
  }

  @Test
  @DisplayName("a block that is empty where it is sent, and not where it is received")
  void emptyBlock() {
    explains(3, "rank 1 has ended MPI_Gatherv with root 0 (collective call 1 on MPI_COMM_WORLD), in which rank 0 waits"
        + " for a message to or from it: the block is empty, or has another length, at one of the two ranks", world -> {
      int[] mine = new int[world.rank() == 1 ? 0 : 5];
      world.gatherv(Buf.of(mine), Buf.of(new int[15]), new long[] {5, 5, 5}, new long[] {0, 5, 10}, 0);
      world.barrier();
    });
  }

  @Test
  @DisplayName("a rank that is its own neighbour sends an empty block and expects another")
  void emptyBlockToItself() {
    explains(1, Pattern.compile("=> rank 0 waits for itself in MPI_Neighbor_alltoallv .collective call 1 on"
        + " communicator \\d+ of 1 ranks.: a block is empty, or has another length, at one of its two ends"), world -> {
      CartComm ring = world.cartCreate(new int[] {1}, new boolean[] {true}, false);
      long[] none = new long[2];
      ring.neighborAlltoallv(
          Buf.of(new int[0]), none, none, Buf.of(new int[2]), new long[] {1, 1}, new long[] {0, 1});
    });
  }

  @Test
  @DisplayName("the watchdog ends a world of threads that stands still, if asked to")
  void watchdogOfThreads() {
    Map<String, String> settings =
        Map.of("ffmpi.errors", "return", "ffmpi.watchdog", "1", "ffmpi.watchdog.ends", "true");
    ThreadWorld world = ThreadWorld.start(2, settings, mpi -> mpi.world().recv(new int[1], 1 - mpi.world().rank(), 0));
    MpiException e = assertThrows(MpiException.class, world::await);
    assertTrue(e.getMessage().contains("nothing had moved for 1 s"), e.getMessage());
    assertTrue(e.getMessage().contains("; ranks 0 and 1 wait at BeginnersMistakesTest.java:"), e.getMessage());
  }

  @Test
  @DisplayName("each thread that waits is told with its line, virtual ones too")
  void linesOfThreads() {
    String line = " at BeginnersMistakesTest.java:\\d+, [0-9.]+ s: ";
    String recv = "rank 0: MPI_Recv" + line + "receives from rank 1 with tag 1 on";
    String send = "rank 0: MPI_Ssend" + line + "sends 4 bytes to rank 1 with tag 2 on";
    explains(2, Pattern.compile("(?s)(?=.*" + recv + ").*" + send), world -> {
      Thread thread = Thread.ofVirtual().start(() -> {
        try {
          world.ssend(Buf.of(new int[1]), 1 - world.rank(), 2);
        } catch (MpiException e) {
          // the end of the world
        }
      });
      world.recv(new int[1], 1 - world.rank(), 1);
      thread.join();
    });
  }

  @Test
  @DisplayName("where everything is checked, the lines of the call that waits, of its request and of its communicator")
  void lineOfRequest() {
    String at = " at BeginnersMistakesTest.java:\\d+";
    Pattern expected = Pattern.compile("rank 0: MPI_Wait" + at + " for MPI_Irecv at line \\d+, [0-9.]+ s: receives from"
        + " rank 1 with tag 1 on the communicator of BeginnersMistakesTest.java:");
    explained.explains(2, Map.of("ffmpi.check", "full"), expected, world -> {
      IntraComm other = world.dup();
      other.irecv(new int[1], 1 - world.rank(), 1).await();
    });
  }

  @Test
  void severalRequests() {
    explains(2, Pattern.compile("rank 0: MPI_Waitany at .*: waits for one of several requests: a receive from rank 1 w"
        + "ith tag [12] on MPI_COMM_WORLD \\(no such message\\) and a receive from rank 1 with tag [12]"), world -> {
      if (world.rank() == 0) {
        Request.waitAny(List.of(world.irecv(new int[1], 1, 1), world.irecv(new int[1], 1, 2)));
      } else {
        world.allreduce(Buf.of(new int[1]), Op.SUM);
      }
    });
  }
}
