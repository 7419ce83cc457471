// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Envelope;

/**
 * Writes the choices of one stream, see {@link RecordingFormat}. Called by the thread whose choices they are, without a
 * lock; outcomes of posted receives come from any thread that makes progress, also under locks of the engine. Waits for
 * the disk alone. When that is full, the recording ends there, and the program continues.
 */
final class ChoiceLog {
  /** How many calls are written with the line of the program that makes them. */
  private static final int MOST_SITES = 1000;

  /** What fits into one byte of a number. */
  private static final int ONE_BYTE = 128;

  private static final VarHandle LATE;

  static {
    try {
      LATE = MethodHandles.lookup().findVarHandle(ChoiceLog.class, "late", Late.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int REMEMBERED = 2 * RecordingFormat.LONGEST_PERIOD;

  /** A call as the engine knows it in this run. */
  private record Key(ChoiceKind kind, long context, int peer, int tag) {}

  private final ChannelNumbers channels;
  private volatile Thread owner;
  private final Path path;
  private final RecordingFile file;
  private final RecordBytes bytes = new RecordBytes();
  private final Map<Key, Integer> calls = new HashMap<>();
  /** The last call of each kind, nearly always that of the next one. */
  private final Key[] lastKeys = new Key[ChoiceKind.values().length];
  private final int[] lastNumbers = new int[lastKeys.length];
  private int entries;
  /**
   * Number of the call of the last entry while that is a posted receive and not written; -1 for none. It is written
   * with the next entry, or with its outcome if that is known before. Where the rank is killed before, its outcome is
   * open in either way.
   */
  private int posted = -1;
  /** The envelope of calls whose caller wants none, for the stream's thread; and one that is free inside of calls. */
  private final Envelope envelope = new Envelope();
  private final Envelope inner = new Envelope();
  /** The last calls, as far as they were polls without success in a row. */
  private final int[] polls = new int[REMEMBERED];
  private int polled;
  /** Number of the last polls that have just been made twice; 0 for none. */
  private int period;
  /** How many more times calls of the period have been made. */
  private int again;
  private volatile boolean closed;
  /** Outcomes that other threads have left, the last one first. */
  private volatile Late late;

  /** The outcome of a receive that another thread than the stream's has completed. */
  private record Late(int entry, boolean choosesTag, int outcome, int tag, Late next) {}

  /**
   * Begins a file.
   *
   * @param owner the only thread that makes these choices; null for those of a window
   */
  ChoiceLog(Path path, ChannelNumbers channels, StreamHeader header, Thread owner) throws IOException {
    this.owner = owner;
    this.path = path;
    this.channels = channels;
    this.file = new RecordingFile(path);
    file.append(header.write(bytes));
  }

  /**
   * Records a call and its outcome. Called by the stream's thread, or by one thread at a time for a window.
   *
   * @param outcome a constant of {@link RecordingFormat}, with its value
   * @param messageTag tag of the message; ignored where the call names it
   * @return the number of the entry, for {@link #later}
   */
  int add(ChoiceKind kind, long context, int peer, int tag, int outcome, int messageTag) {
    boolean isShort = outcome >= RecordingFormat.VALUE && outcome < ONE_BYTE
        || outcome == RecordingFormat.NONE && !kind.isPoll();
    if (isShort && late == null && !closed) {
      int k = kind.ordinal();
      Key last = lastKeys[k];
      if (last != null && last.context == context && last.peer == peer && last.tag == tag
          && addShort(lastNumbers[k], tag, outcome, messageTag)) {
        return entries;
      }
    }
    return add(kind, context, peer, tag, outcome, messageTag, null);
  }

  /**
   * Records that a receive has been posted whose message is not known. Called as {@link #add} is.
   *
   * @return the number of the entry, for {@link #later}
   */
  int post(long context, int peer, int tag) {
    int k = ChoiceKind.POSTED_RECEIVE.ordinal();
    Key last = lastKeys[k];
    int call = lastNumbers[k];
    if (owner == null || late != null || closed || posted >= 0 && !addPosted() || last == null
        || last.context != context || last.peer != peer || last.tag != tag || call >= RecordingFormat.SHORT_CALLS) {
      return add(ChoiceKind.POSTED_RECEIVE, context, peer, tag, RecordingFormat.NONE, 0, null);
    }
    posted = call;
    entries++;
    if (polled > 0) {
      forgetPolls();
    }
    return entries;
  }

  /** Writes the last entry as one without an outcome, if a short record has room. */
  private boolean addPosted() {
    if (file.appendShort(RecordingFormat.FIRST_CALL + posted, 2)) {
      posted = -1;
      return true;
    }
    return false;
  }

  private void flushPosted() throws IOException {
    if (posted >= 0) {
      file.append(begin(posted).add(RecordingFormat.NONE));
      posted = -1;
    }
  }

  /** Returns an envelope that the stream's thread may use until its next call. */
  Envelope envelope() {
    return envelope;
  }

  /** Returns an envelope for a receive that completes, which may be inside of another call. */
  Envelope innerEnvelope() {
    return Thread.currentThread() == owner ? inner : new Envelope();
  }

  /** Records a call that is known already, if all numbers are small. */
  private boolean addShort(int call, int tag, int outcome, int messageTag) {
    if (call >= RecordingFormat.SHORT_CALLS || posted >= 0 && !addPosted()) {
      return false;
    }
    long record = RecordingFormat.FIRST_CALL + call | (long) outcome << 8;
    int n = 2;
    if (tag == Constants.ANY_TAG && outcome >= RecordingFormat.VALUE) {
      int written = RecordingFormat.zigzag(messageTag);
      if (written < 0 || written >= ONE_BYTE) {
        return false;
      }
      record |= (long) written << 16;
      n = 3;
    }
    if (!file.appendShort(record, n)) {
      return false;
    }
    entries++;
    if (polled > 0) {
      forgetPolls();
    }
    return true;
  }

  /** Records a call, its outcome and, for outcomes that are several indices, these in ascending order. */
  int add(ChoiceKind kind, long context, int peer, int tag, int outcome, int messageTag, int[] indices) {
    if (closed) {
      return 0;
    }
    try {
      flushPosted();
      addLate();
      int call = number(kind, context, peer, tag);
      boolean fruitless = outcome == RecordingFormat.NONE && kind.isPoll();
      if (fruitless && isRepeated(call)) {
        return entries;
      }
      begin(call).add(outcome);
      if (outcome >= RecordingFormat.VALUE) {
        if (kind.outcome() == ChoiceKind.Outcome.MESSAGE && tag == Constants.ANY_TAG) {
          bytes.addSigned(messageTag);
        }
        int before = 0;
        for (int i = 0; indices != null && i < outcome - RecordingFormat.VALUE; i++) {
          bytes.add(indices[i] - before);
          before = indices[i];
        }
      }
      file.append(bytes);
      entries++;
      if (fruitless) {
        remember(call);
      } else {
        forgetPolls();
      }
    } catch (IOException e) {
      giveUp(e);
    }
    return entries;
  }

  /**
   * Records the outcome of a posted receive. Any thread; those that are not the stream's leave it to the next call
   * there, which need not come soon.
   */
  void later(int entry, boolean choosesTag, int outcome, int tag) {
    if (closed) {
      return;
    }
    if (Thread.currentThread() == owner) {
      try {
        addLater(entry, choosesTag, outcome, tag);
      } catch (IOException e) {
        giveUp(e);
      }
      return;
    }
    Late before;
    do {
      before = late;
    } while (!LATE.compareAndSet(this, before, new Late(entry, choosesTag, outcome, tag, before)));
  }

  /** Records the outcomes that other threads have left. */
  private void addLate() throws IOException {
    if (late == null) {
      return;
    }
    for (Late each = (Late) LATE.getAndSet(this, null); each != null; each = each.next) {
      addLater(each.entry, each.choosesTag, each.outcome, each.tag);
    }
  }

  private void addLater(int entry, boolean choosesTag, int outcome, int tag) throws IOException {
    if (posted >= 0 && entry == entries) {
      addWithOutcome(choosesTag, outcome, tag);
      return;
    }
    flushPosted();
    int back = entries - entry;
    if (polled > 0) {
      forgetPolls();
    }
    boolean isShort = back < ONE_BYTE && outcome < ONE_BYTE && !choosesTag;
    if (isShort && file.appendShort(RecordingFormat.LATER | back << 8 | outcome << 16, 3)) {
      return;
    }
    bytes.begin(RecordingFormat.LATER).add(back).add(outcome);
    if (choosesTag && outcome >= RecordingFormat.VALUE) {
      bytes.addSigned(tag);
    }
    file.append(bytes);
  }

  /** Writes the last entry, a posted receive, with its outcome. */
  private void addWithOutcome(boolean choosesTag, int outcome, int tag) throws IOException {
    int call = posted;
    posted = -1;
    boolean isShort = outcome < ONE_BYTE && !choosesTag;
    if (isShort && file.appendShort(RecordingFormat.FIRST_CALL + call | (long) outcome << 8, 2)) {
      return;
    }
    begin(call).add(outcome);
    if (choosesTag && outcome >= RecordingFormat.VALUE) {
      bytes.addSigned(tag);
    }
    file.append(bytes);
  }

  private RecordBytes begin(int call) {
    return call < RecordingFormat.SHORT_CALLS
        ? bytes.begin(RecordingFormat.FIRST_CALL + call)
        : bytes.begin(RecordingFormat.MORE_CALLS).add(call);
  }

  // ---- calls

  private int number(ChoiceKind kind, long context, int peer, int tag) throws IOException {
    int k = kind.ordinal();
    Key last = lastKeys[k];
    if (last != null && last.context == context && last.peer == peer && last.tag == tag) {
      return lastNumbers[k];
    }
    Key key = new Key(kind, context, peer, tag);
    Integer known = calls.get(key);
    if (known == null) {
      known = calls.size();
      String site = known < MOST_SITES ? CallPlace.ofThisThread().line() : "";
      boolean message = kind.outcome() == ChoiceKind.Outcome.MESSAGE;
      file.append(bytes.begin(RecordingFormat.CALL).add(k)
          .addSigned(message ? channels.of(context) : 0)
          .add(message ? ChannelNumbers.within(context) : 0)
          .addSigned(peer).addSigned(tag).addString(site));
      calls.put(key, known);
      forgetPolls();
    }
    lastKeys[k] = key;
    lastNumbers[k] = known;
    return known;
  }

  // ---- polls

  /** Returns whether a poll is the one that is expected after two equal periods, and counts it. */
  private boolean isRepeated(int call) throws IOException {
    if (period == 0 || polls[(polled - period + again % period) % REMEMBERED] != call) {
      if (again > 0) {
        forgetPolls();
      }
      return false;
    }
    if (again == 0) {
      file.append(bytes.begin(RecordingFormat.AGAIN).add(period));
      file.beginCount(1);
      entries++;
    } else if (!file.count()) {
      forgetPolls();
      return false;
    }
    again++;
    return true;
  }

  private void remember(int call) {
    polls[polled % REMEMBERED] = call;
    polled++;
    period = 0;
    again = 0;
    for (int p = 1; p <= RecordingFormat.LONGEST_PERIOD && 2 * p <= polled; p++) {
      if (isTwice(p)) {
        period = p;
        return;
      }
    }
  }

  private boolean isTwice(int p) {
    for (int i = 1; i <= p; i++) {
      if (polls[(polled - i) % REMEMBERED] != polls[(polled - i - p) % REMEMBERED]) {
        return false;
      }
    }
    return true;
  }

  private void forgetPolls() {
    polled = 0;
    period = 0;
    again = 0;
  }

  // ---- the end

  /** Sets the thread whose choices these are, before the first one. */
  void setOwner(Thread thread) {
    owner = thread;
  }

  /**
   * Ends the file. Called when no thread makes choices any more.
   *
   * @param whole whether the rank has left its job in good order
   */
  void close(boolean whole) {
    if (closed) {
      return;
    }
    try {
      flushPosted();
      addLate();
      if (whole) {
        file.append(bytes.begin(RecordingFormat.END).add(entries));
        file.cut();
      }
      closed = true;
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void giveUp(IOException e) {
    closed = true;
    System.err.print("ffmpi: recording ends in " + path + ": " + e.getMessage() + "\n"); // in one piece
    System.err.flush();
  }
}
