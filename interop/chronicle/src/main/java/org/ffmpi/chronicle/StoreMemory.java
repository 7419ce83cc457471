// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.chronicle;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.CountedMemory;

/** A store's memory as a segment, and its reference count as the count of users. Any thread may use it. */
final class StoreMemory implements CountedMemory {
  private final BytesStore<?, ?> store;
  private final MemorySegment segment;
  /** The memory's first address when this was made; 0 on the Java heap, where arrays do not change. */
  private final long address;

  private StoreMemory(BytesStore<?, ?> store, MemorySegment segment, long address) {
    this.store = store;
    this.segment = segment;
    this.address = address;
  }

  /** Finds the memory under a store; refuses stores without memory, or with memory that may move. */
  static StoreMemory of(BytesStore<?, ?> given) {
    if (given == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "store", null, "a BytesStore");
    }
    boolean readOnly = false;
    BytesStore<?, ?> store = given;
    while (store instanceof Bytes<?> bytes) {
      checkAlive(given, store);
      checkFixed(given, bytes);
      readOnly |= bytes instanceof MappedBytes mapped && mapped.isBackingFileReadOnly();
      store = bytes.bytesStore();
    }
    checkAlive(given, store);
    return store.isDirectMemory() ? inNativeMemory(given, store, readOnly) : inArray(given, store);
  }

  private static void checkAlive(BytesStore<?, ?> given, BytesStore<?, ?> store) {
    if (store.refCount() <= 0) {
      throw refused(given, "stores that have not been released");
    }
  }

  private static void checkFixed(BytesStore<?, ?> given, Bytes<?> bytes) {
    if (bytes instanceof MappedBytes mapped && mapped.mappedFile().chunkSize() < mapped.mappedFile().capacity()) {
      throw refused(
          given,
          "MappedBytes with a single mapping (MappedBytes.singleMappedBytes): the chunks of these are mapped one by"
              + " one, each at another address");
    }
    if (bytes.isElastic() && bytes.capacity() > bytes.realCapacity()) {
      throw refused(
          given,
          "Bytes of fixed capacity (Bytes.allocateDirect, Bytes.wrapForWrite): elastic ones move to other memory when"
              + " they grow, under a message on its way; what they have now is bytes.bytesStore()");
    }
  }

  private static StoreMemory inNativeMemory(BytesStore<?, ?> given, BytesStore<?, ?> store, boolean mappedReadOnly) {
    long capacity = store.realCapacity();
    if (capacity >= Bytes.MAX_CAPACITY) {
      throw refused(given, "stores that know their size: this one was made of an elastic one's address");
    }
    long address = store.addressForRead(store.start());
    long bytes = capacity - store.start();
    MemorySegment segment = bytes == 0 ? MemorySegment.NULL : Raw.view(address, bytes);
    boolean readOnly = mappedReadOnly
        || store.underlyingObject() instanceof ByteBuffer buffer && buffer.isReadOnly()
        || store instanceof MappedBytesStore mapped && isReadOnly(mapped);
    return new StoreMemory(store, readOnly ? segment.asReadOnly() : segment, address);
  }

  /** Tests by a write: the store does not show how its file was mapped, but refuses to be written. */
  private static boolean isReadOnly(MappedBytesStore store) {
    try {
      store.bytesForWrite().releaseLast();
      return false;
    } catch (IllegalStateException readOnly) {
      return true;
    }
  }

  private static StoreMemory inArray(BytesStore<?, ?> given, BytesStore<?, ?> store) {
    MemorySegment segment = switch (store.underlyingObject()) {
      case byte[] array -> MemorySegment.ofArray(array);
      case ByteBuffer buffer when buffer.hasArray() ->
          MemorySegment.ofArray(buffer.array()).asSlice(buffer.arrayOffset(), buffer.capacity());
      case null, default ->
          throw refused(
              given,
              "stores over native memory or a byte[]: the bytes of this one are none that ffmpi could read in place");
    };
    return new StoreMemory(store, segment, 0);
  }

  private static MpiException refused(BytesStore<?, ?> store, String allowed) {
    return MpiException.argument(ErrorClass.ERR_BUFFER, "store", nameOf(store), allowed);
  }

  /** The text of a store is its content. */
  private static String nameOf(BytesStore<?, ?> store) {
    return store.getClass().getSimpleName();
  }

  /** Turns an offset of the store's own counting into one of the segment. */
  long fromStart(long offset) {
    try {
      return Math.subtractExact(offset, store.start());
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "offset", offset, store.start() + ".." + store.realCapacity());
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public String missing() {
    if (store.refCount() <= 0) {
      return "a store that has not been released";
    }
    return isInPlace() ? null : "a store that still is where it was when the buffer was made";
  }

  /** A pointer can be set to another address, or to less memory. */
  private boolean isInPlace() {
    return address == 0
        || store.addressForRead(store.start()) == address
            && store.realCapacity() - store.start() >= segment.byteSize();
  }

  @Override
  public Lease lease() {
    Reservation reservation = new Reservation(store);
    if (!store.tryReserve(reservation)) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "store", nameOf(store), "stores that have not been released");
    }
    return reservation;
  }

  /** Describes the memory for messages. */
  @Override
  public String toString() {
    return nameOf(store) + " of " + segment.byteSize() + " bytes";
  }

  /** One reference to the store, by an owner of its own: Chronicle's tracing counts references by their owners. */
  private record Reservation(BytesStore<?, ?> store) implements Lease, ReferenceOwner {
    @Override
    public void close() {
      try {
        store.release(this);
      } catch (IllegalStateException e) {
        throw new MpiException(
            ErrorClass.ERR_BUFFER,
            "store: " + nameOf(store) + " was released more often than it was reserved, while a message used it", e);
      }
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    @Override
    public String toString() {
      return "a message of ffmpi";
    }
  }
}
