// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;

public class Deadlock {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int next = (world.rank() + 1) % world.size();
      int previous = (world.rank() + world.size() - 1) % world.size();
      int[] mine = {world.rank()};
      int[] theirs = new int[1];
      world.recv(theirs, previous, 0);                              // all wait for each other
      world.send(mine, next, 0);
      System.out.println("rank " + world.rank() + " has got " + theirs[0]);
    });
  }
}
