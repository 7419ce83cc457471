// SPDX-License-Identifier: Apache-2.0
//
// 1,024 bodies that attract each other, all pairs, with a symplectic step. Positions go to all ranks once a step.
#include "app.h"

#define N 1024
#define DT 1e-5
#define SOFTENING 0.05

int main(int argc, char **argv) {
  long steps = app_begin(&argc, &argv);
  int first = (long)N * app_rank / app_size, n = (long)N * (app_rank + 1) / app_size - first;
  double *mine = app_memory(sizeof(double) * 3 * n), *all = app_memory(sizeof(double) * 3 * N);
  double *speeds = app_memory(sizeof(double) * 3 * n);
  int *counts = app_memory(sizeof(int) * app_size), *starts = app_memory(sizeof(int) * app_size);
  for (int r = 0; r < app_size; r++) {
    starts[r] = 3 * (int)((long)N * r / app_size);
    counts[r] = 3 * (int)((long)N * (r + 1) / app_size) - starts[r];
  }
  for (int i = 0; i < 3 * n; i++) mine[i] = (double)((3L * first + i) * 7919 % 10007) / 10007;
  for (long s = 0; s < steps; s++) {
    step_begin();
    enter();
    MPI_Allgatherv(mine, 3 * n, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
    leave();
    for (int i = 0; i < n; i++) {
      double x = mine[3 * i], y = mine[3 * i + 1], z = mine[3 * i + 2], ax = 0, ay = 0, az = 0;
      for (int j = 0; j < N; j++) {
        double dx = all[3 * j] - x, dy = all[3 * j + 1] - y, dz = all[3 * j + 2] - z;
        double d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
        double w = 1 / (d2 * sqrt(d2));
        ax += dx * w;
        ay += dy * w;
        az += dz * w;
      }
      speeds[3 * i] += ax * DT;
      speeds[3 * i + 1] += ay * DT;
      speeds[3 * i + 2] += az * DT;
    }
    for (int i = 0; i < 3 * n; i++) mine[i] += speeds[i] * DT;
    step_end();
  }
  double energy = 0, sum;
  for (int i = 0; i < 3 * n; i++) energy += speeds[i] * speeds[i];
  enter();
  MPI_Allreduce(&energy, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  leave();
  return app_end(sum);
}
