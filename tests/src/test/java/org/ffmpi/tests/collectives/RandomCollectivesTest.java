// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Random collective calls: every operation, root, length, type, kind of memory and form, in place and not, on several
 * communicators that share ranks. What they have to do an oracle says that is made of messages between two ranks only.
 */
class RandomCollectivesTest {
  private static final int TRIALS = Boolean.getBoolean("ffmpi.test.stress") ? 1_000 : 40;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 5, 8}, timeout = 600)
  @DisplayName("S2-15, S3-2: all forms of all operations do what messages between two ranks would")
  void oneAfterTheOther(Mpi mpi) {
    Seeds.run(seed, () -> sequence(mpi, seed));
  }

  @MpiVariant(name = "regions at once", settings = "ffmpi.coll.region.after=1")
  @MpiVariant(
      name = "regions at once, progress thread, no spinning",
      settings = {"ffmpi.coll.region.after=1", "ffmpi.progress=thread", "ffmpi.spin=0", "ffmpi.yield=0"})
  @MpiVariant(name = "no regions", settings = "ffmpi.coll.region.after=-1")
  @MpiTest(ranks = {2, 3, 5}, timeout = 600)
  void withAndWithoutRegions(Mpi mpi) {
    Seeds.run(seed, () -> sequence(mpi, seed));
  }

  @MpiVariant(name = "two ranks on each node", settings = "ffmpi.node=2")
  @MpiVariant(name = "three ranks on each node", settings = "ffmpi.node=3")
  @MpiTest(ranks = {4, 5, 8}, timeout = 600)
  void overNodes(Mpi mpi) {
    Seeds.run(seed, () -> sequence(mpi, seed));
  }

  /** In processes each rank would draw a seed of its own. */
  @MpiTest(ranks = 5, processes = true, timeout = 600)
  void inProcesses(Mpi mpi) {
    long[] shared = {seed};
    mpi.world().bcast(Buf.of(shared), 0);
    Seeds.run(shared[0], () -> sequence(mpi, shared[0]));
  }

  private static void sequence(Mpi mpi, long seed) {
    RandomGenerator random = Seeds.random(seed);
    RandomGenerator own = Seeds.random(seed + 1 + mpi.world().rank());
    List<Place> places = places(mpi.world());
    List<Plan.Form> forms = List.of(Plan.Form.values());
    for (int number = 0; number < TRIALS; number++) {
      Plan plan = Plan.draw(number, places, forms, random);
      if (plan.place().comm() == null) {
        continue;
      }
      if (own.nextInt(16) == 0) {
        LockSupport.parkNanos(own.nextInt(3_000_000)); // some come late
      }
      try (Trial trial = Trial.of(plan, mpi, own)) {
        trial.run();
      } catch (RuntimeException e) {
        throw new AssertionError(plan + ": " + e, e);
      }
    }
    places.forEach(Place::close);
  }

  /** The world, its ranks in other orders, and parts of it. */
  static List<Place> places(IntraComm world) {
    int n = world.size();
    List<Place> places = new ArrayList<>();
    places.add(Place.within("a duplicate of the world", world.dup(), n));
    places.add(Place.within("the world reversed", world.split(0, n - world.rank()), n));
    if (n > 2) {
      int turn = world.rank() % 2 * n + world.rank(); // ranks of one node are not neighbours any more
      places.add(Place.within("the even ranks before the odd ones", world.split(0, turn), n));
      boolean even = world.rank() % 2 == 0;
      IntraComm half = world.split(even ? 0 : 1, 0);
      places.add(Place.within("the even ranks", even ? half : null, (n + 1) / 2));
      places.add(Place.within("the odd ranks", even ? null : half, n / 2));
    }
    if (n > 1) {
      places.add(between(world, 1 + n / 4));
    }
    return places;
  }

  /** Ranks in two groups of unlike sizes, as ever they can be made. */
  static Place between(IntraComm world, int lows) {
    int n = world.size();
    boolean isLow = world.rank() < lows;
    IntraComm part = world.split(isLow ? 0 : 1, isLow ? world.rank() : n - world.rank());
    InterComm inter = part.intercomm(0, part.rank() == 0 ? world : null, isLow ? n - 1 : 0, 5);
    return new Place("two groups of " + lows + " and " + (n - lows), inter, inter.dup(), part, lows, n - lows, isLow);
  }
}
