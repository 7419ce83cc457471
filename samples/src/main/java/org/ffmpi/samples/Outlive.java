// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Spawn;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Heat in a rod that outlives its ranks. Now and then each rank gives a copy of its part to its right neighbour. When
 * ranks die, the others make a communicator of their own, put the field together again from their parts and those
 * copies, divide it among themselves and continue from there. The result is that of a run without losses, to the last
 * bit.
 *
 * <p>{@code mpirun -n 4 --survive --sample outlive --kill} has a rank die half way; {@code --kill=2@130,0@260} has
 * rank 2 die at step 130 and rank 0 at step 260. With {@code --replace} those that are left spawn as many new ones,
 * which get their parts of the field.
 */
public final class Outlive {
  private static final int CELLS = 20_000;
  private static final int STEPS = 400;
  private static final int STEPS_PER_COPY = 50;
  private static final int TAG = 0;
  private static final String NONE_WRONG = " 0 of them wrong;";

  private static final String REPLACE = "--replace";

  private final Map<Integer, Integer> deaths;
  private final Runnable death;
  private final boolean replaces;
  private final int size;
  private final int rank;
  private IntraComm comm;

  /** This rank's part of the field, with one cell of each neighbour at the ends. */
  private double[] cells;

  private int step;

  /** This rank's part of the field when all {@link #holders} last agreed that each has its copies. */
  private double[] saved;

  private double[] copy;
  private Group holders;
  private int savedStep;

  private Outlive(IntraComm world, Map<Integer, Integer> deaths, Runnable death, boolean replaces) {
    this.replaces = replaces;
    this.size = world.size();
    this.comm = world;
    this.rank = world.rank();
    this.deaths = deaths;
    this.death = death;
    divide(initial(), 0);
  }

