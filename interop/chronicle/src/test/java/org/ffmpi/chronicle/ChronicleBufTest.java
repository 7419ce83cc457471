// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.core.io.AbstractReferenceCounted;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Messages out of Chronicle's memory and into it, and who holds how many references meanwhile. */
class ChronicleBufTest {
  private static final int[] LENGTHS = {8, 300, 70_000, 1_000_000};

  @TempDir private Path folder;

  private static void fill(BytesStore<?, ?> store, long length) {
    for (long i = 0; i < length; i++) {
      store.writeByte(store.start() + i, (byte) (i * 7 + length));
    }
  }

  private static void check(BytesStore<?, ?> store, long length) {
    for (long i = 0; i < length; i++) {
      assertEquals((byte) (i * 7 + length), store.readByte(store.start() + i), "byte " + i);
    }
  }

  private static MpiException assertError(ErrorClass expected, Executable call, String... parts) {
    MpiException error = assertThrows(MpiException.class, call);
    assertEquals(expected, error.errorClass(), error.getMessage());
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), () -> "\"" + part + "\" is not in: " + error.getMessage());
    }
    return error;
  }

  /** Sends a store's bytes to this rank itself, into another store, without and with waiting. */
  private static void roundTrip(Comm world, BytesStore<?, ?> out, BytesStore<?, ?> in, int length) {
    int outBefore = out.refCount();
    int inBefore = in.refCount();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    fill(out, length);
    Buf<Byte> send = ChronicleBuf.of(out, out.start(), length, Datatype.BYTE);
    Buf<Byte> recv = ChronicleBuf.of(in, in.start(), length, Datatype.BYTE);
    assertEquals(outBefore, out.refCount(), "a buffer reserves nothing");
    Request incoming = world.irecv(recv, previous, 1);
    Request outgoing = world.issend(send, next, 1);
    assertEquals(length, incoming.await(new Status()).bytes());
    outgoing.await();
    check(in, length);
    world.sendrecv(send, next, 2, recv, previous, 2);
    check(in, length);
    assertEquals(outBefore, out.refCount());
    assertEquals(inBefore, in.refCount());
  }

  @MpiTest(ranks = {1, 2})
  void storesOfEveryKind(Mpi mpi) throws Exception {
    for (int length : LENGTHS) {
      BytesStore<?, Void> fixed = BytesStore.nativeStoreWithFixedCapacity(length);
      BytesStore<?, Void> growing = BytesStore.nativeStore(length); // elastic only under Bytes
      roundTrip(mpi.world(), fixed, growing, length);
      PointerBytesStore pointer = BytesStore.nativePointer();
      pointer.set(fixed.addressForRead(0), length);
      roundTrip(mpi.world(), growing, pointer, length);
      BytesStore<?, byte[]> array = BytesStore.wrap(new byte[length]);
      BytesStore<?, ByteBuffer> direct = BytesStore.wrap(ByteBuffer.allocateDirect(length));
      roundTrip(mpi.world(), array, direct, length);
      BytesStore<?, ByteBuffer> heapBuffer = BytesStore.wrap(ByteBuffer.allocate(length));
      roundTrip(mpi.world(), pointer, heapBuffer, length);
      BytesStore<?, Void> shared = ChronicleBuf.view(mpi.shared().allocate(length));
      roundTrip(mpi.world(), shared, array, length);
      roundTrip(mpi.world(), direct, shared, length);
      Bytes<Void> bytes = Bytes.allocateDirect(length);
      roundTrip(mpi.world(), bytes.bytesStore(), fixed, length);
      for (BytesStore<?, ?> store : List.of(fixed, growing, pointer, array, direct, heapBuffer, shared, bytes)) {
        store.releaseLast();
      }
    }
  }

  @MpiTest(ranks = 2)
  void aMappedFile(Mpi mpi) throws Exception {
    File file = Files.createTempFile("ffmpi-", ".map").toFile();
    try (MappedBytes mapped = MappedBytes.singleMappedBytes(file, 1 << 20)) {
      int references = mapped.bytesStore().refCount();
      BytesStore<?, Void> other = BytesStore.nativeStoreWithFixedCapacity(1 << 20);
      fill(mapped, 1 << 20);
      int peer = 1 - mpi.world().rank();
      mpi.world().sendrecv(ChronicleBuf.of(mapped), peer, 1, ChronicleBuf.of(other), peer, 1);
      check(other, 1 << 20);
      mpi.world().sendrecv(
          ChronicleBuf.of(other, 4096, 1000, Datatype.BYTE), peer, 1,
          ChronicleBuf.of(mapped, 0, 1000, Datatype.BYTE), peer, 1);
      assertEquals(other.readByte(4096 + 999), mapped.readByte(999));
      assertEquals(references, mapped.bytesStore().refCount());
      other.releaseLast();
    } finally {
      Files.delete(file.toPath());
    }
  }

  /** The program's last reference goes while the message is on its way; the memory stays until it has arrived. */
  @MpiTest(ranks = 2)
  void aStoreReleasedWhileARequestIsPending(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - mpi.world().rank();
    for (int length : LENGTHS) {
      BytesStore<?, Void> out = BytesStore.nativeStoreWithFixedCapacity(length);
      BytesStore<?, Void> in = BytesStore.nativeStoreWithFixedCapacity(length);
      fill(out, length);
      Request incoming = world.irecv(ChronicleBuf.of(in), other, 1);
      assertEquals(2, in.refCount());
      world.barrier();
      Request outgoing = world.issend(ChronicleBuf.of(out), other, 1);
      out.release(ReferenceOwner.INIT);
      incoming.await();
      assertEquals(1, in.refCount());
      check(in, length);
      outgoing.await();
      assertEquals(0, out.refCount(), "freed with the request");

      Request pending = world.irecv(ChronicleBuf.of(in), other, 2);
      in.release(ReferenceOwner.INIT);
      assertEquals(1, in.refCount(), "the request's own");
      world.barrier();
      world.send(new byte[length], other, 2);
      pending.await();
      assertEquals(0, in.refCount());
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(in), "NativeBytesStore", "not been released");
    }
  }

  /** Several requests of one store, one of them cancelled, one freed, and persistent ones. */
  @MpiTest(ranks = 1)
  void referencesAreCountedByRequest(Mpi mpi) {
    Comm world = mpi.world();
    BytesStore<?, Void> store = BytesStore.nativeStoreWithFixedCapacity(64);
    Buf<Byte> low = ChronicleBuf.of(store, 0, 32, Datatype.BYTE);
    Buf<Byte> high = ChronicleBuf.of(store, 32, 32, Datatype.BYTE);
    Request first = world.irecv(low, 0, 1);
    Request second = world.irecv(high, 0, 2);
    assertEquals(3, store.refCount());
    second.cancel();
    second.await();
    assertEquals(2, store.refCount());
    world.send(high, 0, 1);
    first.await();
    assertEquals(1, store.refCount());
    try (Persistent recv = world.recvInit(low, 0, 3); Persistent send = world.sendInit(high, 0, 3)) {
      assertEquals(1, store.refCount());
      for (int i = 0; i < 3; i++) {
        store.writeByte(40, (byte) i);
        Persistent.startAll(List.of(recv, send));
        Request.waitAll(List.of(recv, send));
        assertEquals(i, store.readByte(8));
        assertEquals(1, store.refCount());
      }
    }
    world.irecv(low, 0, 4).close();
    assertEquals(2, store.refCount());
    world.send(high, 0, 4);
    while (store.refCount() != 1) {
      world.iprobe(0, 99);
    }
    world.isend(low, Constants.PROC_NULL, 1).await();
    world.bcast(low, 0);
    world.allreduce(high, Op.BOR);
    assertEquals(1, store.refCount());
    store.releaseLast();
    for (Executable call : List.<Executable>of(
        () -> world.send(low, 0, 1), () -> world.irecv(low, 0, 1), () -> world.bcast(low, 0))) {
      assertError(ErrorClass.ERR_BUFFER, call, "a store that has not been released");
    }
  }

  /** Chronicle's own book-keeping, by owner, agrees. */
  @MpiTest(ranks = 1)
  void tracingFindsNothing(Mpi mpi) {
    AbstractReferenceCounted.enableReferenceTracing();
    try {
      BytesStore<?, Void> out = BytesStore.nativeStoreWithFixedCapacity(5_000);
      BytesStore<?, Void> in = BytesStore.nativeStoreWithFixedCapacity(5_000);
      roundTrip(mpi.world(), out, in, 5_000);
      Request one = mpi.world().irecv(ChronicleBuf.of(in), 0, 1);
      Request two = mpi.world().irecv(ChronicleBuf.of(in), 0, 2);
      Request.waitAll(List.of(
          mpi.world().isend(ChronicleBuf.of(out), 0, 1), mpi.world().isend(ChronicleBuf.of(out), 0, 2), one, two));
      out.releaseLast();
      in.releaseLast();
      AbstractReferenceCounted.assertReferencesReleased();
    } finally {
      AbstractReferenceCounted.disableReferenceTracing();
    }
  }

  @MpiTest(ranks = 1)
  void positionsAndLimits(Mpi mpi) {
    Bytes<Void> bytes = Bytes.allocateDirect(100);
    bytes.writeLong(17).writeLong(18);
    assertEquals(8, bytes.readSkip(8).readPosition());
    Buf<Byte> readable = ChronicleBuf.readable(bytes);
    assertEquals(8, readable.count());
    Bytes<byte[]> into = Bytes.wrapForWrite(new byte[30]);
    into.writeInt(0);
    Buf<Byte> writable = ChronicleBuf.writable(into);
    assertEquals(26, writable.count());
    Request incoming = mpi.world().irecv(writable, 0, 0);
    mpi.world().send(readable, 0, 0);
    into.writeSkip(incoming.await(new Status()).bytes());
    assertEquals(8, bytes.readPosition());
    assertEquals(12, into.readRemaining());
    assertEquals(18, into.readLong(4));
    assertEquals(84, ChronicleBuf.writable(bytes).count());
    assertEquals(100, ChronicleBuf.of(bytes).count());
    Buf<Double> doubles = ChronicleBuf.of(bytes, 8, 2, Datatype.DOUBLE);
    assertEquals(2, doubles.at(8).count());
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(bytes, 96, 1, Datatype.DOUBLE), "too small");
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(bytes, Long.MIN_VALUE, 1, Datatype.DOUBLE));
    assertError(ErrorClass.ERR_COUNT, () -> ChronicleBuf.of(bytes, 0, -1, Datatype.DOUBLE));
    assertError(ErrorClass.ERR_TYPE, () -> ChronicleBuf.of(bytes, 0, 1, null));
    bytes.releaseLast();
    into.releaseLast();
  }

  @Test
  void memoryWithoutAFixedPlaceIsRefused() throws Exception {
    Bytes<ByteBuffer> elastic = Bytes.elasticByteBuffer(64);
    Bytes<byte[]> onHeap = Bytes.allocateElasticOnHeap(64);
    Bytes<Void> direct = Bytes.allocateElasticDirect(64);
    for (Bytes<?> bytes : List.of(elastic, onHeap, direct)) {
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(bytes), "elastic", "bytesStore()");
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.writable(bytes), "fixed capacity");
      assertEquals(64, ChronicleBuf.of(bytes.bytesStore()).count(), "what they have now");
      bytes.releaseLast();
    }
    File file = folder.resolve("chunks").toFile();
    try (MappedBytes chunked = MappedBytes.mappedBytes(file, 64 << 10)) {
      chunked.writeLong(0, 1);
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(chunked), "single mapping", "another address");
    }
    PointerBytesStore pointer = BytesStore.nativePointer();
    BytesStore<?, Void> store = BytesStore.nativeStoreWithFixedCapacity(64);
    pointer.set(store.addressForRead(0), Bytes.MAX_CAPACITY);
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(pointer), "know their size");
    store.releaseLast();
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(BytesStore.empty()), "native memory or a byte[]");
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.of(null), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.readable(null), "null");
  }

  @MpiTest(ranks = 1)
  void aPointerThatWasSetToOtherMemory(Mpi mpi) {
    BytesStore<?, Void> store = BytesStore.nativeStoreWithFixedCapacity(64);
    PointerBytesStore pointer = BytesStore.nativePointer();
    pointer.set(store.addressForRead(0), 32);
    Buf<Byte> buf = ChronicleBuf.of(pointer);
    mpi.world().send(buf, 0, 1);
    pointer.set(store.addressForRead(32), 32);
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.world().send(buf, 0, 1), "still is where it was");
    pointer.set(store.addressForRead(0), 31);
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.world().irecv(buf, 0, 1), "still is where it was");
    pointer.set(store.addressForRead(0), 40);
    mpi.world().recv(buf, 0, 1);
    assertEquals(1, pointer.refCount());
    store.releaseLast();
  }

  @MpiTest(ranks = 1)
  void whatIsReadOnlyIsSentButNotReceived(Mpi mpi) throws Exception {
    File file = Files.createTempFile("ffmpi-", ".map").toFile();
    try {
      try (MappedBytes writable = MappedBytes.singleMappedBytes(file, 8192)) {
        writable.writeLong(0, 99);
      }
      try (MappedBytes mapped = MappedBytes.singleMappedBytes(file, 8192, true)) {
        long[] data = new long[1];
        for (BytesStore<?, ?> store : List.of(mapped, mapped.bytesStore())) {
          int references = mapped.bytesStore().refCount();
          Buf<Long> buf = ChronicleBuf.of(store, 0, 1, Datatype.INT64_T);
          mpi.world().sendrecv(buf, 0, 1, Buf.of(data), 0, 1);
          assertEquals(99, data[0]);
          assertError(ErrorClass.ERR_BUFFER, () -> mpi.world().irecv(buf, 0, 1), "writable memory");
          assertEquals(references, mapped.bytesStore().refCount());
        }
      }
    } finally {
      Files.delete(file.toPath());
    }
  }

  @MpiTest(ranks = 2)
  void chronicleOverSharedMemory(Mpi mpi) {
    MemorySegment segment = mpi.shared().allocate(1 << 20);
    BytesStore<?, Void> view = ChronicleBuf.view(segment);
    assertEquals(1 << 20, view.realCapacity());
    int rank = mpi.world().rank();
    view.writeLong(8, rank + 40);
    assertEquals(rank + 40, segment.get(ValueLayout.JAVA_LONG, 8));
    segment.set(ValueLayout.JAVA_LONG, (1 << 20) - 8, 5);
    assertEquals(5, view.readVolatileLong((1 << 20) - 8));
    long[] all = new long[(1 << 20) / 8];
    mpi.world().sendrecv(
        ChronicleBuf.of(view, 0, all.length, Datatype.INT64_T), 1 - rank, 1, Buf.of(all), 1 - rank, 1);
    assertEquals(1 - rank + 40, all[1]);
    assertEquals(1, view.refCount());
    view.releaseLast();
    assertEquals(rank + 40, segment.get(ValueLayout.JAVA_LONG, 8), "the memory is the segment's");
  }

  @Test
  void segmentsThatAnAddressCannotStandForAreRefused() {
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.view(null), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.view(MemorySegment.ofArray(new byte[8])), "BytesStore.wrap");
    assertError(
        ErrorClass.ERR_BUFFER, () -> ChronicleBuf.view(Arena.ofAuto().allocate(8).asReadOnly()), "writable");
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.view(confined.allocate(8)), "can be closed");
      assertError(ErrorClass.ERR_BUFFER, () -> ChronicleBuf.view(shared.allocate(8)), "can be closed");
    }
  }

  /** With the launcher's option, ranks that are processes have the options that mapping a file needs. */
  @MpiTest(ranks = 2, processes = true, settings = "ffmpi.chronicle=true", timeout = 120)
  void ranksThatAreProcesses(Mpi mpi) throws Exception {
    aMappedFile(mpi);
    aStoreReleasedWhileARequestIsPending(mpi);
  }
}
