// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * An operation around another one, which has the envelope and the description of that one. It is the base of those that
 * {@linkplain ForwardingEngine layers} give to their callers. Used by the threads that use an operation; makes the
 * progress of the other one.
 */
public abstract class ForwardingOperation extends Operation {
  private final Operation inner;

  /**
   * Creates an operation that is not complete.
   *
   * @param inner the operation that does the work
   */
  protected ForwardingOperation(Operation inner) {
    this.inner = inner;
  }

  /**
   * Returns the operation that does the work.
   *
   * @return the operation of the engine below
   */
  public final Operation inner() {
    return inner;
  }

  @Override
  public void envelope(Envelope into) {
    inner.envelope(into);
  }

  @Override
  public long matchingContext() {
    return inner.matchingContext();
  }

  @Override
  public void describe(WaitNote note) {
    inner.describe(note);
  }

  @Override
  public boolean cancel() {
    return inner.cancel();
  }

  @Override
  public void drive() {
    inner.drive();
    advance();
  }
}
