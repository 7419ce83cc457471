// SPDX-License-Identifier: Apache-2.0
import java.io.Serializable;
import mpi.MPI;
import mpi.Status;

/**
 * Passes an object round all ranks, each of which writes its name on it, with MPJ Express. Needs no change to run on
 * ffmpi: mpirun --dialect mpj -n 4 samples/dialects/mpj/Ring.java
 */
public class Ring {
  /** The message that goes round. */
  static class Card implements Serializable {
    private static final long serialVersionUID = 1;

    String names = "";
  }

  public static void main(String[] args) {
    String[] own = MPI.Init(args); // args[0..2] are rank, number of ranks and device
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    Object[] card = {new Card()};
    if (rank > 0) {
      Status status = MPI.COMM_WORLD.Recv(card, 0, 1, MPI.OBJECT, rank - 1, 0);
      System.out.println("rank " + args[0] + " has got the card from rank " + status.source);
    }
    ((Card) card[0]).names += (own.length > 0 ? own[0] : "rank ") + rank + " ";
    MPI.COMM_WORLD.Send(card, 0, 1, MPI.OBJECT, (rank + 1) % size, 0);
    if (rank == 0) {
      MPI.COMM_WORLD.Recv(card, 0, 1, MPI.OBJECT, size - 1, 0);
      System.out.println("the card of " + size + " ranks: " + ((Card) card[0]).names.strip());
    }
    MPI.Finalize();
  }
}
