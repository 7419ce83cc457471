// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;

public class Shift {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int next = (world.rank() + 1) % world.size();
      int previous = (world.rank() + world.size() - 1) % world.size();
      int[] mine = {world.rank()};
      int[] theirs = new int[1];
      world.sendrecv(Buf.of(mine), next, 0, Buf.of(theirs), previous, 0);
      System.out.println("rank " + world.rank() + " has got " + theirs[0]);
    });
  }
}
