// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;
import org.ffmpi.trace.model.TracedGroup;

/**
 * Reads the file of a rank, which may have been killed at any time. Trusts nothing but whole records. One thread.
 */
final class TraceReader {
  private static final int FEWEST_NUMBERS = TraceLayout.HEADER + TraceLayout.STRINGS_LENGTH;

  private final ByteBuffer file;
  private final List<String> strings = new ArrayList<>();
  private final List<TracedGroup> groups = new ArrayList<>();

  private TraceReader(ByteBuffer file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @return a reader of it; null for a file that no rank has written
   */
  static TraceReader open(Path path) throws IOException {
    ByteBuffer file;
    try (FileChannel channel = FileChannel.open(path)) {
      long size = channel.size();
      if (size < FEWEST_NUMBERS || size > Integer.MAX_VALUE) {
        return size <= Integer.MAX_VALUE ? null : tooLong(path, size);
      }
      file = channel.map(FileChannel.MapMode.READ_ONLY, 0, size).order(ByteOrder.nativeOrder());
    }
    boolean isOurs = file.getLong(TraceLayout.MAGIC) == TraceLayout.MAGIC_VALUE
        && file.getInt(TraceLayout.VERSION) == TraceLayout.VERSION_VALUE
        && Integer.bitCount(file.getInt(TraceLayout.RECORDS)) == 1
        && TraceLayout.bytes(file.getInt(TraceLayout.RECORDS)) <= file.capacity();
    if (!isOurs) {
      return null;
    }
    TraceReader reader = new TraceReader(file);
    reader.readStrings();
    return reader;
  }

  private static TraceReader tooLong(Path path, long size) throws IOException {
    throw new IOException(path + " has " + size + " bytes, more than can be read");
  }

  int rank() {
    return file.getInt(TraceLayout.RANK);
  }

  int ranks() {
    return file.getInt(TraceLayout.RANKS);
  }

  int node() {
    return file.getInt(TraceLayout.NODE);
  }

  /** Returns when the rank began, in milliseconds of the wall clock. */
  long wallMillis() {
    return file.getLong(TraceLayout.WALL);
  }

  boolean hasEnded() {
    return file.getLong(TraceLayout.ENDED) != 0;
  }

  /** Returns how often the clock of this rank's node has been compared with that of rank 0: 0 to 2. */
  int samples() {
    return Math.clamp(file.getInt(TraceLayout.SAMPLES), 0, 2);
  }

  /** Returns a number of a comparison of clocks. */
  long sample(int index, int what) {
    return file.getLong(TraceLayout.CLOCK + index * TraceLayout.SAMPLE + what);
  }

  private void readStrings() {
    strings.add(null);
    int length = Math.clamp(file.getInt(TraceLayout.STRING_BYTES), 0, TraceLayout.STRINGS_LENGTH);
    int at = 0;
    while (at + Short.BYTES <= length) {
      int bytes = file.getShort(TraceLayout.HEADER + at);
      if (bytes < 0 || at + Short.BYTES + bytes > length) {
        return;
      }
      byte[] text = new byte[bytes];
      file.get(TraceLayout.HEADER + at + Short.BYTES, text);
      String string = new String(text, StandardCharsets.UTF_8);
      strings.add(string);
      if (string.startsWith(TraceLayout.GROUP)) {
        addGroup(string.substring(TraceLayout.GROUP.length()).split("\\|", -1));
      }
      at += Short.BYTES + bytes;
    }
  }

  private void addGroup(String[] parts) {
    List<Integer> members = new ArrayList<>();
    try {
      for (String range : parts[2].split(",")) {
        String[] ends = range.split("-");
        for (int peer = Integer.parseInt(ends[0]); peer <= Integer.parseInt(ends[ends.length - 1]); peer++) {
          members.add(peer);
        }
      }
      groups.add(new TracedGroup(Long.parseLong(parts[0]), parts[1], members));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // text that has been cut
    }
  }

  private String string(int number) {
    return number > 0 && number < strings.size() ? strings.get(number) : null;
  }

  // ---- records

  /**
   * Returns the calls that are left.
   *
   * @param clockOffset what has to be added to their times
   */
  RankRecording recording(Clock clock) {
    long next = file.getLong(TraceLayout.NEXT);
    int capacity = file.getInt(TraceLayout.RECORDS);
    List<TracedCall> calls = new ArrayList<>();
    for (long number = Math.max(0, next - capacity); number < next; number++) {
      int at = FEWEST_NUMBERS + (int) (number & capacity - 1) * TraceLayout.RECORD;
      if (file.getInt(at + TraceLayout.NUMBER) == (int) number + 1) {
        calls.add(call(at, clock));
      }
    }
    calls.sort(Comparator.comparingLong(TracedCall::start));
    return new RankRecording(
        rank(), node(), clock.statedOffset(), Math.max(0, next - capacity), hasEnded(), calls, groups);
  }

  /** The clock of a rank's node, and what makes it that of rank 0. */
  record Clock(long statedOffset, long firstTime, long firstOffset, double drift) {
    static final Clock SAME = new Clock(0, 0, 0, 0);

    /** Corrects a time so that {@code statedOffset} is all that is left to add. */
    long corrected(long nanos) {
      return nanos + firstOffset - statedOffset + Math.round((nanos - firstTime) * drift);
    }
  }

  private TracedCall call(int at, Clock clock) {
    int word = file.getInt(at + TraceLayout.KIND);
    CallKind kind = CallKind.of(word & 0xFF);
    String name = string(word >>> Short.SIZE);
    long end = file.getLong(at + TraceLayout.END);
    long request = file.getLong(at + TraceLayout.REQUEST);
    int peer = file.getInt(at + TraceLayout.PEER);
    int tag = file.getInt(at + TraceLayout.TAG);
    long bytes = file.getLong(at + TraceLayout.BYTES);
    long comm = file.getLong(at + TraceLayout.COMM);
    boolean finished = end != 0;
    boolean completes = kind == CallKind.WAIT || kind == CallKind.TEST;
    boolean receives = kind == CallKind.RECV || kind == CallKind.PROBE || kind == CallKind.MPROBE;
    List<CompletedRequest> completed =
        !finished || completes && request == 0 || !completes && !receives
            ? List.of()
            : List.of(new CompletedRequest(completes ? request : 0, peer, tag, bytes, false));
    boolean collective = kind == CallKind.COLLECTIVE;
    return new TracedCall(
        clock.corrected(file.getLong(at + TraceLayout.START)),
        finished ? clock.corrected(end) : TracedCall.UNFINISHED,
        kind, name == null ? "" : name, string(file.getInt(at + TraceLayout.SITE)),
        completes || kind == CallKind.INIT || kind == CallKind.FINALIZE ? -1 : comm,
        completes ? TracedCall.NONE : peer, collective || completes ? TracedCall.NONE : tag, completes ? 0 : bytes,
        string(file.getInt(at + TraceLayout.HOW) & 0xFFFF), completes ? 0 : request, collective ? tag : -1, completed);
  }
}
