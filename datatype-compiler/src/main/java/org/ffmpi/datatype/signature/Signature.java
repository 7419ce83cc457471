// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.ReductionGroup;
import org.ffmpi.datatype.basic.TypeArguments;

/**
 * Which basic types a datatype is made of, in order, wherever they lie: what MPI calls the type signature (MPI-4.1
 * §5.1), and what must agree between the two sides of a message (MPI-4.1 §3.3.1). Complex numbers are one basic
 * element, pairs of value and index are two.
 *
 * <p>Signatures are equal when the sequences of their basic types are, whatever constructors made them. Types that are
 * the same on this platform are taken as equal: {@code INT32_T} and {@code INT}, {@code REAL4} and {@code REAL}; types
 * of different languages are not. {@code PACKED} matches everything; {@code BYTE} matches only itself.
 *
 * <p>A signature is kept as repetitions and sequences, as deep as the type was built, and never expanded. Sequences are
 * compared by a hash of 61 bits; different ones pass as equal by an accident of that size.
 */
public final class Signature {
  /** The hash of what matches everything. */
  public static final long ANY = 0;

  private static final int TEXT_LIMIT = 240;
  private static final int INCOMPLETE = -1;

  /** The bit that the hashes of sequences of complete basic elements have, and {@link #ANY} and CUT have not. */
  private static final long WHOLE = 1;

  private static final long CUT = 2;

  /** What a signature is built from. */
  private sealed interface Form permits Leaf, Repeat, Sequence {}

  private record Leaf(Basic basic) implements Form {}

  private record Repeat(long copies, Signature body) implements Form {}

  /** Parts, none of them empty, with what lies before each of them. */
  private record Sequence(List<Signature> parts, long[] elements, long[] bytes, long[] hashes) implements Form {}

