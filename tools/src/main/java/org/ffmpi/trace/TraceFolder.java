// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;

/**
 * The folder with the files of all ranks of a job. Where our launcher starts the job, it names the folder, and makes
 * the page once all ranks have ended. Otherwise the folder lies beside the page, and the rank that leaves last makes
 * it.
 */
public final class TraceFolder {
  private static final String SUFFIX = ".ranks";
  private static final String FILE = "rank-";
  private static final String FILE_SUFFIX = ".trace";
  private static final String MAKER = "maker";

  /** How long before this rank another one of the same job may have begun; older files are of a killed job. */
  private static final long SAME_JOB_MILLIS = 600_000;

  private static final double NANOS_PER_MICRO = 1e3;

  private final Path folder;

  /** Null where a launcher makes the page. */
  private final Path page;

  private final long began = System.currentTimeMillis();

  private TraceBuffer buffer;

  private TraceFolder(Path folder, Path page) {
    this.folder = folder;
    this.page = page;
  }

  /** Returns the folder of a rank's job. */
  static TraceFolder of(Engine engine) {
    Settings settings = engine.settings();
    String named = RunSettings.TRACE_FOLDER.get(settings);
    if (!named.isEmpty()) {
      return new TraceFolder(Path.of(named), null);
    }
    Path page = Path.of(RunSettings.TRACE.get(settings)).toAbsolutePath();
    return new TraceFolder(page.resolveSibling(page.getFileName() + SUFFIX), page);
  }

  /** Makes the file of a rank. */
  TraceBuffer buffer(Engine engine) {
    int records = TraceSettings.RECORDS.get(engine.settings());
    int capacity = Integer.highestOneBit(records) == records ? records : Integer.highestOneBit(records) << 1;
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(folder.resolve(MAKER));
      Path file = folder.resolve(FILE + engine.self() + FILE_SUFFIX);
      Files.deleteIfExists(file);
      buffer = TraceBuffer.create(
          file, engine.self(), engine.peers(), engine.node(engine.self()), capacity);
      return buffer;
    } catch (IOException | UncheckedIOException e) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, RunSettings.TRACE.name(), page == null ? folder : page,
          "a file in a folder where this rank may write (" + e + ")");
    }
  }

  /** Ends the file of a rank that has left; makes the page if that was the last one. */
  void left(Engine engine) {
    buffer.ended();
    if (page == null) {
      return;
    }
    try {
      if (haveAllEnded(engine)) {
        Files.createFile(folder.resolve(MAKER));
        TracePages.write(read(folder, "", JobRecording.UNKNOWN), page);
        delete(folder);
      }
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // another rank has left at the same moment and makes it, or has made it
    } catch (IOException | RuntimeException e) {
      System.err.println("ffmpi: " + RunSettings.TRACE.name() + ": " + page + " could not be written: " + e);
    }
  }

  private boolean haveAllEnded(Engine engine) throws IOException {
    for (int rank = 0; rank < engine.peers(); rank++) {
      Path file = folder.resolve(FILE + rank + FILE_SUFFIX);
      TraceReader reader = Files.exists(file) ? TraceReader.open(file) : null;
      if (reader == null || !reader.hasEnded() || reader.ranks() != engine.peers()
          || reader.wallMillis() < began - SAME_JOB_MILLIS) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the recordings of a job's ranks.
   *
   * @param folder where they are
   * @param command the command line of the job
   * @param ended when the job ended by the clock of rank 0, for calls without an end; or {@link JobRecording#UNKNOWN}
   * @return the recordings; those of ranks that left none are missing, and a note names these ranks
   * @throws IOException when a file cannot be read
   */
  public static JobRecording read(Path folder, String command, long ended) throws IOException {
    TreeMap<Integer, TraceReader> readers = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(FILE_SUFFIX)).toList()) {
        TraceReader reader = TraceReader.open(file);
        if (reader != null) {
          readers.put(reader.rank(), reader);
        }
      }
    }
    List<String> notes = new ArrayList<>();
    TreeMap<Integer, TraceReader.Clock> clocks = new TreeMap<>();
    for (TraceReader reader : readers.values()) {
      if (reader.samples() > 0) {
        clocks.put(reader.node(), clock(reader, notes));
      }
    }
    int homeNode = readers.isEmpty() ? 0 : readers.firstEntry().getValue().node();
    List<RankRecording> ranks = new ArrayList<>();
    for (TraceReader reader : readers.values()) {
      TraceReader.Clock clock = clocks.get(reader.node());
      if (clock == null && reader.node() != homeNode && !clocks.containsKey(reader.node())) {
        clocks.put(reader.node(), TraceReader.Clock.SAME);
        notes.add("The clock of node " + reader.node() + " could not be compared with that of node " + homeNode
            + ": times of its ranks may be off.");
      }
      ranks.add(reader.recording(clock == null ? TraceReader.Clock.SAME : clock));
    }
    addMissing(readers, notes);
    boolean all = ranks.stream().flatMap(rank -> rank.calls().stream()).allMatch(TracedCall::isFinished);
    return new JobRecording(command, ranks, notes, all ? JobRecording.UNKNOWN : ended);
  }

  /** Returns how the clock of a node is corrected, and notes it. */
  private static TraceReader.Clock clock(TraceReader reader, List<String> notes) {
    long time = reader.sample(0, TraceLayout.SAMPLE_TIME);
    long offset = reader.sample(0, TraceLayout.SAMPLE_OFFSET);
    double error = reader.sample(0, TraceLayout.SAMPLE_ROUND_TRIP) / 2.0;
    double drift = 0;
    String atEnd = "";
    if (reader.samples() > 1) {
      long later = reader.sample(1, TraceLayout.SAMPLE_TIME);
      long moved = reader.sample(1, TraceLayout.SAMPLE_OFFSET) - offset;
      error = Math.max(error, reader.sample(1, TraceLayout.SAMPLE_ROUND_TRIP) / 2.0);
      drift = later > time ? (double) moved / (later - time) : 0;
      atEnd = String.format(Locale.ROOT, ", and by %+.1f µs more at its end", moved / NANOS_PER_MICRO);
    }
    notes.add(String.format(
        Locale.ROOT,
        "The clock of node %d differed from that of rank 0 by %.1f µs at the beginning of the job%s; that is known to"
            + " ±%.1f µs, and corrected.",
        reader.node(), -offset / NANOS_PER_MICRO, atEnd, error / NANOS_PER_MICRO));
    return new TraceReader.Clock(offset, time, offset, drift);
  }

  private static void addMissing(TreeMap<Integer, TraceReader> readers, List<String> notes) {
    int ranks = readers.isEmpty() ? 0 : readers.firstEntry().getValue().ranks();
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (!readers.containsKey(rank)) {
        missing.add(rank);
      }
    }
    if (!missing.isEmpty()) {
      notes.add("Ranks " + missing + " left no recording.");
    }
  }

  /**
   * Deletes a folder of recordings.
   *
   * @param folder the folder
   * @throws IOException when something cannot be deleted
   */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
