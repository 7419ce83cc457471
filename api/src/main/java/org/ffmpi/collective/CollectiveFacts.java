// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveForm;

/**
 * The facts of a collective call at one rank, in numbers that the ranks can compare: of each message that it takes to
 * carry out the call in the plainest way, how many bytes of which types it has, and what has to be the same everywhere.
 */
public final class CollectiveFacts {
  /** Names of all collective calls; the index here stands for a call. */
  private static final List<String> CALLS = List.of(
      "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
      "alltoallv", "alltoallw", "reduce", "allreduce", "reduceScatterBlock", "reduceScatter", "scan", "exscan",
      "neighborAllgather", "neighborAllgatherv", "neighborAlltoall", "neighborAlltoallv", "neighborAlltoallw");

  // Places of the numbers.
  static final int WRONG = 0;
  static final int FORM = 1;
  static final int CALL = 2;
  static final int ROOT = 3;
  static final int OP = 4;
  static final int BYTES = 5;
  static final int SIGNATURE = 6;
  static final int COUNTS = 7;
  private static final int HEAD = 8;
  private static final int SENT = 0;
  private static final int SENT_SIGNATURE = 1;
  private static final int DUE = 2;
  private static final int DUE_SIGNATURE = 3;
  private static final int EACH = 4;

  /** Stands for what a rank does not say. */
  static final long NOTHING = Long.MIN_VALUE;

  final long[] words;
  private final Channel channel;

  /**
   * Puts a call into numbers.
   *
   * @param wrong what is wrong with its arguments at this rank, in which case nothing else is recorded; or null
   */
  public CollectiveFacts(Channel channel, CollectiveArguments call, CollectiveForm form, MpiException wrong) {
    this.channel = channel;
    words = new long[length(CollectiveChecks.peers(channel))];
    Arrays.fill(words, 0, HEAD, NOTHING);
    words[WRONG] = wrong == null ? 0 : wrong.errorClass().code();
    words[FORM] = form.ordinal();
    words[CALL] = CALLS.indexOf(call.name());
    if (wrong == null) {
      call.describe(channel, this);
    }
  }

  /** Returns how many numbers a rank has, of which so many others hear. */
  static int length(int peers) {
    return HEAD + EACH * peers;
  }

  static String form(long word) {
    return CollectiveForm.values()[(int) word].name().toLowerCase(Locale.ROOT);
  }

  static String call(long word) {
    return word < 0 || word >= CALLS.size() ? "another call" : CALLS.get((int) word);
  }

  // ---- for the calls

  /** Records the root, on which all ranks have to agree. */
  void root(int root) {
    words[ROOT] = root;
  }

  /**
   * Records the operands of a reduction, of which all ranks have the same number and types. Of a program's own
   * operation the function cannot be compared.
   */
  void operands(Op<?> op, Buf<?> operands) {
    words[OP] = op.name().startsWith("MPI_") ? op.name().hashCode() : op.isCommutative() ? -1 : -2;
    words[BYTES] = BufImpl.of(operands).packedBytes();
    words[SIGNATURE] = signature(operands, BufImpl.of(operands).packedBytes());
  }

  /** Records the counts of a call in which all ranks of a group pass the same ones. */
  void counts(long[] counts) {
    words[COUNTS] = Arrays.hashCode(counts);
  }

  /** Records what this rank sends to a rank of the group at the other end; messages to itself are left out. */
  void sends(int rank, Buf<?> buf) {
    sends(rank, buf, BufImpl.of(buf).packedBytes());
  }

  void sends(int rank, Buf<?> buf, long bytes) {
    message(rank, SENT, buf, bytes);
  }

  /** Records what this rank receives from a rank of the group at the other end. */
  void receives(int rank, Buf<?> buf) {
    receives(rank, buf, BufImpl.of(buf).packedBytes());
  }

  void receives(int rank, Buf<?> buf, long bytes) {
    message(rank, DUE, buf, bytes);
  }

  /** Records one of several messages to a neighbour, which may be PROC_NULL. */
  void sendsMore(int rank, long bytes) {
    add(rank, SENT, bytes);
  }

  /** Records one of several messages from a neighbour, which may be PROC_NULL. */
  void receivesMore(int rank, long bytes) {
    add(rank, DUE, bytes);
  }

  private void add(int rank, int place, long bytes) {
    if (rank >= 0 && rank != channel.rank()) {
      words[HEAD + EACH * rank + place] += bytes;
    }
  }

  private void message(int rank, int place, Buf<?> buf, long bytes) {
    if (CollectiveChecks.isBetweenGroups(channel) || rank != channel.rank()) {
      int at = HEAD + EACH * rank + place;
      words[at] = bytes;
      words[at + 1] = signature(buf, bytes);
    }
  }

  /** Returns a hash of the types in a buffer's first bytes, or 0 where any type will do. */
  private static long signature(Buf<?> buf, long bytes) {
    StreamSignature signature = BufImpl.of(buf).plan().signature();
    return bytes == 0 || signature == null || signature.matchesAnything() ? 0 : signature.hash(bytes);
  }

  // ---- for the comparison

  static long sent(long[] all, int start, int to) {
    return all[start + HEAD + EACH * to + SENT];
  }

  static long due(long[] all, int start, int from) {
    return all[start + HEAD + EACH * from + DUE];
  }

  static boolean sameTypes(long[] from, int fromStart, int to, long[] into, int intoStart, int sender) {
    long sent = from[fromStart + HEAD + EACH * to + SENT_SIGNATURE];
    long due = into[intoStart + HEAD + EACH * sender + DUE_SIGNATURE];
    return sent == due || sent == 0 || due == 0;
  }
}
