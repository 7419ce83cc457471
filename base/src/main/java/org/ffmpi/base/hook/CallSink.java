// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.hook;

/** Receives calls. Its own calls are not reported, and its exceptions are dropped. */
public interface CallSink {
  /**
   * Told that a call begins, in the thread that makes it.
   *
   * @param point the method
   * @param receiver the object it is called on; null for static methods and constructors
   * @param arguments its arguments
   * @return what {@link #end} is to get
   */
  Object begin(CallPoint point, Object receiver, Object[] arguments);

  /**
   * Told that a call has ended, in the same thread.
   *
   * @param begun what {@link #begin} returned
   * @param result the result; null when the call returns nothing or has thrown
   * @param thrown the exception, or null
   */
  void end(Object begun, Object result, Throwable thrown);
}
