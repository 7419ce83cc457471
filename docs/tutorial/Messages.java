// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;
import org.ffmpi.datatype.*;

public class Messages {
  static final int QUESTION = 1;
  static final int ANSWER = 2;

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        for (int r = 1; r < world.size(); r++) {
          world.send(new double[] {r, 10 * r}, r, QUESTION);
        }
        double[] sum = new double[1];
        Status status = new Status();
        for (int r = 1; r < world.size(); r++) {
          world.recv(sum, Mpi.ANY_SOURCE, ANSWER, status);          // from whoever is first
          System.out.println("rank " + status.source() + " answers " + sum[0]);
        }
      } else {
        double[] numbers = new double[100];                         // room for more than will come
        Status status = world.recv(numbers, 0, QUESTION, new Status());
        double sum = 0;
        for (int i = 0; i < status.getCount(Datatype.DOUBLE); i++) {
          sum += numbers[i];
        }
        world.send(new double[] {sum}, 0, ANSWER);
      }
    });
  }
}
