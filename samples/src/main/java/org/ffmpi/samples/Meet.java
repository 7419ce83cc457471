// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.time.Duration;
import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Two programs that know nothing of each other but a name. The first one computes heat in a rod, cut into as many parts
 * as it has ranks, and publishes a port; the second one finds it by name, draws what it gets, and goes. Another one may
 * come after it.
 *
 * <p>{@code mpirun -n 4 --sample meet} in one terminal, {@code mpirun -n 1 --sample meet view} in another.
 */
public final class Meet {
  private static final String NAME = "org.ffmpi.samples.Meet";
  private static final int CELLS = 1 << 9;
  private static final int PICTURES = 8;
  private static final int WIDTH = 64;
  private static final int TAG = 0;
  private static final String SHADES = " .:-=+*#%@";

  private Meet() {}

  /**
   * Runs one rank.
   *
   * @param args {@code view} for the viewer; for the solver the number of viewers that it waits for, 1 by default
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      if (args.length > 0 && args[0].equals("view")) {
        view(mpi);
      } else {
        solve(mpi, args.length == 0 ? 1 : Integer.parseInt(args[0]));
      }
    });
  }

  private static void solve(Mpi mpi, int viewers) {
    IntraComm world = mpi.world();
    String port = null;
    if (world.rank() == 0) {
      port = mpi.openPort();
      mpi.publish(NAME, port);
      System.out.println("the solver waits for a viewer at port " + port);
    }
    for (int i = 0; i < viewers; i++) {
      InterComm viewer = world.accept(port);
      double[] part = start(world);
      for (int picture = 0; picture < PICTURES; picture++) {
        viewer.send(strip(part, WIDTH / world.size()), 0, TAG);
        part = step(world, part, 1 << 2 * picture);
      }
      viewer.disconnect();
    }
    if (world.rank() == 0) {
      System.out.println("the solver has served " + viewers);
    }
  }

  private static void view(Mpi mpi) {
    InterComm solver = mpi.self().connect(found(mpi), Duration.ofSeconds(30));
    int parts = solver.remoteSize();
    for (int picture = 0; picture < PICTURES; picture++) {
      StringBuilder line = new StringBuilder();
      for (int rank = 0; rank < parts; rank++) {
        double[] strip = new double[WIDTH / parts];
        solver.recv(strip, rank, TAG);
        for (double heat : strip) {
          line.append(SHADES.charAt((int) Math.min(heat * SHADES.length(), SHADES.length() - 1)));
        }
      }
      System.out.printf(Locale.ROOT, "|%s|%n", line);
    }
    solver.disconnect();
  }

  private static String found(Mpi mpi) {
    mpi.self().setErrhandler(Errhandler.RETURN);
    try {
      return mpi.lookup(NAME);
    } catch (MpiException e) {
      if (e.errorClass() == ErrorClass.ERR_NAME) {
        System.err.println("meet: start the solver first, in another terminal: mpirun -n 4 --sample meet");
        mpi.abort(2);
      }
      throw e;
    }
  }

  /** Returns this rank's part of a rod that is hot in its middle. */
  private static double[] start(IntraComm world) {
    int cells = CELLS / world.size();
    double[] part = new double[cells + 2];
    for (int i = 1; i <= cells; i++) {
      int cell = world.rank() * cells + i - 1;
      part[i] = Math.abs(cell - CELLS / 2) < CELLS / 16 ? 1 : 0;
    }
    return part;
  }

  /** Lets the heat spread for some steps, by twice the cells that it moves in one. */
  private static double[] step(IntraComm world, double[] part, int steps) {
    int left = world.rank() == 0 ? Mpi.PROC_NULL : world.rank() - 1;
    int right = world.rank() == world.size() - 1 ? Mpi.PROC_NULL : world.rank() + 1;
    double[] now = part;
    double[] next = new double[part.length];
    int n = part.length - 2;
    for (int s = 0; s < steps; s++) {
      world.sendrecv(Buf.of(now, 1, 1), left, TAG, Buf.of(now, n + 1, 1), right, TAG);
      world.sendrecv(Buf.of(now, n, 1), right, TAG, Buf.of(now, 0, 1), left, TAG);
      for (int i = 1; i <= n; i++) {
        next[i] = now[i] + (now[i - 1] - 2 * now[i] + now[i + 1]) / 4;
      }
      double[] other = now;
      now = next;
      next = other;
    }
    return now;
  }

  private static double[] strip(double[] part, int width) {
    double[] strip = new double[width];
    int cells = (part.length - 2) / width;
    for (int i = 0; i < width; i++) {
      for (int k = 0; k < cells; k++) {
        strip[i] += part[1 + i * cells + k] / cells;
      }
    }
    return strip;
  }
}
