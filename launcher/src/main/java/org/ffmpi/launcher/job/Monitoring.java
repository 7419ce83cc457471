// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.WrongCommand;
import org.ffmpi.launcher.request.LaunchSettings;

/** Ranks that JMX clients such as JConsole can connect to, each at a port of its own, from this machine only. */
public final class Monitoring {
  /** The option, as users write it. */
  public static final String FLAG = "--jmx";

  /** The module that serves the port. */
  static final String MODULE = "jdk.management.agent";

  private static final String HOST = "127.0.0.1";
  private static final String OPTION = "-Dcom.sun.management.jmxremote.";
  private static final int MOST = 65535;

  private final int port;
  private final int ranks;

  private Monitoring(int port, int ranks) {
    this.port = port;
    this.ranks = ranks;
  }

  /**
   * Returns how a job is monitored.
   *
   * @param settings the job's settings
   * @param ranks number of ranks
   * @return null when it is not
   * @throws MpiException ERR_ARG when a port does not exist
   */
  public static Monitoring of(Settings settings, int ranks) {
    String text = LaunchSettings.text(settings, LaunchSettings.JMX_SETTING);
    if (text == null) {
      return null;
    }
    int port = (Integer) LaunchSettings.find(LaunchSettings.JMX_SETTING).orElseThrow().parse(text, FLAG);
    if (port == 0) {
      return null;
    }
    if (port > MOST - (ranks - 1)) {
      throw WrongCommand.ofValue(
          LaunchSettings.JMX_SETTING, port,
          "ports up to " + (MOST - (ranks - 1)) + ", as each of " + ranks + " ranks takes one");
    }
    return new Monitoring(port, ranks);
  }

  /** Returns the options of a rank's JVM. */
  List<String> options(int rank) {
    int own = port + rank;
    return List.of(
        OPTION + "host=" + HOST, OPTION + "port=" + own, OPTION + "rmi.port=" + own, OPTION + "local.only=true",
        OPTION + "authenticate=false", OPTION + "ssl=false", "-Djava.rmi.server.hostname=" + HOST);
  }

  /** Checks that the ports are free: a JVM that cannot have its port ends with lines about sockets. */
  void checkPorts() {
    for (int rank = 0; rank < ranks; rank++) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port + rank));
      } catch (IOException e) {
        throw new MpiException(
            ErrorClass.ERR_SPAWN,
            "port " + (port + rank) + ", where a JMX client would connect to rank " + rank + ", cannot be had ("
                + e.getMessage() + "): choose others, as in " + FLAG + "=" + (LaunchSettings.USUAL_JMX_PORT + 100),
            e);
      }
    }
  }

  /** Describes where clients connect. */
  String description() {
    String first = "JMX clients connect to " + HOST + ":" + port;
    return ranks == 1 ? first : first + " (rank 0) to " + (port + ranks - 1) + " (rank " + (ranks - 1) + ")";
  }
}