  /**
   * Runs one rank.
   *
   * @param args nothing, or the ranks that are to die, and whether they are replaced
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      world.setErrhandler(Errhandler.RETURN);
      String result;
      try {
        result = mpi.parent() != null
            ? rejoin(mpi.parent())
            : run(
                world, deaths(args, world.size()), () -> Runtime.getRuntime().halt(1),
                List.of(args).contains(REPLACE));
      } catch (MpiException e) {
        endWithout(world, e);
        return;
      }
      if (!result.isEmpty()) {
        System.out.println(result);
        if (!result.contains(NONE_WRONG)) {
          System.err.println("outlive: the field is not that of a run without losses");
          mpi.abort(1);
        }
      }
    });
  }

  private static void endWithout(IntraComm world, MpiException e) {
    if (e.errorClass() != ErrorClass.ERR_UNSUPPORTED_OPERATION) {
      throw e;
    }
    if (world.rank() == 0) {
      System.err.println("outlive: this job would end with its first dead rank; start it with mpirun --survive");
      world.abort(2);
    }
    world.barrier(); // rank 0 ends the job
  }

  /** Reads the step at which each rank is to die, by rank. */
  static Map<Integer, Integer> deaths(String[] args, int ranks) {
    Map<Integer, Integer> deaths = new TreeMap<>();
    for (String arg : args) {
      if (arg.equals("--kill")) {
        deaths.put(ranks / 2, STEPS / 2 + STEPS_PER_COPY / 2);
      } else if (arg.startsWith("--kill=")) {
        for (String one : arg.substring("--kill=".length()).split(",")) {
          String[] parts = one.split("@");
          deaths.put(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
      }
    }
    return deaths;
  }

  /**
   * Computes the field with as many ranks as live.
   *
   * @param death ends the calling rank
   * @param replaces whether others take the places of the dead
   * @return the sentence of the first of the surviving ranks; empty at the others
   */
  static String run(IntraComm world, Map<Integer, Integer> deaths, Runnable death, boolean replaces) {
    return new Outlive(world, deaths, death, replaces).finished();
  }

  /** Takes a dead rank's place among those that have spawned this one. */
  private static String rejoin(InterComm parent) {
    parent.setErrhandler(Errhandler.RETURN);
    Outlive rod = new Outlive(parent.merge(true), Map.of(), () -> { }, true);
    rod.share(new double[CELLS], new int[1]);
    return rod.finished();
  }

  private String finished() {
    while (step < STEPS) {
      advance();
    }
    return compare(size);
  }

  // ---- the course of things

  /** Computes until all ranks have exchanged copies, or have found that one of them is lost. */
  private void advance() {
    int target = Math.min(step + STEPS_PER_COPY, STEPS);
    double[] own = null;
    double[] left = null;
    int fine = 1;
    try {
      while (step < target) {
        if (deaths.getOrDefault(rank, -1) == step) {
          death.run();
        }
        exchangeBorders();
        compute();
        step++;
      }
      own = Arrays.copyOfRange(cells, 1, cells.length - 1);
      left = new double[length(leftOf(comm.rank()))];
      int right = (comm.rank() + 1) % comm.size();
      comm.sendrecv(Buf.of(own), right, TAG, Buf.of(left), leftOf(comm.rank()), TAG);
    } catch (MpiException e) {
      revoke(e);
      fine = 0;
    }
    // Each rank comes here once for each round, also after an error, and all get the same answer.
    if (agree(fine)) {
      save(own, left);
    } else {
      recover();
    }
  }

  /** Ends the others' waiting, too, when a rank is lost. */
  private void revoke(MpiException e) {
    if (e.errorClass() != ErrorClass.ERR_PROC_FAILED && e.errorClass() != ErrorClass.ERR_REVOKED) {
      throw e;
    }
    comm.revoke();
  }

  private boolean agree(int fine) {
    try {
      return comm.agree(fine) == 1;
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_PROC_FAILED) {
        throw e;
      }
      return false;
    }
  }

  /** Continues with the ranks that are left. Others may be lost meanwhile. */
  private void recover() {
    int fine;
    double[] field = null;
    do {
      comm = comm.shrink();
      fine = 1;
      try {
        field = restored();
      } catch (MpiException e) {
        revoke(e);
        fine = 0;
      }
    } while (!agree(fine));
    int[] atStep = {isLost() ? 0 : savedStep};
    int missing = size - comm.size();
    if (replaces && missing > 0) {
      InterComm fresh = comm.spawn(Spawn.of(Outlive.class.getName(), REPLACE).processes(missing));
      comm = fresh.merge(false);
      share(field, atStep);
    } else {
      divide(field, atStep[0]);
    }
  }

  /** Gives the field of those who have lived to those who are new. */
  private void share(double[] field, int[] atStep) {
    comm.bcast(Buf.of(atStep), 0);
    comm.bcast(Buf.of(field), 0);
    divide(field, atStep[0]);
  }

  // ---- the field

  /** Makes this rank's part of a field, and the copy of its neighbour's, which all ranks do alike. */
  private void divide(double[] field, int atStep) {
    int first = first(comm.rank());
    cells = new double[length(comm.rank()) + 2];
    System.arraycopy(field, first, cells, 1, cells.length - 2);
    step = atStep;
    int left = leftOf(comm.rank());
    save(Arrays.copyOfRange(cells, 1, cells.length - 1), Arrays.copyOfRange(field, first(left), first(left + 1)));
  }

  private void save(double[] own, double[] left) {
    saved = own;
    copy = left;
    holders = comm.group();
    savedStep = step;
  }

  /** Puts the field together from the parts of the surviving ranks; starts anew when no rank holds some part of it. */
  private double[] restored() {
    if (isLost()) {
      return initial();
    }
    double[] field = new double[CELLS];
    int size = holders.size();
    int own = holders.rank();
    System.arraycopy(saved, 0, field, CELLS / size * own + Math.min(own, CELLS % size), saved.length);
    int left = (own + size - 1) % size;
    if (isDead(left)) {
      System.arraycopy(copy, 0, field, CELLS / size * left + Math.min(left, CELLS % size), copy.length);
    }
    comm.allreduce(Buf.of(field), Op.SUM);
    return field;
  }

  /** Returns whether a rank is lost together with the one that held its copy. */
  private boolean isLost() {
    for (int r = 0; r < holders.size(); r++) {
      if (isDead(r) && isDead((r + 1) % holders.size())) {
        return true;
      }
    }
    return false;
  }

  private boolean isDead(int holder) {
    return holders.translateRanks(new int[] {holder}, comm.group())[0] == Constants.UNDEFINED;
  }

  private int first(int ofRank) {
    return CELLS / comm.size() * ofRank + Math.min(ofRank, CELLS % comm.size());
  }

  private int length(int ofRank) {
    return first(ofRank + 1) - first(ofRank);
  }

  private int leftOf(int ofRank) {
    return (ofRank + comm.size() - 1) % comm.size();
  }

  private static double[] initial() {
    double[] field = new double[CELLS];
    for (int i = 0; i < CELLS; i++) {
      field[i] = i % 1000 < 100 ? 100 : i % 7;
    }
    return field;
  }

  private void exchangeBorders() {
    int last = cells.length - 1;
    int left = comm.rank() == 0 ? Constants.PROC_NULL : comm.rank() - 1;
    int right = comm.rank() == comm.size() - 1 ? Constants.PROC_NULL : comm.rank() + 1;
    double[] border = new double[1];
    comm.sendrecv(Buf.of(new double[] {cells[1]}), left, TAG, Buf.of(border), right, TAG);
    cells[last] = border[0];
    border[0] = 0;
    comm.sendrecv(Buf.of(new double[] {cells[last - 1]}), right, TAG, Buf.of(border), left, TAG);
    cells[0] = border[0];
  }

  private void compute() {
    cells = next(cells);
  }

  /** Computes the next state of all cells but the first and the last. */
  private static double[] next(double[] now) {
    double[] then = new double[now.length];
    for (int i = 1; i < now.length - 1; i++) {
      then[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    }
    return then;
  }

  /** Compares with the computation of one rank alone. */
  private String compare(int ranksAtFirst) {
    double[] alone = new double[CELLS + 2];
    System.arraycopy(initial(), 0, alone, 1, CELLS);
    for (int s = 0; s < STEPS; s++) {
      alone = next(alone);
    }
    int first = first(comm.rank());
    int[] wrong = {0};
    for (int i = 0; i < saved.length; i++) {
      wrong[0] += saved[i] == alone[first + i + 1] ? 0 : 1;
    }
    comm.allreduce(Buf.of(wrong), Op.SUM);
    return comm.rank() != 0
        ? ""
        : CELLS + " cells after " + STEPS + " steps, " + wrong[0] + " of them wrong; " + comm.size() + " of "
            + ranksAtFirst + " ranks are left";
  }
}
