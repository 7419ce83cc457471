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
 * The stacks of several ranks, collected with the JDK's own jcmd. Threads that run code of the program are shown, in
 * calls of MPI or elsewhere. The ranks go on unharmed; the text names those that do not answer (stopped, or the JVM
 * stuck).
 */
public final class StackDump {
  private static final long SECONDS = 10;

  private static final String FRAME = "at ";
  private static final String STATE = "java.lang.Thread.State: ";

  /** Packages of the JDK and of ffmpi, which runs no code of the program in its own threads. */
  private static final List<String> NOT_OF_PROGRAM =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.ffmpi.");

  /** Programs that come with ffmpi. */
  private static final String SAMPLES = "org.ffmpi.samples.";

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
      text.append("):\n").append(ofProgram(dumps.get(i).text(deadline)));
      if (text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
    }
    return text.toString();
  }

  /**
   * Selects the threads that run code of the program, and the JVM's report of a deadlock.
   *
   * @param dump the output of jcmd
   * @return whole lines; the dump itself where it has no such thread
   */
  static String ofProgram(String dump) {
    StringBuilder text = new StringBuilder();
    int others = 0;
    for (String block : dump.split("\n\n")) {
      if (block.stripLeading().startsWith("\"")) {
        if (isOfProgram(block)) {
          append(text, block.strip());
        } else {
          others++;
        }
      } else if (block.stripLeading().startsWith("Found ")) {
        return text.append(dump, dump.indexOf(block), dump.length()).toString();
      }
    }
    if (text.isEmpty()) {
      return dump;
    }
    return text.append("  (").append(others).append(" threads of the JVM and of ffmpi are left out)\n").toString();
  }

  /** Returns whether a thread has a frame that belongs neither to the JDK nor to ffmpi. */
  private static boolean isOfProgram(String block) {
    return block.lines().map(String::strip).filter(line -> line.startsWith(FRAME))
        .map(line -> line.substring(FRAME.length()))
        .map(frame -> frame.substring(0, Math.max(0, frame.indexOf('('))))
        .map(method -> method.replaceFirst("^[^/]*/(?!0x)", "")) // behind the name of a module
        .anyMatch(name -> NOT_OF_PROGRAM.stream().noneMatch(name::startsWith) || name.startsWith(SAMPLES));
  }

  /** Appends a thread: its name, its state and its frames. */
  private static void append(StringBuilder text, String block) {
    String name = block.substring(0, block.indexOf('"', 1) + 1);
    text.append("  ").append(name);
    block.lines().skip(1).forEach(line -> {
      String stripped = line.strip();
      if (stripped.startsWith(STATE)) {
        text.append(' ').append(stripped.substring(STATE.length())).append('\n');
      } else if (stripped.startsWith(FRAME) || stripped.startsWith("- ") && !stripped.equals("- None")) {
        text.append("      ").append(stripped).append('\n');
      }
    });
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
