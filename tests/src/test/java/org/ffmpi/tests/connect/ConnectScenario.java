// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.connect;

import java.time.Duration;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Spawn;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The programs of {@link SpawnedProcessesTest}, by their first argument. */
public final class ConnectScenario {
  /** Printed by each rank whose spawns have all been right. */
  public static final String WELL = "all right";

  private ConnectScenario() {}

  /**
   * Runs one rank.
   *
   * @param args the name of the program, and its arguments
   */
  public static void main(String[] args) {
    if (args[0].equals("exit")) {
      System.exit(7);
    }
    Mpi.run(args, mpi -> {
      switch (args[0]) {
        case "table" -> table(mpi, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        case "fails" -> fails(mpi, args[1]);
        case "parent" -> parent(mpi, args[1]);
        case "add" -> add(mpi);
        case "ends" -> ends(mpi, args[1]);
        case "serve" -> serve(mpi);
        case "ask" -> ask(mpi);
        case "rod" -> rod(mpi);
        case "spare" -> rejoined(mpi, mpi.parent());
        default -> throw new IllegalArgumentException(args[0]);
      }
    });
  }

  private static Spawn child(int processes, String... arguments) {
    return Spawn.of(ConnectScenario.class.getName(), arguments).processes(processes);
  }

  /** Spawns again and again, and adds with the children. */
  private static void table(Mpi mpi, int children, int rounds) {
    for (int i = 0; i < rounds; i++) {
      InterComm workers = mpi.world().spawn(child(children, "add"));
      IntraComm all = workers.merge(false);
      int[] sum = {1};
      all.allreduce(Buf.of(sum), Op.SUM);
      if (sum[0] != mpi.world().size() + children) {
        throw new IllegalStateException("sum " + sum[0]);
      }
      all.disconnect();
      workers.disconnect();
    }
    System.out.println(WELL);
  }

  private static void add(Mpi mpi) {
    InterComm parent = mpi.parent();
    IntraComm all = parent.merge(true);
    int[] sum = {1};
    all.allreduce(Buf.of(sum), Op.SUM);
    all.disconnect();
    parent.disconnect();
  }

  /** Spawns what cannot be, and goes on. */
  private static void fails(Mpi mpi, String how) {
    mpi.world().setErrhandler(Errhandler.RETURN);
    Spawn wrong = switch (how) {
      case "class" -> Spawn.of("no.such.Class").processes(2);
      case "option" -> child(2, "add").javaOptions("-XX:NoSuchOption");
      case "exit" -> child(2, "exit");
      default -> throw new IllegalArgumentException(how);
    };
    int[] codes = new int[2];
    long start = System.nanoTime();
    try {
      mpi.world().spawn(codes, 0, wrong);
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_SPAWN || codes[1] != ErrorClass.ERR_SPAWN.code()) {
        throw e;
      }
      System.out.println("right error: " + e.getMessage());
    }
    if (System.nanoTime() - start > Duration.ofSeconds(5).toNanos()) {
      throw new IllegalStateException("too late");
    }
    table(mpi, 1, 1);
  }

  private static void parent(Mpi mpi, String how) {
    InterComm workers = mpi.world().spawn(child(2, "ends", how));
    if (how.equals("connected")) {
      workers.recv(new int[1], 0, 0);
    }
    workers.disconnect();
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    mpi.world().barrier();
    System.out.println("parent goes on");
  }

  private static void ends(Mpi mpi, String how) {
    if (how.equals("disconnected")) {
      mpi.parent().disconnect();
    }
    if (mpi.world().rank() == 1) {
      Runtime.getRuntime().halt(3);
    }
    mpi.world().barrier();
  }

  private static void serve(Mpi mpi) {
    String port = null;
    if (mpi.world().rank() == 0) {
      port = mpi.openPort();
      mpi.publish("adder", port);
      System.out.println("published");
    }
    for (int i = 0; i < 3; i++) {
      InterComm other = mpi.world().accept(port);
      other.allreduce(Buf.of(new int[] {1}), Buf.of(new int[1]), Op.SUM);
      other.disconnect();
    }
  }

  private static void ask(Mpi mpi) {
    for (int i = 0; i < 3; i++) {
      String port = mpi.world().rank() == 0 ? mpi.lookup("adder") : null;
      InterComm other = mpi.world().connect(port, Duration.ofSeconds(20));
      int[] sum = new int[1];
      other.allreduce(Buf.of(new int[] {1}), Buf.of(sum), Op.SUM);
      System.out.println("sum " + sum[0]);
      other.disconnect();
    }
  }

  /** Loses a rank and replaces it. */
  private static void rod(Mpi mpi) {
    IntraComm world = mpi.world();
    world.setErrhandler(Errhandler.RETURN);
    if (world.rank() == 1) {
      Runtime.getRuntime().halt(9);
    }
    try {
      world.barrier();
      throw new IllegalStateException("the barrier should fail");
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_PROC_FAILED) {
        throw e;
      }
    }
    IntraComm left = world.shrink();
    rejoined(mpi, left.spawn(child(1, "spare")));
  }

  private static void rejoined(Mpi mpi, InterComm other) {
    IntraComm all = other.merge(mpi.parent() != null);
    int[] sum = {1};
    all.allreduce(Buf.of(sum), Op.SUM);
    System.out.println("together again " + sum[0]);
    all.disconnect();
    other.disconnect();
  }
}
