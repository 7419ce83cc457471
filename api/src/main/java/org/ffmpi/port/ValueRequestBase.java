// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.ValueRequest;
import org.ffmpi.request.ForwardingRequest;

/**
 * Base of module {@code objects}' implementations of {@link ValueRequest}.
 *
 * @param <T> type of the value
 */
public abstract non-sealed class ValueRequestBase<T> extends ForwardingRequest implements ValueRequest<T> {
  /** Creates the request. */
  protected ValueRequestBase() {}
}
