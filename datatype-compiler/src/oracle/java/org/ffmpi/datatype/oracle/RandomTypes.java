// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * Random nested datatypes with their typemaps. They use every constructor, zero counts and blocklengths, negative and
 * zero strides, odd extents and markers, in any order and up to four deep.
 */
public final class RandomTypes {
  /** Longest typemap, so that a check that looks at every byte stays short. */
  private static final int MAX_LENGTH = 300;

  /** How far data may lie from the origin. */
  private static final long MAX_REACH = 20_000;

  private static final int MAX_DEPTH = 4;

  private final RandomGenerator random;

  public RandomTypes(RandomGenerator random) {
    this.random = random;
  }

  /** Makes a type that is not committed, or a predefined one. */
  public Sample next() {
    return ofDepth(random.nextInt(8) == 0 ? 0 : random.nextInt(1, MAX_DEPTH + 1));
  }

  /** Makes a type that may be received with: no byte of {@code count} elements lies twice. */
  public Sample nextWithoutOverlap(int count) {
    while (true) {
      Sample sample = next();
      if (!sample.map().overlaps(count)) {
        return sample;
      }
    }
  }

  /**
   * Makes a type whose data are those of some copies of another, somewhere else: its basic types in the same order, in
   * blocks, strides and places of their own. Any number of its elements may be received.
   */
  public Sample sameSignature(Typemap of, int copies) {
    List<Item> items = of.items();
    List<Sample> blocks = new ArrayList<>();
    for (int from = 0; from < items.size(); ) {
      int to = from + 1;
      while (to < items.size() && items.get(to).equals(items.get(from)) && random.nextInt(20) != 0) {
        to++;
      }
      blocks.add(block(items.get(from), to - from));
      from = to;
    }
    // Their order in memory is another than in the message.
    List<Integer> order = new ArrayList<>(IntStream.range(0, blocks.size()).boxed().toList());
    if (random.nextBoolean()) {
      Collections.shuffle(order, Random.from(random));
    }
    long[] displacements = new long[blocks.size()];
    long at = random.nextInt(20);
    for (int i : order) {
      displacements[i] = at - blocks.get(i).map().trueLowerBound();
      at += blocks.get(i).map().trueExtent() + (random.nextBoolean() ? 0 : random.nextInt(10));
    }
    Sample one = structOf(same(1, blocks.size()), displacements, blocks);
    if (copies == 1) {
      return one;
    }
    long stride = one.map().extent() + random.nextInt(4);
    return new Sample(
        Datatype.hvector(copies, 1, stride, one.type()), one.map().hvector(copies, 1, stride),
        "hvector(" + copies + ", 1, " + stride + ", " + one + ")");
  }

  /** Makes some equal items side by side, or apart, upwards or downwards. */
  private Sample block(Item item, int count) {
    Sample leaf = Leaves.of(item);
    long stride = switch (random.nextInt(3)) {
      case 0 -> item.size();
      case 1 -> item.size() + random.nextInt(10);
      default -> -item.size() - random.nextInt(10);
    };
    return new Sample(
        Datatype.hvector(count, 1, stride, leaf.type()), leaf.map().hvector(count, 1, stride),
        "hvector(" + count + ", 1, " + stride + ", " + leaf + ")");
  }

  private Sample ofDepth(int depth) {
    if (depth == 0) {
      return Leaves.random(random);
    }
    while (true) {
      Sample old = ofDepth(depth - 1);
      Sample made = random.nextInt(5) == 0 ? struct(depth) : applied(old);
      if (made != null && fits(made.map())) {
        if (random.nextInt(4) == 0 && !old.type().isPredefined()) {
          old.type().close(); // types made of it stay valid
        }
        return made;
      }
    }
  }

  private static boolean fits(Typemap map) {
    return map.length() <= MAX_LENGTH
        && Math.abs(map.trueLowerBound()) <= MAX_REACH && Math.abs(map.trueUpperBound()) <= MAX_REACH
        && Math.abs(map.lowerBound()) <= MAX_REACH && Math.abs(map.upperBound()) <= MAX_REACH;
  }

  /**
   * Applies some constructor of one type, or returns null when its random arguments would make the typemap too long.
   */
  private Sample applied(Sample old) {
    return switch (random.nextInt(12)) {
      case 0 -> contiguous(old);
      case 1 -> vector(old);
      case 2 -> hvector(old);
      case 3 -> indexed(old);
      case 4 -> hindexed(old);
      case 5 -> indexedBlock(old);
      case 6 -> hindexedBlock(old);
      case 7 -> subarray(old);
      case 8 -> darray(old);
      case 9 -> dup(old);
      default -> resized(old);
    };
  }

