// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.diagnosis;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Epochs that never end, whose diagnosis names the lock's holder and the missing call. */
@DisplayName("A job that waits in the calls of a window is explained")
@Tag("long")
class WindowMistakesTest {
  private static final String HELD = " .rank %d has held it for [0-9.]+ s at least.";

  private final Explained explained = new Explained();
  private final CountDownLatch known = explained.known;

  /** The part of a program that one rank runs with a window. */
  private interface Body {
    void run(IntraComm world, Win win) throws Exception;
  }

  private void explains(String path, int ranks, String expected, Body body) {
    explained.explains(ranks, Map.of("ffmpi.window", path), Pattern.compile(expected), world -> {
      Win win = world.winAllocate(Long.BYTES, Long.BYTES);
      win.setName("w");
      body.run(world, win);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "message"})
  @DisplayName("a lock whose holder waits for a message")
  void lockThatIsKept(String path) {
    explains(path, 2, "=> ranks 0 and 1 wait for each other: rank 0 receives from rank 1 with tag 3 on MPI_COMM_WORLD"
        + " .no such message., rank 1 waits for the (exclusive )?lock of the rank itself on w" + HELD.formatted(0),
        (world, win) -> {
          if (world.rank() == 0) {
            win.lock(LockType.EXCLUSIVE, 1);
            world.send(new int[1], 1, 1);
            world.recv(new int[1], 1, 3);
          } else {
            world.recv(new int[1], 0, 1);
            win.lock(LockType.EXCLUSIVE, 1);
            world.send(new int[1], 0, 3);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "message"})
  void twoLocksInDifferentOrder(String path) {
    explains(path, 2, "=> ranks 0 and 1 wait for each other: rank 0 waits for the (exclusive )?lock of rank 1 on w"
        + HELD.formatted(1) + ", rank 1 waits for the (exclusive )?lock of rank 0 on w" + HELD.formatted(0),
        (world, win) -> {
          win.lock(LockType.EXCLUSIVE, world.rank());
          world.barrier();
          win.lock(LockType.EXCLUSIVE, 1 - world.rank());
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "message"})
  @DisplayName("a lock whose holder waits for something else than MPI")
  void holderElsewhere(String path) {
    explains(path, 2, "(?s)rank 0: MPI_Win_lock at WindowMistakesTest.java:\\d+, [0-9.]+ s: waits for the (sha"
        + "red )?lock of the rank itself on w" + HELD.formatted(1)
        + ".*=> rank 0 waits for rank 1, which is in no call that waits: thread ffmpi-rank-1 is"
        + " WAITING in CountDownLatch.await, called at WindowMistakesTest.holderElsewhere.WindowMistakesTest.java:",
        (world, win) -> {
          if (world.rank() == 1) {
            win.lockAll();
            win.unlockAll();
            win.lock(LockType.EXCLUSIVE, 0);
            world.send(new int[1], 0, 1);
            known.await();
          } else {
            world.recv(new int[1], 1, 1);
            win.lock(LockType.SHARED, 0);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "message"})
  void noPost(String path) {
    explains(path, 2, "=> ranks 0 and 1 wait for each other: rank 0 waits for the post of rank 1 on w .rank 1 has not"
        + " called MPI_Win_post for it., rank 1 receives from rank 0 with tag 4 on MPI_COMM_WORLD", (world, win) -> {
      if (world.rank() == 0) {
        win.start(world.group().incl(1));
      } else {
        world.recv(new int[1], 0, 4);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "message"})
  void noComplete(String path) {
    explains(path, 3, "=> ranks 0 and 2 wait for each other: rank 0 waits for the end of (1 access epoch|the access"
        + " epoch of rank 2) on w .rank 2 has not called MPI_Win_complete., rank 2 receives from rank 0 with tag 4",
        (world, win) -> {
          if (world.rank() == 0) {
            Group origins = world.group().incl(1, 2);
            win.post(origins);
            win.await();
            world.send(new int[1], 2, 4);
          } else {
            win.start(world.group().incl(0));
            if (world.rank() == 2) {
              world.recv(new int[1], 0, 4);
            }
            win.complete();
            world.recv(new int[1], Constants.ANY_SOURCE, 5);
          }
        });
  }
}
