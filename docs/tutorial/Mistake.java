// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;

public class Mistake {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        world.send(new double[] {1, 2, 3}, 1, 0);
      } else if (world.rank() == 1) {
        long[] numbers = new long[3];                               // should be double[]
        world.recv(numbers, 0, 0);
        System.out.println(numbers[0]);
      }
    });
  }
}
