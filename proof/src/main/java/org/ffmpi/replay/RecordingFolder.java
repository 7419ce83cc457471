// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The files that one rank writes. Any thread; waits for the disk. */
final class RecordingFolder {
  private static final Pattern FILE = Pattern.compile("rank-(\\d{1,9})\\.(\\d{1,9})");

  /** Number of new threads after which the files of those that have ended are closed. */
  private static final int SWEEP = 64;

  private record Open(ChoiceLog log, WeakReference<Thread> thread) {}

  private final Path path;
  private final int rank;
  private final int ranks;
  private final String program;
  private final ChoiceLog main;
  private final List<Open> open = new ArrayList<>();
  private final Map<Integer, ChoiceLog> windows = new ConcurrentHashMap<>();
  private int files;
  private boolean closed;

  /** Begins a recording; removes earlier files of this rank, at rank 0 also those of ranks beyond the last. */
  RecordingFolder(Path path, int rank, int ranks, String program, ChannelNumbers channels) {
    this.path = path;
    this.rank = rank;
    this.ranks = ranks;
    this.program = program;
    try {
      Files.createDirectories(path);
      for (Map.Entry<Path, Integer> old : files(path).entrySet()) {
        if (old.getValue() == rank || rank == 0 && old.getValue() >= ranks) {
          Files.deleteIfExists(old.getKey());
        }
      }
      this.main = newLog(0, "", Thread.currentThread(), channels);
    } catch (IOException | UncheckedIOException e) {
      throw new MpiException(ErrorClass.ERR_IO, "rank " + rank + " cannot record in " + path + ": " + e, e);
    }
  }

  /** Returns the files of a recording, each with its rank, those of one rank in their order. */
  static Map<Path, Integer> files(Path folder) throws IOException {
    Map<Path, Integer> found = new TreeMap<>((a, b) -> Long.compare(order(a), order(b)));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "rank-*")) {
      for (Path file : all) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.put(file, Integer.valueOf(name.group(1)));
        }
      }
    }
    return found;
  }

  private static long order(Path file) {
    Matcher name = FILE.matcher(file.getFileName().toString());
    return name.matches() ? Long.parseLong(name.group(1)) << 32 | Long.parseLong(name.group(2)) : -1;
  }

  private ChoiceLog newLog(int window, String name, Thread thread, ChannelNumbers channels) throws IOException {
    Path file = path.resolve(RecordingFormat.fileName(rank, files++));
    return new ChoiceLog(file, channels, new StreamHeader(rank, ranks, window, program, name), thread);
  }

  /** Returns the log of the rank's own thread. */
  ChoiceLog main() {
    return main;
  }

  /** Returns the log of a window, by its number. */
  ChoiceLog window(int number, ChannelNumbers channels) {
    return windows.computeIfAbsent(number, n -> add(n, "", null, channels));
  }

  /** Begins the log of a thread, or of a window without one. */
  synchronized ChoiceLog add(int window, String name, Thread thread, ChannelNumbers channels) {
    if (closed) {
      return main; // which is closed as well
    }
    try {
      ChoiceLog log = newLog(window, name, thread, channels);
      if (thread != null && files % SWEEP == 0) {
        closeEnded();
      }
      open.add(new Open(log, thread == null ? null : new WeakReference<>(thread)));
      return log;
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_IO, "rank " + rank + " cannot record in " + path + ": " + e, e);
    }
  }

  private void closeEnded() {
    for (Iterator<Open> all = open.iterator(); all.hasNext(); ) {
      Open next = all.next();
      Thread thread = next.thread == null ? null : next.thread.get();
      if (next.thread != null && (thread == null || !thread.isAlive())) {
        next.log.close(true);
        all.remove();
      }
    }
  }

  /** Ends all files. */
  synchronized void close(boolean whole) {
    closed = true;
    main.close(whole);
    open.forEach(each -> each.log.close(whole));
  }
}
