// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The stacks of all threads of several ranks, collected with the JDK's own jcmd. The ranks go on unharmed; the text
 * names those that do not answer (stopped, or the JVM stuck).
 */
public final class StackDump {
  private static final long SECONDS = 10;

  private StackDump() {}

  /**
   * Collects stacks, of all ranks at a time.
   *
   * @param ranks numbers of the ranks
   * @param processes their processes, in the same order
   * @return the stacks as text, whole lines
   */
  public static String of(List<Integer> ranks, List<ProcessHandle> processes) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return "mpirun: no stacks of the ranks: this Java has no jcmd (" + jcmd + ")\n";
    }
    List<Dump> dumps = new ArrayList<>();
    for (ProcessHandle p : processes) {
      Dump dump = new Dump(jcmd, p.pid());
      dump.setDaemon(true);
      dump.start();
      dumps.add(dump);
    }
    StringBuilder text = new StringBuilder();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (int i = 0; i < dumps.size(); i++) {
      text.append("mpirun: stacks of rank ").append(ranks.get(i)).append(" (pid ").append(processes.get(i).pid());
      text.append("):\n").append(dumps.get(i).text(deadline));
      if (text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** One jcmd at work, read by a thread of its own so that no full pipe stops it. */
  private static final class Dump extends Thread {
    private final Path jcmd;
    private final long pid;
    private volatile Process process;
    private volatile String text = "no answer within " + SECONDS + " s\n";

    Dump(Path jcmd, long pid) {
      this.jcmd = jcmd;
      this.pid = pid;
    }

    @Override
    public void run() {
      try {
        ProcessBuilder builder = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Thread.print", "-l");
        process = builder.redirectErrorStream(true).start();
        text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        text = "jcmd failed: " + e.getMessage() + "\n";
      }
    }

    String text(long deadline) {
      try {
        join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (isAlive() && process != null) {
        process.destroyForcibly();
      }
      return text;
    }
  }
}
