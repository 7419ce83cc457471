// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.raw.Raw;

/**
 * The layout of the file that one rank records its calls in. The rank maps it and writes; the maker of the
 * page reads it when the rank has ended, also by a kill, so that every record has to be whole without a last word.
 *
 * <pre>
 *  0       8     12    16    20    24       28       32         40       48     56      64
 *  +-------+-----+-----+-----+-----+--------+--------+----------+--------+------+-------+
 *  | magic |vers.|rank |ranks|node |records |strings |wall clock|started |ended |samples|
 *  +-------+-----+-----+-----+-----+--------+--------+----------+--------+------+-------+
 *  64      two samples of the clock: time, offset, round trip (24 bytes each)
 *  128     number of the next record           a line of its own: every call counts it up
 *  192     bytes of strings in use
 *  4096    strings: length (2 bytes) and UTF-8 text, one after the other; the n-th has number n, from 1
 *  +2^18   records, 64 bytes each; record n lies at place n modulo their number
 *
 *  a record
 *  0       8     16     24      32        40     44    48     52     53   54     56    58   60       64
 *  +-------+-----+------+-------+---------+------+-----+------+------+----+------+-----+----+--------+
 *  | start | end | comm | bytes | request | peer | tag | site | kind | -- | name | how | -- | number |
 *  +-------+-----+------+-------+---------+------+-----+------+------+----+------+-----+----+--------+
 * </pre>
 *
 * <p>The end is 0 while the call lasts. The number is the low half of the record's number and one: a place without the
 * number that belongs there is empty, or is being written.
 */
final class TraceLayout {
  static final long MAGIC_VALUE = 0x31_65_63_61_72_74_66_66L; // "fftrace1"
  static final int VERSION_VALUE = 1;

  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int RANK = 12;
  static final int RANKS = 16;
  static final int NODE = 20;
  static final int RECORDS = 24;
  static final int STRINGS = 28;
  static final int WALL = 32;
  static final int STARTED = 40;
  static final int ENDED = 48;
  static final int SAMPLES = 56;
  static final int CLOCK = 64;
  static final int NEXT = 128;
  static final int STRING_BYTES = 192;
  static final int HEADER = 4096;

  /** A sample of the clock. */
  static final int SAMPLE_TIME = 0;
  static final int SAMPLE_OFFSET = 8;
  static final int SAMPLE_ROUND_TRIP = 16;
  static final int SAMPLE = 24;

  static final int STRINGS_LENGTH = 1 << 18;

  /** A record. */
  static final int START = 0;
  static final int END = 8;
  static final int COMM = 16;
  static final int BYTES = 24;
  static final int REQUEST = 32;
  static final int PEER = 40;
  static final int TAG = 44;
  static final int SITE = 48;
  static final int KIND = 52;
  static final int NAME = 54;
  static final int HOW = 56;
  static final int NUMBER = 60;
  static final int RECORD = 64;

  /** The beginning of a string that describes a communicator: number, name and members follow, with bars between. */
  static final String GROUP = "\u0001";

  private TraceLayout() {}

  /** Returns the length of a file with so many records. */
  static long bytes(int records) {
    return HEADER + STRINGS_LENGTH + (long) records * RECORD;
  }

  static long getAndAddNext(long file) {
    return Raw.getAndAddLong(file + NEXT, 1);
  }

  static int getPlainNumber(long record) {
    return Raw.getInt(record + NUMBER);
  }

  /** Publishes a record: after all of it but its end. */
  static void putReleaseNumber(long record, int number) {
    Raw.putReleaseInt(record + NUMBER, number);
  }

  static void putReleaseEnd(long record, long nanos) {
    Raw.putReleaseLong(record + END, nanos);
  }

  /** Publishes a string: after its text. */
  static void putReleaseStringBytes(long file, int bytes) {
    Raw.putReleaseInt(file + STRING_BYTES, bytes);
  }

  /** Publishes a sample of the clock: after its numbers. */
  static void putReleaseSamples(long file, int samples) {
    Raw.putReleaseInt(file + SAMPLES, samples);
  }

  static void putReleaseEnded(long file, long nanos) {
    Raw.putReleaseLong(file + ENDED, nanos);
  }
}
