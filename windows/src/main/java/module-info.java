// SPDX-License-Identifier: Apache-2.0
/** One-sided communication: windows, their epochs and accesses, by loads and stores or by messages. */
module org.ffmpi.windows {
  requires transitive org.ffmpi.api;

  provides org.ffmpi.port.WindowProvider with
      org.ffmpi.window.MemoryWindows;
}
