// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.dialect.BaseKind;

/**
 * The memory that results of {@code MPI.slice} are parts of. A type may reach below or beyond a slice, as with a
 * pointer in C, as long as it stays in that memory, which an NIO buffer does not reveal.
 */
final class Slices {
  private static final Map<Key, Place> PARENTS = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Buffer> GONE = new ReferenceQueue<>();

  private Slices() {}

  /**
   * The place of a slice in the memory that it is a part of.
   *
   * @param memory a buffer that is no slice, or an array
   * @param byteOffset first byte of the slice
   */
  record Place(Object memory, long byteOffset) {}

  /** A weak key that compares buffers by identity. */
  private static final class Key extends WeakReference<Buffer> {
    private final int hash;

    Key(Buffer buffer, ReferenceQueue<Buffer> queue) {
      super(buffer, queue);
      this.hash = System.identityHashCode(buffer);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return this == other || other instanceof Key key && get() != null && get() == key.get();
    }
  }

  /** Registers the parent of a slice if it is direct, and returns the slice. */
  static <B extends Buffer> B register(B slice, Buffer parent, long byteOffset) {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      PARENTS.remove(gone);
    }
    if (slice.isDirect()) {
      Place above = PARENTS.get(new Key(parent, null));
      PARENTS.put(new Key(slice, GONE),
          above == null ? new Place(parent, byteOffset) : new Place(above.memory(), above.byteOffset() + byteOffset));
    }
    return slice;
  }

  /** Returns the place of memory that is part of a larger one, or null. */
  static Place of(Object memory) {
    if (!(memory instanceof Buffer buffer)) {
      return null;
    }
    if (buffer.hasArray()) {
      return new Place(buffer.array(), (long) buffer.arrayOffset() * BaseKind.widthOf(buffer.array()));
    }
    return PARENTS.isEmpty() ? null : PARENTS.get(new Key(buffer, null));
  }
}
