// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;

public class Hello {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      System.out.println("Hello from rank " + world.rank() + " of " + world.size());
    });
  }
}
