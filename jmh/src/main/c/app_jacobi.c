// SPDX-License-Identifier: Apache-2.0
//
// Jacobi's method for Laplace's equation on a square of 1024 x 1024 points, in blocks on a grid of ranks. The halo of a
// step are four messages out and four in; columns are a vector type.
#include "app.h"

#define N 1024

int main(int argc, char **argv) {
  long steps = app_begin(&argc, &argv);
  int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], up, down, left, right;
  MPI_Comm grid;
  MPI_Dims_create(app_size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, app_rank, 2, coords);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  int first_row = N * coords[0] / dims[0], rows = N * (coords[0] + 1) / dims[0] - first_row;
  int first_column = N * coords[1] / dims[1], columns = N * (coords[1] + 1) / dims[1] - first_column;
  int width = columns + 2;
  double *now = app_memory(sizeof(double) * (rows + 2) * width), *next = app_memory(sizeof(double) * (rows + 2) * width);
  // The square's upper edge is hot.
  if (up == MPI_PROC_NULL) for (int j = 0; j < width; j++) now[j] = next[j] = 1 + (first_column + j) % 7;
  MPI_Datatype column;
  MPI_Type_vector(rows, 1, width, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (long s = 0; s < steps; s++) {
    MPI_Request requests[8];
    step_begin();
    enter();
    MPI_Irecv(now + 1, columns, MPI_DOUBLE, up, 1, grid, &requests[0]);
    MPI_Irecv(now + (rows + 1) * width + 1, columns, MPI_DOUBLE, down, 2, grid, &requests[1]);
    MPI_Irecv(now + width, 1, column, left, 3, grid, &requests[2]);
    MPI_Irecv(now + width + columns + 1, 1, column, right, 4, grid, &requests[3]);
    MPI_Isend(now + rows * width + 1, columns, MPI_DOUBLE, down, 1, grid, &requests[4]);
    MPI_Isend(now + width + 1, columns, MPI_DOUBLE, up, 2, grid, &requests[5]);
    MPI_Isend(now + width + columns, 1, column, right, 3, grid, &requests[6]);
    MPI_Isend(now + width + 1, 1, column, left, 4, grid, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    leave();
    for (int i = 1; i <= rows; i++) {
      const double *above = now + (i - 1) * width, *here = now + i * width, *below = now + (i + 1) * width;
      double *to = next + i * width;
      for (int j = 1; j <= columns; j++) to[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
    double *swap = now;
    now = next;
    next = swap;
    step_end();
  }
  double mine = 0, sum;
  for (int i = 1; i <= rows; i++) for (int j = 1; j <= columns; j++) mine += now[i * width + j];
  enter();
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
  leave();
  return app_end(sum);
}
