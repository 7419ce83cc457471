// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** 1,024 bodies that attract each other, all pairs, with a symplectic step. Positions go to all ranks once a step. */
public final class Bodies {
  private static final int N = 1024;
  private static final double DT = 1e-5;
  private static final double SOFTENING = 0.05;

  private Bodies() {}

  /**
   * Runs one rank.
   *
   * @param args the number of steps
   */
  public static void main(String[] args) {
    Clock.time(args, Bodies::run);
  }

  private static double run(Mpi mpi, int steps, Clock clock) {
    IntraComm world = mpi.world();
    int size = world.size();
    int first = N * world.rank() / size;
    int n = N * (world.rank() + 1) / size - first;
    double[] mine = new double[3 * n];
    double[] all = new double[3 * N];
    double[] speeds = new double[3 * n];
    long[] counts = new long[size];
    long[] starts = new long[size];
    for (int r = 0; r < size; r++) {
      starts[r] = 3L * (N * r / size);
      counts[r] = 3L * (N * (r + 1) / size) - starts[r];
    }
    for (int i = 0; i < 3 * n; i++) {
      mine[i] = (double) ((3L * first + i) * 7919 % 10007) / 10007;
    }
    Buf<Double> mineBuf = Buf.of(mine);
    Buf<Double> allBuf = Buf.of(all);
    for (int s = 0; s < steps; s++) {
      clock.stepBegins();
      clock.enter();
      world.allgatherv(mineBuf, allBuf, counts, starts);
      clock.leave();
      for (int i = 0; i < n; i++) {
        accelerate(i, mine, all, speeds);
      }
      for (int i = 0; i < 3 * n; i++) {
        mine[i] += speeds[i] * DT;
      }
      clock.stepEnds();
    }
    double[] energy = new double[1];
    for (double v : speeds) {
      energy[0] += v * v;
    }
    clock.enter();
    world.allreduce(Buf.of(energy), Op.SUM);
    clock.leave();
    return energy[0];
  }

  private static void accelerate(int i, double[] mine, double[] all, double[] speeds) {
    double x = mine[3 * i];
    double y = mine[3 * i + 1];
    double z = mine[3 * i + 2];
    double ax = 0;
    double ay = 0;
    double az = 0;
    for (int j = 0; j < 3 * N; j += 3) {
      double dx = all[j] - x;
      double dy = all[j + 1] - y;
      double dz = all[j + 2] - z;
      double d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
      double w = 1 / (d2 * Math.sqrt(d2));
      ax += dx * w;
      ay += dy * w;
      az += dz * w;
    }
    speeds[3 * i] += ax * DT;
    speeds[3 * i + 1] += ay * DT;
    speeds[3 * i + 2] += az * DT;
  }
}
