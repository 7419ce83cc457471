// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.handle.TypeHandle;

/**
 * The sizes and bounds of a {@link Datatype} (MPI-4.1 §5.1.5 to §5.1.8). All numbers are bytes. All methods are local,
 * do not block, and throw {@link org.ffmpi.base.MpiException} with ERR_TYPE when the type was freed.
 */
public sealed interface TypeExtent permits Datatype {
  /**
   * Returns the bytes of data in one element, gaps not counted ({@code MPI_Type_size}, MPI-4.1 §5.1.5).
   *
   * @return bytes in a packed element
   */
  @Standard({"MPI_Type_size", "MPI_Type_size_c", "MPI_Type_size_x"})
  default long size() {
    return TypeHandle.boundsOf(this).size();
  }

  /**
   * Returns the size in bytes as the calls of C without {@code _c} do.
   *
   * @return the size in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_size"})
  default int sizeInt() {
    return TypeHandle.asInt(TypeHandle.boundsOf(this).size());
  }

  /**
   * Returns the distance in bytes between consecutive elements of a buffer ({@code MPI_Type_get_extent}, MPI-4.1
   * §5.1.7).
   *
   * @return the extent in bytes
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c", "MPI_Type_get_extent_x"})
  default long extent() {
    return TypeHandle.boundsOf(this).extent();
  }

  /**
   * Returns the extent in bytes as the calls of C without {@code _c} do.
   *
   * @return the extent in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_extent"})
  default int extentInt() {
    return TypeHandle.asInt(TypeHandle.boundsOf(this).extent());
  }

  /**
   * Returns the lower bound in bytes ({@code MPI_Type_get_extent}, MPI-4.1 §5.1.7).
   *
   * @return displacement of the lower bound from the buffer's address
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c", "MPI_Type_get_extent_x"})
  default long lowerBound() {
    return TypeHandle.boundsOf(this).lowerBound();
  }

  /**
   * Returns the lower bound in bytes as the calls of C without {@code _c} do.
   *
   * @return the lower bound in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_extent"})
  default int lowerBoundInt() {
    return TypeHandle.asInt(TypeHandle.boundsOf(this).lowerBound());
  }

  /**
   * Returns the upper bound in bytes: lower bound plus extent (MPI-4.1 §5.1.6).
   *
   * @return displacement of the upper bound from the buffer's address
   */
  default long upperBound() {
    return TypeHandle.boundsOf(this).upperBound();
  }

  /**
   * Returns the displacement of the lowest byte of data ({@code MPI_Type_get_true_extent}, MPI-4.1 §5.1.8).
   *
   * @return displacement in bytes from the buffer's address
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c", "MPI_Type_get_true_extent_x"})
  default long trueLowerBound() {
    return TypeHandle.boundsOf(this).trueLowerBound();
  }

  /**
   * Returns the true lower bound in bytes as the calls of C without {@code _c} do.
   *
   * @return the true lower bound in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_true_extent"})
  default int trueLowerBoundInt() {
    return TypeHandle.asInt(TypeHandle.boundsOf(this).trueLowerBound());
  }

  /**
   * Returns the bytes from the first to the last byte of data of one element ({@code MPI_Type_get_true_extent}, MPI-4.1
   * §5.1.8). {@code count} elements need {@code trueExtent() + (count - 1) * extent()} bytes of memory.
   *
   * @return the true extent in bytes
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c", "MPI_Type_get_true_extent_x"})
  default long trueExtent() {
    return TypeHandle.boundsOf(this).trueExtent();
  }

  /**
   * Returns the true extent in bytes as the calls of C without {@code _c} do.
   *
   * @return the true extent in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_true_extent"})
  default int trueExtentInt() {
    return TypeHandle.asInt(TypeHandle.boundsOf(this).trueExtent());
  }
}
