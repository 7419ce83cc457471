// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.spi.CountedMemory;

/** A window whose calls are reported to the observer of its engine. */
final class ObservedWin extends ReportingWin {
  ObservedWin(
      WindowState state, WindowMemory memory, WindowProperties properties, Epochs epochs, WindowData data,
      Accumulations accumulations, Synchronizer synchronizer, RemoteAccess remote, WindowChecks checks,
      CountedMemory.Lease lease) {
    super(state, memory, properties, epochs, data, accumulations, synchronizer, remote, checks, lease);
  }
}
