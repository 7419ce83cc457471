// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Words for the numbers of a note that stand for an operation or for types. Notes hold hashes, and errors are rare: the
 * predefined operation or type is searched whose hash is the same.
 */
final class ComparedText {
  private static final int PREFIX = "MPI_".length();

  private ComparedText() {}

  /** Returns the hash that stands for a predefined operation in notes. */
  static long hashOfOp(String mpiName) {
    return mpiName.hashCode();
  }

  /** Returns the name of an operation, {@code MAX}, or a text for one of the program. */
  static String op(long hash) {
    for (PredefinedOp op : PredefinedOp.values()) {
      if (hashOfOp(op.mpiName()) == hash) {
        return op.name();
      }
    }
    return hash == CollectiveFacts.COMMUTATIVE_OP
        ? "a commutative operation of the program"
        : "an operation of the program that is not commutative";
  }

  /**
   * Returns number and type of elements of one predefined type, {@code 2 x FLOAT}, or the bytes of others. Of types
   * that match each other, the one that names its width is preferred, as Java's arrays have it.
   */
  static String elements(long hash, long bytes) {
    String found = null;
    for (Datatype<?> type : Datatype.predefined()) {
      boolean hasWidth = type.name().endsWith("_T");
      if ((found == null || hasWidth) && fits(TypeHandle.planOf(type), hash, bytes)) {
        found = bytes / TypeHandle.planOf(type).size() + " x " + type.name().substring(PREFIX);
        if (hasWidth) {
          return found;
        }
      }
    }
    return found == null ? bytes + " bytes of derived types" : found;
  }

  private static boolean fits(Plan plan, long hash, long bytes) {
    StreamSignature signature = plan.signature();
    return signature != null && !signature.matchesAnything() && plan.size() > 0 && bytes % plan.size() == 0
        && signature.hash(bytes) == hash;
  }
}
