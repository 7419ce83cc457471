// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/**
 * A setting of the library, as a control variable (MPI-4.1 section 15.3.6). Immutable; any thread. No call blocks. The
 * calls that describe the variable may be used after {@link Tool#close}, too.
 */
public final class ControlVariable {
  private static final List<String> OF_WAITS = List.of("ffmpi.spin", "ffmpi.yield");

  private final ToolState state;
  private final int index;
  private final Setting<?> setting;
  private final boolean isForUsers;

  ControlVariable(ToolState state, int index, Setting<?> setting) {
    this.state = state;
    this.index = index;
    this.setting = setting;
    this.isForUsers = state.isForUsers(setting);
  }

  Setting<?> setting() {
    return setting;
  }

  boolean isForUsers() {
    return isForUsers;
  }

  /**
   * Returns the index of the variable.
   *
   * @return from 0 on
   */
  public int index() {
    return index;
  }

  /**
   * Returns the name ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return the name of the setting, such as {@code ffmpi.spin}
   */
  @Standard("MPI_T_cvar_get_info")
  public String name() {
    return setting.name();
  }

  /**
   * Returns for whom the variable is ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return the verbosity
   */
  @Standard("MPI_T_cvar_get_info")
  public Verbosity verbosity() {
    return Verbosity.of(setting, isForUsers);
  }

  /**
   * Returns the type of the value ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return INT for small numbers, truth values and values with names, COUNT for large numbers, CHAR for text
   */
  @Standard("MPI_T_cvar_get_info")
  public Datatype<?> datatype() {
    Object value = setting.defaultValue();
    if (value instanceof Long) {
      return Datatype.COUNT;
    }
    return value instanceof String ? Datatype.CHAR : Datatype.INT;
  }

  /**
   * Returns the names of the values ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return the enumeration, or empty where numbers or texts have no names
   */
  @Standard("MPI_T_cvar_get_info")
  public Optional<ToolEnum> enumeration() {
    if (setting.defaultValue() instanceof Enum<?> value) {
      List<String> words = Arrays.stream(value.getDeclaringClass().getEnumConstants())
          .map(one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .toList();
      return Optional.of(new ToolEnum(name(), words));
    }
    return setting.defaultValue() instanceof Boolean
        ? Optional.of(new ToolEnum(name(), List.of("false", "true")))
        : Optional.empty();
  }

  /**
   * Returns the description ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return one phrase
   */
  @Standard("MPI_T_cvar_get_info")
  public String description() {
    return setting.description();
  }

  /**
   * Returns the kind of object that the variable belongs to ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return always {@link Binding#NO_OBJECT}
   */
  @Standard("MPI_T_cvar_get_info")
  public Binding binding() {
    return Binding.NO_OBJECT;
  }

  /**
   * Returns whether the variable can be written, and where ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return LOCAL for {@code ffmpi.spin} and {@code ffmpi.yield}, at any time, and for settings of a rank, before
   *     {@code Mpi.init}; ALL_EQ for settings of a job, before {@code Mpi.init}; CONSTANT for those of the launcher
   *     and the values that it gives its ranks
   */
  @Standard("MPI_T_cvar_get_info")
  public VariableScope scope() {
    if (!isForUsers || setting.scope() == Setting.Scope.LAUNCHER) {
      return VariableScope.CONSTANT;
    }
    return setting.scope() == Setting.Scope.RANK || OF_WAITS.contains(name())
        ? VariableScope.LOCAL
        : VariableScope.ALL_EQ;
  }

  /**
   * Makes a handle, by which the variable is read and written ({@code MPI_T_cvar_handle_alloc}, MPI-4.1 section
   * 15.3.6). Does not block.
   *
   * @return the handle
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_cvar_handle_alloc")
  public ControlHandle allocate() {
    state.check();
    return new ControlHandle(state, this);
  }

  @Override
  public String toString() {
    return name();
  }
}
