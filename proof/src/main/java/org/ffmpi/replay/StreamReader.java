// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Reads one file of a recording, see {@link RecordingFormat}, and refuses what is not whole. No bytes lead to another
 * exception than that. One thread.
 */
final class StreamReader {
  private final Path path;
  private final byte[] bytes;
  private int at;
  /** First byte of the record that is read. */
  private int record;
  private long hash = RecordingFormat.HASH_BEGIN;

  private StreamReader(Path path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  /** Reads a file. */
  static RecordedStream read(Path path) {
    StreamReader reader = open(path);
    return reader.stream(reader.header());
  }

  /** Reads the header of a file alone. */
  static StreamHeader readHeader(Path path) {
    return open(path).header();
  }

  private static StreamReader open(Path path) {
    try {
      return new StreamReader(path, Files.readAllBytes(path));
    } catch (IOException | OutOfMemoryError e) {
      throw new MpiException(ErrorClass.ERR_IO, "recording " + path + " cannot be read: " + e, e);
    }
  }

  private StreamHeader header() {
    for (int i = 0; i < RecordingFormat.MAGIC.length(); i++) {
      if (at >= bytes.length || next() != RecordingFormat.MAGIC.charAt(i)) {
        throw new MpiException(ErrorClass.ERR_FILE, "recording " + path + " is not a recording of ffmpi");
      }
    }
    int version = number();
    if (version != RecordingFormat.VERSION) {
      throw new MpiException(
          ErrorClass.ERR_FILE,
          "recording " + path + " has version " + version + ", this ffmpi reads version " + RecordingFormat.VERSION);
    }
    StreamHeader header = new StreamHeader(number(), number(), number(), string(), string());
    check();
    if (header.ranks() < 1 || header.rank() < 0 || header.rank() >= header.ranks() || header.window() < 0) {
      throw damaged("the header contradicts itself");
    }
    return header;
  }

  private RecordedStream stream(StreamHeader header) {
    RecordedStream.Builder built = new RecordedStream.Builder(header);
    while (true) {
      record = at;
      if (at >= bytes.length) {
        throw new MpiException(
            ErrorClass.ERR_FILE, "recording " + path + " is cut short: it ends after byte " + bytes.length);
      }
      if (bytes[at] == 0) {
        checkZeros();
        return built.build(false);
      }
      int first = next();
      switch (first) {
        case RecordingFormat.CALL -> call(built);
        case RecordingFormat.LATER -> later(built, header.ranks());
        case RecordingFormat.AGAIN -> again(built);
        case RecordingFormat.END -> {
          int entries = number();
          check();
          if (entries != built.entries()) {
            throw damaged("it has " + built.entries() + " entries, and " + entries + " were written");
          }
          checkZeros();
          return built.build(true);
        }
        case RecordingFormat.MORE_CALLS -> event(built, number(), header.ranks());
        default -> {
          if (first < RecordingFormat.FIRST_CALL) {
            throw damaged("there is no record " + first);
          }
          event(built, first - RecordingFormat.FIRST_CALL, header.ranks());
        }
      }
    }
  }

  // ---- records

  private void call(RecordedStream.Builder built) {
    int number = number();
    int channel = signed();
    int context = number();
    int peer = signed();
    int tag = signed();
    String site = string();
    check();
    ChoiceKind kind = ChoiceKind.of(number);
    if (kind == null) {
      throw damaged("there is no call " + number);
    }
    built.calls.add(new ChoiceCall(kind, channel, context, peer, tag, site));
  }

  private void event(RecordedStream.Builder built, int number, int ranks) {
    if (number < 0 || number >= built.calls.size()) {
      throw damaged("call " + number + " has not been described");
    }
    ChoiceCall call = built.calls.get(number);
    int outcome = number();
    int tag = messageTag(call, outcome);
    int[] chosen = null;
    if (outcome >= RecordingFormat.VALUE && call.kind().outcome() == ChoiceKind.Outcome.INDICES) {
      chosen = indices(outcome - RecordingFormat.VALUE, call.tag());
    }
    check();
    checkOutcome(call, outcome, ranks);
    built.add(number, outcome, tag, chosen);
  }

  private int messageTag(ChoiceCall call, int outcome) {
    return call.choosesTag() && outcome >= RecordingFormat.VALUE ? signed() : call.tag();
  }

  private int[] indices(int n, int length) {
    if (n > length || n > bytes.length - at) {
      throw damaged(n + " of " + length + " requests cannot be reported");
    }
    int[] chosen = new int[n];
    int index = 0;
    for (int i = 0; i < n; i++) {
      int step = number();
      if (step < (i == 0 ? 0 : 1) || step >= length - index) {
        throw damaged("there is no request " + step + " after request " + index + " of " + length);
      }
      index += step;
      chosen[i] = index;
    }
    return chosen;
  }

  private void checkOutcome(ChoiceCall call, int outcome, int ranks) {
    int value = outcome - RecordingFormat.VALUE;
    boolean right = outcome >= 0 && (value < 0 || switch (call.kind().outcome()) {
      case MESSAGE -> value < ranks && (call.peer() == Constants.ANY_SOURCE || value == call.peer());
      case YES -> value == 0;
      case INDEX -> value < call.tag();
      case INDICES -> value <= call.tag();
    });
    if (!right) {
      throw damaged(call.describe() + " cannot have the outcome " + outcome);
    }
  }

  private void later(RecordedStream.Builder built, int ranks) {
    int back = number();
    int entry = built.entries() - back;
    // The writer numbers an entry after it has counted it.
    int posted = entry - 1;
    int number = posted < 0 || posted >= built.entries() ? RecordedStream.AGAIN : built.callNumber(posted);
    if (number == RecordedStream.AGAIN || built.calls.get(number).kind() != ChoiceKind.POSTED_RECEIVE
        || built.outcome(posted) != RecordingFormat.NONE) {
      throw damaged("there is no receive without an outcome " + back + " entries before");
    }
    ChoiceCall call = built.calls.get(number);
    int outcome = number();
    int tag = messageTag(call, outcome);
    check();
    checkOutcome(call, outcome, ranks);
    built.later(posted, outcome, tag);
  }

  private void again(RecordedStream.Builder built) {
    int period = number();
    check();
    if (period < 1 || period > RecordingFormat.LONGEST_PERIOD || period > built.entries()) {
      throw damaged("it repeats the last " + period + " of " + built.entries() + " entries");
    }
    for (int i = 1; i <= period; i++) {
      int number = built.callNumber(built.entries() - i);
      if (number == RecordedStream.AGAIN || !built.calls.get(number).kind().isPoll()
          || built.outcome(built.entries() - i) != RecordingFormat.NONE) {
        throw damaged("it repeats a call that was no test without success");
      }
    }
    int count = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      count |= next() << 8 * i;
    }
    hash = RecordingFormat.hash(hash, count & 0xFFFFFFFFL, Integer.BYTES);
    if (count < 0) {
      throw damaged("it repeats " + count + " calls");
    }
    if (count == 0) {
      return; // the rank was killed before it counted
    }
    built.add(RecordedStream.AGAIN, period, count, null);
  }

