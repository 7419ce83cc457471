// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The file of a report's samples. Each sample is appended as soon as it is known, and each turn when it has ended. A
 * campaign finds all of it again, however it was stopped; after a power failure it may have to measure one turn anew.
 * One line has one entry, in fields separated by tabs; a last line that was cut off does not count.
 */
final class Journal implements AutoCloseable {
  private static final String FACT = "fact";
  private static final String SAMPLE = "sample";
  private static final String DONE = "done";
  private static final String FAILED = "failed";

  /** Fields of a sample: the word, four of the turn and eight of the sample. */
  private static final int SAMPLE_FIELDS = 13;

  private final FileChannel file;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<Entry> samples = new ArrayList<>();
  private final Map<Turn, Double> done = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();

  /**
   * The measurements that one implementation makes without another in between.
   *
   * @param part part of the report
   * @param round number of the round, from 1
   * @param implementation the implementation
   * @param ranks number of ranks
   */
  record Turn(String part, int round, String implementation, int ranks) {}

  /** A sample and the turn that it belongs to. */
  record Entry(Turn turn, Sample sample) {}

  private Journal(FileChannel file) {
    this.file = file;
  }

  /**
   * Opens a journal, or creates it, and reads its entries.
   *
   * @param path the file, in a folder that need not be there
   */
  static Journal open(Path path) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    List<String> lines = new ArrayList<>();
    long whole = 0;
    if (Files.exists(path)) {
      String text = Files.readString(path);
      whole = text.substring(0, text.lastIndexOf('\n') + 1).getBytes(StandardCharsets.UTF_8).length;
      text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
    }
    FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(whole).position(whole);
    Journal journal = new Journal(channel);
    for (String line : lines) {
      try {
        journal.add(line.split("\t"));
      } catch (RuntimeException e) {
        channel.close();
        throw new IOException(path + " is no journal of a report: " + line, e);
      }
    }
    return journal;
  }

  private void add(String[] f) {
    switch (f[0]) {
      case FACT -> facts.put(f[1], f.length > 2 ? f[2] : "");
      case SAMPLE -> {
        if (f.length != SAMPLE_FIELDS) {
          throw new IllegalArgumentException("fields of a sample: " + f.length);
        }
        Turn turn = turn(f);
        samples.add(new Entry(turn, new Sample(new Point(f[5], f[6], turn.ranks(), Long.parseLong(f[7])), f[8],
            Arrays.stream(f[12].split(" ")).mapToDouble(Double::parseDouble).toArray(), Double.parseDouble(f[9]),
            Double.parseDouble(f[10]), Boolean.parseBoolean(f[11]))));
      }
      case DONE -> done.put(turn(f), Double.parseDouble(f[5]));
      case FAILED -> failures.add(f[1]);
      default -> throw new IllegalArgumentException("unknown entry");
    }
  }

  private static Turn turn(String[] f) {
    return new Turn(f[1], Integer.parseInt(f[2]), f[3], Integer.parseInt(f[4]));
  }

  private static String fields(String word, Turn t) {
    return word + '\t' + t.part() + '\t' + t.round() + '\t' + t.implementation() + '\t' + t.ranks();
  }

  /** Returns the facts of the campaign's beginning; empty in a new journal. */
  synchronized Map<String, String> facts() {
    return new LinkedHashMap<>(facts);
  }

  synchronized List<Entry> samples() {
    return List.copyOf(samples);
  }

  /** Returns the failures, each in one line. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns the seconds of all turns that have ended. */
  synchronized double seconds() {
    return done.values().stream().mapToDouble(s -> s).sum();
  }

  /** Returns the mean seconds of the ended turns of a part by one implementation; NaN without one. */
  synchronized double meanSeconds(String part, String implementation, int ranks) {
    return done.entrySet().stream()
        .filter(e -> e.getKey().part().equals(part) && e.getKey().implementation().equals(implementation)
            && e.getKey().ranks() == ranks)
        .mapToDouble(Map.Entry::getValue).average().orElse(Double.NaN);
  }

  synchronized boolean isDone(Turn turn) {
    return done.containsKey(turn);
  }

  /** Returns whether anything of a part's round has been measured. */
  synchronized boolean hasBegun(String part, int round) {
    return done.keySet().stream().anyMatch(t -> t.part().equals(part) && t.round() == round)
        || samples.stream().anyMatch(e -> e.turn().part().equals(part) && e.turn().round() == round);
  }

  /** Returns the points of a turn that have been measured. */
  synchronized Set<Point> measured(Turn turn) {
    return samples.stream().filter(e -> e.turn().equals(turn)).map(e -> e.sample().point())
        .collect(Collectors.toCollection(HashSet::new));
  }

  void fact(String key, String value) throws IOException {
    append(FACT + '\t' + key + '\t' + plain(value));
  }

  void sample(Turn turn, Sample s) throws IOException {
    Point p = s.point();
    append(fields(SAMPLE, turn) + '\t' + String.join("\t", p.bench(), p.name(), Long.toString(p.bytes()), s.unit(),
        Double.toString(s.hop()), Double.toString(s.foreignPercent()), Boolean.toString(s.quiet()),
        Arrays.stream(s.values()).mapToObj(Double::toString).collect(Collectors.joining(" "))));
  }

  void done(Turn turn, double seconds) throws IOException {
    append(fields(DONE, turn) + '\t' + seconds);
    force();
  }

  void failed(String sentence) throws IOException {
    append(FAILED + '\t' + plain(sentence));
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  private synchronized void append(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    add(line.split("\t"));
  }

  /** Not after each sample, since the write to disk would disturb the next one. */
  private synchronized void force() throws IOException {
    file.force(false);
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
