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
 * The type signature, which is the basic types of a datatype in order, without their displacements (MPI-4.1 §5.1). The
 * two sides of a message must agree in it (MPI-4.1 §3.3.1). A complex number is one basic element, a pair of value and
 * index is two.
 *
 * <p>Signatures are equal when the sequences of their basic types are equal; the constructors do not matter. Types that
 * are the same on this platform count as equal: {@code INT32_T} and {@code INT}, {@code REAL4} and {@code REAL}. Types
 * of different languages do not. {@code PACKED} matches everything; {@code BYTE} matches itself and
 * {@code INT8_T}, since both are the elements of Java's {@code byte[]}.
 *
 * <p>A signature consists of repetitions and sequences, as deep as the type was built, and is never expanded. Sequences
 * are compared by a hash of 61 bits, so two different ones count as equal with a probability of about 2^-61.
 * Immutable.
 */
public final class Signature {
  /** The hash of a signature that matches everything. */
  public static final long ANY = 0;

  private static final int INCOMPLETE = -1;

  /** Set in the hash of every sequence of complete basic elements; clear in {@link #ANY} and in CUT. */
  private static final long WHOLE = 1;

  private static final long CUT = 2;

  /** The three forms of a signature. */
  sealed interface Form permits Leaf, Repeat, Sequence {}

  record Leaf(Basic basic) implements Form {}

  record Repeat(long copies, Signature body) implements Form {}

  /** Non-empty parts, each with the elements, bytes and hash of all parts before it. */
  record Sequence(List<Signature> parts, long[] elements, long[] bytes, long[] hashes) implements Form {}

  /** Receives the runs of equal basic types of a signature. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives the next run.
     *
     * @param basic the type, never a pair
     * @param copies length of the run; positive
     */
    void run(Basic basic, long copies);
  }

  /** Leaves and pairs, made once. A class of its own, because they need the constants of this one. */
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

  Form form() {
    return form;
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
   * Returns whether the type contains PACKED, which matches everything.
   *
   * @return true for PACKED and types with a part of it
   */
  public boolean matchesAnything() {
    return packed;
  }

  /**
   * Returns a number to send with a message, for the receiver to compare. The number of steps depends on the depth of
   * the type and on the logarithm of the count.
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
   * Returns whether a message may be received as this type: whether it is the beginning of a sequence of elements of
   * this type. Costs as much as {@link #hash}.
   *
   * @param sent hash that the sender computed
   * @param length bytes of the message
   * @return false when the signatures of the two sides do not match
   * @throws MpiException ERR_ARG when {@code length} is negative
   */
  public boolean matches(long sent, long length) {
    return sent == ANY || packed || sent == hashOfBytes(length);
  }

  /** Returns the hash of the first bytes of a sequence of elements; CUT, which no sender uses, for a cut element. */
  public long hashOfBytes(long length) {
    long begun = elementsIn(length);
    return begun == Constants.UNDEFINED ? CUT : sealed(prefix(begun), begun);
  }

  /**
   * Returns the number of basic elements in the first bytes of a sequence of elements of the type.
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
   * Returns the bytes of the first basic elements of a sequence of elements of the type: the inverse of {@link
   * #elementsIn}.
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
   * Hands the basic types to a visitor in order, equal neighbours as one run.
   *
   * @param count number of elements of the type
   * @param visitor receives them
   * @throws MpiException ERR_COUNT when {@code count} is negative, ERR_ARG when {@code visitor} is null
   */
  public void forEachRun(long count, Visitor visitor) {
    TypeArguments.count("count", count);
    SignatureRuns runs = new SignatureRuns(TypeArguments.present("visitor", visitor));
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
   * Returns the complete basic types of a message and the number of bytes of an incomplete last one.
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
    return SignatureText.of(this, count);
  }
}
