// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Handles freed while something else uses what they stand for; errors that leave everything else as it was. */
class FreedHandlesTest {
  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.5.1-b: types, operations, groups, infos, keys, handlers are freed at once; what uses them goes on")
  void everythingIsFreedAtOnce(IntraComm world) {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    int n = 40_000;
    long[] spread = new long[2 * n];
    long[] got = new long[2 * n];
    for (int i = 0; i < n; i++) {
      spread[2 * i] = 1_000_000L * world.rank() + i;
    }
    long[] sums = {world.rank(), 1};
    Group group = world.group().rangeIncl(new Group.Range(world.size() - 1, 0, -1));
    IntraComm turned = world.create(group);
    group.close();
    Info info = new Info().set("mpi_assert_exact_length", "true");
    IntraComm hinted = turned.dup(info);
    info.close();
    Errhandler<Comm> handler = Errhandler.of((Comm comm, MpiException error) -> log.add("handled"));
    hinted.setErrhandler(handler);
    handler.close();
    Keyval<Comm, String> key = Keyval.of((_, value) -> Optional.of(value), (_, value) -> log.add("deleted " + value));
    hinted.attributes().set(key, "a");
    key.close();
    Datatype<Long> part = Datatype.contiguous(1, Datatype.INT64_T);
    Datatype<Long> type = Datatype.vector(n, 1, 2, part).commit();
    part.close();
    Op<Object> op = Op.kernel(true, (in, inout, len, _) -> {
      for (long i = 0; i < len; i++) {
        inout.setAtIndex(ValueLayout.JAVA_LONG, i,
            in.getAtIndex(ValueLayout.JAVA_LONG, i) + inout.getAtIndex(ValueLayout.JAVA_LONG, i));
      }
    });
    int to = hinted.size() - 1 - next(world);
    int from = hinted.size() - 1 - previous(world);
    Request receive = hinted.irecv(Buf.of(got, 1, type), from, 1);
    Request send = hinted.isend(Buf.of(spread, 1, type), to, 1);
    Persistent sum = hinted.allreduceInit(Buf.of(sums), op, null);
    type.close();
    op.close();
    collect(world);
    assertError(ErrorClass.ERR_TAG, () -> hinted.send(new int[1], to, -7));
    assertEquals("true", hinted.info().get("mpi_assert_exact_length").orElseThrow());
    sum.start();
    hinted.close();
    turned.close();
    collect(world);
    Request.waitAll(new ArrayList<>(List.of(receive, send, sum)));
    sum.close();
    for (int i = 0; i < n; i++) {
      assertEquals(1_000_000L * previous(world) + i, got[2 * i]);
      assertEquals(0, got[2 * i + 1]);
    }
    assertArrayEquals(new long[] {world.size() * (world.size() - 1L) / 2, world.size()}, sums);
    assertEquals(List.of("handled", "deleted a"), log);
  }

  private static void collect(Comm world) {
    if (world.rank() == 0) {
      System.gc();
    }
    world.barrier();
  }

