// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.tests.support.Seeds;

/**
 * Damage in the job's shared memory. In each case some words of one region change while ranks exchange messages of all
 * protocols and call collectives. Data may come out wrong, calls may fail with MpiException, and ranks may wait for
 * what was wiped out; but the JVM lives, no other exception comes out, and when the world is aborted every rank ends.
 *
 * <p>Arguments: the seed, the number of cases, and the seed of one case that is to be run alone, if any.
 */
public final class SegmentFuzz {
  private static final int ROUNDS = 3;
  private static final long STILL_NANOS = 40_000_000;
  private static final Duration END = Duration.ofSeconds(30);
  private static final int MOST_FINDINGS = 20;
  private static final long PAGE = 4096;

  /** The parts of the segment; those from RINGS on are claimed while ranks run. */
  private enum Region {
    HEADER, RANKS, DIRECTORY, RINGS, PIPES_AND_WORDS, COLLECTIVES, HEAP, ANYWHERE
  }

  private record Range(long offset, long bytes) {}

  private final LastCase last = LastCase.open(1);
  private final Map<String, String> findings = new ConcurrentHashMap<>();
  private final Map<Region, int[]> outcomes = new TreeMap<>();

  private SegmentFuzz() {}

  /** Runs so many cases. */
  public static void main(String[] args) throws Exception {
    SegmentFuzz fuzz = new SegmentFuzz();
    RandomGenerator seeds = Seeds.random(Long.parseLong(args[0]));
    long cases = Long.parseLong(args[1]);
    long start = System.nanoTime();
    long n = 0;
    if (args.length > 2) {
      fuzz.damaged(Long.parseLong(args[2]));
    } else {
      for (; n < cases && fuzz.findings.size() < MOST_FINDINGS; n++) {
        fuzz.damaged(seeds.nextLong());
      }
    }
    System.out.printf("%d damaged worlds, %.1f s%n", n, (System.nanoTime() - start) * 1e-9);
    fuzz.outcomes.forEach((region, c) -> System.out.printf(
        "  %-16s %6d unharmed, %6d with MpiException, %6d stood still until aborted%n", region, c[0], c[1], c[2]));
    new TreeMap<>(fuzz.findings).values().forEach(System.out::println);
    System.out.flush();
    Runtime.getRuntime().halt(fuzz.findings.isEmpty() ? 0 : 1);
  }

  // ---- a case

  private void damaged(long seed) throws Exception {
    RandomGenerator random = Seeds.random(seed);
    int ranks = 2 + random.nextInt(2);
    Region region = Region.values()[random.nextInt(Region.values().length)];
    Map<String, String> settings = random.nextInt(3) == 0
        ? Map.of("ffmpi.errors", "return", "ffmpi.shm.limit", "24M", "ffmpi.ring.slots", "4", "ffmpi.ring.bulk", "256")
        : Map.of("ffmpi.errors", "return", "ffmpi.shm.limit", "24M");
    AtomicLong progress = new AtomicLong();
    AtomicLong errors = new AtomicLong();
    List<Long> tops = new ArrayList<>();
    JobSegment[] segment = new JobSegment[1];
    CyclicBarrier step = new CyclicBarrier(ranks, () -> tops.add(segment[0].claimed()));
    CyclicBarrier ready = new CyclicBarrier(ranks + 1);
    try (ThreadWorld world = ThreadWorld.start(ranks, settings, mpi -> {
      segment[0] = segmentOf(mpi);
      Traffic traffic = new Traffic(mpi);
      step.await();
      traffic.shortMessages();
      step.await();
      traffic.longMessages();
      step.await();
      traffic.collectives();
      step.await();
      traffic.sharedMessages();
      step.await();
      ready.await();
      try {
        for (int i = 0; i < ROUNDS; i++) {
          traffic.shortMessages();
          progress.incrementAndGet();
          traffic.longMessages();
          progress.incrementAndGet();
          traffic.collectives();
          progress.incrementAndGet();
          traffic.sharedMessages();
          progress.incrementAndGet();
        }
      } catch (MpiException e) {
        errors.incrementAndGet();
        throw e;
      } catch (Throwable e) {
        found(seed, region, e.getClass().getSimpleName() + " in " + place(e), e + "\n    "
            + Standstill.frames(e.getStackTrace(), 20));
        throw e;
      }
    })) {
      ready.await();
      JobSegment shared = segment[0];
      shared.retain();
      StringBuilder made = new StringBuilder();
      try {
        List<Range> ranges = ranges(shared, region, tops);
        for (int n = 1 + random.nextInt(40); n > 0 && !ranges.isEmpty(); n--) {
          for (int spin = random.nextInt(20_000); spin > 0; spin--) {
            Thread.onSpinWait();
          }
          damage(shared, ranges.get(random.nextInt(ranges.size())), random, made);
          last.set(0, "case " + seed + " " + region + ":" + made);
        }
      } finally {
        shared.release();
      }
      boolean ended = Standstill.ended(world, progress::get, STILL_NANOS);
      int outcome = errors.get() > 0 ? 1 : ended ? 0 : 2;
      if (!ended) {
        world.abort("the fuzzer's world stands still");
        if (!Standstill.ended(world, END)) {
          found(seed, region, "hang after abort", "damage:" + made + "\n  " + Standstill.stacks(world));
        }
      }
      outcomes.computeIfAbsent(region, r -> new int[3])[outcome]++;
    }
  }

