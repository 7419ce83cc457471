// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.port.ValueRequestBase;

/**
 * The request of a value that is being received ({@link ObjectCalls#irecvObject}): once any call has completed it,
 * {@link #value} is the sent value.
 *
 * @param <T> type of the value
 */
public sealed interface ValueRequest<T> extends Request permits ValueRequestBase {
  /**
   * Returns the value. Does not block. The thread that asks first makes the value out of its bytes, with its context
   * class loader.
   *
   * @return the same object at each call; null when null was sent, and after a receive from {@code PROC_NULL}
   * @throws MpiException ERR_REQUEST when the request has not been completed by a wait or test, or was cancelled;
   *     ERR_CONVERSION when the bytes are not those of a value that may be read; why the receive failed, if it did
   */
  T value();

  /**
   * Blocks until the value is there ({@link #await()}) and returns it.
   *
   * @return the value
   * @throws MpiException as {@link #await()} and {@link #value}
   */
  default T awaitValue() {
    await();
    return value();
  }

  /**
   * Blocks until the value is there ({@link #await(Status)}) and returns it.
   *
   * @param into filled with source, tag and bytes
   * @return the value
   * @throws MpiException as {@link #await(Status)} and {@link #value}
   */
  default T awaitValue(Status into) {
    await(into);
    return value();
  }
}
