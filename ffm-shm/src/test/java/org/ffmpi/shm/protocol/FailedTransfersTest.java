// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.engine.EngineParts;
import org.ffmpi.shm.engine.ShmProvider;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long messages between nodes whose peer fails: they end, and buffers, tags and posted receives are given back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedTransfersTest {
  private static final int LENGTH = 2 << 20;
  private static final int TAG = 7;
  private static final Plan PLAN = TypeHandle.planOf(Datatype.BYTE);
  private static final MpiException ERROR = new MpiException(ErrorClass.ERR_PROC_FAILED, "the peer has failed");

  private List<Engine> engines;
  private Engine sender;
  private Engine receiver;
  private WireSends sends;
  private WireReceives receives;

  @BeforeEach
  void open() {
    engines = new ShmProvider().threads(2, Settings.of(Map.of("ffmpi.node", "1")));
    engines.forEach(engine -> engine.abort(0, "over")); // no thread polls but this one
    sender = engines.get(0);
    receiver = engines.get(1);
    sends = EngineParts.traffic(sender).remote().sends();
    receives = EngineParts.traffic(receiver).remote().receives();
  }

  @AfterEach
  void leave() {
    engines.forEach(engine -> engine.leave(true));
  }

  private static void poll(Engine engine) {
    EngineParts.traffic(engine).pollThoroughly();
  }

  private Operation send(int kind, Object owner, long offset) {
    return sender.isend(Engine.STANDARD, kind, owner, offset, LENGTH, PLAN, 1, 0, TAG);
  }

  private Operation receive(int kind, Object owner, long offset) {
    return receiver.irecv(kind, owner, offset, LENGTH, PLAN, 0, 0, TAG);
  }

  private static void assertFailed(Operation op) {
    assertTrue(op.isDone());
    assertEquals(ErrorClass.ERR_PROC_FAILED, op.error().errorClass());
  }

  @Test
  void receivesThroughBuffers() {
    Operation receive = receive(Memory.BYTES, new byte[LENGTH], 0);
    send(Memory.BYTES, new byte[LENGTH], 0);
    for (int polls = 0; polls < 10; polls++) {
      poll(receiver); // not the sender, whose data does not come
    }
    assertTrue(receives.inUse() > 1, "a tag, and buffers");
    receives.failAllFrom(0, ERROR);
    assertEquals(0, receives.inUse());
    assertFailed(receive);
  }

  @Test
  void receivesIntoTheProgramsMemory() {
    MemorySegment in = Arena.ofAuto().allocate(LENGTH, 64);
    MemorySegment out = Arena.ofAuto().allocate(LENGTH, 64);
    out.fill((byte) 3);
    Operation receive = receive(Memory.kindOf(in), Memory.ownerOf(in), Memory.offsetOf(in));
    send(Memory.kindOf(out), Memory.ownerOf(out), Memory.offsetOf(out));
    for (int polls = 0; polls < 10; polls++) {
      poll(receiver);
    }
    assertEquals(1, receives.inUse(), "a tag");
    receives.failAllFrom(0, ERROR);
    assertEquals(0, receives.inUse());
    assertFailed(receive);
    for (int polls = 0; polls < 10; polls++) {
      poll(sender);
      poll(receiver);
    }
    assertEquals(0, in.get(ValueLayout.JAVA_BYTE, 0), "the receive was withdrawn");
  }

  @Test
  void sendsWhoseBuffersTheWireReads() {
    Operation receive = receive(Memory.BYTES, new byte[LENGTH], 0);
    Operation send = send(Memory.BYTES, new byte[LENGTH], 0);
    for (int polls = 0; polls < 10; polls++) {
      poll(receiver);
    }
    for (int polls = 0; polls < 10; polls++) {
      poll(sender); // as many pieces again as the receiver has asked for
    }
    sends.failAllTo(1, ERROR);
    assertFailed(send);
    assertTrue(sends.inUse() > 0, "the wire reads them");
    for (int polls = 0; polls < 10; polls++) {
      poll(receiver);
    }
    sends.poll();
    assertEquals(0, sends.inUse());
    assertTrue(!receive.isDone(), "the rest has not come");
  }
}
