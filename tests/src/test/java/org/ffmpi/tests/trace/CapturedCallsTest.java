// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.trace.TraceFolder;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;
import org.ffmpi.trace.model.TracedGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the recordings of ranks as threads hold, against the calls that the test makes. */
@Timeout(120)
class CapturedCallsTest {
  @TempDir
  private Path folder;

  private JobRecording record(int ranks, Map<String, String> more, Mpi.Body body) throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("ffmpi.trace.folder", folder.toString());
    Mpi.runThreads(ranks, settings, body);
    return TraceFolder.read(folder, "test", JobRecording.UNKNOWN);
  }

  private static List<TracedCall> calls(JobRecording job, int rank) {
    RankRecording recording = job.ranks().get(rank);
    assertEquals(rank, recording.rank());
    assertTrue(recording.ended());
    assertTrue(recording.calls().stream().allMatch(TracedCall::isFinished), recording::toString);
    return recording.calls().stream().filter(c -> c.kind() != CallKind.INIT && c.kind() != CallKind.FINALIZE).toList();
  }

  private static Map<String, Long> counts(List<TracedCall> calls) {
    return calls.stream().collect(Collectors.groupingBy(TracedCall::name, TreeMap::new, Collectors.counting()));
  }

  private static List<TracedCall> named(List<TracedCall> calls, String name) {
    return calls.stream().filter(call -> call.name().equals(name)).toList();
  }

  @Test
  void messagesAreCountedExactlyWithTheirArgumentsAndLines() throws Exception {
    JobRecording job = record(2, Map.of(), mpi -> {
      IntraComm world = mpi.world();
      double[] data = new double[10];
      int other = 1 - world.rank();
      for (int i = 0; i < 300; i++) {
        if (world.rank() == 0) {
          world.send(data, 1, i % 3);
        } else {
          world.recv(data, Constants.ANY_SOURCE, Constants.ANY_TAG);
        }
      }
      Request receive = world.irecv(new byte[100], Constants.ANY_SOURCE, 5);
      Request send = world.isend(new byte[other == 0 ? 7 : 9], other, 5);
      receive.await();
      send.await();
      world.sendrecv(Buf.of(new int[3]), other, 6, Buf.of(new int[3]), other, 6);
    });
    List<TracedCall> all = calls(job, 1);
    assertEquals(1, all.stream().filter(call -> call.tag() == 6 && call.name().endsWith("send")).count());
    List<TracedCall> first = calls(job, 0).stream().filter(call -> call.tag() != 6).toList();
    List<TracedCall> second = all.stream().filter(call -> call.tag() != 6).toList();
    assertEquals(300, named(first, "send").size());
    assertEquals(300, named(second, "recv").size());
    for (TracedCall send : named(first, "send")) {
      assertEquals(80, send.bytes());
      assertEquals(1, send.peer());
      assertEquals(0, send.comm());
      assertEquals("inline", send.how());
    }
    List<Integer> tags = named(second, "recv").stream().map(call -> call.completed().getFirst().tag()).toList();
    for (int i = 0; i < 300; i++) {
      assertEquals(i % 3, tags.get(i));
      assertEquals(i % 3, named(first, "send").get(i).tag());
    }
    assertEquals(1, named(first, "send").stream().map(TracedCall::site).distinct().count());
    assertTrue(first.stream().allMatch(c -> c.site().matches("CapturedCallsTest\\.java:\\d+")), first::toString);
    TracedCall receive = named(second, "irecv").getFirst();
    assertTrue(receive.request() > 0);
    CompletedRequest completed = second.stream()
        .filter(call -> call.kind() == CallKind.WAIT)
        .flatMap(call -> call.completed().stream())
        .filter(one -> one.request() == receive.request())
        .findFirst().orElseThrow();
    assertEquals(new CompletedRequest(receive.request(), 0, 5, 9, false), completed);
  }

  @Test
  void synchronousSendsHaveTheirNames() throws Exception {
    JobRecording job = record(2, Map.of(), mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        world.ssend(new int[4], 1, 1);
        world.send(new int[4], 1, 1);
        world.issend(new int[4], 1, 1).await();
      } else {
        for (int i = 0; i < 3; i++) {
          world.recv(new int[4], 0, 1);
        }
      }
    });
    List<String> sends = calls(job, 0).stream().map(TracedCall::name).filter(name -> name.endsWith("send")).toList();
    assertEquals(List.of("ssend", "send", "issend"), sends);
  }

  @Test
  void probesMatchedMessagesAndObjectsAppearAsWhatTheyAre() throws Exception {
    JobRecording job = record(2, Map.of(), mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        world.send(new int[4], 1, 1);
        world.send(new int[5], 1, 2);
        world.sendObject(new ArrayList<>(List.of("a", "b")), 1, 3);
      } else {
        world.probe(0, 1);
        world.recv(new int[4], 0, 1);
        Message message = world.mprobe(0, 2);
        message.mrecv(Buf.of(new int[5]));
        world.recvObject(0, 3);
      }
    });
    assertEquals(Map.of("send", 3L), counts(calls(job, 0)));
    List<TracedCall> receiver = calls(job, 1);
    TracedCall probe = named(receiver, "probe").getFirst();
    assertEquals(List.of(new CompletedRequest(0, 0, 1, 16, false)), probe.completed());
    TracedCall match = named(receiver, "mprobe").getFirst();
    assertEquals(20, match.completed().getFirst().bytes());
    assertEquals(match.request(), named(receiver, "mrecv").getFirst().request());
    assertEquals(2, named(receiver, "recv").size());
  }

  @Test
  void collectiveCallsHaveTheSameNumbersOnAllRanks() throws Exception {
    JobRecording job = record(3, Map.of(), mpi -> {
      IntraComm world = mpi.world();
      for (int i = 0; i < 40; i++) {
        world.allreduce(new double[] {i}, Op.SUM);
      }
      world.bcast(Buf.of(new long[8]), 2);
      world.ibarrier().await();
      try (Persistent persistent = world.allreduceInit(new int[2], Op.MAX)) {
        for (int i = 0; i < 3; i++) {
          persistent.start();
          persistent.await();
        }
      }
    });
    for (int rank = 0; rank < 3; rank++) {
      List<TracedCall> calls = calls(job, rank);
      List<TracedCall> reductions = named(calls, "allreduce");
      assertEquals(43, reductions.size());
      for (int i = 0; i < 40; i++) {
        assertEquals(i, reductions.get(i).sequence());
        assertEquals(8, reductions.get(i).bytes());
        assertFalse(reductions.get(i).how().isEmpty());
      }
      assertEquals(List.of(0L, 1L, 2L), reductions.subList(40, 43).stream().map(TracedCall::sequence).toList());
      assertEquals(2, named(calls, "bcast").getFirst().peer());
      assertEquals(64, named(calls, "bcast").getFirst().bytes());
      assertEquals(1, named(calls, "barrier").size());
      TracedGroup world = job.ranks().get(rank).groups().stream()
          .filter(group -> group.comm() == 0).findFirst().orElseThrow();
      assertEquals(List.of(0, 1, 2), world.members());
    }
  }

  @Test
  void windowsAndFilesShowTheirCallsAndNotWhatTheseConsistOf() throws Exception {
    Path file = folder.resolve("data.bin");
    JobRecording job = record(2, Map.of("ffmpi.window", "message"), mpi -> {
      IntraComm world = mpi.world();
      int other = 1 - world.rank();
      try (Win win = world.winAllocate(80, 8)) {
        win.fence();
        win.put(Buf.of(new double[10]), other, 0);
        win.fence();
        try (Epoch _ = win.lock(LockType.SHARED, other)) {
          win.get(Buf.of(new double[5]), other, 0);
          win.flush(other);
        }
      }
      try (MpiFile open = world.open(file, Constants.MODE_RDWR | Constants.MODE_CREATE)) {
        open.writeAtAll(world.rank() * 16L, Buf.of(new double[2]));
        open.iread(Buf.of(new double[1])).await();
      }
    });
    for (int rank = 0; rank < 2; rank++) {
      List<TracedCall> calls = calls(job, rank);
      List<String> onWindow = calls.stream().filter(c -> c.kind() == CallKind.WINDOW).map(TracedCall::name).toList();
      assertEquals(List.of("fence", "put", "fence", "lock", "get", "flush", "unlock", "close"), onWindow);
      TracedCall put = named(calls, "put").getFirst();
      assertEquals(80, put.bytes());
      assertEquals(1 - rank, put.peer());
      List<String> onFile = calls.stream().filter(c -> c.kind() == CallKind.FILE).map(TracedCall::name).toList();
      assertEquals(List.of("writeAtAll", "iread", "close"), onFile);
      assertEquals(16, named(calls, "writeAtAll").getFirst().bytes());
      assertTrue(
          calls.stream().noneMatch(c -> c.kind() == CallKind.SEND || c.kind() == CallKind.ISEND), calls::toString);
    }
  }

  @Test
  void theOldestCallsAreDroppedAndCounted() throws Exception {
    JobRecording job = record(1, Map.of("ffmpi.trace.records", "100"), mpi -> {
      byte[] one = new byte[1];
      for (int i = 0; i < 200; i++) {
        mpi.world().send(one, 0, i);
        mpi.world().recv(one, 0, i);
      }
    });
    RankRecording rank = job.ranks().getFirst();
    assertEquals(128, rank.calls().size()); // the next power of two
    long made = rank.calls().size() + rank.dropped();
    assertTrue(made >= 401 && made <= 403, () -> made + " calls with the first and the last");
    List<Integer> tags = named(rank.calls(), "send").stream().map(TracedCall::tag).toList();
    assertEquals(199, tags.getLast());
    assertEquals(tags.stream().sorted(Comparator.naturalOrder()).toList(), tags);
  }

  @Test
  void likeCallsInTurnsHaveTheLineOfEach() throws Exception {
    JobRecording job = record(1, Map.of(), mpi -> {
      byte[] one = new byte[1];
      for (int i = 0; i < 3000; i++) {
        mpi.world().send(one, 0, 1);
        mpi.world().recv(one, 0, 1);
        mpi.world().send(one, 0, 1);
        mpi.world().recv(one, 0, 1);
      }
    });
    Map<String, Long> lines = calls(job, 0).stream()
        .collect(Collectors.groupingBy(TracedCall::site, TreeMap::new, Collectors.counting()));
    assertEquals(List.of(3000L, 3000L, 3000L, 3000L), List.copyOf(lines.values()), lines::toString);
  }

  @Test
  void aProgramMaySwitchTheRecordOff() throws Exception {
    JobRecording job = record(1, Map.of(), mpi -> {
      byte[] one = new byte[1];
      mpi.world().sendrecv(Buf.of(one), 0, 1, Buf.of(new byte[1]), 0, 1);
      Mpi.pcontrol(0);
      try {
        mpi.world().sendrecv(Buf.of(one), 0, 2, Buf.of(new byte[1]), 0, 2);
      } finally {
        Mpi.pcontrol(1);
      }
    });
    List<TracedCall> calls = calls(job, 0);
    assertTrue(calls.stream().anyMatch(call -> call.tag() == 1), calls::toString);
    assertTrue(calls.stream().noneMatch(call -> call.tag() == 2), calls::toString);
  }

  @Test
  void clocksOfSeveralNodesAreCompared() throws Exception {
    JobRecording job = record(4, Map.of("ffmpi.node", "2"), mpi -> {
      for (int i = 0; i < 50; i++) {
        mpi.world().barrier();
        mpi.world().sendrecv(
            Buf.of(new int[1]), (mpi.world().rank() + 2) % 4, 0, Buf.of(new int[1]), (mpi.world().rank() + 2) % 4, 0);
      }
    });
    assertEquals(List.of(0, 0, 1, 1), job.ranks().stream().map(RankRecording::node).toList());
    assertEquals(1, job.notes().size(), () -> job.notes().toString());
    assertTrue(
        job.notes().getFirst().matches("The clock of node 1 differed from that of rank 0 by -?[0-9.]+ µs at the"
            + " beginning of the job.* that is known to ±[0-9.]+ µs, and corrected\\."),
        () -> job.notes().toString());
  }

  @Test
  void theRankThatLeavesLastWritesThePage() throws Exception {
    Path page = folder.resolve("sub/calls.html");
    Mpi.runThreads(2, Map.of("ffmpi.trace", page.toString()), mpi -> {
      Status status = new Status();
      if (mpi.world().rank() == 0) {
        mpi.world().send(new int[2], 1, 77);
      } else {
        mpi.world().recv(new int[2], 0, 77, status);
      }
    });
    assertTrue(Files.readString(page).contains("CapturedCallsTest.java"));
    String json = Files.readString(folder.resolve("sub/calls.json"));
    assertTrue(json.contains("\"name\":\"send\"") && json.contains("\"tag\":77"), json);
    assertFalse(Files.exists(folder.resolve("sub/calls.html.ranks")));
  }
}
