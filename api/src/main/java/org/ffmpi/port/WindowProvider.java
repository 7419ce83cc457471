// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.process.CommState;
import org.ffmpi.process.Providers;

/** The port to module {@code windows}. Any thread may call. */
public interface WindowProvider {
  /** Returns the calls of a communicator. */
  WindowOperations of(CommState comm);

  /** Returns the provider, which is found once. */
  static WindowProvider get() {
    return Found.PROVIDER;
  }

  /** Holds the provider from the first call on. */
  final class Found {
    private static final WindowProvider PROVIDER = Providers.family(WindowProvider.class, "org.ffmpi.windows");

    private Found() {}
  }
}
