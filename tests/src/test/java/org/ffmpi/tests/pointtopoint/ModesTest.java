// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to send meets every way to receive (MPI-4.1 §3.4 to §3.11). */
class ModesTest {
  private static final int[] LENGTHS = {0, 8, 41, 1_000, 9_000, 40_000};
  private static final int TAG = 3;
  private static final int TOKEN = 4;

  /** Ways to send. */
  private enum Sending {
    SEND, BSEND, SSEND, RSEND, ISEND, IBSEND, ISSEND, IRSEND, SEND_INIT, BSEND_INIT, SSEND_INIT, RSEND_INIT;

    boolean needsReceiver() {
      return this == RSEND || this == IRSEND || this == RSEND_INIT;
    }

    /** Sends once or, where requests can be started again, several times the same. */
    void send(Comm world, Buf<?> buf, int dest, Runnable before, int times) {
      Request request = switch (this) {
        case SEND_INIT -> world.sendInit(buf, dest, TAG);
        case BSEND_INIT -> world.bsendInit(buf, dest, TAG);
        case SSEND_INIT -> world.ssendInit(buf, dest, TAG);
        case RSEND_INIT -> world.rsendInit(buf, dest, TAG);
        default -> null;
      };
      for (int i = 0; i < times; i++) {
        before.run();
        if (request instanceof Persistent persistent) {
          persistent.start();
          persistent.await();
        } else {
          sendOnce(world, buf, dest);
        }
      }
      if (request != null) {
        request.close();
      }
    }

    private void sendOnce(Comm world, Buf<?> buf, int dest) {
      switch (this) {
        case SEND -> world.send(buf, dest, TAG);
        case BSEND -> world.bsend(buf, dest, TAG);
        case SSEND -> world.ssend(buf, dest, TAG);
        case RSEND -> world.rsend(buf, dest, TAG);
        case ISEND -> world.isend(buf, dest, TAG).await();
        case IBSEND -> world.ibsend(buf, dest, TAG).await();
        case ISSEND -> world.issend(buf, dest, TAG).await();
        default -> world.irsend(buf, dest, TAG).await();
      }
    }
  }

  /** Ways to receive. */
  private enum Receiving {
    IRECV, RECV_INIT, RECV, PROBE, MPROBE, IMPROBE;

    boolean isPosted() {
      return this == IRECV || this == RECV_INIT;
    }

    void recv(Comm world, byte[] data, int source, Runnable ready, int times, Runnable check) {
      Persistent persistent = this == RECV_INIT ? world.recvInit(Buf.of(data), source, TAG) : null;
      for (int i = 0; i < times; i++) {
        java.util.Arrays.fill(data, (byte) 0);
        Status status = recvOnce(world, data, source, ready, persistent);
        assertEquals(data.length, status.bytes());
        assertEquals(TAG, status.tag());
        check.run();
      }
      if (persistent != null) {
        persistent.close();
      }
    }

    private Status recvOnce(Comm world, byte[] data, int source, Runnable ready, Persistent persistent) {
      Status status = new Status();
      switch (this) {
        case IRECV -> {
          Request receive = world.irecv(data, source, ANY_TAG);
          ready.run();
          return receive.await(status);
        }
        case RECV_INIT -> {
          persistent.start();
          ready.run();
          return persistent.await(status);
        }
        default -> ready.run();
      }
      switch (this) {
        case RECV -> world.recv(data, ANY_SOURCE, TAG, status);
        case PROBE -> {
          assertEquals(data.length, world.probe(source, ANY_TAG).bytes());
          world.recv(data, source, TAG, status);
        }
        case MPROBE -> {
          Message message = world.mprobe(source, TAG);
          assertEquals(data.length, message.status().bytes());
          message.mrecv(Buf.of(data), status);
        }
        default -> {
          Optional<Message> message = Optional.empty();
          while (message.isEmpty()) {
            message = world.improbe(ANY_SOURCE, ANY_TAG);
          }
          message.get().imrecv(Buf.of(data)).await(status);
        }
      }
      return status;
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2, timeout = 180)
  @DisplayName("S1-3.1-b: all modes, blocking, nonblocking and persistent, meet all ways to receive")
  void allMeetAll(Mpi mpi) {
    Comm world = mpi.world();
    mpi.bufferAttach(Buf.of(new byte[200_000]));
    for (Sending sending : Sending.values()) {
      for (Receiving receiving : Receiving.values()) {
        if (sending.needsReceiver() && !receiving.isPosted()) {
          continue;
        }
        for (int length : LENGTHS) {
          meet(world, sending, receiving, length);
        }
      }
    }
    mpi.bufferDetach();
  }

  private static void meet(Comm world, Sending sending, Receiving receiving, int length) {
    if (world.rank() == 0) {
      byte[] data = Data.bytes(length, length);
      sending.send(world, Buf.of(data), 1, () -> world.recv(new byte[0], 1, TOKEN), 2);
    } else {
      byte[] data = new byte[length];
      receiving.recv(
          world, data, 0, () -> world.send(new byte[0], 0, TOKEN), 2, () -> Data.check(data, 0, length, length));
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.1-b S1-3.1-c: all modes to nobody")
  void toNobody(Mpi mpi) {
    Comm world = mpi.world();
    byte[] data = {5};
    for (Sending sending : Sending.values()) {
      if (sending == Sending.BSEND || sending == Sending.IBSEND) {
        mpi.bufferAttach(Buf.of(new byte[1_000]));
        sending.send(world, Buf.of(data), PROC_NULL, () -> {}, 2);
        mpi.bufferDetach();
      } else {
        sending.send(world, Buf.of(data), PROC_NULL, () -> {}, 2);
      }
    }
    Message nobody = world.mprobe(PROC_NULL, TAG);
    assertEquals(PROC_NULL, nobody.mrecv(Buf.of(data), new Status()).source());
    assertEquals(5, data[0]);
    List<Request> requests = new ArrayList<>();
    requests.add(world.isendrecv(Buf.of(data), PROC_NULL, TAG, Buf.of(new byte[1]), PROC_NULL, TAG));
    requests.add(world.isendrecvReplace(Buf.of(data), PROC_NULL, TAG, PROC_NULL, TAG));
    Request.waitAll(requests);
    world.sendrecvReplace(Buf.of(data), PROC_NULL, TAG, PROC_NULL, TAG);
    assertEquals(5, data[0]);
  }

  /** A ready send that finds no receive: no later call of the receiver could tell, so the job ends. */
  @ParameterizedTest
  @ValueSource(ints = {0, 8, 5_000, 100_000})
  @DisplayName("S1-2.8-f: a ready send without a receive is fatal where everything is checked")
  void readyWithoutReceive(int length) {
    MpiException ended = assertThrows(
        MpiException.class,
        () -> Mpi.runThreads(2, Map.of("ffmpi.check", "full"), mpi -> {
          Comm world = mpi.world();
          if (world.rank() == 0) {
            world.rsend(Buf.of(new byte[length]), 1, TAG);
          }
          world.recv(new byte[1], 1 - world.rank(), 99);
        }));
    assertTrue(ended.getMessage().contains("ready mode"), ended.getMessage());
    assertTrue(
        ended.errorClass() == ErrorClass.ERR_PROC_ABORTED || ended.errorClass() == ErrorClass.ERR_OTHER,
        ended.toString());
  }
}
