// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.function.UnaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.TypedMemory;

/** Makes buffers of the arguments of calls on windows and files. */
final class Elements {
  private Elements() {}

  /**
   * Makes a buffer of some elements.
   *
   * @param raise passes an error to the handler of the call's object, and returns what to throw
   */
  static Buf<?> of(Object memory, int count, Datatype type, UnaryOperator<MpiException> raise) {
    try {
      return TypedMemory.of(memory, 0, count, Datatype.typeOf(type));
    } catch (MpiException e) {
      return beyondSlice(memory, count, type, e, raise);
    }
  }

  /** Makes a buffer in the memory that a slice is a part of. */
  private static Buf<?> beyondSlice(
      Object memory, int count, Datatype type, MpiException why, UnaryOperator<MpiException> raise) {
    Slices.Place place =
        why.errorClass() == ErrorClass.ERR_BUFFER && memory instanceof Buffer ? Slices.of(memory) : null;
    if (place == null) {
      throw raise.apply(why);
    }
    try {
      return TypedMemory.of(place.memory(), place.byteOffset(), count, Datatype.typeOf(type));
    } catch (MpiException e) {
      throw raise.apply(e);
    }
  }
}
