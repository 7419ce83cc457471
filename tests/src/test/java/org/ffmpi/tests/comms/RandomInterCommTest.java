// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/**
 * Random trees of communicators within groups and between them, with messages on all of them after each step. All ranks
 * draw the same random numbers, so that each knows what every communicator has to be, those it does not belong to
 * included.
 */
class RandomInterCommTest {
  private static final int STEPS = 60;
  private static final int MOST = 8;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 8}, timeout = 180)
  void trees(IntraComm world) {
    Seeds.run(seed, () -> new Forest(world, seed).grow());
  }

  /** In processes each rank would draw a seed of its own. */
  @MpiTest(ranks = {3, 8}, processes = true, timeout = 180)
  void treesInProcesses(IntraComm world) {
    long[] shared = {seed};
    world.bcast(Buf.of(shared), 0);
    Seeds.run(shared[0], () -> new Forest(world, shared[0]).grow());
  }

  /** One communicator: who is in it, by rank in the world, and this process's object, if it is one of them. */
  private record Node(int number, List<Integer> low, List<Integer> high, Comm comm) {
    boolean isInter() {
      return !high.isEmpty();
    }

    List<Integer> all() {
      List<Integer> all = new ArrayList<>(low);
      all.addAll(high);
      return all;
    }
  }

  private static final class Forest {
    private final IntraComm world;
    private final int me;
    private final RandomGenerator random;
    private final List<Node> nodes = new ArrayList<>();
    private int made;

    Forest(IntraComm world, long seed) {
      this.world = world;
      this.me = world.rank();
      this.random = Seeds.random(seed);
    }

    void grow() {
      for (int step = 0; step < STEPS; step++) {
        if (nodes.size() > MOST) {
          drop();
        }
        grow(step);
        for (Node node : nodes) {
          talk(node, step);
        }
      }
      while (!nodes.isEmpty()) {
        drop();
      }
    }

    private void drop() {
      Node gone = nodes.remove(random.nextInt(nodes.size()));
      if (gone.comm() != null) {
        gone.comm().close();
      }
    }

    private void add(List<Integer> low, List<Integer> high, Comm comm) {
      if (!low.contains(me) && !high.contains(me)) {
        assertNull(comm);
      } else {
        check(comm, low, high);
      }
      nodes.add(new Node(made++, low, high, comm));
    }

    private void check(Comm comm, List<Integer> low, List<Integer> high) {
      List<Integer> local = low.contains(me) ? low : high;
      assertEquals(local.indexOf(me), comm.rank());
      assertEquals(world.group().incl(ints(local)), comm.group());
      assertEquals(!high.isEmpty(), comm.isInter());
      if (comm instanceof InterComm inter) {
        assertEquals(world.group().incl(ints(local == low ? high : low)), inter.remoteGroup());
      }
    }

    private void grow(int step) {
      Node parent = nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
      if (parent == null || random.nextInt(6) == 0) {
        fromGroups(step);
      } else if (!parent.isInter()) {
        within(parent);
      } else {
        switch (random.nextInt(5)) {
          case 0 -> merge(parent);
          case 1 -> add(parent.low(), parent.high(), parent.comm() == null ? null : parent.comm().dup());
          case 2 -> add(parent.low(), parent.high(), parent.comm() == null ? null : started(parent.comm()));
          case 3 -> create(parent);
          default -> split(parent);
        }
      }
    }

    private static Comm started(Comm comm) {
      CommRequest<? extends Comm> request = comm.idup();
      request.await();
      return request.comm();
    }

    private void fromGroups(int step) {
      List<Integer> some = shuffled(IntStream.range(0, world.size()).boxed().toList());
      int border = 1 + random.nextInt(some.size() - 1);
      List<Integer> low = some.subList(0, border);
      List<Integer> high = some.subList(border, border + 1 + random.nextInt(some.size() - border));
      int lowLeader = random.nextInt(low.size());
      int highLeader = random.nextInt(high.size());
      Group lowGroup = world.group().incl(ints(low));
      Group highGroup = world.group().incl(ints(high));
      String tag = "step " + step;
      add(low, high,
          low.contains(me) ? InterComm.createFromGroups(lowGroup, lowLeader, highGroup, highLeader, tag)
              : high.contains(me) ? InterComm.createFromGroups(highGroup, highLeader, lowGroup, lowLeader, tag)
              : null);
    }

    /** Two parts of a communicator meet in it, or in the world. */
    private void within(Node parent) {
      List<Integer> some = shuffled(parent.low());
      if (some.size() == 1) {
        return;
      }
      int border = 1 + random.nextInt(some.size() - 1);
      List<Integer> low = some.subList(0, border);
      List<Integer> high = some.subList(border, some.size());
      int lowLeader = random.nextInt(low.size());
      int highLeader = random.nextInt(high.size());
      boolean inWorld = random.nextBoolean();
      int tag = random.nextInt(3);
      if (parent.comm() == null) {
        add(low, high, null);
        return;
      }
      List<Integer> peers = inWorld ? IntStream.range(0, world.size()).boxed().toList() : parent.low();
      boolean isLow = low.contains(me);
      List<Integer> mine = isLow ? low : high;
      int leader = isLow ? lowLeader : highLeader;
      int remote = peers.indexOf(isLow ? high.get(highLeader) : low.get(lowLeader));
      Comm peerComm = inWorld ? world : parent.comm();
      try (IntraComm part = ((IntraComm) parent.comm()).split(isLow ? 0 : 1, mine.indexOf(me))) {
        add(low, high, part.intercomm(leader, part.rank() == leader ? peerComm : null, remote, tag));
      }
    }

    private void merge(Node parent) {
      boolean lowIsHigh = random.nextBoolean();
      boolean highIsHigh = random.nextBoolean();
      boolean lowFirst = lowIsHigh != highIsHigh ? highIsHigh : parent.low().get(0) < parent.high().get(0);
      List<Integer> all = new ArrayList<>(lowFirst ? parent.low() : parent.high());
      all.addAll(lowFirst ? parent.high() : parent.low());
      add(all, List.of(), parent.comm() == null
          ? null : ((InterComm) parent.comm()).merge(parent.low().contains(me) ? lowIsHigh : highIsHigh));
    }

    private void create(Node parent) {
      List<Integer> low = shuffled(parent.low());
      List<Integer> high = shuffled(parent.high());
      low = low.subList(0, Math.min(low.size(), random.nextInt(low.size() + 2)));
      high = high.subList(0, Math.min(high.size(), random.nextInt(high.size() + 2)));
      Comm made = parent.comm() == null
          ? null : parent.comm().create(world.group().incl(ints(parent.low().contains(me) ? low : high)));
      if (low.isEmpty() || high.isEmpty()) {
        assertNull(made);
      } else {
        add(low, high, made);
      }
    }

    private void split(Node parent) {
      int colors = 1 + random.nextInt(3);
      int[] colorOf = new int[world.size()];
      int[] keyOf = new int[world.size()];
      for (int rank = 0; rank < world.size(); rank++) {
        colorOf[rank] = random.nextInt(5) == 0 ? UNDEFINED : random.nextInt(colors);
        keyOf[rank] = random.nextInt(3) - 1;
      }
      Comm made = parent.comm() == null ? null : parent.comm().split(colorOf[me], keyOf[me]);
      boolean isMine = false;
      for (int color = 0; color < colors; color++) {
        List<Integer> low = ofColor(parent.low(), color, colorOf, keyOf);
        List<Integer> high = ofColor(parent.high(), color, colorOf, keyOf);
        if (!low.isEmpty() && !high.isEmpty()) {
          boolean mine = parent.comm() != null && colorOf[me] == color;
          isMine |= mine;
          add(low, high, mine ? made : null);
        }
      }
      assertEquals(isMine, made != null);
    }

    private static List<Integer> ofColor(List<Integer> group, int color, int[] colorOf, int[] keyOf) {
      List<Integer> found = new ArrayList<>(group.stream().filter(rank -> colorOf[rank] == color).toList());
      found.sort((a, b) -> Integer.compare(keyOf[a], keyOf[b])); // which keeps the order of equal ones
      return found;
    }

    /**
     * Everybody sends to everybody, and receives from any source what has the same tag in all communicators, so that a
     * stray message would be seen.
     */
    private void talk(Node node, int tag) {
      if (node.comm() == null) {
        return;
      }
      Comm comm = node.comm();
      List<Integer> others = !node.isInter() || node.high().contains(me) ? node.low() : node.high();
      List<Request> sends = new ArrayList<>();
      for (int r = 0; r < others.size(); r++) {
        sends.add(comm.isend(Buf.of(new int[] {me, node.number()}), r, tag));
      }
      boolean[] seen = new boolean[others.size()];
      for (int i = 0; i < seen.length; i++) {
        int[] got = new int[2];
        Status status = comm.recv(got, ANY_SOURCE, tag, new Status());
        assertEquals(node.number(), got[1]);
        assertEquals(others.get(status.source()), got[0]);
        assertFalse(seen[status.source()]);
        seen[status.source()] = true;
      }
      Request.waitAll(sends);
      if (!node.isInter()) {
        int[] sum = {1};
        comm.allreduce(Buf.of(sum), Op.SUM);
        assertEquals(node.all().size(), sum[0]);
      }
    }

    private List<Integer> shuffled(List<Integer> list) {
      List<Integer> shuffled = new ArrayList<>(list);
      for (int i = shuffled.size() - 1; i > 0; i--) {
        Collections.swap(shuffled, i, random.nextInt(i + 1));
      }
      return shuffled;
    }
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
