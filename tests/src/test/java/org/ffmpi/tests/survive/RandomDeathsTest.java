// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.Job;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One to three of eight ranks die at random moments in all kinds of traffic. After each death the others have to find
 * together, to know the same of each other, and to lose no message. The stress profile kills hundreds.
 */
@Tag("process")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RandomDeathsTest {
  private static final boolean STRESS = Boolean.getBoolean("ffmpi.test.stress");
  private static final int RANKS = 8;
  private static final int CALM_ROUNDS = 10;

  /** Called at many places: the rank may die there. */
  interface Moment {
    void pass();
  }

  // ---- what the ranks do

  /** Works until so many ranks have died, and some rounds more; returns what is left. */
  private static IntraComm work(IntraComm world, int deaths, Moment moment) {
    IntraComm comm = world;
    int calm = 0;
    for (int round = 0; calm < CALM_ROUNDS; round++) {
      int fine = 1;
      try {
        traffic(comm, round, moment);
      } catch (MpiException e) {
        giveUp(comm, e);
        fine = 0;
      }
      if (!agree(comm, fine)) {
        comm = recover(comm, world);
      }
      calm += comm.size() <= RANKS - deaths ? 1 : 0;
    }
    return comm;
  }

  private static void giveUp(IntraComm comm, MpiException e) {
    if (!e.errorClass().isOfSurvival()) {
      throw e;
    }
    comm.revoke();
  }

  private static boolean agree(IntraComm comm, int fine) {
    try {
      return comm.agree(fine) == 1;
    } catch (MpiException e) {
      if (!e.errorClass().isOfSurvival()) {
        throw e;
      }
      return false;
    }
  }

  private static IntraComm recover(IntraComm broken, IntraComm world) {
    IntraComm left = broken;
    int fine;
    do {
      IntraComm old = left;
      left = old.shrink();
      if (old != world) {
        old.close();
      }
      fine = 1;
      try {
        checkTogether(left, world);
      } catch (MpiException e) {
        giveUp(left, e);
        fine = 0;
      }
    } while (!agree(left, fine));
    return left;
  }

  /** The invariant: all have the same members in the old order, none of whom was known as dead, and all take part. */
  private static void checkTogether(IntraComm left, IntraComm world) {
    int[] mine = left.group().translateRanks(ranksTo(left.size()), world.group());
    int[] all = new int[left.size() * left.size()];
    left.allgather(Buf.of(mine), Buf.of(all));
    for (int r = 0; r < left.size(); r++) {
      assertTrue(Arrays.equals(mine, Arrays.copyOfRange(all, r * left.size(), (r + 1) * left.size())), "same members");
      assertTrue(r == 0 || mine[r - 1] < mine[r], "in order");
    }
    assertEquals(world.rank(), mine[left.rank()]);
    int[] sum = {world.rank()};
    left.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(Arrays.stream(mine).sum(), sum[0]);
  }

  private static int[] ranksTo(int size) {
    int[] ranks = new int[size];
    Arrays.setAll(ranks, r -> r);
    return ranks;
  }

  private static void traffic(IntraComm comm, int round, Moment moment) {
    int size = comm.size();
    int right = (comm.rank() + 1) % size;
    int left = (comm.rank() + size - 1) % size;
    for (int length : new int[] {1, 3_000, 60_000}) {
      moment.pass();
      int[] in = new int[length];
      int[] out = new int[length];
      Arrays.fill(out, round + comm.rank());
      Request incoming = comm.irecv(in, left, 1);
      comm.send(out, right, 1);
      moment.pass();
      incoming.await();
      assertEquals(round + left, in[length - 1]);
    }
    moment.pass();
    long[] sum = {1};
    comm.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(size, sum[0]);
    moment.pass();
    double[] data = new double[20_000];
    data[data.length - 1] = comm.rank() == round % size ? round : -1;
    comm.bcast(Buf.of(data), round % size);
    assertEquals(round, data[data.length - 1]);
    moment.pass();
    if (comm.rank() == 0) {
      boolean[] seen = new boolean[size];
      Status status = new Status();
      int[] from = new int[1];
      for (int i = 1; i < size; i++) {
        comm.recv(from, Constants.ANY_SOURCE, 2, status);
        assertEquals(status.source(), from[0]);
        assertFalse(seen[from[0]]);
        seen[from[0]] = true;
      }
    } else {
      comm.send(new int[] {comm.rank()}, 0, 2);
    }
    moment.pass();
    comm.ibarrier().await();
  }

  // ---- threads

  @Test
  void threadsFindTogetherAfterEachDeath() {
    for (int seed = 0; seed < (STRESS ? 200 : 12); seed++) {
      Random random = new Random(seed);
      int deaths = 1 + random.nextInt(3);
      int[] moments = new int[RANKS];
      for (int i = 0; i < deaths; ) {
        int rank = random.nextInt(RANKS);
        if (moments[rank] == 0) {
          moments[rank] = 1 + random.nextInt(60);
          i++;
        }
      }
      Map<String, String> settings = Map.of("ffmpi.coll.region.after", seed % 3 == 0 ? "-1" : "4");
      try {
        Survivable.run(RANKS, deaths, settings, world -> {
          int[] left = {moments[world.rank()]};
          IntraComm last = work(world, deaths, () -> {
            if (left[0] != 0 && --left[0] == 0) {
              Survivable.die();
            }
          });
          assertEquals(RANKS - deaths, last.size());
        });
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", moments " + Arrays.toString(moments) + ": " + e.getMessage(), e);
      }
    }
  }

  // ---- processes

  /** A rank that is a process. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        if (mpi.world().rank() == 0) {
          System.out.println("ready");
        }
        IntraComm last = work(mpi.world(), Integer.parseInt(args[0]), () -> { });
        if (last.rank() == 0) {
          System.out.println(last.size() + " are left");
        }
      });
    }
  }

  @Test
  void processesFindTogetherAfterEachKill() throws Exception {
    for (int seed = 0; seed < (STRESS ? 40 : 1); seed++) {
      Random random = new Random(seed);
      int deaths = 1 + random.nextInt(3);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      Launcher launcher = Launcher.of(RANKS)
          .main(Worker.class.getName(), Integer.toString(deaths))
          .setting("ffmpi.survive", "on")
          .setting("ffmpi.errors", "return")
          .timeout(Duration.ofSeconds(120))
          .output(out)
          .errors(err);
      try (Job job = launcher.start()) {
        while (out.size() == 0 && !job.await(Duration.ofMillis(5))) {
          Thread.onSpinWait();
        }
        for (int victim : random.ints(0, RANKS).distinct().limit(deaths).toArray()) {
          TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
          job.process(victim).destroyForcibly();
        }
        int code = job.await();
        String told =
            "seed " + seed + ": " + out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
        assertEquals(0, code, told);
        assertTrue(told.contains(RANKS - deaths + " are left"), told);
        assertEquals(deaths, told.lines().filter(line -> line.contains("died of SIGKILL")).count(), told);
      }
    }
  }
}