  // ---- bytes

  private int next() {
    if (at >= bytes.length) {
      throw new MpiException(
          ErrorClass.ERR_FILE, "recording " + path + " is cut short: it ends inside the record at byte " + record);
    }
    return bytes[at++] & 0xFF;
  }

  private int number() {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      int b = next();
      value |= (b & 0x7F) << shift;
      if ((b & 0x80) == 0) {
        return value;
      }
    }
    throw damaged("a number has more than 32 bits");
  }

  private int signed() {
    return RecordingFormat.unzigzag(number());
  }

  private String string() {
    int n = number();
    if (n < 0 || n > RecordingFormat.LONGEST_STRING) {
      throw damaged("a string has " + n + " bytes");
    }
    byte[] text = new byte[n];
    for (int i = 0; i < n; i++) {
      text[i] = (byte) next();
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private void check() {
    hash = RecordingFormat.hash(hash, bytes, record, at);
    if ((byte) next() != RecordingFormat.check(hash)) {
      throw damaged("the check of its bytes fails");
    }
  }

  private void checkZeros() {
    for (int i = at; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        record = i;
        throw damaged("something follows its end");
      }
    }
  }

  private MpiException damaged(String why) {
    return new MpiException(
        ErrorClass.ERR_FILE, "recording " + path + " is damaged in the record at byte " + record + ": " + why);
  }
}
