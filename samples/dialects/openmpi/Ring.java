// SPDX-License-Identifier: Apache-2.0
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * Passes a token round all ranks, each of which adds its rank, with Open MPI's Java bindings. Needs no change to run on
 * ffmpi: mpirun --dialect openmpi -n 4 samples/dialects/openmpi/Ring.java
 */
public class Ring {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    int[] token = new int[1];
    if (rank > 0) {
      Status status = MPI.COMM_WORLD.recv(token, 1, MPI.INT, rank - 1, 0);
      token[0] += rank;
      System.out.println(
          "rank " + rank + " has added itself to what rank " + status.getSource() + " sent: " + token[0]);
    }
    MPI.COMM_WORLD.send(token, 1, MPI.INT, (rank + 1) % size, 0);
    if (rank == 0) {
      MPI.COMM_WORLD.recv(token, 1, MPI.INT, size - 1, 0);
      System.out.println("the ring of " + size + " ranks has made " + token[0]);
    }
    MPI.Finalize();
  }
}
