// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** Settings of the installed MPI. */
public final class MpiSettings {
  /** {@code ffmpi.mpi.library}: the library to load. */
  public static final Setting<String> LIBRARY =
      Setting.ofString("ffmpi.mpi.library", "", Scope.RANK,
          "the C library's MPI that joins ranks of several nodes: a path, or a name as the dynamic linker knows it;"
              + " empty: the one that the launcher belongs to, or the first of the usual names that is there");

  private MpiSettings() {}
}
