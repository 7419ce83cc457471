// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.TracedCall;
import org.junit.jupiter.api.Test;

/** How long calls waited and for whom, in traces whose answers are known. */
class CallWaitsTest {
  private static final int ANY_SOURCE = -1;
  private static final int ANY_TAG = -2;

  private final TraceBuilder trace = new TraceBuilder(3);

  @Test
  void aReceiveWaitsUntilItsSendBegins() {
    trace.recv(1, 100, 900, 0, 7, 8);
    trace.send(0, 700, 750, 1, 7, 8, "eager");
    check(1, 0, 600, 0, WaitReason.LATE_SENDER);
    check(0, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void aLongSendWaitsUntilItsReceiveIsPosted() {
    trace.send(0, 100, 900, 1, 7, 1 << 20, "piped");
    trace.recv(1, 700, 900, 0, 7, 1 << 20);
    check(0, 0, 600, 1, WaitReason.LATE_RECEIVER);
    check(1, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void anEagerSendWaitsForNobody() {
    trace.send(0, 100, 900, 1, 7, 8, "eager");
    trace.recv(1, 700, 900, 0, 7, 8);
    check(0, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void aSynchronousSendWaitsByAnyProtocol() {
    trace.add(0, 100, 900, CallKind.SEND, "ssend", 0, 1, 7, 8, "inline", 0, -1, List.of());
    trace.recv(1, 700, 900, 0, 7, 8);
    check(0, 0, 600, 1, WaitReason.LATE_RECEIVER);
  }

  @Test
  void sendsOfOnePlaceAndLengthHaveOneProtocol() {
    trace.at("A.java:1").send(0, 100, 900, 1, 7, 8, null);
    trace.send(0, 1000, 1010, 1, 7, 8, "eager");
    trace.at("A.java:2").send(0, 2000, 2900, 1, 7, 8, null);
    trace.at("A.java:3").recv(1, 700, 900, 0, 7, 8);
    trace.recv(1, 1020, 1030, 0, 7, 8);
    trace.recv(1, 2700, 2900, 0, 7, 8);
    check(0, 0, 0, -1, WaitReason.NONE);
    check(0, 2, 700, 1, WaitReason.LATE_RECEIVER);
  }

  @Test
  void aSendOfUnknownProtocolThatEndsFirstDoesNotWait() {
    trace.send(0, 100, 200, 1, 7, 8, null);
    trace.recv(1, 700, 900, 0, 7, 8);
    check(0, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void aWaitLastsAsLongAsTheLastOfItsRequests() {
    long first = trace.irecv(0, 10, 20, 1, 0, 8);
    long second = trace.irecv(0, 30, 40, 2, 0, 8);
    long third = trace.isend(0, 50, 60, 2, 1, 1 << 20, "cross-memory");
    trace.await(0, 100, 1000, new CompletedRequest(first, 1, 0, 8, false),
        new CompletedRequest(second, 2, 0, 8, false), CompletedRequest.of(third));
    trace.send(1, 300, 320, 0, 0, 8, "eager");
    trace.send(2, 600, 610, 0, 0, 8, "eager");
    trace.recv(2, 800, 990, 0, 1, 1 << 20);
    check(0, 3, 700, 2, WaitReason.LATE_RECEIVER);
    assertEquals(1, TraceAnalysis.of(trace.recording()).waits().partner(0, 3));
  }

  @Test
  void aTestWaitsForNobody() {
    long request = trace.irecv(0, 10, 20, 1, 0, 8);
    trace.add(0, 100, 400, CallKind.TEST, "test", -1, TracedCall.NONE, TracedCall.NONE, 0, null, 0, -1,
        List.of(new CompletedRequest(request, 1, 0, 8, false)));
    trace.send(1, 300, 320, 0, 0, 8, "eager");
    check(0, 1, 0, -1, WaitReason.NONE);
  }

  @Test
  void aProbeWaitsForTheMessageThatIsReceivedLater() {
    trace.add(1, 100, 520, CallKind.PROBE, "probe", 0, ANY_SOURCE, ANY_TAG, 0, null, 0, -1,
        List.of(new CompletedRequest(0, 0, 4, 8, false)));
    trace.recv(1, 600, 700, 0, 4, 8);
    trace.send(0, 400, 420, 1, 4, 8, "eager");
    check(1, 0, 300, 0, WaitReason.LATE_SENDER);
  }

  @Test
  void allWaitForTheLastInABarrier() {
    collectives("barrier", -1);
    check(0, 0, 800, 2, WaitReason.LATE_RANK);
    check(1, 0, 600, 2, WaitReason.LATE_RANK);
    check(2, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void ranksWaitForTheRootOfABroadcastOnly() {
    collectives("bcast", 1);
    check(0, 0, 200, 1, WaitReason.LATE_RANK);
    check(1, 0, 0, -1, WaitReason.NONE);
    check(2, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void onlyTheRootWaitsInAReduction() {
    collectives("reduce", 1);
    check(0, 0, 0, -1, WaitReason.NONE);
    check(1, 0, 600, 2, WaitReason.LATE_RANK);
    check(2, 0, 0, -1, WaitReason.NONE);
  }

  @Test
  void ranksWaitForLowerOnesInAScan() {
    collectives("exscan", -1);
    check(0, 0, 0, -1, WaitReason.NONE);
    check(1, 0, 0, -1, WaitReason.NONE);
    trace.collective(0, 5900, 5910, "scan", 1, -1, 8);
    trace.collective(2, 5000, 6000, "scan", 1, -1, 8);
    trace.collective(1, 5500, 5920, "scan", 1, -1, 8);
    check(2, 1, 900, 0, WaitReason.LATE_RANK);
    check(1, 1, 400, 0, WaitReason.LATE_RANK);
  }

  @Test
  void namesOfCollectivesAreKnownInEverySpelling() {
    assertEquals(CollectiveNeeds.ALL, CollectiveNeeds.of("ireduceScatterBlock"));
    assertEquals(CollectiveNeeds.ALL, CollectiveNeeds.of("reduce-scatter"));
    assertEquals(CollectiveNeeds.ALL_AT_ROOT, CollectiveNeeds.of("gathervInit"));
    assertEquals(CollectiveNeeds.ROOT, CollectiveNeeds.of("iscatterv"));
    assertEquals(CollectiveNeeds.UNKNOWN, CollectiveNeeds.of("neighbor-allgather"));
    assertEquals(CollectiveNeeds.ALL, CollectiveNeeds.of("fence"));
  }

  @Test
  void aWaitForACollectiveCallWaitsForItsRanks() {
    trace.add(0, 10, 20, CallKind.COLLECTIVE, "ibarrier", 0, TracedCall.NONE, TracedCall.NONE, 0, null, 99, 5,
        List.of());
    trace.await(0, 100, 900, CompletedRequest.of(99));
    trace.collective(1, 700, 890, "barrier", 5, -1, 0);
    check(0, 0, 0, -1, WaitReason.NONE);
    check(0, 1, 600, 1, WaitReason.LATE_RANK);
  }

  @Test
  void clocksOfNodesAreCorrected() {
    trace.recv(1, 100, 900, 0, 7, 8);
    trace.send(0, 10_700, 10_750, 1, 7, 8, "eager");
    trace.offset(0, -10_000);
    check(1, 0, 600, 0, WaitReason.LATE_SENDER);
  }

  @Test
  void aCallThatNeverEndedWaitsToTheEnd() {
    trace.add(1, 100, TracedCall.UNFINISHED, CallKind.RECV, "recv", 0, 0, 7, 8, null, 0, -1, List.of());
    trace.kill(1);
    trace.collective(0, 5000, 9000, "barrier", 0, -1, 0);
    check(1, 0, 8900, 0, WaitReason.LATE_SENDER);
  }

  private void collectives(String name, int root) {
    trace.collective(0, 100, 1000, name, 0, root, 8);
    trace.collective(1, 300, 1000, name, 0, root, 8);
    trace.collective(2, 900, 1000, name, 0, root, 8);
  }

  private void check(int lane, int call, long waited, int cause, WaitReason reason) {
    CallWaits waits = TraceAnalysis.of(trace.recording()).waits();
    assertEquals(waited, waits.waited(lane, call));
    assertEquals(cause, waits.cause(lane, call));
    assertEquals(reason, waits.reason(lane, call));
  }
}