  // ---- envelopes

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S1-3.2.3-a: messages of every source, tag and communicator, received one by one in any order")
  void everyEnvelope(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      RandomGenerator random = Seeds.random(seed[0] + world.rank());
      try (IntraComm twin = world.dup(); IntraComm turned = world.split(0, -world.rank())) {
        List<IntraComm> comms = List.of(world, twin, turned);
        int n = world.size();
        for (boolean early : new boolean[] {true, false}) {
          List<int[]> envelopes = new ArrayList<>(); // communicator, partner, tag
          for (int comm = 0; comm < 3; comm++) {
            for (int partner = 0; partner < n; partner++) {
              for (int tag = 0; tag < 4; tag++) {
                envelopes.add(new int[] {comm, partner, tag});
              }
            }
          }
          List<Request> all = new ArrayList<>();
          List<int[]> receives = shuffled(envelopes, random);
          int[][] got = new int[receives.size()][1];
          for (int i = 0; early && i < got.length; i++) {
            int[] e = receives.get(i);
            all.add(comms.get(e[0]).irecv(got[i], e[1], e[2]));
          }
          for (int[] e : shuffled(envelopes, random)) {
            IntraComm comm = comms.get(e[0]);
            all.add(comm.isend(new int[] {code(e[0], comm.rank(), e[1], e[2])}, e[1], e[2]));
          }
          world.barrier();
          for (int i = 0; !early && i < got.length; i++) {
            int[] e = receives.get(i);
            comms.get(e[0]).recv(got[i], e[1], e[2]);
          }
          Request.waitAll(all);
          for (int i = 0; i < got.length; i++) {
            int[] e = receives.get(i);
            assertEquals(code(e[0], e[1], comms.get(e[0]).rank(), e[2]), got[i][0]);
          }
        }
      }
    });
  }

  private static int code(int comm, int source, int dest, int tag) {
    return ((comm * 10 + source) * 10 + dest) * 10 + tag;
  }

  private static List<int[]> shuffled(List<int[]> list, RandomGenerator random) {
    List<int[]> shuffled = new ArrayList<>(list);
    Collections.shuffle(shuffled, Random.from(random));
    return shuffled;
  }

  // ---- what an error leaves

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-g: a truncated message leaves all memory around the buffer and all other messages alone")
  void truncatedInEveryWay(Comm world) {
    Datatype<Integer> strided = Datatype.vector(1, 1, 2, Datatype.INT).resized(0, 8).commit();
    for (int length : new int[] {20, 3_000, 50_000}) {
      int fits = length / 2;
      int[] data = new int[length];
      Arrays.setAll(data, i -> 5_000_000 + i);
      for (int way = 0; way < 6; way++) {
        MemorySegment memory = way % 2 == 0
            ? Arena.ofAuto().allocate(8L * length + 16, 8) : MemorySegment.ofArray(new long[length + 2]);
        memory.fill((byte) 0x33);
        boolean isStrided = way % 3 == 2;
        Buf<Integer> room = Buf.of(memory, 8, fits, isStrided ? strided : Datatype.INT);
        Request first = world.isend(data, next(world), 1);
        Request second = world.isend(new int[] {77}, next(world), 1);
        switch (way) {
          case 0 -> assertError(ErrorClass.ERR_TRUNCATE, () -> world.recv(room, previous(world), 1));
          case 1 -> assertError(ErrorClass.ERR_TRUNCATE, () -> world.recv(room, ANY_SOURCE, ANY_TAG, new Status()));
          case 2 -> assertError(ErrorClass.ERR_TRUNCATE, () -> world.irecv(room, previous(world), 1).await());
          case 3 -> assertError(ErrorClass.ERR_TRUNCATE, () -> world.mprobe(previous(world), 1).mrecv(room));
          case 4 -> {
            try (Persistent request = world.recvInit(room, previous(world), 1)) {
              request.start();
              assertError(ErrorClass.ERR_TRUNCATE, request::await);
            }
          }
          default -> assertError(ErrorClass.ERR_TRUNCATE, () -> world.mprobe(ANY_SOURCE, 1).imrecv(room).await());
        }
        int[] later = new int[1];
        world.recv(later, previous(world), 1);
        assertEquals(77, later[0]);
        first.await();
        second.await();
        long end = 8 + (isStrided ? 8L * fits : 4L * fits);
        for (long at = 0; at < memory.byteSize(); at += 4) {
          boolean inside = at >= 8 && at < end && (!isStrided || at % 8 == 0);
          int value = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
          int index = (int) (isStrided ? (at - 8) / 8 : (at - 8) / 4);
          assertTrue(value == 0x33333333 || inside && value == 5_000_000 + index, "way " + way + ", byte " + at);
        }
      }
    }
    world.barrier();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.9.1-c: calls for which there is no buffer or memory fail again and again, and harm nothing")
  void noRoom(Mpi mpi) {
    Comm world = mpi.world();
    int bytes = 10_000;
    mpi.bufferAttach(Buf.of(new byte[bytes + Constants.BSEND_OVERHEAD]));
    Request sync = world.issend(Buf.of(new int[] {6}), next(world), 1);
    for (int i = 0; i < 50; i++) {
      assertError(ErrorClass.ERR_BUFFER, () -> world.bsend(Buf.of(new byte[bytes + 1]), next(world), 0));
      assertError(ErrorClass.ERR_BUFFER, () -> world.ibsend(Buf.of(new byte[bytes + 1]), next(world), 0));
      assertError(ErrorClass.ERR_NO_MEM, () -> mpi.shared().allocate(1L << 50));
    }
    world.bsend(Buf.of(Data.bytes(3, bytes)), next(world), 0);
    byte[] got = new byte[bytes];
    world.recv(got, previous(world), 0);
    Data.check(got, 0, 3, bytes);
    world.recv(new int[1], previous(world), 1);
    sync.await();
    mpi.bufferDetach();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    world.barrier();
  }
}
