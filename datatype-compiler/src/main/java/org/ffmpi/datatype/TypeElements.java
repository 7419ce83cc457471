// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;

/**
 * The elements of a {@link Datatype} seen from Java: the arrays they may lie in, their values in memory, their memory
 * layout, and their number in a message. All methods are local and do not block.
 *
 * @param <T> what one element is in Java
 */
public sealed interface TypeElements<T> permits Datatype {
  /**
   * Returns the Java array whose elements have this type's form.
   *
   * @return an array class of a primitive type; empty where only {@code byte[]} can hold elements, or the basic types
   *     are of several kinds
   */
  Optional<Class<?>> arrayClass();

  /**
   * Returns whether elements may lie in arrays of a class: the natural one, one of the same width and kind, {@code
   * byte[]} for every type, and every primitive array for BYTE and PACKED.
   *
   * @param arrayClass an array class of a primitive type
   * @return true when a buffer of that class may be used; false for null
   */
  boolean acceptsArray(Class<?> arrayClass);

  /**
   * Returns whether elements have a form in Java, in which {@link #get} and {@link #set} move them.
   *
   * @return true for types of one primitive value, of records and of layouts
   */
  boolean hasJavaForm();

  /**
   * Reads an element. A type has a form in Java if it is predefined with a primitive representation, or comes from
   * {@link Datatype#ofRecord} or {@link Datatype#of(MemoryLayout)}, or is a duplicate or a resized form of such a type.
   *
   * @param segment the buffer
   * @param index number of the element; its origin lies {@code index * extent()} bytes from the segment's start
   * @return a new object; a slice of the segment for a type that comes from a layout
   * @throws MpiException ERR_TYPE when elements have no form in Java or the type was freed; ERR_ARG when the index is
   *     negative; ERR_BUFFER when the segment is null or ends before the element does, its arena is closed or another
   *     thread's
   */
  T get(MemorySegment segment, long index);

  /**
   * Writes an element; see {@link #get}. Gaps are not written, except by a type that comes from a layout, which copies
   * whole elements.
   *
   * @param segment the buffer
   * @param index number of the element
   * @param value the new value; nothing is written when this throws
   * @throws MpiException ERR_TYPE when elements have no form in Java or the type was freed; ERR_ARG when the index is
   *     negative, or the value or a part of it is null or an array of another length; ERR_BUFFER when the segment is
   *     null, read-only or ends before the element does, its arena is closed or another thread's
   */
  void set(MemorySegment segment, long index, T value);

  /**
   * Returns the layout of an element in memory, the inverse of {@link Datatype#of(MemoryLayout)}: for a type that comes
   * from a layout or record that layout with all its names, for a predefined type the layout of its value (complex
   * numbers are structs of two, pairs structs of value and index, numbers that Java has no type for sequences of words
   * or bytes).
   *
   * @return a layout of {@code extent()} bytes; empty when data overlap, do not lie in increasing order, or do not lie
   *     between 0 and the extent
   * @throws MpiException ERR_TYPE when the type was freed
   */
  Optional<MemoryLayout> layout();

  /**
   * Returns how many whole elements a message holds (the rule of {@code MPI_Get_count}, MPI-4.1 §3.2.5).
   *
   * @param bytes length of the packed message
   * @return the number of elements, or {@link Constants#UNDEFINED} when the last one is not complete
   * @throws MpiException ERR_ARG when {@code bytes} is negative, ERR_TYPE when the type was freed
   */
  long count(long bytes);

  /**
   * Returns how many basic elements a message holds, counting the complete parts of an incomplete last element (the
   * rule of {@code MPI_Get_elements}, MPI-4.1 §5.1.11). A pair has two.
   *
   * @param bytes length of the packed message
   * @return the number of basic elements, or {@link Constants#UNDEFINED} when a basic element is not complete
   * @throws MpiException ERR_ARG when {@code bytes} is negative, ERR_TYPE when the type was freed
   */
  long elements(long bytes);

  /**
   * Returns the bytes of a number of basic elements in a message: the inverse of {@link #elements}, for {@code
   * MPI_Status_set_elements} (MPI-4.1 §13.3).
   *
   * @param elements number of basic elements, the last element of the type possibly not complete
   * @return bytes of the packed message
   * @throws MpiException ERR_COUNT when {@code elements} is negative or too large, or positive for an empty type;
   *     ERR_TYPE when the type was freed
   */
  long bytesOf(long elements);
}
