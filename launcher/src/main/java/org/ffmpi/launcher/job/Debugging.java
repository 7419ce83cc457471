// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.WrongCommand;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RankSet;

/**
 * Ranks that a debugger can attach to, each at a port of its own, from this machine only. A rank that stands at a
 * breakpoint looks like one that hangs: with a debugger a job has no time limit and no watchdog.
 */
public final class Debugging {
  /** The beginning of the option with which a JVM serves a debugger. */
  static final String AGENT = "-agentlib:jdwp=";

  private static final String HOST = "127.0.0.1";
  private static final int MOST = 65535;

  private final int port;
  private final RankSet suspended;
  private final int ranks;

  private Debugging(int port, RankSet suspended, int ranks) {
    this.port = port;
    this.suspended = suspended;
    this.ranks = ranks;
  }

  /**
   * Returns how a job is debugged.
   *
   * @param settings the job's settings
   * @param ranks number of ranks
   * @return null when it is not
   * @throws MpiException ERR_ARG when ports or ranks do not exist
   */
  public static Debugging of(Settings settings, int ranks) {
    int port = LaunchSettings.DEBUG.get(settings);
    String waiting = LaunchSettings.DEBUG_SUSPEND.get(settings);
    if (port == 0 && waiting.isEmpty()) {
      return null;
    }
    RankSet suspended = waiting.isEmpty() ? RankSet.NONE : RankSet.parse(waiting);
    if (suspended == null) {
      throw WrongCommand.ofValue(LaunchSettings.DEBUG_SUSPEND.name(), waiting, RankSet.ALLOWED);
    }
    suspended.check(LaunchSettings.DEBUG_SUSPEND.name(), ranks);
    int base = port == 0 ? LaunchSettings.USUAL_DEBUG_PORT : port;
    if (base > MOST - (ranks - 1)) {
      throw WrongCommand.ofValue(
          LaunchSettings.DEBUG.name(), base,
          "ports up to " + (MOST - (ranks - 1)) + ", as each of " + ranks + " ranks takes one");
    }
    return new Debugging(base, suspended, ranks);
  }

  /** Returns the option of a rank's JVM. */
  String option(int rank) {
    return AGENT + "transport=dt_socket,server=y,quiet=y,suspend=" + (suspended.contains(rank) ? "y" : "n")
        + ",address=" + HOST + ":" + (port + rank);
  }

  /** Checks that the ports are free: a JVM that cannot have its port ends with four lines about sockets. */
  void checkPorts() {
    for (int rank = 0; rank < ranks; rank++) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port + rank));
      } catch (IOException e) {
        throw new MpiException(
            ErrorClass.ERR_SPAWN,
            "port " + (port + rank) + ", where a debugger would attach to rank " + rank + ", cannot be had ("
                + e.getMessage() + "): choose others, as in " + LaunchSettings.DEBUG.flag() + "="
                + (LaunchSettings.USUAL_DEBUG_PORT + 100),
            e);
      }
    }
  }

  /** Describes where debuggers attach, and which ranks wait for one. */
  String description() {
    StringBuilder text = new StringBuilder("debuggers attach to port ").append(port);
    if (ranks > 1) {
      text.append(" + rank, ").append(port).append(" to ").append(port + ranks - 1);
    }
    int waiting = 0;
    for (int rank = 0; rank < ranks; rank++) {
      waiting += suspended.contains(rank) ? 1 : 0;
    }
    if (waiting == ranks) {
      text.append(ranks == 1 ? "; the rank waits for one" : "; all ranks wait for one");
    } else if (waiting > 0) {
      text.append(waiting == 1 ? "; rank " : "; ranks ").append(suspended.text());
      text.append(waiting == 1 ? " waits for one" : " wait for one");
    }
    return text.append("; time limits and the watchdog are off").toString();
  }
}