  private boolean tooLong(Sample old, long copies) {
    return old.map().length() * copies > MAX_LENGTH;
  }

  private Sample contiguous(Sample old) {
    int count = upTo(5);
    return tooLong(old, count) ? null : new Sample(
        Datatype.contiguous(count, old.type()), old.map().contiguous(count),
        "contiguous(" + count + ", " + old + ")");
  }

  private Sample vector(Sample old) {
    int count = upTo(5);
    int blocklength = upTo(3);
    int stride = random.nextInt(-4, 7);
    return tooLong(old, (long) count * blocklength) ? null : new Sample(
        Datatype.vector(count, blocklength, stride, old.type()), old.map().vector(count, blocklength, stride),
        "vector(" + count + ", " + blocklength + ", " + stride + ", " + old + ")");
  }

  private Sample hvector(Sample old) {
    int count = upTo(5);
    int blocklength = upTo(3);
    long stride = bytes(old);
    return tooLong(old, (long) count * blocklength) ? null : new Sample(
        Datatype.hvector(count, blocklength, stride, old.type()), old.map().hvector(count, blocklength, stride),
        "hvector(" + count + ", " + blocklength + ", " + stride + ", " + old + ")");
  }

  private Sample indexed(Sample old) {
    long[] lengths = blocklengths(upTo(5));
    long[] displacements = random.longs(lengths.length, -6, 12).toArray();
    return tooLong(old, sum(lengths)) ? null : new Sample(
        Datatype.indexed(lengths, displacements, old.type()), old.map().indexed(lengths, displacements),
        "indexed(" + list(lengths) + ", " + list(displacements) + ", " + old + ")");
  }

  private Sample hindexed(Sample old) {
    long[] lengths = blocklengths(upTo(5));
    long[] displacements = displacements(lengths.length, old);
    return tooLong(old, sum(lengths)) ? null : new Sample(
        Datatype.hindexed(lengths, displacements, old.type()), old.map().hindexed(lengths, displacements),
        "hindexed(" + list(lengths) + ", " + list(displacements) + ", " + old + ")");
  }

  private Sample indexedBlock(Sample old) {
    int blocklength = upTo(3);
    long[] displacements = random.longs(upTo(5), -6, 12).toArray();
    long[] lengths = same(blocklength, displacements.length);
    return tooLong(old, sum(lengths)) ? null : new Sample(
        Datatype.indexedBlock(blocklength, displacements, old.type()), old.map().indexed(lengths, displacements),
        "indexedBlock(" + blocklength + ", " + list(displacements) + ", " + old + ")");
  }

  private Sample hindexedBlock(Sample old) {
    int blocklength = upTo(3);
    long[] displacements = displacements(upTo(5), old);
    long[] lengths = same(blocklength, displacements.length);
    return tooLong(old, sum(lengths)) ? null : new Sample(
        Datatype.hindexedBlock(blocklength, displacements, old.type()), old.map().hindexed(lengths, displacements),
        "hindexedBlock(" + blocklength + ", " + list(displacements) + ", " + old + ")");
  }

  /** Makes a struct with members as a C compiler lays them out, or anywhere. */
  private Sample struct(int depth) {
    int members = upTo(4);
    boolean natural = random.nextBoolean();
    long[] lengths = blocklengths(members);
    long[] displacements = new long[members];
    List<Sample> types = new ArrayList<>();
    long length = 0;
    long at = 0;
    for (int i = 0; i < members; i++) {
      Sample member = ofDepth(random.nextInt(depth));
      types.add(member);
      length += lengths[i] * member.map().length();
      displacements[i] = natural ? at - member.map().lowerBound() : bytes(member);
      at += lengths[i] * Math.abs(member.map().extent()) + (random.nextBoolean() ? 0 : random.nextInt(10));
    }
    return length > MAX_LENGTH ? null : structOf(lengths, displacements, types);
  }

  private static Sample structOf(long[] lengths, long[] displacements, List<Sample> types) {
    return new Sample(
        Datatype.struct(lengths, displacements, types.stream().map(Sample::type).toArray(Datatype<?>[]::new)),
        Typemap.struct(lengths, displacements, types.stream().map(Sample::map).toList()),
        "struct(" + list(lengths) + ", " + list(displacements) + ", "
            + types.stream().map(Sample::text).collect(Collectors.joining(", ", "{", "}")) + ")");
  }

