// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.LongDoubleForm;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.FortranKindType;
import org.ffmpi.datatype.tree.StructType;
import org.ffmpi.datatype.tree.TypeConstructor;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.ValueIndexType;

/**
 * The sequence of scalars in an element's packed stream, by their conversion to "external32". Their places in memory do
 * not matter here, so most types are one run of scalars.
 */
sealed interface CanonicalForm {
  /** No scalars. */
  CanonicalForm EMPTY = new Scalars(Conversion.BYTES, 0);

  /** Returns the bytes of the whole sequence in "external32"; never more than in the packed stream. */
  long externalBytes();

  /**
   * Scalars with the same conversion.
   *
   * @param how the conversion
   * @param count number of scalars
   */
  record Scalars(Conversion how, long count) implements CanonicalForm {
    @Override
    public long externalBytes() {
      return count * how.externalWidth();
    }
  }

  /**
   * A sequence several times.
   *
   * @param count number of repetitions
   * @param body the sequence
   */
  record Repeat(long count, Concatenation body) implements CanonicalForm {
    @Override
    public long externalBytes() {
      return count * body.externalBytes();
    }
  }

  /**
   * Sequences one after the other. Parts may be shared, so their bytes are counted once.
   *
   * @param parts at least two
   * @param externalBytes sum of the parts' bytes
   */
  record Concatenation(List<CanonicalForm> parts, long externalBytes) implements CanonicalForm {}

  /** Returns {@code count} times a sequence, in the simplest form. */
  static CanonicalForm repeat(long count, CanonicalForm body) {
    if (count == 0) {
      return EMPTY;
    }
    return switch (body) {
      case Scalars(Conversion how, long each) -> new Scalars(how, count * each);
      case Repeat(long inner, Concatenation what) -> new Repeat(count * inner, what);
      case Concatenation parts -> count == 1 ? parts : new Repeat(count, parts);
    };
  }

  /** Returns sequences that follow one another as one; neighbours that are alike become one. */
  static CanonicalForm join(List<CanonicalForm> sequences) {
    List<CanonicalForm> parts = new ArrayList<>();
    for (CanonicalForm next : sequences) {
      if (next.externalBytes() > 0) {
        CanonicalForm both = parts.isEmpty() ? null : merged(parts.getLast(), next);
        if (both == null) {
          parts.add(next);
        } else {
          parts.set(parts.size() - 1, both);
        }
      }
    }
    return switch (parts.size()) {
      case 0 -> EMPTY;
      case 1 -> parts.getFirst();
      default ->
          new Concatenation(List.copyOf(parts), parts.stream().mapToLong(CanonicalForm::externalBytes).sum());
    };
  }

  private static CanonicalForm merged(CanonicalForm first, CanonicalForm second) {
    if (first instanceof Scalars(Conversion how, long n) && second instanceof Scalars(Conversion same, long m)) {
      return how == same ? new Scalars(how, n + m) : null;
    }
    Concatenation body = body(first);
    return body != null && body == body(second) ? new Repeat(times(first) + times(second), body) : null;
  }

  private static Concatenation body(CanonicalForm form) {
    return switch (form) {
      case Scalars scalars -> null;
      case Repeat repeat -> repeat.body();
      case Concatenation once -> once;
    };
  }

  private static long times(CanonicalForm form) {
    return form instanceof Repeat(long count, Concatenation body) ? count : 1;
  }

  /** Returns the form of a type. */
  static CanonicalForm of(TypeTree tree) {
    return of(tree, new IdentityHashMap<>());
  }

  private static CanonicalForm of(TypeTree tree, Map<TypeTree, CanonicalForm> known) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> of(basic);
      case DerivedTree derived -> {
        CanonicalForm form = known.get(derived); // trees share nodes, so forms are shared, too
        if (form == null) {
          form = of(derived.constructor(), derived.bounds().size(), known);
          known.put(derived, form);
        }
        yield form;
      }
    };
  }

  private static CanonicalForm of(TypeConstructor constructor, long size, Map<TypeTree, CanonicalForm> known) {
    return switch (constructor) {
      case TypeConstructor.OfOne call -> {
        long each = call.old().bounds().size();
        yield each == 0 ? EMPTY : repeat(size / each, of(call.old(), known));
      }
      case StructType(Longs blocklengths, Longs displacements, List<TypeTree> types) -> {
        List<CanonicalForm> blocks = new ArrayList<>(types.size());
        for (int i = 0; i < types.size(); i++) {
          blocks.add(repeat(blocklengths.get(i), of(types.get(i), known)));
        }
        yield join(blocks);
      }
      case ValueIndexType pair -> join(List.of(of(pair.value(), known), of(pair.index(), known)));
      case FortranKindType parameterized -> of(parameterized.basic());
    };
  }

  /** Returns the form of a predefined type. */
  static CanonicalForm of(Basic basic) {
    return switch (basic.element()) {
      case OCTET, INT8, UINT8, BOOL -> scalars(Conversion.BYTES, 1);
      case INT16, UINT16, FLOAT16 -> scalars(Conversion.SWAP2, 1);
      case INT32, UINT32 -> scalars(basic.external32Size() == 2 ? Conversion.WCHAR : Conversion.SWAP4, 1);
      case FLOAT32 -> scalars(Conversion.SWAP4, 1);
      case INT64 -> scalars(basic.external32Size() == 4 ? Conversion.LONG : Conversion.SWAP8, 1);
      case UINT64 -> scalars(basic.external32Size() == 4 ? Conversion.UNSIGNED_LONG : Conversion.SWAP8, 1);
      case FLOAT64 -> scalars(Conversion.SWAP8, 1);
      case INT128, FLOAT128 -> scalars(Conversion.SWAP16, 1);
      case LONG_DOUBLE -> scalars(longDouble(), 1);
      case COMPLEX_FLOAT16 -> scalars(Conversion.SWAP2, 2);
      case COMPLEX_FLOAT32 -> scalars(Conversion.SWAP4, 2);
      case COMPLEX_FLOAT64 -> scalars(Conversion.SWAP8, 2);
      case COMPLEX_LONG_DOUBLE -> scalars(longDouble(), 2);
      case COMPLEX_FLOAT128 -> scalars(Conversion.SWAP16, 2);
      case FLOAT32_INT32, INT32_INT32, FLOAT32_FLOAT32 -> scalars(Conversion.SWAP4, 2);
      case FLOAT64_FLOAT64 -> scalars(Conversion.SWAP8, 2);
      case FLOAT64_INT32 -> pair(Conversion.SWAP8);
      case INT64_INT32 -> pair(Conversion.LONG); // the value is C's long
      case INT16_INT32 -> pair(Conversion.SWAP2);
      case LONG_DOUBLE_INT32 -> pair(longDouble());
    };
  }

  /** Where C's {@code long double} is quadruple precision, only the byte order differs. */
  private static Conversion longDouble() {
    return LongDoubleForm.IS_QUADRUPLE ? Conversion.SWAP16 : Conversion.LONG_DOUBLE;
  }

  private static CanonicalForm scalars(Conversion how, long count) {
    return new Scalars(how, count);
  }

  /** A value and a C {@code int}. */
  private static CanonicalForm pair(Conversion value) {
    return join(List.of(new Scalars(value, 1), new Scalars(Conversion.SWAP4, 1)));
  }
}
