// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeContents;

/**
 * The places of a type's data in a file of the representation "external32" (MPI-4.1 §14.5.1). Displacements that count
 * in extents of another type count in that one's extents in the file. Those in bytes mean the same bytes there, which
 * fits only types whose widths are those of memory.
 */
final class ExternalLayout {
  private ExternalLayout() {}

  static Datatype<?> of(Datatype<?> type) {
    long bytes = External32.size(1, type);
    if (bytes == type.size()) {
      return type;
    }
    if (type.isPredefined()) {
      return Datatype.contiguous(bytes, Datatype.BYTE).commit();
    }
    TypeContents contents = type.contents();
    Datatype<?> old = of(contents.datatypes().getFirst());
    long[] n = contents.integers();
    return switch (type.envelope().combiner()) {
      case DUP -> old;
      case CONTIGUOUS -> Datatype.contiguous(n[0], old);
      case VECTOR -> Datatype.vector(n[0], n[1], n[2], old);
      case INDEXED -> {
        int count = (int) n[0];
        yield Datatype.indexed(
            Arrays.copyOfRange(n, 1, 1 + count), Arrays.copyOfRange(n, 1 + count, 1 + 2 * count), old);
      }
      case INDEXED_BLOCK -> Datatype.indexedBlock(n[1], Arrays.copyOfRange(n, 2, n.length), old);
      case SUBARRAY -> {
        int dims = (int) n[0];
        yield Datatype.subarray(
            Arrays.copyOfRange(n, 1, 1 + dims), Arrays.copyOfRange(n, 1 + dims, 1 + 2 * dims),
            Arrays.copyOfRange(n, 1 + 2 * dims, 1 + 3 * dims), order(n[1 + 3 * dims]), old);
      }
      default -> throw new MpiException(ErrorClass.ERR_UNSUPPORTED_DATAREP, "external32: " + type
          + " has displacements in bytes, or a grid, around types whose width differs in the file: allowed are"
          + " contiguous, vector, indexed and subarray types of these");
    };
  }

  private static Datatype.Order order(long code) {
    for (Datatype.Order order : Datatype.Order.values()) {
      if (order.code() == code) {
        return order;
      }
    }
    throw new IllegalStateException("order " + code);
  }
}
