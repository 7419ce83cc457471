// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.ffmpi.Info;
import org.ffmpi.InterComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.connect.ConnectSettings;
import org.ffmpi.connect.JvmIdentity;
import org.ffmpi.connect.Link;
import org.ffmpi.connect.OpenPorts;
import org.ffmpi.connect.Port;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.ProcessFacts;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;

/**
 * Connects a communicator's processes with those of another program (MPI-4.1 §11.9). The two roots say over a
 * {@link Link} how many their groups are; the one that accepts makes the place; each tells its group, which enters; and
 * both say whether all of theirs have.
 */
public final class Connecting {
  private static final String HELLO = "ffmpi meeting 1";
  private static final String ENTERED = "entered";

  private final CommState state;
  private final World world;
  private final Gathering gathering;

  /** Makes the communicator of a channel. */
  private final Function<Channel, InterComm> maker;

  Connecting(CommState state, Function<Channel, InterComm> maker) {
    this.state = state;
    this.maker = maker;
    this.world = state.world;
    this.gathering = new Gathering(state);
  }

  public InterComm accept(String port) {
    return accept(port, null, 0);
  }

  public InterComm accept(String port, Info info, int root) {
    gathering.checkRoot(root);
    try {
      return meet(root, () -> accepted(port));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public InterComm connect(String port) {
    return connect(port, null, 0);
  }

  public InterComm connect(String port, Duration timeout) {
    gathering.checkRoot(0);
    try {
      if (timeout == null || timeout.isNegative()) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "timeout", timeout, "times from 0 up");
      }
      long now = System.nanoTime();
      long nanos = timeout.compareTo(Duration.ofDays(1000)) > 0 ? Long.MAX_VALUE / 2 : timeout.toNanos();
      return meet(0, () -> connected(port, now + nanos, timeout));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public InterComm connect(String port, Info info, int root) {
    gathering.checkRoot(root);
    try {
      return meet(root, () -> connected(port, Long.MAX_VALUE, null));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Meets the process at the other end of a socket; null when it cannot be reached by this library. */
  public InterComm join(Socket socket) {
    if (socket == null || !socket.isConnected() || socket.isClosed()) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "socket", socket, "connected sockets"));
    }
    return joined(Link.over(socket));
  }

  /** As {@link #join(Socket)}. */
  public InterComm join(SocketChannel channel) {
    if (channel == null || !channel.isConnected()) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "channel", channel, "connected channels"));
    }
    return joined(Link.over(channel));
  }

  // ---- the part of the root

  /** The agreement of two roots. */
  private record Agreement(Link link, String place, int first, int processes, int others, boolean isMaker) {
    String words() {
      return String.join("\n", place, first + "", processes + "", others + "");
    }
  }

  /** The part of a root. */
  @FunctionalInterface
  private interface Agreeing {
    Agreement agree();
  }

  private InterComm meet(int root, Agreeing part) {
    Agreement[] agreed = new Agreement[1];
    try {
      String[] words = gathering.tell(root, () -> {
        agreed[0] = part.agree();
        return agreed[0].words();
      }).split("\n");
      int first = Integer.parseInt(words[1]);
      int processes = Integer.parseInt(words[2]);
      int others = Integer.parseInt(words[3]);
      Engine engine = gathering.enter(words[0], first, processes);
      try {
        gathering.tell(root, () -> allEntered(agreed[0].link()));
      } catch (RuntimeException e) {
        Gathering.meetings(world).leave(engine, false);
        throw e;
      }
      return maker.apply(gathering.between(engine, first, first == 0 ? processes - others : 0, others));
    } finally {
      if (agreed[0] != null) {
        agreed[0].link().close();
        if (agreed[0].isMaker()) {
          Gathering.meetings(world).discard(agreed[0].place());
        }
      }
    }
  }

  private String allEntered(Link link) {
    link.send(ENTERED);
    List<String> answer = link.await(world.engine()::progress, Long.MAX_VALUE);
    if (!answer.equals(List.of(ENTERED))) {
      throw new MpiException(ErrorClass.ERR_PORT, "the other group could not be reached: " + String.join(" ", answer));
    }
    return "";
  }

  private Agreement accepted(String port) {
    Meetings meetings = Gathering.meetings(world);
    Port open = OpenPorts.of(world).opened(port);
    for (int naps = 0;; naps++) {
      Link link = open.accept();
      if (link != null) {
        try {
          return offered(meetings, link, link.await(world.engine()::progress, Long.MAX_VALUE));
        } catch (MpiException e) {
          link.close();
          if (e.errorClass() != ErrorClass.ERR_PORT) {
            throw e;
          }
          naps = 0; // a caller that has given up, or is none; the next one may be right
        }
      }
      world.engine().progress();
      Link.rest(naps);
    }
  }

  /** Answers the root that has connected, with the place that it makes for both groups. */
  private Agreement offered(Meetings meetings, Link link, List<String> hello) {
    String wrong = whyNot(hello);
    if (wrong != null) {
      link.send("refused", wrong);
      throw new MpiException(ErrorClass.ERR_PORT, wrong);
    }
    int others = Integer.parseInt(hello.get(2));
    int own = state.channel.size();
    boolean areThreads = meetings.inThreads() && Boolean.parseBoolean(hello.get(4));
    boolean withinJvm = areThreads && hello.get(3).equals(JvmIdentity.OWN);
    String place = meetings.make(own + others, withinJvm);
    try {
      link.send("place", place, Integer.toString(own));
    } catch (RuntimeException e) {
      meetings.discard(place);
      throw e;
    }
    return new Agreement(link, place, 0, own + others, others, true);
  }

  private static String whyNot(List<String> hello) {
    if (hello.size() != 5 || !hello.get(0).equals(HELLO)) {
      return "the process that has connected is no root of an ffmpi program";
    }
    String version = ProcessFacts.libraryVersion(null);
    return hello.get(1).equals(version) ? null : "one side is " + version + ", the other " + hello.get(1);
  }

  private Agreement connected(String port, long deadline, Duration timeout) {
    Meetings meetings = Gathering.meetings(world);
    Link link = Port.connect(port, world.settings());
    try {
      hello(meetings, link);
      List<String> answer;
      try {
        answer = link.await(world.engine()::progress, deadline);
      } catch (MpiException e) {
        if (e.errorClass() == ErrorClass.ERR_PORT) {
          throw new MpiException(ErrorClass.ERR_PORT, "the port " + port + " was closed before anybody accepted", e);
        }
        throw e;
      }
      if (answer == null) {
        throw new MpiException(ErrorClass.ERR_PORT, "nobody accepted at the port " + port + " within " + timeout);
      }
      return entering(link, answer);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private void hello(Meetings meetings, Link link) {
    link.send(
        HELLO, ProcessFacts.libraryVersion(null), Integer.toString(state.channel.size()), JvmIdentity.OWN,
        Boolean.toString(meetings.inThreads()));
  }

  private Agreement entering(Link link, List<String> answer) {
    if (answer.size() != 3 || !answer.getFirst().equals("place")) {
      throw new MpiException(ErrorClass.ERR_PORT, "refused: " + answer.getLast());
    }
    int others = Integer.parseInt(answer.get(2));
    return new Agreement(link, answer.get(1), others, others + state.channel.size(), others, false);
  }

  /** Both sides of a socket make the same call: the one with the larger number makes the place. */
  private InterComm joined(Link link) {
    try (link) {
      Gathering.meetings(world);
      state.checkCollective();
      String own = JvmIdentity.fresh();
      String machine = JvmIdentity.machine();
      link.send("join", own, machine);
      List<String> other = link.await(world.engine()::progress, Long.MAX_VALUE);
      if (other.size() != 3 || !other.getFirst().equals("join") || !other.get(2).equals(machine)) {
        return null;
      }
      return meet(0, () -> own.compareTo(other.get(1)) > 0
          ? offered(Gathering.meetings(world), link, link.await(world.engine()::progress, Long.MAX_VALUE))
          : asked(link));
    } catch (RuntimeException e) {
      throw state.failed(Failures.translate(e));
    }
  }

  private Agreement asked(Link link) {
    hello(Gathering.meetings(world), link);
    return entering(link, link.await(world.engine()::progress, Long.MAX_VALUE));
  }
}
