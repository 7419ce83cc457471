// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.Optional;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/**
 * A number that the library keeps about its own work (MPI-4.1 section 15.3.7). A {@link ToolSession} makes handles, by
 * which it is read. Immutable; any thread. No call blocks.
 */
public final class PerformanceVariable {
  private final Measure measure;

  PerformanceVariable(Measure measure) {
    this.measure = measure;
  }

  Measure measure() {
    return measure;
  }

  /**
   * Returns the index of the variable.
   *
   * @return from 0 on
   */
  public int index() {
    return measure.ordinal();
  }

  /**
   * Returns the name ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return a name such as {@code ffmpi.sent.messages}
   */
  @Standard("MPI_T_pvar_get_info")
  public String name() {
    return measure.title();
  }

  /**
   * Returns for whom the variable is ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return the verbosity
   */
  @Standard("MPI_T_pvar_get_info")
  public Verbosity verbosity() {
    return Verbosity.of(measure.topic());
  }

  /**
   * Returns the class ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return the class
   */
  @Standard("MPI_T_pvar_get_info")
  public Measure.Kind kind() {
    return measure.kind();
  }

  /**
   * Returns the type of the value ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return INT for states, else UNSIGNED_LONG_LONG
   */
  @Standard("MPI_T_pvar_get_info")
  public Datatype<?> datatype() {
    return measure.kind() == Measure.Kind.STATE ? Datatype.INT : Datatype.UNSIGNED_LONG_LONG;
  }

  /**
   * Returns the names of the values ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return the enumeration of a state, else empty
   */
  @Standard("MPI_T_pvar_get_info")
  public Optional<ToolEnum> enumeration() {
    return measure.states().isEmpty() ? Optional.empty() : Optional.of(new ToolEnum(name(), measure.states()));
  }

  /**
   * Returns the description ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return one phrase
   */
  @Standard("MPI_T_pvar_get_info")
  public String description() {
    return measure.description();
  }

  /**
   * Returns the unit of the value.
   *
   * @return the unit
   */
  public Measure.Unit unit() {
    return measure.unit();
  }

  /**
   * Returns the kind of object that the variable belongs to ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return the rank, or one communicator
   */
  @Standard("MPI_T_pvar_get_info")
  public Binding binding() {
    return Binding.of(measure.isOfCommunicator());
  }

  /**
   * Returns whether the variable can only be read ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return false for those that add up and for the highest level, which can be written and reset
   */
  @Standard("MPI_T_pvar_get_info")
  public boolean isReadonly() {
    return isContinuous();
  }

  /**
   * Returns whether the variable cannot be started and stopped ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @return true for levels, sizes and states, which hold at any time
   */
  @Standard("MPI_T_pvar_get_info")
  public boolean isContinuous() {
    return !measure.kind().isSum() && measure.kind() != Measure.Kind.HIGHWATERMARK;
  }

  /**
   * Returns whether the variable can be read and reset in one step ({@code MPI_T_pvar_get_info}, MPI-4.1 section
   * 15.3.7).
   *
   * @return true for those that add up: nothing is lost between the two
   */
  @Standard("MPI_T_pvar_get_info")
  public boolean isAtomic() {
    return measure.kind().isSum();
  }

  @Override
  public String toString() {
    return name();
  }
}
