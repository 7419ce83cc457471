// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/**
 * Ports and published names of one job. The root that connects sends its group to the process that opened the port;
 * that one answers with its own group and a number, and the two groups meet under the port's name and that number. A
 * published name is sent to all other processes, which receive it at their next lookup.
 *
 * <p>All messages use a communicator of the whole job that programs do not see. Errors are thrown as they are.
 */
final class Ports {
  private static final String PREFIX = "ffmpi-port:";
  private static final int NAMES = 0;
  /** Time that a published name may take to arrive. */
  private static final int PATIENCE_MILLIS = 200;

  private static IntraComm line;
  /** Ports have even tags on the line, answers odd ones. */
  private static final AtomicInteger NEXT = new AtomicInteger(1);
  private static final Set<String> OPEN = ConcurrentHashMap.newKeySet();
  private static final Map<String, String> OWN_NAMES = new ConcurrentHashMap<>();
  private static final Map<String, String> OTHER_NAMES = new ConcurrentHashMap<>();

  private Ports() {}

  /** Makes the communicator; collective over the job. */
  static void begin() {
    line = Job.mpi().world().dup();
    line.attachBuffer(Buf.automatic());
  }

  /** Returns the communicator of the whole job. */
  static IntraComm line() {
    return line;
  }

  /** Prints an error and ends the job. */
  static void endJob(MpiException error) {
    line.setErrhandler(org.ffmpi.Errhandler.FATAL);
    throw line.callErrhandler(error);
  }

  /** Frees the communicator, on which no published name is left unread; collective over the job. */
  static void end() {
    line.detachBuffer();
    line.barrier();
    receiveNames();
    line.close();
  }

  // ---- ports

  private static IntraComm opened() {
    Job.mpi();
    return line;
  }

  static String open() {
    String name = PREFIX + opened().rank() + ":" + 2 * NEXT.getAndIncrement();
    OPEN.add(name);
    return name;
  }

  static void close(String port) {
    if (port == null || !OPEN.remove(port)) {
      throw unknown(port);
    }
  }

  private static MpiException unknown(String port) {
    return MpiException.argument(ErrorClass.ERR_PORT, "port", port, "ports that this process has opened, not closed");
  }

  /** The content of a port's name: the rank that opened it, and the tag of messages to it. */
  private record Port(int owner, int tag) {
    static Port of(String name) {
      try {
        String[] parts = name == null ? new String[0] : name.split(":");
        if (parts.length == 3 && name.startsWith(PREFIX)) {
          Port port = new Port(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
          if (port.owner >= 0 && port.owner < opened().size() && port.tag > 0) {
            return port;
          }
        }
      } catch (NumberFormatException e) {
        // no port either
      }
      throw MpiException.argument(ErrorClass.ERR_PORT, "port", name, "names that openPort has returned in this job");
    }
  }

  /** The message of one root to the other: its rank, a number, and its group as ranks of the whole job. */
  private record Side(int leader, int number, int[] ranks) {
    static Side of(IntraComm comm, int number) {
      Group group = comm.group();
      int[] all = IntStream.range(0, group.size()).toArray();
      return new Side(comm.rank(), number, group.translateRanks(all, line.group()));
    }

    void send(int to, int tag) {
      int[] words = new int[ranks.length + 2];
      words[0] = leader;
      words[1] = number;
      System.arraycopy(ranks, 0, words, 2, ranks.length);
      line.send(Buf.of(words), to, tag);
    }

    static Side receive(int from, int tag, Status into) {
      line.probe(from, tag, into);
      int[] words = new int[(int) (into.bytes() / Integer.BYTES)];
      line.recv(Buf.of(words), into.source(), tag);
      return new Side(words[0], words[1], Arrays.copyOfRange(words, 2, words.length));
    }

    Group group() {
      return line.group().incl(ranks);
    }
  }

  static InterComm accept(IntraComm comm, String port, int root) {
    return meet(comm, root, () -> {
      Port own = Port.of(port);
      if (!OPEN.contains(port)) {
        throw unknown(port);
      }
      Status from = new Status();
      Side other = Side.receive(Constants.ANY_SOURCE, own.tag, from);
      Side.of(comm, NEXT.getAndIncrement()).send(from.source(), other.number);
      return new Meeting(other, port + ":" + from.source() + ":" + other.number);
    });
  }

