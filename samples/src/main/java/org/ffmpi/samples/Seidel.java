// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.Locale;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.Console;

/**
 * The steady temperature of a triangular plate, by the method of Gauss and Seidel. A program that is slow as it was
 * first written, with the cures as options: docs/guide/where-does-the-time-go.md finds them.
 *
 * <p>Each sweep needs new temperatures of the row above and old ones of the row below, so that the ranks work one
 * behind the other, as a pipeline. A rank that sends its first row at the end of its sweep stops the rank above until
 * then; and as rows get longer, equal numbers of rows are unequal work.
 */
public final class Seidel {
  private static final String USAGE =
      """
      usage: seidel [--rows N] [--sweeps N] [--send late|early] [--parts rows|cells]

        --rows      rows of the plate, of 1, 2, 3, ... cells; default 1500
        --sweeps    how often each cell is computed; default 200
        --send      late: a rank sends its first row when its sweep is over; early: when the row is done; default late
        --parts     rows: all ranks have as many rows; cells: as many cells; default rows
      """;

  private static final int LARGEST = 20_000;
  private static final int UPWARDS = 0;
  private static final int DOWNWARDS = 1;

  /**
   * The options of the program.
   *
   * @param rows rows of the plate
   * @param sweeps how often each cell is computed
   * @param early whether the first row is sent when it is done
   * @param equalCells whether all ranks have as many cells, not as many rows
   */
  record Options(int rows, int sweeps, boolean early, boolean equalCells) {
    static Options parse(Arguments arguments, int ranks) {
      Options options = new Options(
          arguments.number("--rows", 1500, 1, LARGEST), arguments.number("--sweeps", 200, 1, 1_000_000),
          isSecond(arguments, "--send", "late", "early"), isSecond(arguments, "--parts", "rows", "cells"));
      if (options.rows < 2 * ranks * ranks) {
        throw new IllegalArgumentException("--rows " + options.rows + ": at least " + 2 * ranks * ranks
            + " are needed by " + ranks + " ranks, so that each has a row");
      }
      return options;
    }

    private static boolean isSecond(Arguments arguments, String option, String first, String second) {
      String value = arguments.text(option, first);
      if (!value.equals(first) && !value.equals(second)) {
        throw new IllegalArgumentException(option + " " + value + ": " + first + " and " + second + " are allowed");
      }
      return value.equals(second);
    }
  }

  private final IntraComm comm;
  private final Options options;
  private final int first;
  /** This rank's rows between one of the rank above and one of the rank below, or of the edge. */
  private final double[][] rows;

  /** Creates this rank's part of the plate, all of it at temperature 0. */
  Seidel(IntraComm comm, Options options) {
    this.comm = comm;
    this.options = options;
    this.first = firstRow(comm.rank());
    this.rows = new double[firstRow(comm.rank() + 1) - first + 2][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[Math.max(0, first + i)];
    }
    if (comm.rank() == comm.size() - 1) {
      Arrays.setAll(rows[rows.length - 1], j -> edge(options.rows(), j));
    }
  }

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      Console console = new Console("seidel", world);
      Options options = console.options(USAGE, args, words -> Options.parse(words, world.size()));
      if (options != null) {
        Seidel plate = new Seidel(world, options);
        double before = plate.error();
        double start = Mpi.wtime();
        plate.run();
        double after = plate.error();
        console.print("seidel: %,d rows, %,d sweeps, %d ranks%n", options.rows(), options.sweeps(), world.size());
        console.print("error  %.6f, at first %.6f%n", after, before);
        console.print("time   %.3f s%n", Mpi.wtime() - start);
        console.check(after < before, "the error has not become smaller");
      }
    });
  }

  /** Returns the first row of a rank. */
  private int firstRow(int rank) {
    double part = (double) rank / comm.size();
    return (int) Math.round(options.rows() * (options.equalCells() ? Math.sqrt(part) : part));
  }

  /** Makes all sweeps. */
  void run() {
    int above = comm.rank() - 1;
    int below = comm.rank() + 1 < comm.size() ? comm.rank() + 1 : -1;
    int last = rows.length - 2;
    for (int sweep = 0; sweep < options.sweeps(); sweep++) {
      if (below >= 0 && sweep > 0) {
        comm.recv(rows[last + 1], below, UPWARDS);
      }
      if (above >= 0) {
        comm.recv(rows[0], above, DOWNWARDS);
      }
      compute(1);
      if (above >= 0 && options.early()) {
        sendUp(above, sweep);
      }
      for (int i = 2; i <= last; i++) {
        compute(i);
      }
      if (below >= 0) {
        comm.send(rows[last], below, DOWNWARDS);
      }
      if (above >= 0 && !options.early()) {
        sendUp(above, sweep);
      }
    }
  }

  private void sendUp(int above, int sweep) {
    if (sweep + 1 < options.sweeps()) {
      comm.send(rows[1], above, UPWARDS);
    }
  }

  /** Computes the cells of a row from left to right, each as the mean of its four neighbours. */
  private void compute(int i) {
    int row = first + i - 1;
    double[] own = rows[i];
    double[] above = rows[i - 1];
    double[] below = rows[i + 1];
    double left = edge(row, -1);
    for (int j = 0; j <= row; j++) {
      double right = j < row ? own[j + 1] : edge(row, j + 1);
      double up = j < row ? above[j] : edge(row - 1, j);
      left = 0.25 * (left + right + up + below[j]);
      own[j] = left;
    }
  }

  /** Returns the temperature round the plate, which is also the steady one within: it rises evenly. */
  private static double edge(int row, int column) {
    return 0.001 * (row + 2 * column);
  }

  /** Returns how far the temperatures are from the steady ones, on average over the plate; the same at all ranks. */
  double error() {
    double[] error = {0};
    for (int i = 1; i < rows.length - 1; i++) {
      for (int j = 0; j < rows[i].length; j++) {
        error[0] += Math.abs(rows[i][j] - edge(first + i - 1, j));
      }
    }
    comm.allreduce(error, Op.SUM);
    return error[0] * 2 / options.rows() / (options.rows() + 1);
  }

  /** Describes the part of the plate for messages. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "rows %d to %d of %d", first, first + rows.length - 3, options.rows());
  }
}
