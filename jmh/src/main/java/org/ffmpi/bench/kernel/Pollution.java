// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.bench.type.TypeCase;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/** Memory of every kind, to run a kernel over before it is measured. */
final class Pollution {
  /** Small elements of each kind of type: pack and unpack go through the same kernels as large ones. */
  private static final List<TypeCase> TYPES = List.of(
      TypeCase.of("contig", 64), TypeCase.of("vec1s2", 512), TypeCase.of("vec8s16", 512), TypeCase.of("indexed", 512),
      TypeCase.of("partstruct", 944), TypeCase.of("face_xz", 2048), TypeCase.of("face_yz", 2048),
      TypeCase.of("transpose", 2048));

  /** Calls with each kind: enough for C2 to have compiled the kernel with all of them in its profile. */
  static final int CALLS = 20_000;

  /** Fewer with derived types, whose kernels loop by themselves. */
  private static final int TYPE_CALLS = 2_000;

  /**
   * A buffer as kernels see it.
   *
   * @param kind kind of memory
   * @param owner segment or array
   * @param offset its beginning, in the unit of the kind
   */
  record Place(int kind, Object owner, long offset) {
    static Place of(MemorySegment segment) {
      return new Place(Memory.kindOf(segment), Memory.ownerOf(segment), Memory.offsetOf(segment));
    }

    static Place of(Object array) {
      return new Place(Memory.kindOfArray(array), array, 0);
    }
  }

  private Pollution() {}

  /** Returns a place of each kind. */
  static List<Place> places(int bytes) {
    return List.of(
        Place.of(Arena.global().allocate(bytes, 64)),
        Place.of(mapped(bytes)),
        Place.of(Arena.ofAuto().allocate(bytes, 64)),
        Place.of(Arena.ofShared().allocate(bytes, 64)),
        Place.of(Arena.ofConfined().allocate(bytes, 64)),
        Place.of((Object) new byte[bytes]),
        Place.of((Object) new short[bytes / 2]),
        Place.of((Object) new char[bytes / 2]),
        Place.of((Object) new int[bytes / 4]),
        Place.of((Object) new float[bytes / 4]),
        Place.of((Object) new long[bytes / 8]),
        Place.of((Object) new double[bytes / 8]));
  }

  /** Sends derived types of every kind through memory of every kind. */
  static void ofTypes() {
    long span = TYPES.stream().mapToLong(TypeCase::span).max().orElseThrow();
    long stream = Raw.address(Arena.global().allocate(span, 64));
    for (TypeCase t : TYPES) {
      Plan plan = TypeHandle.planOf(t.type());
      for (Place p : places(Math.toIntExact(span))) {
        for (int i = 0; i < TYPE_CALLS; i++) {
          plan.pack(p.kind(), p.owner(), p.offset(), t.count(), 0, t.payload(), stream);
          plan.unpack(stream, p.kind(), p.owner(), p.offset(), t.count(), 0, t.payload());
        }
      }
    }
  }

  private static MemorySegment mapped(int bytes) {
    try {
      Path file = Files.createTempFile("ffmpi-bench", ".map");
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
