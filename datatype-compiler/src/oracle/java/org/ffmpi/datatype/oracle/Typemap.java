// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ffmpi.base.Constants;

/**
 * The naive interpreter with which datatypes and plans are compared. A typemap is the full list of its items and
 * displacements, markers included, and each constructor is the formula by which the standard defines it. A struct goes
 * beyond the formula in counting the trailing padding of its members as data, as both C libraries do, so a typemap also
 * has two lists of ends. Slow, short, and independent of how types are stored or compiled.
 */
public final class Typemap {
  /** One pair of the list. */
  public record Entry(Item item, long displacement) {}

  private final List<Entry> entries;

  /** Ends of data, with the padding that structs count as data. */
  private final List<Long> ends;

  /** The same with the padding behind basic types, pairs and structs. */
  private final List<Long> paddedEnds;

  private final long lowerBound;
  private final long upperBound;
  private final long[] bytes;

  private Typemap(List<Entry> entries, List<Long> ends, List<Long> paddedEnds) {
    this.entries = List.copyOf(entries);
    this.ends = List.copyOf(ends);
    this.paddedEnds = List.copyOf(paddedEnds);
    this.lowerBound = computeLowerBound();
    this.upperBound = computeUpperBound();
    this.bytes = data().flatMapToLong(e -> LongStream.range(e.displacement, e.displacement + e.item.size())).toArray();
  }

  /** The list of a predefined type, or of a pair as a struct of C. */
  public static Typemap of(Entry... entries) {
    List<Long> ends = Arrays.stream(entries).map(e -> e.displacement + e.item.size()).toList();
    Typemap bare = new Typemap(Arrays.asList(entries), ends, ends);
    return new Typemap(bare.entries, ends, List.of(bare.upperBound));
  }

  // ---- constructors

  /** Collects displaced copies of typemaps. */
  private static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final List<Long> paddedEnds = new ArrayList<>();

    void add(Typemap map, long displacement) {
      for (Entry e : map.entries) {
        entries.add(new Entry(e.item, e.displacement + displacement));
      }
      map.ends.forEach(end -> ends.add(end + displacement));
      map.paddedEnds.forEach(end -> paddedEnds.add(end + displacement));
    }

    void addBlock(Typemap map, long displacement, long blocklength) {
      for (long j = 0; j < blocklength; j++) {
        add(map, displacement + j * map.extent());
      }
    }

    Typemap build() {
      return new Typemap(entries, ends, paddedEnds);
    }