  /** Receives the runs of equal basic types of a signature. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes the next run.
     *
     * @param basic the type, never a pair
     * @param copies how many follow each other; positive
     */
    void run(Basic basic, long copies);
  }

  /** Leaves and pairs, made once. A holder, because they need the constants of this class. */
  private static final class Predefined {
    private static final Signature EMPTY =
        new Signature(new Sequence(List.of(), new long[0], new long[0], new long[0]), 0, 0, 0);
    private static final Signature[] OF = new Signature[Basic.values().length];

    static {
      for (Basic basic : Basic.values()) {
        if (basic.reductionGroup() != ReductionGroup.PAIR) {
          long code = SignatureTypes.platformType(basic).ordinal() + 1;
          OF[basic.ordinal()] =
              new Signature(new Leaf(basic), 1, basic.element().bounds().size(), Polynomial.of(code));
        }
      }
      for (Basic basic : Basic.values()) {
        if (basic.reductionGroup() == ReductionGroup.PAIR) {
          OF[basic.ordinal()] = sequence(
              List.of(of(SignatureTypes.valueOf(basic)), of(SignatureTypes.indexOf(basic))));
        }
      }
    }

   private static Signature of(Basic basic) {
      return OF[basic.ordinal()];
    }
  }

  private final Form form;
  private final long elements;
  private final long bytes;
  private final long hash;
  private final boolean packed;

  private Signature(Form form, long elements, long bytes, long hash) {
    this.form = form;
    this.elements = elements;
    this.bytes = bytes;
    this.hash = hash;
    this.packed = switch (form) {
      case Leaf(Basic basic) -> basic == Basic.PACKED;
      case Repeat(_, Signature body) -> body.packed;
      case Sequence(List<Signature> parts, _, _, _) -> parts.stream().anyMatch(part -> part.packed);
    };
  }

  /** Returns the signature of a predefined type. */
  public static Signature of(Basic basic) {
    return Predefined.of(basic);
  }

  /** Returns the signature of copies after each other; their size must fit in 63 bits. */
  public Signature times(long copies) {
    if (copies == 0 || elements == 0) {
      return Predefined.EMPTY;
    } else if (copies == 1) {
      return this;
    } else if (form instanceof Repeat(long inner, Signature body)) {
      return body.times(Math.multiplyExact(inner, copies));
    }
    return new Signature(
        new Repeat(copies, this),
        Math.multiplyExact(elements, copies),
        Math.multiplyExact(bytes, copies),
        Polynomial.repeat(hash, elements, copies));
  }

  /** Returns the signature of several after each other; their size must fit in 63 bits. */
  public static Signature sequence(List<Signature> all) {
    Signature[] parts = new Signature[all.size()];
    int count = 0;
    for (Signature part : all) {
      if (part.elements == 0) {
        continue;
      }
      Signature last = count == 0 ? null : parts[count - 1];
      if (last != null && last.unit().isSameRunAs(part.unit())) {
        parts[count - 1] = last.unit().times(last.copies() + part.copies());
      } else {
        parts[count++] = part;
      }
    }
    return count == 0 ? Predefined.EMPTY : count == 1 ? parts[0] : joined(Arrays.copyOf(parts, count));
  }

  private static Signature joined(Signature[] parts) {
    long[] elementsBefore = new long[parts.length];
    long[] bytesBefore = new long[parts.length];
    long[] hashes = new long[parts.length];
    long elements = 0;
    long bytes = 0;
    long hash = 0;
    for (int i = 0; i < parts.length; i++) {
      elementsBefore[i] = elements;
      bytesBefore[i] = bytes;
      hashes[i] = hash;
      hash = Polynomial.concat(hash, parts[i].hash, parts[i].elements);
      elements = Math.addExact(elements, parts[i].elements);
      bytes = Math.addExact(bytes, parts[i].bytes);
    }
    return new Signature(new Sequence(List.of(parts), elementsBefore, bytesBefore, hashes), elements, bytes, hash);
  }

  private Signature unit() {
    return form instanceof Repeat(_, Signature body) ? body : this;
  }

  private long copies() {
    return form instanceof Repeat(long copies, _) ? copies : 1;
  }

  private boolean isSameRunAs(Signature other) {
    return this == other || (form instanceof Leaf(Basic mine) && other.form instanceof Leaf(Basic theirs)
        && mine == theirs);
  }

  /**
   * Returns the number of basic elements in one element of the type.
   *
   * @return not negative
   */
  public long elements() {
    return elements;
  }

  /**
   * Returns the bytes of one element of the type.
   *
   * @return the type's size
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the basic type that all elements have.
   *
   * @return the type; empty when there are several or none
   */
  public Optional<Basic> basic() {
    return unit().form instanceof Leaf(Basic basic) ? Optional.of(basic) : Optional.empty();
  }

  /**
   * Tells whether there is PACKED in it, which matches everything.
   *
   * @return true for PACKED and types with a part of it
   */
  public boolean matchesAnything() {
    return packed;
  }

  /**
   * Returns a number to send with a message, for the receiver to compare. Takes a number of steps that depends on the
   * depth of the type and the logarithm of the count.
   *
   * @param count number of elements of the type in the message, not negative
   * @return the hash of the basic types in the message; {@link #ANY} when it matches everything, and never otherwise
   * @throws MpiException ERR_COUNT when {@code count} is negative or the number of basic elements does not fit in 63
   *     bits
   */
  public long hash(long count) {
    TypeArguments.count("count", count);
    long total;
    try {
      total = Math.multiplyExact(count, elements);
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany("count", count);
    }
    return packed ? ANY : sealed(Polynomial.repeat(hash, elements, count), total);
  }

  /**
   * Tells whether a message may be received as this type: whether what was sent is how a sequence of elements of this
   * type begins. Takes as long as {@link #hash}.
   *
   * @param sent hash the message came with
   * @param length bytes of the message
   * @return false when the signatures of the two sides do not match
   * @throws MpiException ERR_ARG when {@code length} is negative
   */
  public boolean matches(long sent, long length) {
    return sent == ANY || packed || sent == hashOfBytes(length);
  }

  /** The hash of how a sequence of elements of this type begins; of a cut within a basic element none that is sent. */
  public long hashOfBytes(long length) {
    long begun = elementsIn(length);
    return begun == Constants.UNDEFINED ? CUT : sealed(prefix(begun), begun);
  }

  /**
   * Returns how many basic elements so many bytes are, when elements of the type follow each other.
   *
   * @param length bytes, not negative
   * @return the number, or {@link Constants#UNDEFINED} when the last one is not complete
   * @throws MpiException ERR_ARG when {@code length} is negative
   */
  public long elementsIn(long length) {
    TypeArguments.notNegative("length", length);
    if (bytes == 0) {
      return length == 0 ? 0 : Constants.UNDEFINED;
    }
    long rest = elementsBegun(length % bytes);
    return rest == INCOMPLETE ? Constants.UNDEFINED : length / bytes * elements + rest;
  }

  /**
   * Returns how many bytes so many basic elements take, when elements of the type follow each other: the inverse of
   * {@link #elementsIn}.
   *
   * @param count number of basic elements
   * @return bytes
   * @throws MpiException ERR_COUNT when {@code count} is negative, the bytes do not fit in 63 bits or the type is empty
   *     and {@code count} is not 0
   */
  public long bytesIn(long count) {
    if (count == 0) {
      return 0;
    } else if (count < 0 || elements == 0) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "elements", count, elements == 0 ? "0 for an empty type" : "counts not negative");
    }
    try {
      return Math.addExact(Math.multiplyExact(count / elements, bytes), bytesOf(count % elements));
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany("elements", count);
    }
  }

  /**
   * Hands out the basic types in order, neighbours of one kind together.
   *
   * @param count number of elements of the type
   * @param visitor receives them
   * @throws MpiException ERR_COUNT when {@code count} is negative, ERR_ARG when {@code visitor} is null
   */
  public void forEachRun(long count, Visitor visitor) {
    TypeArguments.count("count", count);
    Runs runs = new Runs(TypeArguments.present("visitor", visitor));
    runs.add(this, count);
    runs.finish();
  }

  /** The hash of the first {@code count} basic elements of a sequence of elements of the type. */
  private long prefix(long count) {
    if (elements == 0) {
      return 0;
    }
    long rest = count % elements;
    return Polynomial.concat(Polynomial.repeat(hash, elements, count / elements), begun(rest), rest);
  }

  /** The hash of the first {@code count} basic elements, fewer than there are. */
  private long begun(long count) {
    if (count == 0) {
      return 0;
    }
    return switch (form) {
      case Leaf _ -> throw new AssertionError(count);
      case Repeat(_, Signature body) -> body.prefix(count);
      case Sequence(List<Signature> parts, long[] before, _, long[] hashes) -> {
        int part = part(before, count);
        long rest = count - before[part];
        yield Polynomial.concat(hashes[part], parts.get(part).prefix(rest), rest);
      }
    };
  }

  /** How many basic elements the first {@code length} bytes are, fewer than there are; INCOMPLETE when one is cut. */
  private long elementsBegun(long length) {
    if (length == 0) {
      return 0;
    }
    return switch (form) {
      case Leaf _ -> INCOMPLETE;
      case Repeat(_, Signature body) -> body.plus(length / body.bytes * body.elements, length % body.bytes);
      case Sequence(List<Signature> parts, long[] elementsBefore, long[] bytesBefore, _) -> {
        int part = part(bytesBefore, length);
        yield parts.get(part).plus(elementsBefore[part], length - bytesBefore[part]);
      }
    };
  }

  private long plus(long before, long length) {
    long rest = length == bytes ? elements : elementsBegun(length);
    return rest == INCOMPLETE ? INCOMPLETE : before + rest;
  }

  /** The bytes of the first {@code count} basic elements, fewer than there are. */
  private long bytesOf(long count) {
    if (count == 0) {
      return 0;
    }
    return switch (form) {
      case Leaf _ -> throw new AssertionError(count);
      case Repeat(_, Signature body) ->
          count / body.elements * body.bytes + body.bytesOf(count % body.elements);
      case Sequence(List<Signature> parts, long[] elementsBefore, long[] bytesBefore, _) -> {
        int part = part(elementsBefore, count);
        Signature last = parts.get(part);
        long rest = count - elementsBefore[part];
        yield bytesBefore[part] + (rest == last.elements ? last.bytes : last.bytesOf(rest));
      }
    };
  }

  /** The last part that begins before a position, which is not 0. */
  private static int part(long[] before, long position) {
    int found = Arrays.binarySearch(before, position);
    return found >= 0 ? found - 1 : -found - 2;
  }

  /** Makes a hash of a sequence depend on its length and spreads it over the bits beside {@link #WHOLE}. */
  private static long sealed(long hash, long length) {
    long mixed = hash + length * 0x9e37_79b9_7f4a_7c15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8_feb8_6659_fd93L;
    mixed ^= mixed >>> 32;
    return mixed | WHOLE;
  }

  /** Joins neighbouring runs of one basic type on their way to a visitor. */
  private static final class Runs {
    private final Visitor visitor;
    private Basic basic;
    private long copies;

    Runs(Visitor visitor) {
      this.visitor = visitor;
    }

    void add(Signature signature, long count) {
      switch (signature.form) {
        case Leaf(Basic next) -> {
          if (next != basic) {
            finish();
            basic = next;
          }
          copies += count;
        }
        case Repeat(long inner, Signature body) -> {
          if (body.form instanceof Leaf) {
            add(body, inner * count);
          } else {
            for (long i = 0; i < count; i++) {
              for (long j = 0; j < inner; j++) {
                add(body, 1);
              }
            }
          }
        }
        case Sequence(List<Signature> parts, _, _, _) -> {
          for (long i = 0; i < count; i++) {
            for (Signature part : parts) {
              add(part, 1);
            }
          }
        }
      }
    }

    void finish() {
      if (copies > 0) {
        visitor.run(basic, copies);
        copies = 0;
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Signature signature
        && elements == signature.elements
        && bytes == signature.bytes
        && hash == signature.hash;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }

  /**
   * Returns the basic types of one element by their names, runs with their length: {@code INT, 6 x DOUBLE, 7 x CHAR}.
   *
   * @return one line, cut where it becomes long
   */
  @Override
  public String toString() {
    return toString(1);
  }

  /**
   * Returns the basic types of a message, as far as they are complete, and how many bytes of the next one there are.
   *
   * @param length bytes of the message
   * @return one line, cut where it becomes long
   */
  public String text(long length) {
    if (bytes == 0) {
      return length == 0 ? "nothing" : length + " bytes more than nothing";
    }
    Signature whole = sequence(List.of(times(length / bytes), beginning(length % bytes)));
    long rest = length - whole.bytes;
    return rest == 0 ? whole.toString() : whole + " and " + rest + " bytes of the next";
  }

  /** The signature of the complete basic elements in the first {@code length} bytes, fewer than there are. */
  private Signature beginning(long length) {
    return switch (form) {
      case Leaf _ -> Predefined.EMPTY;
      case Repeat(_, Signature body) ->
        sequence(List.of(body.times(length / body.bytes), body.beginning(length % body.bytes)));
      case Sequence(List<Signature> parts, _, long[] before, _) -> {
        int last = length == 0 ? 0 : part(before, length);
        List<Signature> begun = new ArrayList<>(parts.subList(0, last));
        Signature part = parts.get(last);
        long rest = length - before[last];
        begun.add(rest == part.bytes ? part : part.beginning(rest));
       yield sequence(begun);
      }
    };
  }

  /**
   * Returns the basic types of a message by their names: {@code 1000 x (INT, 6 x DOUBLE, 7 x CHAR)}.
   *
   * @param count number of elements of the type
   * @return one line, cut where it becomes long
   */
  public String toString(long count) {
    if (elements == 0 || count == 0) {
      return "nothing";
    }
    StringBuilder text = new StringBuilder();
    write(text, count);
    return text.length() <= TEXT_LIMIT ? text.toString() : text.substring(0, TEXT_LIMIT) + "…";
  }

  private void write(StringBuilder text, long count) {
    if (text.length() > TEXT_LIMIT) {
      return;
    }
    if (form instanceof Repeat(long inner, Signature body)) {
      body.write(text, saturatedProduct(inner, count));
      return;
    }
    if (count > 1) {
      text.append(count).append(" x ");
    }
    if (form instanceof Sequence(List<Signature> parts, _, _, _)) {
      text.append(count > 1 ? "(" : "");
      for (int i = 0; i < parts.size() && text.length() <= TEXT_LIMIT; i++) {
        text.append(i == 0 ? "" : ", ");
        parts.get(i).write(text, 1);
      }
      text.append(count > 1 ? ")" : "");
    } else if (form instanceof Leaf(Basic basic)) {
      text.append(basic.mpiName().substring("MPI_".length()));
    }
  }

  private static long saturatedProduct(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }
}
