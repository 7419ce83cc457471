// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import org.ffmpi.*;
import org.ffmpi.datatype.*;

public class Column {
  static final int ROWS = 4;
  static final int COLUMNS = 6;

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        double[] matrix = new double[ROWS * COLUMNS];               // element (i, j) at i * COLUMNS + j
        for (int i = 0; i < ROWS; i++) {
          for (int j = 0; j < COLUMNS; j++) {
            matrix[i * COLUMNS + j] = 10 * i + j;
          }
        }
        Datatype<Double> column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE).commit();
        world.send(Buf.of(matrix, 2 * Double.BYTES, 1, column), 1, 0);       // column 2, from byte 16 on
      } else if (world.rank() == 1) {
        double[] numbers = new double[ROWS];
        world.recv(numbers, 0, 0);                                  // the same numbers, side by side
        System.out.println(Arrays.toString(numbers));
      }
    });
  }
}
