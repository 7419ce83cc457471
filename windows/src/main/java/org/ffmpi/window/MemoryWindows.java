// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.port.WindowOperations;
import org.ffmpi.port.WindowProvider;
import org.ffmpi.process.CommState;

/** The provider of windows: over memory of this node, and by messages. Any thread may call. */
public final class MemoryWindows implements WindowProvider {
  /** Creates the provider, by {@link java.util.ServiceLoader}. */
  public MemoryWindows() {}

  @Override
  public WindowOperations of(CommState comm) {
    return new WindowMaking(comm);
  }
}
