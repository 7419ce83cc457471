// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.ffmpi.tests.survive.Survivable.assertFails;
import static org.ffmpi.tests.survive.Survivable.die;
import static org.ffmpi.tests.survive.Survivable.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiExecutor;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks of an executor run again when the worker that had them has died. */
class ExecutorSurvivalTest {
  private static final int TASK = 1;

  /** Threads that have run a task; they serve the pool, and have all made its communicator. */
  private static final Set<Thread> SERVING = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void nobodyServes() {
    SERVING.clear();
  }

  /** Serves as a worker does, but dies of its first task, once so many have served. */
  private static void dieOfATask(IntraComm world, int serving) {
    IntraComm pool = world.dup();
    pool.barrier();
    SERVING.add(Thread.currentThread());
    pool.recvObject(0, TASK);
    while (SERVING.size() < serving) {
      Thread.onSpinWait();
    }
    die();
  }

  private static int next(int i) {
    SERVING.add(Thread.currentThread());
    return i + 1;
  }

  @Test
  void tasksOfADeadWorkerRunOnOthers() {
    run(4, 1, world -> {
      if (world.rank() == 2) {
        dieOfATask(world, 3);
      }
      MpiExecutor.run(world, pool -> {
        List<Integer> all = pool.map(i -> next(i), IntStream.range(0, 50).boxed()).toList();
        assertEquals(IntStream.rangeClosed(1, 50).boxed().toList(), all);
        assertEquals(2, pool.progress().workers());
      });
    });
  }

  @Test
  void theMasterIsTheLastWorker() {
    run(3, 2, world -> {
      if (world.rank() > 0) {
        dieOfATask(world, 2);
      }
      MpiExecutor.run(world, pool -> {
        assertEquals(List.of(1, 2, 3), pool.map(i -> next(i), IntStream.range(0, 3).boxed()).toList());
        assertEquals(0, pool.progress().workers());
      });
    });
  }

  @Test
  void aTaskThatKillsWorkersFails() {
    run(4, 3, world -> {
      if (world.rank() > 0) {
        dieOfATask(world, 3);
      }
      MpiExecutor.run(world, pool -> {
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> pool.submit(() -> 1).get());
        MpiException e = assertInstanceOf(MpiException.class, thrown.getCause());
        assertEquals(ErrorClass.ERR_PROC_FAILED, e.errorClass());
        assertEquals(2, pool.submit(() -> 2).get());
      });
    });
  }

  @Test
  void workersOfADeadMasterFail() {
    run(3, 1, world -> {
      if (world.rank() == 0) {
        world.dup().barrier();
        SERVING.add(Thread.currentThread());
        die();
      }
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> MpiExecutor.run(world, pool -> { }));
    });
  }
}
