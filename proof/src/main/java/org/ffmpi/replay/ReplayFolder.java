// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The recording of one rank, read at its start, and the cursors in it. Any thread; reading apart it never waits.
 */
final class ReplayFolder {
  private final Path path;
  private final ReplayPlace place;
  private final List<RecordedStream> unclaimed;
  private final RecordedStream main;
  private final List<ReplayCursor> cursors = new ArrayList<>();
  private final boolean hasThreads;

  /** Reads the files of a rank, and refuses the recording of another program, or of another number of ranks. */
  ReplayFolder(Path path, int rank, int ranks, String program) {
    this.path = path;
    boolean threads = false;
    List<RecordedStream> streams = new ArrayList<>();
    for (Map.Entry<Path, Integer> file : files().entrySet()) {
      if (file.getValue() == rank) {
        streams.add(StreamReader.read(file.getKey()));
      }
      StreamHeader header =
          file.getValue() == rank ? streams.getLast().header : StreamReader.readHeader(file.getKey());
      threads |= header.window() == 0 && !file.getKey().getFileName().toString().endsWith(".0");
      check(file.getKey(), header, file.getValue(), ranks, file.getValue() == rank ? program : "");
    }
    if (streams.isEmpty()) {
      throw refused("has no file of rank " + rank);
    }
    this.hasThreads = threads;
    this.main = streams.removeFirst();
    this.unclaimed = streams;
    this.place = new ReplayPlace(path.toString(), rank, main.whole);
  }

  private Map<Path, Integer> files() {
    try {
      Map<Path, Integer> found = Files.isDirectory(path) ? RecordingFolder.files(path) : Map.of();
      if (found.isEmpty()) {
        throw refused(Files.isDirectory(path) ? "has no files of ranks" : "is not a folder");
      }
      return found;
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_IO, "recording " + path + " cannot be read: " + e, e);
    }
  }

  private void check(Path file, StreamHeader header, int rank, int ranks, String program) {
    if (header.ranks() != ranks) {
      throw refused("was made with " + count(header.ranks()) + ", this job has " + count(ranks));
    }
    if (header.rank() != rank) {
      throw refused("has " + file.getFileName() + " that is of rank " + header.rank());
    }
    if (!program.isEmpty() && !header.program().isEmpty() && !program.equals(header.program())) {
      throw refused("was made with the program " + header.program() + ", rank " + rank + " runs " + program);
    }
  }

  private static String count(int ranks) {
    return ranks == 1 ? "1 rank" : ranks + " ranks";
  }

  private MpiException refused(String why) {
    return new MpiException(ErrorClass.ERR_ARG, "recording " + path + " " + why);
  }

  ReplayPlace place() {
    return place;
  }

  /** Returns whether threads beside the ranks' own have made choices, at any rank. */
  boolean hasThreads() {
    return hasThreads;
  }

  /** Returns the cursor of the rank's own thread. */
  ReplayCursor main(ChannelNumbers channels) {
    return cursor(main, channels, false);
  }

  /**
   * Returns the cursor of another thread, in the next stream of one with its name.
   */
  synchronized ReplayCursor thread(String name, ChannelNumbers channels) {
    RecordedStream found = null;
    for (RecordedStream stream : unclaimed) {
      if (stream.header.window() == 0 && stream.header.thread().equals(name)) {
        found = stream;
        break;
      }
    }
    unclaimed.remove(found);
    return cursor(found, channels, false);
  }

  /** Returns the cursor of a window, by its number. */
  synchronized ReplayCursor window(int number, ChannelNumbers channels) {
    RecordedStream found = null;
    for (RecordedStream stream : unclaimed) {
      if (stream.header.window() == number) {
        found = stream;
        break;
      }
    }
    unclaimed.remove(found);
    return cursor(found, channels, true);
  }

  private synchronized ReplayCursor cursor(RecordedStream stream, ChannelNumbers channels, boolean isWindow) {
    ReplayCursor made = new ReplayCursor(stream, place, channels, isWindow);
    cursors.add(made);
    return made;
  }

  /** Reports it if the rank ends before its recording does. */
  synchronized void reportLeft() {
    if (place.hasOtherCall()) {
      return;
    }
    for (ReplayCursor cursor : cursors) {
      String left = cursor.left();
      if (left != null) {
        place.report("it ends before its recording, which goes on with " + left);
        return;
      }
    }
  }
}
