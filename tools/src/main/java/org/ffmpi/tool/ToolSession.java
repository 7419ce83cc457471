// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Comm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Gauge;

/**
 * A session of performance variables (MPI-4.1 section 15.3.7). Each handle has a value of its own: what one part of a
 * tool starts, resets or writes, no other part notices. Any thread. No call blocks.
 *
 * {@snippet :
 * try (Tool tool = Tool.init(ThreadLevel.MULTIPLE); ToolSession session = tool.openSession()) {
 *   PerformanceHandle bytes =
 *       session.allocate(tool.performanceVariable("ffmpi.sent.bytes", Measure.Kind.AGGREGATE));
 *   bytes.start();
 *   world.send(data, 1, 0);
 *   System.out.println(bytes.read());
 * }
 * }
 */
public final class ToolSession implements AutoCloseable {
  private final ToolState state;

  /** Guarded by this. */
  private final List<PerformanceHandle> handles = new ArrayList<>();

  private boolean closed;

  ToolSession(ToolState state) {
    this.state = state;
  }

  private void check() {
    state.check();
    if (closed) {
      throw new ToolException(ErrorClass.T_ERR_INVALID_SESSION, "the session was freed");
    }
  }

  /**
   * Makes a handle of a variable of the rank ({@code MPI_T_pvar_handle_alloc}, MPI-4.1 section 15.3.7). A variable that
   * is not continuous has to be started.
   *
   * @param variable a variable whose binding is NO_OBJECT
   * @return the handle
   * @throws ToolException T_ERR_INVALID for a variable of a communicator or null, T_ERR_NOT_ACCESSIBLE for one with an
   *     element for each rank before there are ranks, T_ERR_NOT_SUPPORTED when the engine keeps no such number,
   *     T_ERR_INVALID_SESSION after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_handle_alloc")
  public PerformanceHandle allocate(PerformanceVariable variable) {
    return allocate(variable, null);
  }

  /**
   * Makes a handle of a variable of a communicator ({@code MPI_T_pvar_handle_alloc}, MPI-4.1 section 15.3.7). A
   * variable that is not continuous has to be started.
   *
   * @param variable a variable
   * @param comm the communicator if the binding of the variable is COMM, else null
   * @return the handle
   * @throws ToolException T_ERR_INVALID when variable and communicator do not belong together, T_ERR_NOT_ACCESSIBLE for
   *     a variable with an element for each rank before there are ranks, T_ERR_NOT_SUPPORTED when the engine keeps no
   *     such number, T_ERR_INVALID_SESSION after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_handle_alloc")
  public synchronized PerformanceHandle allocate(PerformanceVariable variable, Comm comm) {
    check();
    if (variable == null) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, "variable", null, "those of Tool.performanceVariables()");
    }
    Measure measure = variable.measure();
    Channel channel = state.channel(comm, variable.binding(), variable.name());
    Gauge gauge = state.gauge(measure, channel);
    boolean isThere = state.engine() != null;
    if (gauge == null && isThere) {
      throw new ToolException(ErrorClass.T_ERR_NOT_SUPPORTED, "the engine of this run does not keep " + variable);
    }
    if (gauge == null && measure.isVector()) {
      throw new ToolException(
          ErrorClass.T_ERR_NOT_ACCESSIBLE,
          variable + " has an element for each rank, and there are no ranks before Mpi.init");
    }
    PerformanceHandle handle = new PerformanceHandle(state, variable, gauge);
    if (!isThere) {
      state.whenJoined(engine -> handle.attach(state.gauge(measure, channel)));
    }
    handles.removeIf(PerformanceHandle::isClosed);
    handles.add(handle);
    return handle;
  }

  private synchronized List<PerformanceHandle> all() {
    check();
    return handles.stream().filter(handle -> !handle.isClosed() && !handle.variable().isContinuous()).toList();
  }

  /**
   * Starts all variables of the session that can be started ({@code MPI_T_pvar_start} with
   * {@code MPI_T_PVAR_ALL_HANDLES}, MPI-4.1 section 15.3.7).
   *
   * @throws ToolException T_ERR_INVALID_SESSION after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard({"MPI_T_pvar_start", "MPI_T_PVAR_ALL_HANDLES"})
  public void startAll() {
    all().forEach(PerformanceHandle::start);
  }

  /**
   * Stops all variables of the session that can be stopped ({@code MPI_T_pvar_stop} with
   * {@code MPI_T_PVAR_ALL_HANDLES}, MPI-4.1 section 15.3.7).
   *
   * @throws ToolException T_ERR_INVALID_SESSION after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard({"MPI_T_pvar_stop", "MPI_T_PVAR_ALL_HANDLES"})
  public void stopAll() {
    all().forEach(PerformanceHandle::stop);
  }

  /**
   * Resets all variables of the session that can be reset ({@code MPI_T_pvar_reset} with
   * {@code MPI_T_PVAR_ALL_HANDLES}, MPI-4.1 section 15.3.7).
   *
   * @throws ToolException T_ERR_INVALID_SESSION after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard({"MPI_T_pvar_reset", "MPI_T_PVAR_ALL_HANDLES"})
  public void resetAll() {
    all().forEach(PerformanceHandle::reset);
  }

  /**
   * Frees the session and its handles ({@code MPI_T_pvar_session_free}, MPI-4.1 section 15.3.7). Does nothing the
   * second time.
   */
  @Override
  @Standard("MPI_T_pvar_session_free")
  public synchronized void close() {
    closed = true;
    handles.forEach(PerformanceHandle::close);
    handles.clear();
  }
}
