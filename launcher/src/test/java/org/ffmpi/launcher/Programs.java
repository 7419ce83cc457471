// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.Mpi;

/** Small programs that the process tests run as ranks. Each tells by its name what it does. */
final class Programs {
  private Programs() {}

  static int rank() {
    return Integer.parseInt(System.getenv("FFMPI_RANK"));
  }

  static void sleepForever() {
    try {
      Thread.sleep(600_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static final class Hello {
    public static void main(String[] args) {
      System.out.println("hello from rank " + rank() + " of " + System.getenv("FFMPI_SIZE"));
    }
  }

  static final class Show {
    public static void main(String[] args) {
      System.out.println(
          rank() + ": " + String.join(" ", args) + " terminal=" + System.getenv("FFMPI_TERMINAL") + " cores="
              + System.getenv("FFMPI_CORES") + " slots=" + System.getenv("FFMPI_RING_SLOTS") + " x="
              + System.getenv("X"));
    }
  }

  static final class Sweeps {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        for (int step = 0; step <= 1000; step++) {
          mpi.progress("sweep", step, 1000);
        }
        System.out.println("swept");
      });
    }
  }

  static final class HowStarted {
    public static void main(String[] args) {
      Info early = Info.env();
      try (Mpi mpi = Mpi.init(args)) {
        int program = mpi.world().attributes().get(Comm.APPNUM).orElseThrow();
        System.out.println(mpi.world().rank() + "/" + program + ": " + early.keys().equals(Info.env().keys()) + " "
            + early.get("command").orElse("-") + " " + early.get("argv").orElse("-") + " "
            + early.get("maxprocs").orElse("-") + " " + early.get("mpi_initial_errhandler").orElse("-"));
      }
    }
  }

  static final class Gathers {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Buf<Integer> all = mpi.world().rank() == 0 ? Buf.of(new int[mpi.world().size()]) : null;
        mpi.world().gather(Buf.of(new int[] {mpi.world().rank()}), all, 0);
      });
    }
  }

  static final class AbortsWith256 {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> mpi.abort(256));
    }
  }

  static final class RankOneExitsWithThree {
    public static void main(String[] args) {
      if (rank() == 1) {
        System.exit(3);
      }
      sleepForever();
    }
  }

  static final class Sleep {
    public static void main(String[] args) {
      System.out.println("ready " + ProcessHandle.current().pid());
      sleepForever();
    }
  }

  static final class StubbornSleep {
    public static void main(String[] args) {
      Runtime.getRuntime().addShutdownHook(new Thread(Programs::sleepForever));
      System.out.println("ready " + ProcessHandle.current().pid());
      sleepForever();
    }
  }

  static final class ManyLines {
    public static void main(String[] args) {
      String filler = "x".repeat(150);
      for (int i = 0; i < 400; i++) {
        System.out.println(rank() + " " + i + " " + filler);
        if (rank() == 0) {
          System.err.println("0 error " + i + " " + filler);
        } else {
          System.err.print(rank() + " error "); // halves: of ranks other than 0 they are never shown alone
          System.err.println(i + " " + filler);
        }
      }
    }
  }

  static final class Prompt {
    public static void main(String[] args) {
      System.out.print(rank() == 0 ? "name? " : "never shown alone");
      System.out.flush();
      System.err.println("printed by rank " + rank());
      sleepForever();
    }
  }

  static final class Dots {
    public static void main(String[] args) throws InterruptedException {
      for (int i = 0; i < 100_000; i++) {
        System.out.print(".");
        System.out.flush();
        Thread.sleep(10);
      }
    }
  }

  static final class Echo {
    public static void main(String[] args) throws IOException {
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
      for (String line; (line = in.readLine()) != null; ) {
        System.out.println("rank " + rank() + " read " + line);
      }
      System.out.println("rank " + rank() + " is at the end");
    }
  }

  static final class ExitWithoutFinalize {
    public static void main(String[] args) {
      Mpi mpi = Mpi.init(args);
      if (mpi.world().rank() == 1) {
        System.exit(0);
      }
      mpi.world().barrier();
      mpi.close();
    }
  }

  static final class NeverInitializes {
    public static void main(String[] args) {
      if (rank() == 1) {
        return;
      }
      Mpi.run(args, mpi -> mpi.world().barrier());
    }
  }

  static final class ExitCodeAfterFinalize {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> mpi.world().barrier());
      System.exit(rank() == 1 ? 7 : 0);
    }
  }

  static final class BodyThrows {
    public static void main(String[] args) {
      Mpi.run(
          args,
          mpi -> {
            if (mpi.world().rank() == 1) {
              throw new IllegalStateException("the boom of rank 1");
            }
            mpi.world().barrier();
          });
    }
  }

  static final class Aborts {
    public static void main(String[] args) {
      Mpi.run(
          args,
          mpi -> {
            if (mpi.world().rank() == 2) {
              mpi.abort(5);
            }
            mpi.world().barrier();
          });
    }
  }

  static final class WaitsForever {
    public static void main(String[] args) {
      Mpi.run(
          args,
          mpi -> {
            System.out.println("ready " + ProcessHandle.current().pid());
            mpi.world().recv(new int[1], (mpi.world().rank() + 1) % mpi.world().size(), 99);
          });
    }
  }

  /** Sleeps, and never uses MPI. */
  static final class NeverJoins {
    public static void main(String[] args) throws InterruptedException {
      Thread.sleep(1_000_000);
    }
  }

  /** Sends to the next rank and meets all others, for ever. */
  static final class ExchangesForever {
    public static void main(String[] args) {
      Mpi.run(
          args,
          mpi -> {
            int n = mpi.world().size();
            int me = mpi.world().rank();
            System.out.println("ready " + ProcessHandle.current().pid());
            double[] out = new double[5000];
            double[] in = new double[5000];
            for (;;) {
              var sent = mpi.world().isend(out, (me + 1) % n, 0);
              mpi.world().recv(in, (me + n - 1) % n, 0);
              sent.await();
              mpi.world().barrier();
            }
          });
    }
  }
}