  static InterComm connect(IntraComm comm, String port, int root) {
    return meet(comm, root, () -> {
      Port there = Port.of(port);
      int answer = 2 * NEXT.getAndIncrement() + 1;
      Side.of(comm, answer).send(there.owner, there.tag);
      Side other = Side.receive(there.owner, answer, new Status());
      return new Meeting(other, port + ":" + line.rank() + ":" + answer);
    });
  }

  /** The other group, and the name under which the two meet. */
  private record Meeting(Side other, String name) {}

  /** Finds the other root. */
  private interface Search {
    Meeting find();
  }

  private static InterComm meet(IntraComm comm, int root, Search search) {
    if (root < 0 || root >= comm.size()) {
      throw raised(comm, MpiException.argument(ErrorClass.ERR_ROOT, "root", root, "0.." + (comm.size() - 1)));
    }
    Meeting meeting = null;
    MpiException failed = null;
    byte[] name = {};
    if (comm.rank() == root) {
      try {
        meeting = search.find();
        name = meeting.name.getBytes(StandardCharsets.UTF_8);
      } catch (MpiException e) {
        failed = e;
      }
    }
    int[] length = {name.length};
    comm.bcast(Buf.of(length), root);
    if (length[0] == 0) {
      throw raised(comm, failed != null ? failed
          : new MpiException(ErrorClass.ERR_PORT, "port: root " + root + " cannot use the one that it has given"));
    }
    name = comm.rank() == root ? name : new byte[length[0]];
    comm.bcast(Buf.of(name), root);
    return InterComm.createFromGroups(comm.group(), root, meeting == null ? null : meeting.other.group(),
        meeting == null ? 0 : meeting.other.leader, new String(name, StandardCharsets.UTF_8), null, comm.errhandler());
  }

  private static MpiException raised(IntraComm comm, MpiException error) {
    return comm.callErrhandler(error);
  }

  // ---- names

  static void publish(String service, String port) {
    checkService(service);
    Port.of(port);
    if (OWN_NAMES.putIfAbsent(service, port) != null) {
      throw MpiException.argument(ErrorClass.ERR_SERVICE, "service", service, "names not published yet");
    }
    sendToOthers(service + "\n" + port);
  }

  static void unpublish(String service, String port) {
    checkService(service);
    if (OWN_NAMES.remove(service) == null) {
      throw MpiException.argument(ErrorClass.ERR_SERVICE, "service", service, "names that this process has published");
    }
    sendToOthers(service);
  }

  private static void checkService(String service) {
    if (service == null || service.isEmpty() || service.indexOf('\n') >= 0) {
      throw MpiException.argument(ErrorClass.ERR_NAME, "service", service, "texts of one line");
    }
  }

  private static void sendToOthers(String change) {
    byte[] text = change.getBytes(StandardCharsets.UTF_8);
    IntraComm all = opened();
    for (int r = 0; r < all.size(); r++) {
      if (r != all.rank()) {
        all.bsend(Buf.of(text), r, NAMES);
      }
    }
  }

  static String lookup(String service) {
    checkService(service);
    long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (true) {
      receiveNames();
      String port = OWN_NAMES.getOrDefault(service, OTHER_NAMES.get(service));
      if (port != null) {
        return port;
      }
      if (System.nanoTime() > until) {
        throw MpiException.argument(ErrorClass.ERR_NAME, "service", service, "names that are published");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static synchronized void receiveNames() {
    Status from = new Status();
    while (opened().iprobe(Constants.ANY_SOURCE, NAMES, from)) {
      byte[] text = new byte[(int) from.bytes()];
      line.recv(Buf.of(text), from.source(), NAMES);
      String[] change = new String(text, StandardCharsets.UTF_8).split("\n");
      if (change.length == 1) {
        OTHER_NAMES.remove(change[0]);
      } else {
        OTHER_NAMES.put(change[0], change[1]);
      }
    }
  }
}
