// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveForm;

/**
 * The facts of a collective call at one rank, in numbers that the ranks can compare: the arguments that have to be the
 * same everywhere, and the bytes and types of each message of the plainest algorithm.
 *
 * <p>A note is a head of {@link #HEAD} numbers, then the messages that the rank sends and those that it expects. A
 * message is three numbers: the rank at its other end, its bytes, and the hash of its types. A missing message has no
 * bytes.
 */
public final class CollectiveFacts {
  // Places of the numbers in the head.
  static final int WRONG = 0;
  static final int FORM = 1;
  static final int CALL = 2;
  static final int ROOT = 3;
  static final int OP = 4;
  static final int BYTES = 5;
  static final int SIGNATURE = 6;
  static final int COUNTS = 7;
  private static final int SENDS = 8;
  private static final int RECEIVES = 9;

  /** Numbers that each note begins with. */
  static final int HEAD = 10;

  /** Numbers of one message. */
  private static final int EACH = 3;

  /** Stands for a fact that a call does not have. */
  static final long NOTHING = Long.MIN_VALUE;

  /** Stands for an operation of the program. */
  static final long COMMUTATIVE_OP = -1;

  private static final long ORDERED_OP = -2;

  private final Channel channel;
  private final long[] head = new long[HEAD];
  private final Messages sends = new Messages();
  private final Messages receives = new Messages();

  /** A growing list of messages. */
  private static final class Messages {
    private long[] words = {};
    private int length;

    void add(int rank, long bytes, long signature) {
      if (length == words.length) {
        words = Arrays.copyOf(words, Math.max(4 * EACH, 2 * length));
      }
      words[length] = rank;
      words[length + 1] = bytes;
      words[length + 2] = signature;
      length += EACH;
    }
  }

  /**
   * Collects the facts of a call.
   *
   * @param wrong the error of its arguments at this rank, with which nothing else is recorded; or null
   */
  CollectiveFacts(Channel channel, CollectiveArguments call, CollectiveForm form, MpiException wrong) {
    this.channel = channel;
    Arrays.fill(head, NOTHING);
    head[WRONG] = wrong == null ? 0 : wrong.errorClass().code();
    head[FORM] = form.ordinal();
    head[CALL] = call.method.ordinal();
    if (wrong == null) {
      call.describe(channel, this);
    }
    head[SENDS] = sends.length / EACH;
    head[RECEIVES] = receives.length / EACH;
  }

  /** Returns the note for the other ranks. */
  long[] note() {
    long[] note = Arrays.copyOf(head, HEAD + sends.length + receives.length);
    System.arraycopy(sends.words, 0, note, HEAD, sends.length);
    System.arraycopy(receives.words, 0, note, HEAD + sends.length, receives.length);
    return note;
  }

  static String form(long word) {
    return CollectiveForm.values()[(int) word].name().toLowerCase(Locale.ROOT);
  }

  /** Returns the operation of a call. */
  static Collective operation(long[] note) {
    return CollectiveMethod.values()[(int) note[CALL]].within;
  }

  /** Returns the root of a call, or -1. */
  static int root(long[] note) {
    return note[ROOT] == NOTHING ? -1 : (int) note[ROOT];
  }

  static String call(long word) {
    return CollectiveMethod.values()[(int) word].methodName;
  }

  // ---- for the calls

  /** Records the root, on which all ranks have to agree. */
  void root(int root) {
    head[ROOT] = root;
  }

  /**
   * Records the operands of a reduction, whose number and types are the same at all ranks. The function of a program's
   * own operation cannot be compared.
   */
  void operands(Op<?> op, Buf<?> operands) {
    head[OP] = op.name().startsWith("MPI_") ? ComparedText.hashOfOp(op.name()) : ownOp(op);
    head[BYTES] = BufImpl.of(operands).packedBytes();
    head[SIGNATURE] = signature(operands, BufImpl.of(operands).packedBytes());
  }

  private static long ownOp(Op<?> op) {
    return op.isCommutative() ? COMMUTATIVE_OP : ORDERED_OP;
  }

  /** Records the counts of a call in which all ranks of a group pass the same ones. */
  void counts(long[] counts) {
    head[COUNTS] = Arrays.hashCode(counts);
  }

  /** Records a message to a rank of the remote group; messages to itself are left out. */
  void sends(int rank, Buf<?> buf) {
    sends(rank, buf, BufImpl.of(buf).packedBytes());
  }

  void sends(int rank, Buf<?> buf, long bytes) {
    message(sends, rank, buf, bytes);
  }

  /** Records a message from a rank of the remote group; messages from itself are left out. */
  void receives(int rank, Buf<?> buf) {
    receives(rank, buf, BufImpl.of(buf).packedBytes());
  }

  void receives(int rank, Buf<?> buf, long bytes) {
    message(receives, rank, buf, bytes);
  }

  private void message(Messages into, int rank, Buf<?> buf, long bytes) {
    if (bytes > 0 && (CollectiveChecks.isBetweenGroups(channel) || rank != channel.rank())) {
      into.add(rank, bytes, signature(buf, bytes));
    }
  }

  /**
   * Records the next of the messages to a neighbour, which may be PROC_NULL or this rank itself. Those without bytes
   * count, since the messages of a pair of ranks are compared in their order.
   */
  void sendsNext(int rank, Buf<?> buf) {
    next(sends, rank, buf);
  }

  /** Records the next of the messages from a neighbour, in the order in which they match its sends. */
  void receivesNext(int rank, Buf<?> buf) {
    next(receives, rank, buf);
  }

  private static void next(Messages into, int rank, Buf<?> buf) {
    if (rank != Constants.PROC_NULL) {
      long bytes = BufImpl.of(buf).packedBytes();
      into.add(rank, bytes, signature(buf, bytes));
    }
  }

  /** Returns a hash of the types in a buffer's first bytes, or 0 where any type matches. */
  private static long signature(Buf<?> buf, long bytes) {
    StreamSignature signature = BufImpl.of(buf).plan().signature();
    return bytes == 0 || signature == null || signature.matchesAnything() ? 0 : signature.hash(bytes);
  }

  // ---- for the comparison

  /** Returns the length of a note with a given head. */
  static int length(long[] head) {
    return Math.toIntExact(HEAD + EACH * (head[SENDS] + head[RECEIVES]));
  }

  static boolean isRefused(long[] note) {
    return note[WRONG] != 0;
  }

  /** Returns the number of messages that a rank sends. */
  static int sends(long[] note) {
    return (int) note[SENDS];
  }

  /** Returns the number of messages that a rank expects. */
  static int receives(long[] note) {
    return (int) note[RECEIVES];
  }

  /** Returns the index in a note at which a message that the rank sends begins, for {@link #rank} and the others. */
  static int sent(int number) {
    return HEAD + EACH * number;
  }

  /** Returns the index in a note at which a message that the rank expects begins. */
  static int due(long[] note, int number) {
    return HEAD + EACH * (sends(note) + number);
  }

  static int rank(long[] note, int message) {
    return (int) note[message];
  }

  static long bytes(long[] note, int message) {
    return note[message + 1];
  }

  /** Returns number and type of a message's elements. */
  static String elements(long[] note, int message) {
    return ComparedText.elements(note[message + 2], bytes(note, message));
  }

  static boolean sameTypes(long[] from, int sent, long[] into, int due) {
    return from[sent + 2] == into[due + 2] || from[sent + 2] == 0 || into[due + 2] == 0;
  }
}
