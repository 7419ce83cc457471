// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One start of one program, from start to exit, with a limit; its descendants never outlive it. */
final class Run {
  /** Receives a line of the program's standard output. */
  interface Lines {
    void line(String text) throws IOException;
  }

  private Run() {}

  /**
   * Runs a program to its end. Its standard error is shown only if it fails.
   *
   * @param builder what to start
   * @param timeoutSeconds after which it is killed
   * @param lines called for each line of its standard output
   * @throws IOException when it cannot be started, fails or takes too long
   */
  static void start(ProcessBuilder builder, int timeoutSeconds, Lines lines)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile("ffmpi-bench", ".err");
    errors.toFile().deleteOnExit(); // also when the campaign is ended by a signal
    try {
      Process process = builder.redirectError(errors.toFile()).start();
      process.getOutputStream().close();
      Thread hook = new Thread(() -> end(process));
      add(hook, process, errors);
      boolean[] late = new boolean[1];
      Thread watch = Thread.ofPlatform().daemon().start(() -> {
        try {
          if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
            late[0] = true;
            end(process);
          }
        } catch (InterruptedException e) {
          // the run has ended
        }
      });
      try (BufferedReader out = process.inputReader()) {
        for (String line; (line = out.readLine()) != null;) {
          lines.line(line);
        }
      } finally {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          late[0] = true;
        }
        end(process);
        watch.interrupt();
        watch.join();
        remove(hook, errors);
      }
      int code = process.waitFor();
      if (code != 0 || late[0]) {
        throw new IOException(String.join(" ", builder.command())
            + (late[0] ? " did not end within " + timeoutSeconds + " s" : " ended with exit code " + code)
            + "\n" + Files.readString(errors));
      }
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  /** Adds the hook. When this JVM is being stopped already, the program is ended, and this never returns. */
  private static void add(Thread hook, Process process, Path errors) throws IOException, InterruptedException {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      end(process);
      Files.deleteIfExists(errors);
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  /**
   * Removes the hook. A program that ends because this JVM is being stopped has not failed: then this never returns.
   */
  private static void remove(Thread hook, Path errors) throws IOException, InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      Files.deleteIfExists(errors);
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void end(Process process) {
    if (process.isAlive()) {
      List<ProcessHandle> family = process.descendants().toList();
      process.destroy();
      try {
        if (!process.waitFor(2, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
      }
      family.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
