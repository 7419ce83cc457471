// SPDX-License-Identifier: Apache-2.0
//
// The method of conjugate gradients for a 7-point Laplacian on 96 x 96 x 96 points, as a sparse matrix by rows. Ranks
// own slabs; a step exchanges a plane with each neighbour and adds up two dot products.
#include "app.h"

#define N 96
#define PLANE (N * N)

static double dot(const double *x, const double *y, int n) {
  double mine = 0, sum;
  for (int i = 0; i < n; i++) mine += x[i] * y[i];
  enter();
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  leave();
  return sum;
}

int main(int argc, char **argv) {
  long steps = app_begin(&argc, &argv);
  int first = N * app_rank / app_size, planes = N * (app_rank + 1) / app_size - first, n = planes * PLANE;
  int below = app_rank > 0 ? app_rank - 1 : MPI_PROC_NULL, above = app_rank < app_size - 1 ? app_rank + 1 : MPI_PROC_NULL;
  int *starts = app_memory(sizeof(int) * (n + 1)), *columns = app_memory(sizeof(int) * 7 * n), entries = 0;
  double *values = app_memory(sizeof(double) * 7 * n);
  for (int row = 0; row < n; row++) {
    int z = first + row / PLANE, y = row / N % N, x = row % N, at = row + PLANE; // behind the plane of the neighbour
    starts[row] = entries;
    if (z > 0) columns[entries] = at - PLANE, values[entries++] = -1;
    if (y > 0) columns[entries] = at - N, values[entries++] = -1;
    if (x > 0) columns[entries] = at - 1, values[entries++] = -1;
    columns[entries] = at, values[entries++] = 6;
    if (x < N - 1) columns[entries] = at + 1, values[entries++] = -1;
    if (y < N - 1) columns[entries] = at + N, values[entries++] = -1;
    if (z < N - 1) columns[entries] = at + PLANE, values[entries++] = -1;
  }
  starts[n] = entries;
  double *x = app_memory(sizeof(double) * n), *r = app_memory(sizeof(double) * n), *q = app_memory(sizeof(double) * n);
  double *p = app_memory(sizeof(double) * (n + 2 * PLANE)); // with the neighbours' planes
  for (int i = 0; i < n; i++) r[i] = p[PLANE + i] = 1 + (first * PLANE + i) % 5;
  double rho = dot(r, r, n);
  for (long s = 0; s < steps; s++) {
    MPI_Request requests[4];
    step_begin();
    enter();
    MPI_Irecv(p, PLANE, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(p + PLANE + n, PLANE, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(p + n, PLANE, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(p + PLANE, PLANE, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    leave();
    for (int row = 0; row < n; row++) {
      double sum = 0;
      for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * p[columns[k]];
      q[row] = sum;
    }
    double alpha = rho / dot(p + PLANE, q, n);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[PLANE + i];
      r[i] -= alpha * q[i];
    }
    double next = dot(r, r, n), beta = next / rho;
    rho = next;
    for (int i = 0; i < n; i++) p[PLANE + i] = r[i] + beta * p[PLANE + i];
    step_end();
  }
  return app_end(sqrt(dot(x, x, n)));
}
