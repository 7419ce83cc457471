// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.file.Path;
import org.ffmpi.Spawn;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The arguments of calls that start processes. */
final class Spawns {
  private Spawns() {}

  /** Describes what one command starts; null at ranks that give none. */
  static Spawn of(String command, String[] argv, int maxprocs, Info info) {
    if (command == null) {
      return null;
    }
    String[] arguments = argv == null ? new String[0] : argv;
    return Spawn.command(Path.of(command), arguments).processes(maxprocs).info(Info.infoOf(info));
  }

  /** Describes what several commands start. */
  static Spawn[] of(String[] commands, String[][] argvs, int[] maxprocs, Info[] infos) {
    if (commands == null) {
      return new Spawn[0];
    }
    if (maxprocs == null || maxprocs.length < commands.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "maxprocs", maxprocs == null ? null : maxprocs.length + " numbers",
          commands.length + ", one for each command");
    }
    Spawn[] all = new Spawn[commands.length];
    for (int i = 0; i < all.length; i++) {
      Info info = infos == null || i >= infos.length || infos[i] == null ? MPI.INFO_NULL : infos[i];
      all[i] = of(commands[i], argvs == null ? null : argvs[i], maxprocs[i], info);
    }
    return all;
  }
}
