// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeContents;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.tree.ContiguousType;
import org.ffmpi.datatype.tree.DarrayType;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.DupType;
import org.ffmpi.datatype.tree.FortranKindType;
import org.ffmpi.datatype.tree.HindexedBlockType;
import org.ffmpi.datatype.tree.HindexedType;
import org.ffmpi.datatype.tree.HvectorType;
import org.ffmpi.datatype.tree.IndexedBlockType;
import org.ffmpi.datatype.tree.IndexedType;
import org.ffmpi.datatype.tree.ResizedType;
import org.ffmpi.datatype.tree.StructType;
import org.ffmpi.datatype.tree.SubarrayType;
import org.ffmpi.datatype.tree.TypeConstructor;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.ValueIndexType;
import org.ffmpi.datatype.tree.VectorType;

/** Decodes types into their envelope and contents, in the layout of MPI-4.1 §5.1.13. */
public final class TypeDecoder {
  private static final long[] NONE = {};

  private TypeDecoder() {}

  /** Counts the arguments of the call that made a type. */
  public static TypeEnvelope envelope(TypeTree tree) {
    if (!(tree instanceof DerivedTree derived)) {
      return new TypeEnvelope(Combiner.NAMED, 0, 0, 0);
    }
    TypeConstructor constructor = derived.constructor();
    Combiner combiner = constructor.combiner();
    return switch (constructor) {
      case DupType _ -> new TypeEnvelope(combiner, 0, 0, 1);
      case ContiguousType _ -> new TypeEnvelope(combiner, 1, 0, 1);
      case VectorType _ -> new TypeEnvelope(combiner, 3, 0, 1);
      case HvectorType _ -> new TypeEnvelope(combiner, 2, 1, 1);
      case IndexedType indexed -> new TypeEnvelope(combiner, 2L * indexed.displacements().length() + 1, 0, 1);
      case HindexedType indexed -> {
        long count = indexed.displacements().length();
        yield new TypeEnvelope(combiner, count + 1, count, 1);
      }
      case IndexedBlockType indexed -> new TypeEnvelope(combiner, indexed.displacements().length() + 2L, 0, 1);
      case HindexedBlockType indexed -> new TypeEnvelope(combiner, 2, indexed.displacements().length(), 1);
      case StructType struct -> {
        long count = struct.types().size();
        yield new TypeEnvelope(combiner, count + 1, count, count);
      }
      case SubarrayType subarray -> new TypeEnvelope(combiner, 3L * subarray.sizes().length() + 2, 0, 1);
      case DarrayType darray -> new TypeEnvelope(combiner, 4L * darray.gsizes().length() + 4, 0, 1);
      case ResizedType _ -> new TypeEnvelope(combiner, 0, 2, 1);
      case FortranKindType _ -> new TypeEnvelope(combiner, combiner == Combiner.F90_INTEGER ? 1 : 2, 0, 0);
      case ValueIndexType _ -> new TypeEnvelope(combiner, 0, 0, 2);
    };
  }

  /** Returns the arguments of the call that made a type. */
  public static TypeContents contents(TypeTree tree) {
    if (!(tree instanceof DerivedTree derived)) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", tree, "types that are not named: those have no contents");
    }
    return switch (derived.constructor()) {
      case DupType(TypeTree old) -> contents(NONE, NONE, old);
      case ContiguousType(long count, TypeTree old) -> contents(longs(count), NONE, old);
      case VectorType(long count, long blocklength, long stride, TypeTree old) ->
          contents(longs(count, blocklength, stride), NONE, old);
      case HvectorType(long count, long blocklength, long stride, TypeTree old) ->
          contents(longs(count, blocklength), longs(stride), old);
      case IndexedType(Longs blocklengths, Longs displacements, TypeTree old) ->
          contents(joined(counted(blocklengths), displacements.toArray()), NONE, old);
      case HindexedType(Longs blocklengths, Longs displacements, TypeTree old) ->
          contents(counted(blocklengths), displacements.toArray(), old);
      case IndexedBlockType(long blocklength, Longs displacements, TypeTree old) ->
          contents(joined(longs(displacements.length(), blocklength), displacements.toArray()), NONE, old);
      case HindexedBlockType(long blocklength, Longs displacements, TypeTree old) ->
          contents(longs(displacements.length(), blocklength), displacements.toArray(), old);
      case StructType(Longs blocklengths, Longs displacements, List<TypeTree> types) ->
          new TypeContents(counted(blocklengths), displacements.toArray(), handles(types));
      case SubarrayType(Longs sizes, Longs subsizes, Longs starts, Datatype.Order order, TypeTree old) ->
          contents(
              joined(counted(sizes), subsizes.toArray(), starts.toArray(), longs(order.code())), NONE, old);
      case DarrayType darray -> contents(integers(darray), NONE, darray.old());
      case ResizedType(long lowerBound, long extent, TypeTree old) ->
          contents(NONE, longs(lowerBound, extent), old);
      case FortranKindType(Combiner combiner, int precision, int range, _) ->
          contents(combiner == Combiner.F90_INTEGER ? longs(range) : longs(precision, range), NONE);
      case ValueIndexType(TypeTree value, TypeTree index) -> contents(NONE, NONE, value, index);
    };
  }

  private static long[] integers(DarrayType darray) {
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
    return types.stream().<Datatype<?>>map(PredefinedHandles::of).toList();
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
