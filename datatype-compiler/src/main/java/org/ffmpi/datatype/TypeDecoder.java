// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Takes types apart, in the layout of MPI-4.1 §5.1.13. */
final class TypeDecoder {
  private static final long[] NONE = {};

  private TypeDecoder() {}

  /** Counts the arguments of the call that made a type. */
  static TypeEnvelope envelope(TypeTree tree) {
    if (!(tree instanceof DerivedTree derived)) {
      return new TypeEnvelope(Combiner.NAMED, 0, 0, 0);
    }
    TypeConstructor constructor = derived.constructor();
    Combiner combiner = constructor.combiner();
    return switch (constructor) {
      case Dup _ -> new TypeEnvelope(combiner, 0, 0, 1);
      case Contiguous _ -> new TypeEnvelope(combiner, 1, 0, 1);
      case Vector _ -> new TypeEnvelope(combiner, 3, 0, 1);
      case Hvector _ -> new TypeEnvelope(combiner, 2, 1, 1);
      case Indexed indexed -> new TypeEnvelope(combiner, 2L * indexed.displacements().length() + 1, 0, 1);
      case Hindexed indexed -> {
        long count = indexed.displacements().length();
        yield new TypeEnvelope(combiner, count + 1, count, 1);
      }
      case IndexedBlock indexed -> new TypeEnvelope(combiner, indexed.displacements().length() + 2L, 0, 1);
      case HindexedBlock indexed -> new TypeEnvelope(combiner, 2, indexed.displacements().length(), 1);
      case Struct struct -> {
        long count = struct.types().size();
        yield new TypeEnvelope(combiner, count + 1, count, count);
      }
      case Subarray subarray -> new TypeEnvelope(combiner, 3L * subarray.sizes().length() + 2, 0, 1);
      case Darray darray -> new TypeEnvelope(combiner, 4L * darray.gsizes().length() + 4, 0, 1);
      case Resized _ -> new TypeEnvelope(combiner, 0, 2, 1);
      case F90 _ -> new TypeEnvelope(combiner, combiner == Combiner.F90_INTEGER ? 1 : 2, 0, 0);
      case ValueIndex _ -> new TypeEnvelope(combiner, 0, 0, 2);
    };
  }

  /** Returns the arguments of the call that made a type. */
  static TypeContents contents(TypeTree tree) {
    if (!(tree instanceof DerivedTree derived)) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", tree, "types that are not named: those have no contents");
    }
    return switch (derived.constructor()) {
      case Dup(TypeTree old) -> contents(NONE, NONE, old);
      case Contiguous(long count, TypeTree old) -> contents(longs(count), NONE, old);
      case Vector(long count, long blocklength, long stride, TypeTree old) ->
          contents(longs(count, blocklength, stride), NONE, old);
      case Hvector(long count, long blocklength, long stride, TypeTree old) ->
          contents(longs(count, blocklength), longs(stride), old);
      case Indexed(Longs blocklengths, Longs displacements, TypeTree old) ->
          contents(joined(counted(blocklengths), displacements.toArray()), NONE, old);
      case Hindexed(Longs blocklengths, Longs displacements, TypeTree old) ->
          contents(counted(blocklengths), displacements.toArray(), old);
      case IndexedBlock(long blocklength, Longs displacements, TypeTree old) ->
          contents(joined(longs(displacements.length(), blocklength), displacements.toArray()), NONE, old);
      case HindexedBlock(long blocklength, Longs displacements, TypeTree old) ->
          contents(longs(displacements.length(), blocklength), displacements.toArray(), old);
      case Struct(Longs blocklengths, Longs displacements, List<TypeTree> types) ->
          new TypeContents(counted(blocklengths), displacements.toArray(), handles(types));
      case Subarray(Longs sizes, Longs subsizes, Longs starts, Datatype.Order order, TypeTree old) ->
          contents(
              joined(counted(sizes), subsizes.toArray(), starts.toArray(), longs(order.code())), NONE, old);
      case Darray darray -> contents(integers(darray), NONE, darray.old());
      case Resized(long lowerBound, long extent, TypeTree old) -> contents(NONE, longs(lowerBound, extent), old);
      case F90(Combiner combiner, int precision, int range, _) ->
          contents(combiner == Combiner.F90_INTEGER ? longs(range) : longs(precision, range), NONE);
      case ValueIndex(TypeTree value, TypeTree index) -> contents(NONE, NONE, value, index);
    };
  }

  private static long[] integers(Darray darray) {
    return joined(
        longs(darray.size(), darray.rank()),
        counted(darray.gsizes()),
        darray.distribs().stream().mapToLong(Datatype.Distribution::code).toArray(),
        darray.dargs().toArray(),
        darray.psizes().toArray(),
        longs(darray.order().code()));
  }

  private static TypeContents contents(long[] integers, long[] addresses, TypeTree... types) {
    return new TypeContents(integers, addresses, handles(List.of(types)));
  }

  private static List<Datatype<?>> handles(List<TypeTree> types) {
    return types.stream().<Datatype<?>>map(Datatype::handle).toList();
  }

  private static long[] longs(long... values) {
    return values;
  }

  private static long[] counted(Longs values) {
    return joined(longs(values.length()), values.toArray());
  }

  private static long[] joined(long[]... pieces) {
    return Arrays.stream(pieces).flatMapToLong(Arrays::stream).toArray();
  }
}
