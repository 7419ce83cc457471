// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import org.ffmpi.*;

public class Overlap {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int next = (world.rank() + 1) % world.size();
      int previous = (world.rank() + world.size() - 1) % world.size();
      double[] mine = new double[100_000];
      double[] theirs = new double[100_000];
      Arrays.fill(mine, world.rank());
      double sum;
      try (Requests both = world.requests()) {
        both.irecv(theirs, previous, 0);                            // begins to receive
        both.isend(mine, next, 0);                                  // begins to send
        sum = Arrays.stream(mine).sum();                            // meanwhile
        both.await();                                               // now theirs may be read
      }
      sum += Arrays.stream(theirs).sum();
      System.out.println("rank " + world.rank() + ": " + sum);
    });
  }
}
