// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.Info;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.topology.Machine;
import org.ffmpi.topology.MachineReader;
import org.ffmpi.topology.Resource;

/** The places of ranks on the machine, which is read at its first use. Any thread may call. */
public final class Hardware {
  private static final Map<String, Machine> MACHINES = new ConcurrentHashMap<>();

  private Hardware() {}

  static Machine machine(Settings settings) {
    return MACHINES.computeIfAbsent(RunSettings.MACHINE.get(settings), root -> new MachineReader(Path.of(root)).read());
  }

  /** Returns the processors that a rank can use: those of the setting, those it is bound to, or those it may run on. */
  private static int[] processors(World world) {
    Settings settings = world.settings();
    String list = RunSettings.MACHINE_PROCESSORS.get(settings);
    if (!list.isEmpty()) {
      try {
        int[] ofRanks = Arrays.stream(list.split(",", -1)).mapToInt(p -> Integer.parseInt(p.strip())).toArray();
        return new int[] {ofRanks[world.rank() % ofRanks.length]};
      } catch (NumberFormatException e) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, RunSettings.MACHINE_PROCESSORS.name(), list, "numbers separated by commas");
      }
    }
    int[] bound = world.engine().boundTo();
    return bound.length > 0 ? bound : allowed(settings);
  }

  private static int[] allowed(Settings settings) {
    return new MachineReader(Path.of(RunSettings.MACHINE.get(settings))).allowed();
  }

  /** Returns the place of this rank: for each {@link Resource} the instance that it cannot leave, or NONE. */
  static long[] place(World world) {
    return machine(world.settings()).place(processors(world));
  }

  /** Returns the place of each rank of a communicator. Collective, blocks. */
  static long[][] places(Channel channel, World world) {
    long[] mine = place(world);
    long[] all = Exchange.allgather(channel, world, mine);
    long[][] places = new long[channel.size()][];
    for (int rank = 0; rank < places.length; rank++) {
      places[rank] = Arrays.copyOfRange(all, rank * mine.length, (rank + 1) * mine.length);
    }
    return places;
  }

  /**
   * Returns the kinds of hardware there are, and those of which this process is held to one.
   *
   * @param world this rank's, or null before there is one
   */
  public static Info info(World world) {
    Settings settings = world == null ? Settings.ofProcess() : world.settings();
    Machine machine = machine(settings);
    long[] place = world == null ? machine.place(allowed(settings)) : place(world);
    Info info = new Info();
    for (Resource resource : machine.resources()) {
      info.set(resource.uri(), Boolean.toString(place[resource.ordinal()] != Machine.NONE));
    }
    return info;
  }
}
