// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.KilledRank;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sender that dies in the middle of a transfer: its peers neither crash nor hang nor take wrong data for right. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class DyingPeerTest {
  /** How the payload travels. */
  enum Way {
    /** In chunks through a ring. */
    EAGER(12_000),
    /** Through a pipe. */
    PIPED(40_000_000),
    /** Read in the sender's own memory. */
    CROSS(400_000),
    /** Copied out of the shared heap. */
    DIRECT(4_000_000),
    /** Copied element by element out of the shared heap. */
    STRIDED(400_000);

    final int bytes;

    Way(int bytes) {
      this.bytes = bytes;
    }

    /** A message of this length whose bytes are all the same. */
    Buf<?> message(Mpi mpi, byte value) {
      MemorySegment memory = switch (this) {
        case EAGER, PIPED -> MemorySegment.ofArray(new byte[bytes]);
        case CROSS -> Arena.ofAuto().allocate(bytes);
        case DIRECT -> mpi.shared().allocate(bytes);
        case STRIDED -> mpi.shared().allocate(2L * bytes);
      };
      memory.fill(value);
      return this == STRIDED
          ? Buf.of(memory, 1, Datatype.vector(bytes / 16, 16, 32, Datatype.BYTE).commit())
          : Buf.of(memory, bytes, Datatype.BYTE);
    }
  }

  /** Rank 1 sends to all others, over and over, until it is killed; the others look at what they get. */
  static final class Stream {
    private Stream() {}

    public static void main(String[] args) {
      Way way = Way.valueOf(args[0]);
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 1) {
          send(mpi, way);
        } else {
          MemorySegment memory = Arena.ofAuto().allocate(way.bytes);
          Buf<Byte> buf = Buf.of(memory, way.bytes, Datatype.BYTE);
          for (int round = 0; ; round++) {
            world.recv(buf, 1, 0);
            for (long at = 0; at < way.bytes; at += 509) {
              if (memory.get(ValueLayout.JAVA_BYTE, at) != (byte) round) {
                System.err.println(KilledRank.WRONG + " in round " + round + " at " + at);
              }
            }
          }
        }
      });
    }

    private static void send(Mpi mpi, Way way) {
      Comm world = mpi.world();
      System.out.println("ready");
      for (int round = 0; ; round++) {
        Buf<?> message = way.message(mpi, (byte) round);
        List<Request> sends = new java.util.ArrayList<>();
        for (int peer = 0; peer < world.size(); peer++) {
          if (peer != 1) {
            sends.add(world.isend(message, peer, 0));
          }
        }
        Request.waitAll(sends);
      }
    }
  }

  /** All ranks reduce short contributions, over and over, until rank 1 is killed. */
  static final class Reduce {
    private Reduce() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        long[] sum = new long[1];
        for (long round = 0; ; round++) {
          sum[0] = round;
          mpi.world().allreduce(Buf.of(sum), Op.SUM);
          if (sum[0] != mpi.world().size() * round) {
            System.err.println(KilledRank.WRONG + " in round " + round);
          }
          if (round == 100 && mpi.world().rank() == 1) {
            System.out.println("ready");
          }
        }
      });
    }
  }

  /** The others wait for what it was to show, or for it to read what they show. */
  @Test
  void killedWhileOthersWaitAtARegion() throws Exception {
    KilledRank.endsTheJob(Reduce.class, 0);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void killedInTheMiddle(Way way) throws Exception {
    KilledRank.endsTheJob(Stream.class, 100 + Math.floorMod(Seeds.next(), 200), way.name());
  }

  /** The same in one JVM, where the sender leaves by an exception and the receiver lives to see it. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void leavesInTheMiddle(Way way) {
    Map<String, String> settings = Map.of(
        "ffmpi.errors", "return", "ffmpi.ring.slots", "2", "ffmpi.ring.bulk", "256", "ffmpi.pipe.bytes", "4096",
        "ffmpi.chunk", "64", "ffmpi.large.chunk", "1024", "ffmpi.direct.limit", "1G", "ffmpi.cross.limit", "1G");
    AtomicReference<Thread> sender = new AtomicReference<>();
    AtomicReference<MpiException> seen = new AtomicReference<>();
    assertThrows(IllegalStateException.class, () -> Mpi.runThreads(2, settings, mpi -> {
      Comm world = mpi.world();
      Buf<?> message = way.message(mpi, (byte) 1);
      if (world.rank() == 1) {
        sender.set(Thread.currentThread());
        Request send = world.isend(message, 0, 0);
        world.recv(new int[0], 0, 1);
        assertFalse(send.test());
        throw new IllegalStateException("in the middle");
      }
      Request receive = world.irecv(message, 1, 0);
      world.send(new int[0], 1, 1);
      seen.set(assertThrows(MpiException.class, () -> { // by a test already where the sender is quick
        for (int i = 0; i < 3; i++) {
          assertFalse(receive.test());
        }
        while (sender.get() == null || sender.get().isAlive()) {
          Thread.sleep(1);
        }
        receive.await();
      }));
    }));
    assertEquals(ErrorClass.ERR_PROC_ABORTED, seen.get().errorClass(), seen.get().toString());
  }
}
