// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.replay;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Request;
import org.ffmpi.SplitType;
import org.ffmpi.Status;
import org.ffmpi.Win;

/**
 * A program in which everything is a race that the calls allow. Each rank notes what it has seen. The delays of a run
 * decide who comes first, so that runs with other delays see something else.
 */
final class RacingProgram {
  static final int RANKS = 3;
  private static final int ROUNDS = 4;
  private static final int MESSAGES = (RANKS - 1) * ROUNDS;
  /** Elements of an accumulate that follow its request. */
  private static final int LONG = 3000;
  private static final long STEP_NANOS = 20_000;

  private final IntraComm world;
  private final boolean reversed;
  private final boolean sharesMemory;
  private final List<String> seen = new ArrayList<>();

  /** A part of the program. */
  private interface Part {
    void run() throws Exception;
  }

  private RacingProgram(IntraComm world, boolean reversed) {
    this.world = world;
    this.reversed = reversed;
    try (IntraComm node = world.splitType(SplitType.SHARED, 0, null)) {
      this.sharesMemory = node.size() == world.size();
    }
  }

  /**
   * Runs it.
   *
   * @param reversed whether the highest rank is the fastest
   * @return what this rank has seen
   */
  static List<String> run(Mpi mpi, boolean reversed) throws Exception {
    RacingProgram program = new RacingProgram(mpi.world(), reversed);
    List<Part> parts = List.of(
        program::receives, program::postedReceives, program::probes, program::polls, program::partitions,
        program::lists, program::cancelled, program::objects, program::threads, program::windows);
    for (Part part : parts) {
      program.world.barrier(); // no part sees the messages of the next one
      part.run();
    }
    return program.seen;
  }

  private void note(String what) {
    seen.add(what);
  }

  /** Lets the ranks be fast or slow; no call is made meanwhile. */
  private void delay() {
    int place = reversed ? RANKS - 1 - world.rank() : world.rank();
    long end = System.nanoTime() + place * STEP_NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private boolean isMaster() {
    return world.rank() == 0;
  }

  private void sendAll(int tag) {
    for (int i = 0; i < ROUNDS; i++) {
      delay();
      world.send(new int[] {100 * world.rank() + i}, 0, tag);
    }
  }

  private void receives() {
    if (!isMaster()) {
      sendAll(1);
      sendAll(2 + world.rank());
      return;
    }
    int[] got = new int[1];
    Status status = new Status();
    for (int i = 0; i < MESSAGES; i++) {
      world.recv(got, Mpi.ANY_SOURCE, 1, status);
      note("recv " + status.source() + " " + got[0]);
    }
    for (int i = 0; i < MESSAGES; i++) {
      world.recv(got, Mpi.ANY_SOURCE, Mpi.ANY_TAG, status);
      note("any tag " + status.source() + " " + status.tag() + " " + got[0]);
    }
  }

  private void postedReceives() {
    if (!isMaster()) {
      sendAll(10);
      return;
    }
    int[][] got = new int[MESSAGES][1];
    List<Request> posted = new ArrayList<>();
    for (int[] one : got) {
      posted.add(world.irecv(one, Mpi.ANY_SOURCE, 10));
    }
    Status status = new Status();
    for (int i = 0; i < MESSAGES; i++) {
      int index = Request.waitAny(posted, status);
      note("waitAny " + index + " " + status.source() + " " + got[index][0]);
    }
  }

  private void probes() {
    if (!isMaster()) {
      sendAll(20);
      sendAll(21);
      sendAll(22);
      sendAll(23);
      return;
    }
    int[] got = new int[1];
    for (int i = 0; i < MESSAGES; i++) {
      Status status = world.probe(Mpi.ANY_SOURCE, 20);
      world.recv(got, status.source(), 20);
      note("probe " + got[0]);
    }
    for (int i = 0; i < MESSAGES; ) {
      Optional<Status> found = world.iprobe(Mpi.ANY_SOURCE, 21);
      if (found.isPresent()) {
        world.recv(got, found.get().source(), 21);
        note("iprobe " + got[0]);
        i++;
      } else {
        note("nothing");
      }
    }
    for (int i = 0; i < MESSAGES; i++) {
      Message message = world.mprobe(Mpi.ANY_SOURCE, 22);
      message.mrecv(Buf.of(got));
      note("mprobe " + got[0]);
    }
    for (int i = 0; i < MESSAGES; ) {
      Optional<Message> message = world.improbe(Mpi.ANY_SOURCE, 23);
      if (message.isPresent()) {
        message.get().mrecv(Buf.of(got));
        note("improbe " + got[0]);
        i++;
      }
    }
  }

  private void polls() {
    if (!isMaster()) {
      delay();
      world.send(new int[] {1}, 0, 30);
      return;
    }
    Request first = world.irecv(new int[1], 1, 30);
    Request second = world.irecv(new int[1], 2, 30);
    int looks = 0;
    boolean one = false;
    boolean two = false;
    while (!one || !two) {
      one = one || first.test();
      two = two || second.getStatus().isPresent();
      looks++;
    }
    note("looks " + looks);
    second.await();
  }

  private void partitions() {
    if (world.rank() == 1) {
      try (PartitionedSend out = world.psendInit(Buf.of(new int[4]), 4, 0, 31)) {
        out.start();
        for (int i = 0; i < 4; i++) {
          delay();
          out.pready(3 - i);
        }
        out.await();
      }
    } else if (isMaster()) {
      int[] got = new int[4];
      try (PartitionedRecv in = world.precvInit(Buf.of(got), 4, 1, 31)) {
        in.start();
        int looks = 0;
        for (int i = 0; i < 4; looks++) {
          i += in.parrived(i) ? 1 : 0;
        }
        note("parrived after " + looks);
        in.await();
      }
    }
  }

  private void lists() {
    if (!isMaster()) {
      sendAll(40);
      sendAll(41);
      return;
    }
    for (int tag = 40; tag < 42; tag++) {
      List<Request> posted = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        posted.add(world.irecv(new int[1], 1 + i % 2, tag));
      }
      int looks = 0;
      for (int done = 0; done < MESSAGES / 2; looks++) {
        int[] some = tag == 40 ? Request.waitSome(posted) : Request.testSome(posted);
        done += some.length;
        note("some " + Arrays.toString(some));
      }
      while (Request.testAny(posted).isEmpty()) {
        looks++;
      }
      while (!Request.testAll(posted)) {
        looks++;
      }
      note("looks " + looks);
    }
  }

