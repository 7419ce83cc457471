// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** The setting of the thread level. Engines do not read it. */
public final class ThreadSettings {
  /** {@code ffmpi.thread.level}: which threads will call MPI; {@code Mpi.init} with a level overrides it. */
  public static final Setting<ThreadLevel> THREAD_LEVEL =
      Setting.ofChoice("ffmpi.thread.level", ThreadLevel.MULTIPLE, Scope.RANK,
          "which threads may call MPI: single, funneled, serialized or multiple");

  private ThreadSettings() {}
}
