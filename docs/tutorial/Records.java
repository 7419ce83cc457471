// SPDX-License-Identifier: Apache-2.0
import org.ffmpi.*;

public class Records {
  record Body(int owner, double mass, double x) {
    Body heavier(Body other) {
      return other.mass > mass ? other : this;
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int rank = world.rank();
      Body mine = new Body(rank, 10 + rank * (3 - rank), 0.5 * rank);
      Body[] all = new Body[world.size()];
      world.gather(Buf.of(new Body[] {mine}), Buf.of(all), 0);
      Body[] heaviest = {mine};
      world.allreduce(Buf.of(heaviest), Op.ordered(Body.class, Body::heavier));
      if (rank == 0) {
        for (Body body : all) {
          System.out.println(body);
        }
        System.out.println("heaviest: " + heaviest[0]);
      }
    });
  }
}