  private Sample subarray(Sample old) {
    int dimensions = random.nextInt(1, 4);
    long[] sizes = random.longs(dimensions, 1, 6).toArray();
    long[] subsizes = new long[dimensions];
    long[] starts = new long[dimensions];
    long copies = 1;
    for (int d = 0; d < dimensions; d++) {
      subsizes[d] = random.nextLong(1, sizes[d] + 1);
      starts[d] = random.nextLong(sizes[d] - subsizes[d] + 1);
      copies *= subsizes[d];
    }
    Datatype.Order order = order();
    return tooLong(old, copies) ? null : new Sample(
        Datatype.subarray(sizes, subsizes, starts, order, old.type()),
        old.map().subarray(sizes, subsizes, starts, order == Datatype.Order.FORTRAN),
        "subarray(" + list(sizes) + ", " + list(subsizes) + ", " + list(starts) + ", " + order + ", " + old + ")");
  }

  private Sample darray(Sample old) {
    int dimensions = random.nextInt(1, 4);
    long[] gsizes = new long[dimensions];
    Datatype.Distribution[] distributions = new Datatype.Distribution[dimensions];
    int[] dargs = new int[dimensions];
    int[] psizes = new int[dimensions];
    List<Typemap.Dealing> dealings = new ArrayList<>();
    int processes = 1;
    long copies = 1;
    for (int d = 0; d < dimensions; d++) {
      gsizes[d] = random.nextInt(1, 7);
      distributions[d] = Datatype.Distribution.values()[random.nextInt(3)];
      psizes[d] = distributions[d] == Datatype.Distribution.NONE ? 1 : random.nextInt(1, 4);
      long least = (gsizes[d] + psizes[d] - 1) / psizes[d];
      boolean usual = random.nextBoolean();
      long darg = switch (distributions[d]) {
        case BLOCK -> usual ? least : random.nextLong(least, gsizes[d] + 2);
        case CYCLIC -> usual ? 1 : random.nextInt(1, 4);
        case NONE -> gsizes[d];
      };
      dargs[d] = usual || distributions[d] == Datatype.Distribution.NONE ? Constants.DISTRIBUTE_DFLT_DARG : (int) darg;
      dealings.add(new Typemap.Dealing(gsizes[d], darg, psizes[d]));
      processes *= psizes[d];
      copies *= gsizes[d];
    }
    int rank = random.nextInt(processes);
    Datatype.Order order = order();
    return tooLong(old, copies) ? null : new Sample(
        Datatype.darray(processes, rank, gsizes, distributions, dargs, psizes, order, old.type()),
        old.map().darray(rank, dealings, order == Datatype.Order.FORTRAN),
        "darray(" + processes + ", " + rank + ", " + list(gsizes) + ", " + Arrays.toString(distributions) + ", "
            + Arrays.toString(dargs) + ", " + Arrays.toString(psizes) + ", " + order + ", " + old + ")");
  }

  private Sample dup(Sample old) {
    return new Sample(old.type().dup(), old.map(), old + ".dup()");
  }

  private Sample resized(Sample old) {
    boolean near = random.nextBoolean();
    long lb = near ? old.map().trueLowerBound() : random.nextLong(-40, 40);
    long extent = near ? old.map().trueExtent() + random.nextInt(3) : random.nextLong(-60, 120);
    return new Sample(
        old.type().resized(lb, extent), old.map().resized(lb, extent), old + ".resized(" + lb + ", " + extent + ")");
  }

  // ---- arguments

  private Datatype.Order order() {
    return random.nextBoolean() ? Datatype.Order.C : Datatype.Order.FORTRAN;
  }

  /** Returns a number of items, seldom 0. */
  private int upTo(int most) {
    return random.nextInt(15) == 0 ? 0 : random.nextInt(1, most + 1);
  }

  private long[] blocklengths(int count) {
    return LongStream.generate(() -> upTo(3)).limit(count).toArray();
  }

  /** Returns any small distance, or one at which copies touch or nearly do. */
  private long bytes(Sample old) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextLong(-60, 100);
      case 1 -> old.map().trueExtent() * random.nextLong(-2, 4);
      default -> old.map().extent() * random.nextLong(1, 4) + random.nextInt(3);
    };
  }

  private long[] displacements(int count, Sample old) {
    long[] displacements = new long[count];
    for (int i = 0; i < count; i++) {
      displacements[i] = bytes(old) * random.nextInt(1, 4);
    }
    return displacements;
  }

  private static long[] same(long value, int length) {
    long[] values = new long[length];
    Arrays.fill(values, value);
    return values;
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }

  private static String list(long[] values) {
    return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(", ", "{", "}"));
  }
}
