// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.ffmpi.tests.support.ChildJvm;

/** The case that each rank of a fuzzing JVM is at, in a mapped file: what was written is there after a crash, too. */
final class LastCase {
  private static final int BYTES = 4096;

  private final MappedByteBuffer file;
  private final int places;

  private LastCase(MappedByteBuffer file, int places) {
    this.file = file;
    this.places = places;
  }

  /** Opens the file that the parent has named; without one, notes go nowhere that is kept. */
  static LastCase open(int places) {
    try {
      String name = System.getProperty(ChildJvm.NOTES);
      Path path = name != null ? Path.of(name) : Files.createTempFile("ffmpi-fuzz", ".last");
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
        MappedByteBuffer file = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) places * BYTES);
        if (name == null) {
          Files.delete(path);
        }
        return new LastCase(file, places);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void set(int place, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int n = Math.min(bytes.length, BYTES - 1);
    int at = place % places * BYTES;
    file.put(at, Arrays.copyOf(bytes, n + 1)); // with a zero at the end
  }
}
