// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Standard;

/**
 * An event that has happened (MPI-4.1 section 15.3.8). Immutable, and other than in C it stays valid after the
 * callback; any thread. No call blocks.
 */
public final class EventInstance {
  private final Incident incident;
  private final long timestamp;
  private final long[] elements;

  EventInstance(Incident incident, long timestamp, long first, long second, long third) {
    this.incident = incident;
    this.timestamp = timestamp;
    long[] all = {first, second, third};
    this.elements = Arrays.copyOf(all, incident.elements().size());
  }

  /**
   * Reads one element ({@code MPI_T_event_read}, MPI-4.1 section 15.3.8).
   *
   * @param index from 0 to the number of {@link EventType#elements} - 1
   * @return its value
   * @throws ToolException T_ERR_INVALID_ITEM for any other index
   */
  @Standard("MPI_T_event_read")
  public long read(int index) {
    if (index < 0 || index >= elements.length) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID_ITEM, "index", index, "0.." + (elements.length - 1));
    }
    return elements[index];
  }

  /**
   * Copies all elements ({@code MPI_T_event_copy}, MPI-4.1 section 15.3.8).
   *
   * @param into memory for the {@link EventType#bytes} of the event, at the displacements of its type
   * @throws ToolException T_ERR_INVALID when the memory is shorter
   */
  @Standard("MPI_T_event_copy")
  public void copy(MemorySegment into) {
    long bytes = (long) elements.length * Long.BYTES;
    if (into == null || into.byteSize() < bytes) {
      throw ToolException.of(
          ErrorClass.T_ERR_INVALID, "into", into == null ? null : into.byteSize() + " bytes",
          bytes + " bytes and more");
    }
    MemorySegment.copy(elements, 0, into, ValueLayout.JAVA_LONG_UNALIGNED, 0, elements.length);
  }

  /**
   * Returns when the event happened ({@code MPI_T_event_get_timestamp}, MPI-4.1 section 15.3.8).
   *
   * @return ticks of its source
   */
  @Standard("MPI_T_event_get_timestamp")
  public long timestamp() {
    return timestamp;
  }

  /**
   * Returns the source that has reported the event ({@code MPI_T_event_get_source}, MPI-4.1 section 15.3.8).
   *
   * @return the source
   */
  @Standard("MPI_T_event_get_source")
  public EventSource source() {
    return new EventSource(incident.source());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(incident.title());
    for (int i = 0; i < elements.length; i++) {
      text.append(' ').append(incident.elements().get(i)).append('=').append(elements[i]);
    }
    return text.toString();
  }
}
