// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Engine;

/** Reads and writes a control variable (MPI-4.1 section 15.3.6). Any thread. No call blocks. */
public final class ControlHandle implements AutoCloseable {
  private final ToolState state;
  private final ControlVariable variable;
  private volatile boolean closed;

  ControlHandle(ToolState state, ControlVariable variable) {
    this.state = state;
    this.variable = variable;
  }

  private void check() {
    state.check();
    if (closed) {
      throw new ToolException(ErrorClass.T_ERR_INVALID_HANDLE, "the handle of " + variable.name() + " was freed");
    }
  }

  /**
   * Returns the number of elements of the value ({@code MPI_T_cvar_handle_alloc}, MPI-4.1 section 15.3.6).
   *
   * @return 1, or the number of characters of a text now
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_cvar_handle_alloc")
  public int count() {
    return variable.setting().defaultValue() instanceof String ? readText().length() : 1;
  }

  /**
   * Reads the value as text ({@code MPI_T_cvar_read}, MPI-4.1 section 15.3.6).
   *
   * @return the value as a user would write it
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_cvar_read")
  public String readText() {
    check();
    return text(variable.setting());
  }

  private <T> String text(Setting<T> setting) {
    return setting.format(setting.get(state.settings()));
  }

  /**
   * Reads the value as a number ({@code MPI_T_cvar_read}, MPI-4.1 section 15.3.6).
   *
   * @return the value; of a value with a name, that of its {@link ToolEnum.Item}
   * @throws ToolException T_ERR_INVALID for a text, T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED
   *     after {@link Tool#close}
   */
  @Standard("MPI_T_cvar_read")
  public long readLong() {
    check();
    return switch (variable.setting().get(state.settings())) {
      case Number number -> number.longValue();
      case Boolean truth -> truth ? 1 : 0;
      case Enum<?> word -> word.ordinal();
      default -> throw new ToolException(
          ErrorClass.T_ERR_INVALID, variable.name() + " is a text, which readText reads");
    };
  }

  /**
   * Writes the value as text ({@code MPI_T_cvar_write}, MPI-4.1 section 15.3.6). Before {@code Mpi.init} this is like
   * setting the system property of the same name. During a run {@code ffmpi.spin} and {@code ffmpi.yield} can be
   * written, for waits that begin from then on.
   *
   * @param value the value as a user would write it
   * @throws ToolException T_ERR_INVALID for a value that is not allowed, T_ERR_CVAR_SET_NEVER for a setting of the
   *     launcher, T_ERR_CVAR_SET_NOT_NOW for one that is read when a run begins, which it has, T_ERR_INVALID_HANDLE
   *     after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_cvar_write")
  public void write(String value) {
    check();
    Setting<?> setting = variable.setting();
    if (value == null) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, setting.name(), null, setting.allowed());
    }
    if (variable.scope() == VariableScope.CONSTANT) {
      throw new ToolException(
          ErrorClass.T_ERR_CVAR_SET_NEVER, setting.name() + " is the launcher's: a rank cannot set it");
    }
    try {
      setting.parse(value, "a tool");
    } catch (MpiException e) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, setting.name(), value, setting.allowed());
    }
    Engine engine = state.engine();
    if (engine == null) {
      System.setProperty(setting.name(), value);
    } else if (!engine.change(setting, value)) {
      throw new ToolException(
          ErrorClass.T_ERR_CVAR_SET_NOT_NOW, setting.name() + " is read when a run begins: set it before Mpi.init");
    }
  }

  /**
   * Writes the value as a number ({@code MPI_T_cvar_write}, MPI-4.1 section 15.3.6); otherwise as
   * {@link #write(String)}.
   *
   * @param value the number; of a value with a name, that of its {@link ToolEnum.Item}
   * @throws ToolException T_ERR_INVALID_ITEM for a number without a name; the others as {@link #write(String)}
   */
  @Standard("MPI_T_cvar_write")
  public void write(long value) {
    check();
    write(variable.enumeration()
        .map(names -> names.item(Math.clamp(value, -1, Integer.MAX_VALUE)).name())
        .orElse(Long.toString(value)));
  }

  /** Frees the handle ({@code MPI_T_cvar_handle_free}, MPI-4.1 section 15.3.6). Does nothing the second time. */
  @Override
  @Standard("MPI_T_cvar_handle_free")
  public void close() {
    closed = true;
  }
}