  private static JobSegment segmentOf(Mpi mpi) {
    try {
      Object engine = CommImpl.of(mpi.world()).state().world.engine();
      Field field = engine.getClass().getDeclaredField("segment");
      field.setAccessible(true);
      return (JobSegment) field.get(engine);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static String place(Throwable e) {
    return Arrays.stream(e.getStackTrace()).filter(f -> f.getClassName().startsWith("org.ffmpi."))
        .findFirst().map(f -> f.getClassName() + "." + f.getMethodName()).orElse("?");
  }

  private void found(long seed, Region region, String kind, String detail) {
    findings.putIfAbsent(kind, "FOUND " + kind + " with damage in " + region
        + "\n  case " + seed + " (-Dffmpi.fuzz.episode=" + seed + ")\n  " + detail);
  }

  // ---- damage

  /** Where a region lies: ranges of offsets. The steps before the damage have claimed one kind of structure each. */
  private static List<Range> ranges(JobSegment segment, Region region, List<Long> tops) {
    int ranks = segment.ranks();
    long blocks = segment.rankBlock(0) - segment.base();
    long directory = segment.rankBlock(ranks) - segment.base();
    return switch (region) {
      case HEADER -> List.of(new Range(0, PAGE / 4));
      case RANKS -> List.of(new Range(blocks, directory - blocks));
      case DIRECTORY -> List.of(new Range(directory, 8L * ranks * ranks));
      case RINGS -> claimed(tops, 0);
      case PIPES_AND_WORDS -> claimed(tops, 1);
      case COLLECTIVES -> claimed(tops, 2);
      case HEAP -> claimed(tops, 3);
      case ANYWHERE -> List.of(new Range(0, tops.getLast()));
    };
  }

  private static List<Range> claimed(List<Long> tops, int step) {
    long bytes = tops.get(step + 1) - tops.get(step);
    return bytes == 0 ? List.of() : List.of(new Range(tops.get(step), bytes));
  }

  private static void damage(JobSegment segment, Range range, RandomGenerator random, StringBuilder made) {
    boolean wide = random.nextBoolean();
    int step = wide ? 8 : 4;
    long words = range.bytes() / step;
    long word = random.nextLong(words);
    if (random.nextInt(4) != 0) { // mostly a word that is in use
      for (int n = 0; n < 4096 && value(segment, range.offset() + word * step, wide) == 0; n++) {
        word = (word + 1) % words;
      }
    }
    long offset = range.offset() + word * step;
    long old = value(segment, offset, wide);
    long other = value(segment, range.offset() + random.nextLong(words) * step, wide);
    long now = switch (random.nextInt(11)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> old + 1;
      case 3 -> old - 1;
      case 4, 5 -> old ^ 1L << random.nextInt(wide ? 64 : 32);
      case 6 -> wide ? Long.MAX_VALUE : Integer.MAX_VALUE;
      case 7 -> wide ? Long.MIN_VALUE : Integer.MIN_VALUE;
      case 8 -> random.nextLong();
      case 9 -> other;
      default -> random.nextInt(4);
    };
    made.append(" [").append(offset).append("]=").append(wide ? now : (int) now);
    if (wide) {
      Raw.putVolatileLong(segment.base() + offset, now);
    } else {
      Raw.putVolatileInt(segment.base() + offset, (int) now);
    }
  }

  private static long value(JobSegment segment, long offset, boolean wide) {
    return wide ? Raw.getVolatileLong(segment.base() + offset) : Raw.getAcquireInt(segment.base() + offset);
  }

  // ---- traffic

  /** What a rank does over and over: all protocols, and collectives that publish values, tables and lent blocks. */
  private static final class Traffic {
    private static final int LONG = 64 << 10;

    private final Comm world;
    private final int next;
    private final int previous;
    private final byte[] out = new byte[LONG];
    private final byte[] in = new byte[LONG];
    private final Buf<Byte> shared;
    private final Buf<Byte> sharedIn;
    private final Datatype<?> strided = Datatype.vector(2000, 1, 2, Datatype.INT32_T).commit();

    Traffic(Mpi mpi) {
      world = mpi.world();
      next = (world.rank() + 1) % world.size();
      previous = (world.rank() + world.size() - 1) % world.size();
      MemorySegment memory = mpi.shared().allocate(LONG);
      shared = Buf.of(memory, LONG, Datatype.BYTE);
      sharedIn = Buf.of(mpi.shared().allocate(LONG), LONG, Datatype.BYTE);
    }

    void shortMessages() {
      int[] one = {world.rank()};
      int[] got = new int[300];
      for (int i = 0; i < 5; i++) {
        Request send = world.isend(new int[i * 60], next, i);
        world.recv(got, i % 2 == 0 ? previous : ANY_SOURCE, i % 3 == 0 ? ANY_TAG : i);
        send.await();
      }
      Request synchronous = world.issend(Buf.of(one), next, 7);
      Status seen = new Status();
      world.probe(previous, 7);
      world.mprobe(previous, 7, seen).mrecv(Buf.of(got));
      synchronous.await();
    }

    void longMessages() {
      Request receive = world.irecv(in, previous, 8);
      Request send = world.isend(out, next, 8);
      receive.await();
      send.await();
      Request typed = world.isend(Buf.of(new int[4000], 1, strided), next, 9);
      world.recv(Buf.of(new int[4000], 1, strided), previous, 9);
      typed.await();
      Request unexpected = world.isend(out, next, 10);
      world.iprobe(previous, 10);
      world.recv(in, ANY_SOURCE, 10);
      unexpected.await();
    }

    void sharedMessages() {
      Request send = world.isend(shared, next, 11);
      world.recv(sharedIn, previous, 11);
      send.await();
      world.bcast(shared, 0);
    }

    void collectives() {
      int size = world.size();
      int[] one = {world.rank()};
      int[] all = new int[size];
      world.barrier();
      world.allreduce(Buf.of(one), Buf.of(new int[1]), Op.SUM);
      world.allgather(Buf.of(one), Buf.of(all));
      world.bcast(Buf.of(in, 0, 40_000), 0);
      long[] counts = new long[size];
      long[] displs = new long[size];
      for (int i = 0; i < size; i++) {
        counts[i] = 10 + 3000 * i;
        displs[i] = i == 0 ? 0 : displs[i - 1] + counts[i - 1];
      }
      int[] mine = new int[10 + 3000 * world.rank()];
      int[] gathered = new int[(int) (displs[size - 1] + counts[size - 1])];
      world.allgatherv(Buf.of(mine), Buf.of(gathered), counts, displs);
      world.gatherv(Buf.of(mine), Buf.of(gathered), counts, displs, 0);
      world.ibarrier().await();
      world.allreduce(Buf.of(new double[5000]), Buf.of(new double[5000]), Op.SUM);
    }
  }
}
