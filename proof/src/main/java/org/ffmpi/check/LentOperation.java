// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.ForwardingOperation;
import org.ffmpi.spi.Operation;

/**
 * An operation around another one, which uses buffers until the program completes it. It is made by the thread that
 * starts the operation, and ends in the first wait or test of the program that finds the other one complete: then the
 * buffers are looked at. Makes no progress of its own.
 */
class LentOperation extends ForwardingOperation {
  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(LentOperation.class, "ended", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final CheckEngine checked;
  private final Runnable onEnd;
  private List<LentBuffer> buffers;
  private boolean ended;

  /** Creates the operation around one that has been started, or one that {@link #begin} will be called for. */
  LentOperation(CheckEngine checked, Operation inner, List<LentBuffer> buffers) {
    this(checked, inner, buffers, () -> {});
  }

  /**
   * Creates the operation.
   *
   * @param onEnd runs when the program completes it
   */
  LentOperation(CheckEngine checked, Operation inner, List<LentBuffer> buffers, Runnable onEnd) {
    super(inner);
    this.onEnd = onEnd;
    this.checked = checked;
    this.buffers = buffers;
  }

  /** Returns the buffers that it uses, or used last. */
  List<LentBuffer> buffers() {
    return buffers;
  }

  @Override
  public CallPlace startPlace() {
    List<LentBuffer> used = buffers;
    return used.isEmpty() ? null : used.getFirst().place;
  }

  /** Makes the end of the other operation wake those that wait for this one. */
  LentOperation awaken() {
    if (!inner().isDone()) {
      inner().parent(this);
    }
    return this;
  }

  /** Begins another start of a persistent operation. */
  void begin(List<LentBuffer> used) {
    renew();
    buffers = used;
    ENDED.setVolatile(this, false);
    awaken();
  }

  @Override
  public boolean advance() {
    return (inner().isDone() || inner().advance() && inner().isDone()) && finish();
  }

  /** Ends it, unless another thread has; returns whether this one has. */
  final boolean finish() {
    if (!ENDED.compareAndSet(this, false, true)) {
      return false;
    }
    MpiException error = inner().error();
    MpiException misuse = checked.buffers().findMisuse(buffers);
    if (misuse == null) {
      buffers.forEach(LentBuffer::deliver);
    }
    end(error == null ? misuse : error);
    return true;
  }

  private void end(MpiException error) {
    onEnd.run();
    checked.buffers().giveBack(buffers);
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
  }

  /** No call of the program will complete it, so its buffers count as used until the other operation ends. */
  @Override
  public void abandon(Consumer<MpiException> onError) {
    super.abandon(onError);
    if (!isDone()) {
      checked.register(this);
    }
  }

  @Override
  public void release() {
    if (isDone()) {
      inner().release();
    }
  }
}
