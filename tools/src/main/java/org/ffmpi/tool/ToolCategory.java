// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.List;
import org.ffmpi.base.Standard;

/**
 * A group of variables, events and other groups (MPI-4.1 section 15.3.9). Immutable; any thread. No call blocks.
 */
public final class ToolCategory {
  private final int index;
  private final String name;
  private final String description;
  private final List<ControlVariable> controls;
  private final List<PerformanceVariable> measures;
  private final List<EventType> events;
  private final List<ToolCategory> categories;

  ToolCategory(
      int index, String name, String description, List<ControlVariable> controls, List<PerformanceVariable> measures,
      List<EventType> events, List<ToolCategory> categories) {
    this.index = index;
    this.name = name;
    this.description = description;
    this.controls = controls;
    this.measures = measures;
    this.events = events;
    this.categories = categories;
  }

  /**
   * Returns the index of the category.
   *
   * @return from 0 on
   */
  public int index() {
    return index;
  }

  /**
   * Returns the name ({@code MPI_T_category_get_info}, MPI-4.1 section 15.3.9).
   *
   * @return a name such as {@code ffmpi.messages}
   */
  @Standard("MPI_T_category_get_info")
  public String name() {
    return name;
  }

  /**
   * Returns the description ({@code MPI_T_category_get_info}, MPI-4.1 section 15.3.9).
   *
   * @return one phrase
   */
  @Standard("MPI_T_category_get_info")
  public String description() {
    return description;
  }

  /**
   * Returns the control variables ({@code MPI_T_category_get_cvars}, MPI-4.1 section 15.3.9).
   *
   * @return the variables in the order of their indices
   */
  @Standard({"MPI_T_category_get_cvars", "MPI_T_category_get_info"})
  public List<ControlVariable> controlVariables() {
    return controls;
  }

  /**
   * Returns the performance variables ({@code MPI_T_category_get_pvars}, MPI-4.1 section 15.3.9).
   *
   * @return the variables in the order of their indices
   */
  @Standard({"MPI_T_category_get_pvars", "MPI_T_category_get_info"})
  public List<PerformanceVariable> performanceVariables() {
    return measures;
  }

  /**
   * Returns the event types ({@code MPI_T_category_get_events} and {@code MPI_T_category_get_num_events}, MPI-4.1
   * section 15.3.9).
   *
   * @return the types in the order of their indices
   */
  @Standard({"MPI_T_category_get_events", "MPI_T_category_get_num_events"})
  public List<EventType> eventTypes() {
    return events;
  }

  /**
   * Returns the categories within this one ({@code MPI_T_category_get_categories}, MPI-4.1 section 15.3.9).
   *
   * @return the categories in the order of their indices
   */
  @Standard({"MPI_T_category_get_categories", "MPI_T_category_get_info"})
  public List<ToolCategory> categories() {
    return categories;
  }

  @Override
  public String toString() {
    return name;
  }
}
