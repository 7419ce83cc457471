// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time of this JVM's compiler threads, from {@code /proc}. The JDK's own bean has elapsed time only. */
final class CompilerThreads {
  private static final Path TASKS = Path.of("/proc/self/task");

  private CompilerThreads() {}

  /**
   * Returns the processor time of both compilers since the JVM began.
   *
   * @return nanoseconds; 0 where the kernel keeps no such account
   */
  static long nanos() {
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        sum += nanosOf(task);
      }
    } catch (IOException e) {
      return 0;
    }
    return sum;
  }

  private static long nanosOf(Path task) {
    try {
      String name = Files.readString(task.resolve("comm"));
      if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
        return 0;
      }
      String account = Files.readString(task.resolve("schedstat"));
      return Long.parseLong(account.substring(0, account.indexOf(' ')));
    } catch (IOException e) {
      return 0; // A thread that ended meanwhile.
    }
  }
}
