// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of flight recordings, against the calls that the test makes. */
@Timeout(120)
class FlightRecordingTest {
  private static final long LATE_MILLIS = 60;

  @TempDir
  private Path folder;

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name, int rank) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals(name) && e.getInt("rank") == rank)
        .toList();
  }

  @Test
  void everyCallIsAnEventWithItsFacts() throws Exception {
    Map<String, String> settings =
        Map.of("ffmpi.jfr", folder.toString(), "ffmpi.jfr.detail", "all", "ffmpi.window", "message");
    Mpi.runThreads(2, settings, mpi -> {
      IntraComm world = mpi.world();
      int other = 1 - world.rank();
      if (world.rank() == 0) {
        world.send(new double[50], 1, 4);
      } else {
        world.recv(new double[50], 0, 4);
      }
      var receive = world.irecv(new byte[8], other, 9);
      world.isend(new byte[8], other, 9).await();
      receive.await();
      world.sendrecv(Buf.of(new short[3]), other, 8, Buf.of(new short[3]), other, 8);
      world.barrier();
      if (world.rank() == 1) {
        Thread.sleep(LATE_MILLIS);
      }
      world.allreduce(new int[] {1}, Op.SUM);
      try (Win win = world.winAllocate(8, 8)) {
        win.fence();
        win.put(Buf.of(new long[1]), other, 0);
        win.fence();
      }
    });
    Path file = folder.resolve("ranks-0-1.jfr");
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    RecordedEvent sent = named(events, "ffmpi.Message", 0).stream()
        .filter(e -> e.getString("call").equals("send")).findFirst().orElseThrow();
    assertEquals(400, sent.getLong("bytes"));
    assertEquals(1, sent.getInt("peer"));
    assertEquals(4, sent.getInt("tag"));
    assertEquals("eager", sent.getString("protocol"));
    List<String> received = named(events, "ffmpi.Message", 1).stream()
        .map(e -> e.getString("call") + " " + e.getInt("peer") + " " + e.getLong("bytes")).toList();
    assertEquals(List.of("recv 0 400", "isend 0 8", "irecv 0 8", "send 0 6", "recv 0 6"), received);
    RecordedEvent reduction = named(events, "ffmpi.Collective", 0).stream()
        .filter(e -> e.getString("operation").equals("allreduce")).findFirst().orElseThrow();
    assertEquals(1, reduction.getInt("slowest"));
    assertTrue(reduction.getDuration("waited").toMillis() >= LATE_MILLIS / 2, reduction::toString);
    assertEquals(4, reduction.getLong("bytes"));
    assertFalse(reduction.getString("algorithm").isEmpty());
    List<String> epochs = named(events, "ffmpi.WindowEpoch", 1).stream().map(e -> e.getString("call")).toList();
    assertEquals(List.of("fence", "fence", "close"), epochs);
    assertFalse(Files.exists(folder.resolve("rank-0.jfr")));
  }

  @Test
  void theEndOfTheJobIsADeath() throws Exception {
    try {
      Mpi.runThreads(2, Map.of("ffmpi.jfr", folder.toString(), "ffmpi.errors", "return"), mpi -> {
        if (mpi.world().rank() == 1) {
          mpi.world().abort(3);
        }
        mpi.world().recv(new int[1], 1, 0);
      });
    } catch (RuntimeException expected) {
      // of both ranks
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(folder.resolve("ranks-0-1.jfr"));
    List<RecordedEvent> deaths = named(events, "ffmpi.Death", 0);
    assertFalse(deaths.isEmpty());
    assertTrue(deaths.getFirst().getString("reason").contains("abort"), deaths::toString);
  }
}