    Typemap buildStruct() {
      Typemap padded = new Typemap(entries, paddedEnds, paddedEnds);
      return new Typemap(
          entries, paddedEnds, paddedEnds.isEmpty() ? List.of() : List.of(padded.upperBound));
    }
  }

  public Typemap contiguous(long count) {
    Builder result = new Builder();
    result.addBlock(this, 0, count);
    return result.build();
  }

  public Typemap vector(long count, long blocklength, long stride) {
    return hvector(count, blocklength, stride * extent());
  }

  public Typemap hvector(long count, long blocklength, long strideBytes) {
    Builder result = new Builder();
    for (long i = 0; i < count; i++) {
      result.addBlock(this, i * strideBytes, blocklength);
    }
    return result.build();
  }

  public Typemap indexed(long[] blocklengths, long[] displacements) {
    return hindexed(blocklengths, Arrays.stream(displacements).map(d -> d * extent()).toArray());
  }

  public Typemap hindexed(long[] blocklengths, long[] displacementBytes) {
    Builder result = new Builder();
    for (int i = 0; i < blocklengths.length; i++) {
      result.addBlock(this, displacementBytes[i], blocklengths[i]);
    }
    return result.build();
  }

  public static Typemap struct(long[] blocklengths, long[] displacementBytes, List<Typemap> types) {
    Builder result = new Builder();
    for (int i = 0; i < blocklengths.length; i++) {
      result.addBlock(types.get(i), displacementBytes[i], blocklengths[i]);
    }
    return result.buildStruct();
  }

  /** Earlier markers are dropped. */
  public Typemap resized(long lb, long extent) {
    List<Entry> result = new ArrayList<>(data().toList());
    result.add(new Entry(Item.LB, lb));
    result.add(new Entry(Item.UB, lb + extent));
    return new Typemap(result, List.of(), List.of()); // bounds that are set need no ends
  }

  /**
   * Builds one dimension after the other, the fastest first, each a piece of an array of the result of the one before.
   */
  public Typemap subarray(long[] sizes, long[] subsizes, long[] starts, boolean fortran) {
    Typemap result = this;
    for (int n = 0; n < sizes.length; n++) {
      int d = fortran ? n : sizes.length - 1 - n;
      Typemap one = result;
      Builder row = new Builder();
      row.addBlock(one.withoutMarkers(one.extent()), starts[d] * one.extent(), subsizes[d]);
      result = row.build().resized(0, sizes[d] * one.extent());
    }
    return result;
  }

  /** The distribution of one dimension, in elements whose block number belongs to the process's coordinate. */
  public record Dealing(long gsize, long darg, int psize) {}

  /** Builds one dimension after the other, as {@link #subarray}; processes are numbered in C order. */
  public Typemap darray(int rank, List<Dealing> dealings, boolean fortran) {
    int[] coordinates = new int[dealings.size()];
    int rest = rank;
    for (int d = dealings.size() - 1; d >= 0; d--) {
      coordinates[d] = rest % dealings.get(d).psize;
      rest /= dealings.get(d).psize;
    }
    Typemap result = this;
    for (int n = 0; n < dealings.size(); n++) {
      int d = fortran ? n : dealings.size() - 1 - n;
      Dealing dealing = dealings.get(d);
      Typemap one = result.withoutMarkers(result.extent());
      Builder mine = new Builder();
      for (long g = 0; g < dealing.gsize; g++) {
        if (g / dealing.darg % dealing.psize == coordinates[d]) {
          mine.add(one, g * result.extent());
        }
      }
      result = mine.build().resized(0, dealing.gsize * result.extent());
    }
    return result;
  }

  /** The items at the same places and the given extent, whose markers the caller will replace. */
  private Typemap withoutMarkers(long extent) {
    return resized(0, extent);
  }

  // ---- what follows from the list

  private Stream<Entry> data() {
    return entries.stream().filter(e -> !e.item.isMarker());
  }

  private LongStream marked(Item marker) {
    return entries.stream().filter(e -> e.item == marker).mapToLong(Entry::displacement);
  }

  private long computeLowerBound() {
    return marked(Item.LB).min().orElseGet(this::trueLowerBound);
  }

  /** The smallest extent that is a multiple of all alignments, unless an upper bound is marked. */
  private long computeUpperBound() {
    return marked(Item.UB).max().orElseGet(() -> {
      long alignment = data().mapToLong(e -> e.item.alignment()).max().orElse(1);
      long ub = ends.stream().mapToLong(Long::longValue).max().orElse(0);
      while ((ub - lowerBound) % alignment != 0) {
        ub++;
      }
      return ub;
    });
  }

  public long lowerBound() {
    return lowerBound;
  }

  public long upperBound() {
    return upperBound;
  }

  public long extent() {
    return upperBound - lowerBound;
  }

  public long trueLowerBound() {
    return data().mapToLong(Entry::displacement).min().orElse(0);
  }

  public long trueUpperBound() {
    return data().mapToLong(e -> e.displacement + e.item.size()).max().orElse(0);
  }

  public long trueExtent() {
    return trueUpperBound() - trueLowerBound();
  }

  public int size() {
    return bytes.length;
  }

  /** Returns the length of the list. */
  public int length() {
    return entries.size();
  }

  /** The basic types of one element in the order in which they are sent. */
  public List<Item> items() {
    return data().map(Entry::item).toList();
  }

  /** Returns the place of byte {@code position} of the stream of many elements. */
  public long displacement(long position) {
    return position / bytes.length * extent() + bytes[(int) (position % bytes.length)];
  }

  /** The lowest byte that {@code count} elements touch. */
  public long first(long count) {
    return count == 0 || bytes.length == 0 ? 0 : trueLowerBound() + Math.min(0, (count - 1) * extent());
  }

  /** The end of the highest byte that {@code count} elements touch. */
  public long end(long count) {
    return count == 0 || bytes.length == 0 ? 0 : trueUpperBound() + Math.max(0, (count - 1) * extent());
  }

  /** Returns whether {@code count} elements name some byte more than once. */
  public boolean overlaps(long count) {
    long[] places = LongStream.range(0, count * bytes.length).map(this::displacement).sorted().toArray();
    return Arrays.stream(places).distinct().count() < places.length;
  }

  /** Returns the number of whole elements in a message. */
  public long count(long messageBytes) {
    if (bytes.length == 0) {
      return messageBytes == 0 ? 0 : Constants.UNDEFINED;
    }
    return messageBytes % bytes.length == 0 ? messageBytes / bytes.length : Constants.UNDEFINED;
  }

  /** Returns the number of basic types in a message. */
  public long elements(long messageBytes) {
    if (bytes.length == 0) {
      return messageBytes == 0 ? 0 : Constants.UNDEFINED;
    }
    List<Item> items = items();
    long found = messageBytes / bytes.length * items.size();
    long rest = messageBytes % bytes.length;
    for (int i = 0; rest > 0; i++) {
      rest -= items.get(i).size();
      found++;
    }
    return rest == 0 ? found : Constants.UNDEFINED;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Typemap map && entries.equals(map.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
