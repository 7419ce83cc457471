// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/** A kind of event (MPI-4.1 section 15.3.8). Immutable; any thread. No call blocks. */
public final class EventType {
  private final ToolState state;
  private final Incident incident;

  EventType(ToolState state, Incident incident) {
    this.state = state;
    this.incident = incident;
  }

  Incident incident() {
    return incident;
  }

  /**
   * Returns the index of the type.
   *
   * @return from 0 on
   */
  public int index() {
    return incident.ordinal();
  }

  /**
   * Returns the name ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return a name such as {@code ffmpi.ring.full}
   */
  @Standard("MPI_T_event_get_info")
  public String name() {
    return incident.title();
  }

  /**
   * Returns for whom the type is ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return the verbosity
   */
  @Standard("MPI_T_event_get_info")
  public Verbosity verbosity() {
    return Verbosity.of(incident.topic());
  }

  /**
   * Returns the names of the elements ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return one name for each element
   */
  @Standard("MPI_T_event_get_info")
  public List<String> elements() {
    return incident.elements();
  }

  /**
   * Returns the types of the elements ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return INT64_T for each
   */
  @Standard("MPI_T_event_get_info")
  public List<Datatype<?>> datatypes() {
    return Collections.nCopies(elements().size(), Datatype.INT64_T);
  }

  /**
   * Returns where {@link EventInstance#copy} puts the elements ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return displacements in bytes
   */
  @Standard("MPI_T_event_get_info")
  public List<Long> displacements() {
    return LongStream.range(0, elements().size()).map(i -> i * Long.BYTES).boxed().toList();
  }

  /**
   * Returns how much memory {@link EventInstance#copy} needs.
   *
   * @return bytes
   */
  public long bytes() {
    return (long) elements().size() * Long.BYTES;
  }

  /**
   * Returns the names of the elements as an enumeration ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return an item for each element
   */
  @Standard("MPI_T_event_get_info")
  public ToolEnum enumeration() {
    return new ToolEnum(name(), elements());
  }

  /**
   * Returns further facts about the type ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return a new info with the key {@code source}, the name of the source of such events
   */
  @Standard("MPI_T_event_get_info")
  public Info info() {
    return new Info().set("source", incident.source().title());
  }

  /**
   * Returns the description ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return one phrase
   */
  @Standard("MPI_T_event_get_info")
  public String description() {
    return incident.description();
  }

  /**
   * Returns the kind of object that such events belong to ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return the rank, or one communicator
   */
  @Standard("MPI_T_event_get_info")
  public Binding binding() {
    return Binding.of(incident.isOfCommunicator());
  }

  /**
   * Makes a registration for events of the rank ({@code MPI_T_event_handle_alloc}, MPI-4.1 section 15.3.8). Events
   * happen as before until a callback is registered.
   *
   * @param hints null, or an info with the key {@value EventRegistration#QUEUE}
   * @return the registration
   * @throws ToolException T_ERR_INVALID for a type of events of a communicator, or an impossible hint,
   *     T_ERR_NOT_SUPPORTED when the engine reports no events, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_handle_alloc")
  public EventRegistration allocate(Info hints) {
    return allocate(null, hints);
  }

  /**
   * Makes a registration ({@code MPI_T_event_handle_alloc}, MPI-4.1 section 15.3.8). Events happen as before until a
   * callback is registered.
   *
   * @param comm the communicator if the binding of the type is COMM, else null
   * @param hints null, or an info with the key {@value EventRegistration#QUEUE}
   * @return the registration
   * @throws ToolException T_ERR_INVALID when type and communicator do not belong together, or for an impossible hint,
   *     T_ERR_NOT_SUPPORTED when the engine reports no events, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_handle_alloc")
  public EventRegistration allocate(Comm comm, Info hints) {
    state.check();
    if (state.engine() != null && state.engine().incidents() == null) {
      throw new ToolException(ErrorClass.T_ERR_NOT_SUPPORTED, "the engine of this run reports no events");
    }
    return new EventRegistration(state, incident, state.channel(comm, binding(), name()), hints);
  }

  @Override
  public String toString() {
    return name();
  }
}
