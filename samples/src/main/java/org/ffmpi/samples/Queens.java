// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;

/**
 * Counts the ways to place queens on a board so that none attacks another. Rank 0 sends tasks as records to workers
 * that answer with records; null ends the work.
 */
public final class Queens {
  private static final int MANAGER = 0;
  private static final int TAG = 0;

  private Queens() {}

  /**
   * A task for a worker.
   *
   * @param size rows and columns of the board
   * @param columns where the queens of the first rows are
   */
  record Task(int size, List<Integer> columns) implements Serializable {}

  /**
   * The result of a task.
   *
   * @param task the task
   * @param ways number of ways to place the other queens
   */
  record Result(Task task, long ways) implements Serializable {}

  /**
   * Runs one rank.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      if (world.size() < 2) {
        System.err.println("queens: there are no workers; start it with two ranks or more");
        mpi.abort(2);
      }
      long ways = count(world, 12);
      int done = world.gatherObjects(world.rank() + " of " + world.size(), MANAGER).size();
      if (world.rank() == MANAGER) {
        System.out.printf("%d ways to place 12 queens, found by %d workers%n", ways, done - 1);
      }
    });
  }

  /** Returns the number of ways at all ranks, which call this together. */
  static long count(IntraComm world, int size) {
    if (world.rank() != MANAGER) {
      Task task;
      while ((task = world.recvObject(MANAGER, TAG)) != null) {
        world.sendObject(new Result(task, ways(task.size(), task.columns())), MANAGER, TAG);
      }
      return world.bcastObject(null, MANAGER);
    }
    return world.bcastObject(handOut(world, tasks(size)), MANAGER);
  }

  /** Sends a task to each worker, then one for each result. */
  private static long handOut(IntraComm world, Queue<Task> tasks) {
    long ways = 0;
    int working = 0;
    for (int worker = 1; worker < world.size(); worker++) {
      working += tasks.isEmpty() ? 0 : 1;
      world.sendObject(tasks.poll(), worker, TAG);
    }
    Status status = new Status();
    while (working > 0) {
      Result result = world.recvObject(Constants.ANY_SOURCE, TAG, status);
      ways += result.ways();
      working -= tasks.isEmpty() ? 1 : 0;
      world.sendObject(tasks.poll(), status.source(), TAG);
    }
    return ways;
  }

  private static Queue<Task> tasks(int size) {
    Queue<Task> tasks = new ArrayDeque<>();
    for (int first = 0; first < size; first++) {
      for (int second = 0; second < size; second++) {
        if (isFree(List.of(first), second)) {
          tasks.add(new Task(size, List.of(first, second)));
        }
      }
    }
    return tasks;
  }

  private static boolean isFree(List<Integer> columns, int column) {
    for (int row = 0; row < columns.size(); row++) {
      if (columns.get(row) == column || Math.abs(columns.get(row) - column) == columns.size() - row) {
        return false;
      }
    }
    return true;
  }

  private static long ways(int size, List<Integer> columns) {
    if (columns.size() == size) {
      return 1;
    }
    long ways = 0;
    for (int column = 0; column < size; column++) {
      if (isFree(columns, column)) {
        List<Integer> more = new ArrayList<>(columns);
        more.add(column);
        ways += ways(size, more);
      }
    }
    return ways;
  }
}
