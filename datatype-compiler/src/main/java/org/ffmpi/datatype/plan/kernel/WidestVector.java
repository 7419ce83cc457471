// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Finds out once which vectors generated classes may use.
 *
 * <p>It loads all classes of vectors that they may use, too. As long as the JVM has loaded one class of vectors or of
 * segments only, it compiles on the assumption that there is no other, and discards all such code when a second one
 * appears: generated classes that were warmed up would be cold again.
 */
public final class WidestVector {
  /** Bytes of the widest vector of this machine; 0 when the JVM runs without {@code jdk.incubator.vector}. */
  public static final int BYTES = find();

  private WidestVector() {}

  private static int find() {
    List.of(
        MemorySegment.ofArray(new byte[0]), MemorySegment.ofArray(new char[0]), MemorySegment.ofArray(new short[0]),
        MemorySegment.ofArray(new int[0]), MemorySegment.ofArray(new long[0]), MemorySegment.ofArray(new float[0]),
        MemorySegment.ofArray(new double[0]));
    Module vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").orElse(null);
    if (vectors == null) {
      return 0;
    }
    // The descriptor does not require an incubator module: that would make each dependent's compiler warn.
    WidestVector.class.getModule().addReads(vectors);
    return Linked.widest();
  }

  /** A class of its own, so that it is linked only where the module is present. */
  private static final class Linked {
    private static final List<VectorSpecies<?>> ALL = List.of(
        ByteVector.SPECIES_PREFERRED, ShortVector.SPECIES_PREFERRED, IntVector.SPECIES_PREFERRED,
        LongVector.SPECIES_PREFERRED, FloatVector.SPECIES_PREFERRED, DoubleVector.SPECIES_PREFERRED);

    static int widest() {
      VectorShape preferred = ALL.getFirst().vectorShape();
      return preferred.vectorBitSize() / Byte.SIZE;
    }
  }
}
