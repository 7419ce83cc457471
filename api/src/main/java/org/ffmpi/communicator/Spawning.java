// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Function;
import org.ffmpi.InterComm;
import org.ffmpi.Spawn;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.connect.ConnectSettings;
import org.ffmpi.connect.Link;
import org.ffmpi.connect.SpawnHints;
import org.ffmpi.connect.SpawnImpl;
import org.ffmpi.connect.SpawnRequest;
import org.ffmpi.connect.Starter;
import org.ffmpi.connect.Starters;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;
import org.ffmpi.spi.RunSettings;

/**
 * Starts processes that a communicator's processes meet (MPI-4.1 §11.8). The root makes a place for both groups, the
 * parents enter it, and the root has the others started; they enter it when they initialize MPI. So the place has
 * living parents as long as anybody might look for them.
 */
public final class Spawning {
  private static final String PARENTS = "[1-9]\\d{0,6} \\S.*";

  private final CommState state;
  private final World world;
  private final Gathering gathering;

  /** Makes the communicator of a channel. */
  private final Function<Channel, InterComm> maker;

  Spawning(CommState state, Function<Channel, InterComm> maker) {
    this.state = state;
    this.maker = maker;
    this.world = state.world;
    this.gathering = new Gathering(state);
  }

  public InterComm spawn(Spawn... commands) {
    return spawn(null, 0, commands);
  }

  public InterComm spawn(int root, Spawn... commands) {
    return spawn(null, root, commands);
  }

  public InterComm spawn(int[] errorCodes, int root, Spawn... commands) {
    gathering.checkRoot(root);
    boolean isRoot = state.channel.rank() == root;
    Plan[] plan = new Plan[1];
    try {
      String[] words = gathering.tell(root, () -> {
        plan[0] = new Plan(commands);
        return plan[0].place + "\n" + plan[0].number + "\n" + plan[0].numbers;
      }).split("\n");
      int number = Integer.parseInt(words[1]);
      setCodes(errorCodes, words[2], false);
      int own = state.channel.size();
      Engine engine = gathering.enter(words[0], 0, own + number);
      try {
        gathering.tell(root, () -> plan[0].started(engine));
      } catch (RuntimeException e) {
        Gathering.meetings(world).leave(engine, false);
        throw e;
      }
      setCodes(errorCodes, words[2], true);
      return maker.apply(gathering.between(engine, 0, own, number));
    } catch (RuntimeException e) {
      throw state.failed(e);
    } finally {
      if (isRoot && plan[0] != null) {
        plan[0].close();
      }
    }
  }

