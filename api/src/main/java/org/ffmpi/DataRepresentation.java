// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/**
 * A form in which a program's own functions write elements to files, and read them back (MPI-4.1 §14.5.3), known by
 * the name under which {@link MpiFile#registerDatarep} has it. Views with that name use it. State that C passes as
 * {@code extra_state} is kept by the implementing object.
 *
 * <p>The functions run in the thread of the access, or in that of a nonblocking one. They do not call MPI. What one
 * throws becomes the error of the access, of class ERR_CONVERSION where it is no {@link
 * org.ffmpi.base.MpiException}.
 */
public interface DataRepresentation {
  /**
   * Returns the extent of a type in the file ({@code MPI_Datarep_extent_function}). Called for the etype and the
   * filetype of views, and for the types of buffers.
   *
   * @param type a type
   * @return bytes from one element to the next
   * @throws Exception the error of the call
   */
  @Standard({"MPI_Datarep_extent_function"})
  long extent(Datatype<?> type) throws Exception;

  /**
   * Converts elements that have been read ({@code MPI_Datarep_conversion_function}).
   *
   * @param file the elements as the file has them, {@code count} times the extent of their type
   * @param elements where they go, as the type places them in memory
   * @param count number of elements
   * @param type their type
   * @throws Exception the error of the call
   */
  @Standard({"MPI_Datarep_conversion_function"})
  void read(MemorySegment file, MemorySegment elements, long count, Datatype<?> type) throws Exception;

  /**
   * Converts elements that will be written ({@code MPI_Datarep_conversion_function}).
   *
   * @param elements the elements, as the type places them in memory
   * @param file where they go, {@code count} times the extent of their type
   * @param count number of elements
   * @param type their type
   * @throws Exception the error of the call
   */
  @Standard({"MPI_Datarep_conversion_function"})
  void write(MemorySegment elements, MemorySegment file, long count, Datatype<?> type) throws Exception;
}