  /** A receive that no message matches, and that is cancelled, may not take what another one got. */
  private void cancelled() {
    if (!isMaster()) {
      delay();
      world.send(new int[] {world.rank()}, 0, 45);
      return;
    }
    int[] got = new int[1];
    Request never = world.irecv(new int[1], Mpi.ANY_SOURCE, 46);
    for (int i = 1; i < RANKS; i++) {
      world.recv(got, Mpi.ANY_SOURCE, 45);
      note("beside a cancelled one " + got[0]);
    }
    never.cancel();
    note("cancelled " + never.await(new Status()).isCancelled());
  }

  private void objects() {
    if (!isMaster()) {
      for (int i = 0; i < 2 * ROUNDS; i++) {
        delay();
        world.sendObject("from " + world.rank() + " " + i, 0, 50);
      }
      return;
    }
    for (int i = 0; i < MESSAGES; i++) {
      note(world.recvObject(Mpi.ANY_SOURCE, 50).toString());
    }
    for (int i = 0; i < MESSAGES; i++) {
      note(world.irecvObject(Mpi.ANY_SOURCE, 50).awaitValue().toString());
    }
  }

  /** Two threads of the master, each with a communicator of its own. */
  private void threads() throws InterruptedException {
    try (IntraComm a = world.dup(); IntraComm b = world.dup()) {
      if (!isMaster()) {
        for (IntraComm comm : List.of(a, b)) {
          for (int i = 0; i < ROUNDS; i++) {
            delay();
            comm.send(new int[] {world.rank()}, 0, 60);
          }
        }
      } else {
        List<String> inA = new ArrayList<>();
        List<String> inB = new ArrayList<>();
        Thread first = Thread.ofPlatform().name("first").start(() -> receive(a, inA));
        Thread second = Thread.ofPlatform().name("second").start(() -> receive(b, inB));
        first.join();
        second.join();
        seen.addAll(inA);
        seen.addAll(inB);
      }
      world.barrier();
    }
  }

  private static void receive(IntraComm comm, List<String> into) {
    int[] got = new int[1];
    for (int i = 0; i < MESSAGES; i++) {
      comm.recv(got, Mpi.ANY_SOURCE, 60);
      into.add("thread " + got[0]);
    }
  }

  private void windows() {
    try (Win win = world.winAllocate(64, 8);
        Win large = world.winAllocate(8 * LONG, 8);
        Win shared = sharesMemory ? world.winAllocateShared(64, 8) : world.winAllocate(64, 8)) {
      long[] was = new long[1];
      try (Epoch _ = win.lockAll()) {
        for (int i = 0; i < ROUNDS; i++) {
          delay();
          win.fetchAndOp(Buf.of(new long[] {1}), Buf.of(was), 0, 0, Op.SUM);
          win.flush(0);
          note("ticket " + was[0]);
          win.compareAndSwap(Buf.of(new long[] {world.rank()}), Buf.of(new long[] {was[0] % RANKS}), Buf.of(was), 0, 1);
          win.flush(0);
          note("swap " + was[0]);
        }
      }
      for (int i = 0; i < ROUNDS; i++) {
        delay();
        try (Epoch _ = shared.lock(LockType.EXCLUSIVE, 0)) {
          shared.get(Buf.of(was), 0, 0);
          shared.flush(0);
          note("lock " + was[0]);
          shared.put(Buf.of(new long[] {10 * was[0] % 1_000_000_007 + world.rank()}), 0, 0);
        }
      }
      long[] many = new long[LONG];
      Arrays.fill(many, world.rank() + 1);
      try (Epoch _ = large.lockAll()) {
        for (int i = 0; i < ROUNDS; i++) {
          delay();
          large.accumulate(Buf.of(many), 0, 0, Op.REPLACE);
          large.flush(0);
          large.fetchAndOp(Buf.of(new long[] {0}), Buf.of(was), 0, LONG - 1, Op.NO_OP);
          large.flush(0);
          note("replaced by " + was[0]);
        }
      }
      world.barrier();
      if (isMaster()) {
        note("in memory " + shared.segment().get(ValueLayout.JAVA_LONG, 0));
      }
    }
  }
}
