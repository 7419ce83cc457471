// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ValueRequest;
import org.ffmpi.base.Constants;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Threads;

/** Objects sent and received by several threads of a rank, and by a progress thread. */
class ObjectThreadsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 24;

  @MpiTest(ranks = 2)
  void eachThreadGetsItsOwnObjects(IntraComm world) throws Throwable {
    int peer = 1 - world.rank();
    Threads.run(Thread.ofPlatform().daemon(), THREADS, tag -> {
      for (int i = 0; i < ROUNDS; i++) {
        Request sending = world.isendObject(Particle.of(tag * ROUNDS + i, 200 * (i % 4)), peer, tag);
        Particle received = i % 2 == 0
            ? world.recvObject(peer, tag)
            : world.<Particle>irecvObject(peer, tag).awaitValue();
        assertEquals(Particle.of(tag * ROUNDS + i, 200 * (i % 4)), received);
        sending.await();
      }
    });
  }

  @MpiTest(ranks = 2)
  void anyThreadTakesAnyObject(IntraComm world) throws Throwable {
    if (world.rank() == 0) {
      Threads.run(Thread.ofPlatform().daemon(), THREADS, tag -> {
        for (int i = 0; i < ROUNDS; i++) {
          world.sendObject(Particle.of(i, 100 * (i % 5)), 1, tag);
        }
      });
    } else {
      Threads.run(Thread.ofPlatform().daemon(), THREADS, ignored -> {
        for (int i = 0; i < ROUNDS; i++) {
          Particle p = world.recvObject(0, Constants.ANY_TAG);
          assertEquals(Particle.of(p.number(), 100 * (p.number() % 5)), p);
        }
      });
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.progress=thread")
  void theProgressThreadReceivesParts(Mpi mpi) throws Exception {
    IntraComm world = mpi.world();
    if (world.rank() == 0) {
      ValueRequest<List<double[]>> request = world.irecvObject(1, 0);
      Status status = request.toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertEquals(1, status.source());
      assertTrue(status.bytes() > 8 * 60_000, "" + status);
      assertEquals(50_000, request.awaitValue().getLast().length);
    } else {
      world.sendObject(List.of(new double[10_000], new double[50_000]), 0, 0);
    }
  }
}
