// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ready mode (MPI-4.1 §3.4). */
@EveryTransport
class ReadyTest {
  private static final Map<String, String> CHECKED = Map.of("ffmpi.check", "full", "ffmpi.errors", "return");

  private static void passReady(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : Data.LENGTHS) {
      byte[] first = new byte[length];
      byte[] second = new byte[length];
      Request receive = world.irecv(first, previous, 1);
      Request other = world.irecv(second, ANY_SOURCE, ANY_TAG);
      world.barrier(); // all receives are posted now
      Request send = world.irsend(Buf.of(Data.bytes(1, length)), next, 1);
      Request ready = world.irsend(Buf.of(Data.bytes(2, length)), next, 2);
      ready.await();
      send.await();
      receive.await();
      other.await();
      Data.check(first, 0, 1, length);
      Data.check(second, 0, 2, length);
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-3.1-b: ready sends to posted receives")
  void readySendsArrive(Comm world) {
    passReady(world);
  }

  @MpiTest(ranks = 2)
  void blockingReadySends(Comm world) {
    for (int length : Data.LENGTHS) {
      if (world.rank() == 0) {
        world.recv(new byte[0], 1, 9);
        world.rsend(Buf.of(Data.bytes(3, length)), 1, 1);
      } else {
        byte[] data = new byte[length];
        Request receive = world.irecv(data, 0, 1);
        world.send(new byte[0], 0, 9);
        assertEquals(length, receive.await(new Status()).bytes());
        Data.check(data, 0, 3, length);
      }
    }
  }

  /** Without checks a ready send is a standard one. */
  @MpiTest(ranks = 2)
  void aBrokenPromiseIsNotNoticedUnchecked(Comm world) {
    for (int length : new int[] {8, 300, 60_000}) {
      if (world.rank() == 0) {
        Request send = world.irsend(Buf.of(Data.bytes(3, length)), 1, 1);
        world.barrier();
        send.await();
      } else {
        world.barrier();
        byte[] data = new byte[length];
        world.recv(data, 0, 1);
        Data.check(data, 0, 3, length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void checkedReadySendsArrive(int ranks) {
    Mpi.runThreads(ranks, CHECKED, mpi -> passReady(mpi.world()));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 300, 60_000})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @DisplayName("S1-2.8-f: a ready send without a receive ends the job, since no later call could tell of it")
  void aBrokenPromiseEndsTheJob(int length) {
    for (int ranks : new int[] {1, 2}) {
      MpiException error = assertThrows(MpiException.class, () -> Mpi.runThreads(ranks, CHECKED, mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          Request send = world.irsend(Buf.of(new byte[length]), ranks - 1, 1);
          if (ranks == 2) {
            world.recv(new byte[1], 1, 2);
          }
          send.await();
        } else {
          world.recv(new byte[1], 0, 3); // makes progress, but is another receive
        }
      }));
      assertTrue(error.getMessage().contains("ready"), error.getMessage());
    }
  }

  @MpiTest(ranks = {1, 2})
  void badArguments(Comm world) {
    int n = world.size();
    Buf<Byte> buf = Buf.of(new byte[1]);
    world.rsend(buf, PROC_NULL, 0);
    assertTrue(world.irsend(buf, PROC_NULL, 0).test());
    assertError(ErrorClass.ERR_RANK, () -> world.rsend(buf, n, 0), "dest = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.rsend(buf, 0, ANY_TAG), "tag = -2");
    assertError(ErrorClass.ERR_BUFFER, () -> world.rsend(null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_RANK, () -> world.irsend(buf, -4, 0), "dest = -4");
    assertError(ErrorClass.ERR_TAG, () -> world.irsend(buf, 0, -1), "tag = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> world.irsend(Buf.inPlace(), 0, 0), "inPlace");
  }
}
