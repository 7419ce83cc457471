// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Gauge;

/**
 * Reads a performance variable (MPI-4.1 section 15.3.7). A variable that adds up counts in this handle from its start
 * to its stop; one of the highest level keeps the highest level of that time; a continuous one is simply read. Before
 * there is a rank the value is 0, and a handle that was started then counts from the begin of the rank; after the rank
 * has left, the last value stays. Any thread. No call blocks.
 */
public final class PerformanceHandle implements AutoCloseable {
  private final ToolState state;
  private final PerformanceVariable variable;
  private final Measure.Kind kind;

  /** Null as long as there is no rank. Guarded by this, as all fields below. */
  private Gauge gauge;

  /** What is read between start and stop; else null. */
  private Gauge observed;

  /** What the value was when the handle was started, or stopped, written or reset last. */
  private final long[] before;

  /** What {@link #observed} read then. */
  private final long[] base;

  private boolean started;
  private boolean closed;

  PerformanceHandle(ToolState state, PerformanceVariable variable, Gauge gauge) {
    this.state = state;
    this.variable = variable;
    this.kind = variable.kind();
    this.gauge = gauge;
    this.before = new long[gauge == null ? 1 : gauge.length()];
    this.base = new long[before.length];
  }

  PerformanceVariable variable() {
    return variable;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void check() {
    state.check();
    if (closed) {
      throw new ToolException(ErrorClass.T_ERR_INVALID_HANDLE, "the handle of " + variable + " was freed");
    }
  }

  /** Called when there is a rank at last. */
  synchronized void attach(Gauge found) {
    gauge = found;
    if (started && !closed && found != null) {
      observe();
    }
  }

  private void observe() {
    observed = gauge.observe();
    readInto(base);
  }

  private void readInto(long[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = observed.read(i);
    }
  }

  // ---- start and stop

  /**
   * Returns the number of elements of the value ({@code MPI_T_pvar_handle_alloc}, MPI-4.1 section 15.3.7).
   *
   * @return 1, or the number of ranks of the job
   */
  @Standard("MPI_T_pvar_handle_alloc")
  public int count() {
    return before.length;
  }

  /**
   * Starts the variable ({@code MPI_T_pvar_start}, MPI-4.1 section 15.3.7). Does nothing when it has been started.
   *
   * @throws ToolException T_ERR_PVAR_NO_STARTSTOP for a continuous variable, T_ERR_INVALID_HANDLE after
   *     {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_start")
  public synchronized void start() {
    checkStartable();
    if (!started) {
      started = true;
      if (gauge != null) {
        observe();
      }
    }
  }

  /**
   * Stops the variable ({@code MPI_T_pvar_stop}, MPI-4.1 section 15.3.7). The value stays. Does nothing when it has not
   * been started.
   *
   * @throws ToolException T_ERR_PVAR_NO_STARTSTOP for a continuous variable, T_ERR_INVALID_HANDLE after
   *     {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_stop")
  public synchronized void stop() {
    checkStartable();
    halt();
  }

  private void halt() {
    if (observed != null) {
      for (int i = 0; i < before.length; i++) {
        before[i] = value(i, observed.read(i));
      }
      observed.release();
      observed = null;
    }
    started = false;
  }

  private void checkStartable() {
    check();
    if (variable.isContinuous()) {
      throw new ToolException(
          ErrorClass.T_ERR_PVAR_NO_STARTSTOP, variable + " is continuous: it is neither started nor stopped");
    }
  }

  // ---- reading

  /** Returns the value of an element of which the gauge reads something. */
  private long value(int index, long read) {
    if (kind.isSum()) {
      return before[index] + read - base[index];
    }
    return kind == Measure.Kind.HIGHWATERMARK ? Math.max(before[index], read) : read;
  }

  private long valueNow(int index) {
    if (variable.isContinuous()) {
      return gauge == null ? 0 : gauge.read(index);
    }
    return observed == null ? before[index] : value(index, observed.read(index));
  }

  /**
   * Reads the value, or its first element ({@code MPI_T_pvar_read}, MPI-4.1 section 15.3.7).
   *
   * @return the value, in the unit of the variable
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_read")
  public synchronized long read() {
    check();
    return valueNow(0);
  }

  /**
   * Reads all elements ({@code MPI_T_pvar_read}, MPI-4.1 section 15.3.7).
   *
   * @return {@link #count} values, in the unit of the variable
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_read")
  public synchronized long[] readAll() {
    check();
    long[] values = new long[before.length];
    Arrays.setAll(values, this::valueNow);
    return values;
  }

  // ---- writing

  /**
   * Writes the value, all elements alike ({@code MPI_T_pvar_write}, MPI-4.1 section 15.3.7). The variable counts from
   * there, in this handle only.
   *
   * @param value the value
   * @throws ToolException T_ERR_PVAR_NO_WRITE for a read-only variable, T_ERR_INVALID_HANDLE after {@link #close},
   *     T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_write")
  public synchronized void write(long value) {
    checkWritable("written");
    goOnFrom(value);
  }

  /**
   * Resets the value ({@code MPI_T_pvar_reset}, MPI-4.1 section 15.3.7), which is to 0, or to the present level for the
   * highest level.
   *
   * @throws ToolException T_ERR_PVAR_NO_WRITE for a read-only variable, T_ERR_INVALID_HANDLE after {@link #close},
   *     T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_reset")
  public synchronized void reset() {
    checkWritable("reset");
    goOnFrom(0);
  }

  private void goOnFrom(long value) {
    Arrays.fill(before, value);
    if (observed != null) {
      observed.restart();
      readInto(base);
    }
  }

  /**
   * Reads the value, or its first element, and resets it, in one step ({@code MPI_T_pvar_readreset}, MPI-4.1 section
   * 15.3.7): what is counted meanwhile counts after it.
   *
   * @return the value before
   * @throws ToolException T_ERR_PVAR_NO_ATOMIC for a variable that does not add up, T_ERR_INVALID_HANDLE after
   *     {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_readreset")
  public long readReset() {
    return readResetAll()[0];
  }

  /**
   * Reads all elements and resets them, each in one step ({@code MPI_T_pvar_readreset}, MPI-4.1 section 15.3.7).
   *
   * @return the values before
   * @throws ToolException T_ERR_PVAR_NO_ATOMIC for a variable that does not add up, T_ERR_INVALID_HANDLE after
   *     {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_pvar_readreset")
  public synchronized long[] readResetAll() {
    check();
    if (!variable.isAtomic()) {
      throw new ToolException(
          ErrorClass.T_ERR_PVAR_NO_ATOMIC, variable + " cannot be read and reset in one step");
    }
    long[] values = before.clone();
    Arrays.fill(before, 0);
    for (int i = 0; observed != null && i < values.length; i++) {
      long now = observed.read(i);
      values[i] += now - base[i];
      base[i] = now;
    }
    return values;
  }

  private void checkWritable(String what) {
    check();
    if (variable.isReadonly()) {
      throw new ToolException(ErrorClass.T_ERR_PVAR_NO_WRITE, variable + " can only be read, not " + what);
    }
  }

  /** Frees the handle ({@code MPI_T_pvar_handle_free}, MPI-4.1 section 15.3.7). Does nothing the second time. */
  @Override
  @Standard("MPI_T_pvar_handle_free")
  public synchronized void close() {
    if (!closed) {
      halt();
      closed = true;
    }
  }
}
