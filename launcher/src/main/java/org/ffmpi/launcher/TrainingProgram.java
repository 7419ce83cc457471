// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;

/**
 * The program that the library's start-up cache is trained with: each kind of call that programs are likely to begin
 * with, once. It lies in the launcher because the cache serves all programs and must not hold a class of one.
 */
final class TrainingProgram {
  private static final int ELEMENTS = 1024;

  private TrainingProgram() {}

  /**
   * Runs as one of the ranks.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) {
    Mpi.run(arguments, mpi -> body(mpi.world()));
  }

  private static void body(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    double[] mine = new double[ELEMENTS];
    double[] theirs = new double[ELEMENTS];
    Request sent = world.isend(mine, next, 0);
    world.recv(theirs, previous, 0);
    sent.await();
    int[] token = {world.rank()};
    Request received = world.irecv(new int[1], previous, 1);
    world.send(token, next, 1);
    received.await();
    world.barrier();
    world.bcast(Buf.of(mine), 0);
    world.allreduce(Buf.of(mine), Buf.of(theirs), Op.SUM);
    System.out.printf("rank %d of %d%n", world.rank(), world.size());
  }
}