  /**
   * Sets an error code for each process that is asked for.
   *
   * @param numbers for each command how many are asked for and how many are started
   * @param areStarted whether the latter have been started
   */
  private static void setCodes(int[] codes, String numbers, boolean areStarted) {
    if (codes == null) {
      return;
    }
    int from = 0;
    for (String command : numbers.split(" ")) {
      int slash = command.indexOf('/');
      int to = from + Integer.parseInt(command.substring(0, slash));
      if (codes.length < to) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, "length of errorCodes", codes.length, to + " or more, one for each process");
      }
      int started = areStarted ? Integer.parseInt(command.substring(slash + 1)) : 0;
      Arrays.fill(codes, from, to, ErrorClass.ERR_SPAWN.code());
      Arrays.fill(codes, from, from + started, 0);
      from = to;
    }
  }

  /** The part of the root. */
  private final class Plan implements AutoCloseable {
    final Meetings meetings;
    final Starter starter;
    final List<SpawnImpl> commands;
    final String place;
    final int number;
    final int asked;

    /** For each command how many processes are asked for, and how many are started. */
    String numbers = "";

    Plan(Spawn... given) {
      meetings = Gathering.meetings(world);
      List<SpawnImpl> wanted = described(given);
      asked = wanted.stream().mapToInt(SpawnImpl::processes).sum();
      List<NavigableSet<Integer>> allowed = new ArrayList<>();
      for (SpawnImpl each : wanted) {
        allowed.add(SpawnHints.allowed(each));
      }
      starter = Starters.of(world);
      try {
        commands = within(starter.slots(), wanted, allowed);
        number = commands.stream().mapToInt(SpawnImpl::processes).sum();
        place = meetings.make(state.channel.size() + number, meetings.inThreads());
      } catch (RuntimeException e) {
        starter.close();
        throw e;
      }
    }

    private List<SpawnImpl> described(Spawn... given) {
      if (given == null || given.length == 0) {
        throw new MpiException(ErrorClass.ERR_SPAWN, "the root names nothing to spawn");
      }
      List<SpawnImpl> result = new ArrayList<>();
      for (int i = 0; i < given.length; i++) {
        if (given[i] == null) {
          throw MpiException.argument(ErrorClass.ERR_SPAWN, "commands[" + i + "]", null, "descriptions");
        }
        result.add(SpawnHints.applied((SpawnImpl) given[i]));
      }
      return result;
    }

    /** Chooses numbers of processes that are allowed and that there is room for. */
    private List<SpawnImpl> within(int slots, List<SpawnImpl> wanted, List<NavigableSet<Integer>> allowed) {
      List<SpawnImpl> result = new ArrayList<>();
      int left = slots;
      int least = allowed.stream().mapToInt(NavigableSet::first).sum();
      for (int i = 0; i < wanted.size(); i++) {
        least -= allowed.get(i).first();
        Integer most = allowed.get(i).floor(left - least);
        if (most == null) {
          throw new MpiException(
              ErrorClass.ERR_SPAWN,
              "there is room for " + Math.max(0, slots) + " more processes, and " + asked
                  + " are to be spawned (setting " + ConnectSettings.UNIVERSE.name() + ")");
        }
        left -= most;
        numbers += (i == 0 ? "" : " ") + wanted.get(i).processes() + "/" + most;
        if (most > 0) {
          result.add(wanted.get(i).processes(most));
        }
      }
      if (result.isEmpty()) {
        throw new MpiException(ErrorClass.ERR_SPAWN, "no process is left to be spawned");
      }
      return result;
    }

    /** Has the processes started, and waits until all have joined. */
    String started(Engine engine) {
      int own = state.channel.size();
      int program = Math.max(0, world.program());
      starter.start(new SpawnRequest(own + " " + place, program, commands));
      int joined = 0;
      for (int naps = 0; joined < number; naps++) {
        while (joined < number && engine.hasJoined(own + joined)) {
          joined++;
          naps = 0;
        }
        if (joined < number) {
          String failure = starter.failure();
          if (failure != null && !allJoined(engine, own, number)) {
            throw new MpiException(ErrorClass.ERR_SPAWN, "the processes could not be spawned: " + failure);
          }
          world.engine().progress();
          Link.rest(naps);
        }
      }
      starter.settled();
      return "";
    }

    @Override
    public void close() {
      starter.close();
      meetings.discard(place);
    }
  }

  private static boolean allJoined(Engine engine, int first, int number) {
    for (int peer = first; peer < first + number; peer++) {
      if (!engine.hasJoined(peer)) {
        return false;
      }
    }
    return true;
  }

  // ---- the other side

  /**
   * Enters the place where the parents wait, as all other new processes do; returns the communicator with them.
   *
   * @param parents their number and the place
   */
  public InterComm parents(String parents) {
    if (!parents.matches(PARENTS)) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, RunSettings.PARENT.name(), parents,
          "what the call that spawns sets, a number and a place");
    }
    int space = parents.indexOf(' ');
    int others = Integer.parseInt(parents.substring(0, space));
    int own = state.channel.size();
    Engine engine = Gathering.meetings(world)
        .enter(parents.substring(space + 1), others + state.channel.rank(), others + own);
    for (int naps = 0; !allJoined(engine, others, own); naps++) { // groups are compared by who they are
      world.engine().progress();
      Link.rest(naps);
    }
    InterComm made = maker.apply(gathering.between(engine, others, 0, others));
    made.setName("MPI_COMM_PARENT");
    return made;
  }
}
