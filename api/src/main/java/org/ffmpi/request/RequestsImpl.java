// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.Comm;
import org.ffmpi.Requests;
import org.ffmpi.process.CommState;

/** The class behind the scopes of {@link Requests}. */
public final class RequestsImpl extends ForwardingRequests implements Requests {
  /** Opens a scope for operations on a communicator. */
  public RequestsImpl(CommState comm) {
    super(comm);
  }

  /** Returns the communicator of a scope. */
  public static Comm communicator(Requests scope) {
    return ((RequestScope) scope).comm();
  }
}
