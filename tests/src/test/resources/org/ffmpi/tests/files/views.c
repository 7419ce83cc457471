// SPDX-License-Identifier: Apache-2.0
//
// Writes files through views, or reads those that another library has written. Arguments: a list of views, a folder,
// write or read, a representation. A line of the list has the displacement, the bytes of an etype, the number of
// blocks, their lengths and displacements, the extent, an offset, a number of elements and their distance in memory.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  FILE *list = fopen(argv[1], "r");
  int reads = !strcmp(argv[3], "read"), disp, width, blocks, wrong = 0, number = 0;
  while (fscanf(list, "%d%d%d", &disp, &width, &blocks) == 3) {
    int lengths[32], extent, offset, n, distance;
    MPI_Aint places[32];
    for (int b = 0; b < blocks; b++) {
      long place;
      if (fscanf(list, "%d%ld", &lengths[b], &place) != 2) return 2;
      places[b] = place;
    }
    if (fscanf(list, "%d%d%d%d", &extent, &offset, &n, &distance) != 4) return 2;
    MPI_Datatype etype = width == 1 ? MPI_BYTE : width == 4 ? MPI_INT : MPI_DOUBLE, all, filetype, element;
    MPI_Type_create_hindexed(blocks, lengths, places, etype, &all);
    MPI_Type_create_resized(all, 0, extent, &filetype);
    MPI_Type_commit(&filetype);
    MPI_Type_create_resized(etype, 0, distance, &element);
    MPI_Type_commit(&element);
    char name[1000];
    snprintf(name, sizeof name, "%s/%d", argv[2], number++);
    MPI_File file;
    MPI_Status status;
    if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file)) return 3;
    MPI_File_set_view(file, disp, etype, filetype, argv[4], MPI_INFO_NULL);
    char *buffer = calloc(1, (size_t)distance * (n + 1));
    if (reads) MPI_File_read_at(file, offset, buffer, n, element, &status);
    for (int k = 0; k < n; k++)
      for (int b = 0; b < width; b++) {
        char value = (char)((k * width + b) * 7 + number);
        if (reads) wrong += buffer[k * distance + b] != value;
        else buffer[k * distance + b] = value;
      }
    if (!reads) MPI_File_write_at(file, offset, buffer, n, element, &status);
    MPI_File_close(&file);
    free(buffer);
    MPI_Type_free(&all);
    MPI_Type_free(&filetype);
    MPI_Type_free(&element);
  }
  MPI_Finalize();
  if (wrong) printf("%d wrong bytes\n", wrong);
  return wrong ? 1 : 0;
}
