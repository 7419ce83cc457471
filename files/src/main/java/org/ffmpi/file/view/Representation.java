// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.view;

import java.lang.foreign.MemorySegment;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;

/**
 * The form in which elements are written to a file (MPI-4.1 §14.5). The native form has no object, since the bytes of
 * memory are those of the file. Any thread.
 */
public interface Representation {
  /** Returns the extent of a type in the file. */
  long extent(Datatype<?> type);

  /** Returns the bytes that elements take in the file's stream. */
  long bytes(BufImpl<?> elements);

  /**
   * Returns the type whose plan places the data of another one in the file.
   *
   * @param type an etype or filetype, committed
   */
  Datatype<?> inFile(Datatype<?> type);

  /** Converts elements to the file's stream, of {@link #bytes} bytes. */
  void write(BufImpl<?> elements, MemorySegment stream);

  /**
   * Converts the beginning of a stream to elements.
   *
   * @param bytes how many of the stream's bytes are there
   * @return bytes of the elements in memory, packed
   */
  long read(MemorySegment stream, long bytes, BufImpl<?> elements);
}
