// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/**
 * The exchange between two groups through one process of each, its leader. Each leader sends its words to the other and
 * broadcasts both within its group. Collective over both groups; blocks. An error of one leader is sent like words, so
 * that it is thrown at all ranks and no rank waits for ever.
 */
public final class GroupExchange {
  private static final int FINE = 0;

  /** More words than the members of any group. */
  private static final long MOST_WORDS = 1 << 28;

  private GroupExchange() {}

  /** The words of both leaders. */
  record LeaderWords(long[] ours, long[] theirs) {}

  /**
   * The arguments of a leader's exchange with the other one.
   *
   * @param engine the engine of the communicator in which the leaders meet
   * @param words the words to send: from {@link #words} or {@link #error}
   */
  record LeaderMessage(Engine engine, int peer, long context, int tag, long[] words) {}

  /** Encodes numbers as words. */
  static long[] words(long... numbers) {
    long[] message = new long[numbers.length + 1];
    System.arraycopy(numbers, 0, message, 1, numbers.length);
    message[0] = FINE;
    return message;
  }

  /** Encodes an error as words. */
  static long[] error(MpiException error) {
    String text = error.getMessage();
    String prefix = error.errorClass().mpiName() + ": ";
    int from = text.startsWith(prefix) ? prefix.length() : 0;
    long[] message = new long[text.length() - from + 1];
    message[0] = error.errorClass().code();
    for (int i = 1; i < message.length; i++) {
      message[i] = text.charAt(from + i - 1);
    }
    return message;
  }

  /**
   * Exchanges the words of the leaders, and broadcasts both within this group.
   *
   * @param local channel within this process's group
   * @param leader rank of its leader
   * @param call supplies the arguments of the leader; called at the leader only
   * @throws MpiException the error that either leader has sent or met
   */
  static LeaderWords run(World world, Channel local, int leader, Supplier<LeaderMessage> call) {
    if (local.rank() != leader) {
      long[] lengths = new long[2];
      Exchange.bcast(local, world, lengths, leader);
      checkLengths(lengths);
      long[] both = new long[Math.toIntExact(lengths[0] + lengths[1])];
      Exchange.bcast(local, world, both, leader);
      int split = (int) lengths[0];
      return understood(Arrays.copyOf(both, split), Arrays.copyOfRange(both, split, both.length), null);
    }
    long[] ours = words();
    long[] theirs = words();
    MpiException met = null;
    try {
      LeaderMessage out = call.get();
      ours = out.words();
      theirs = exchange(out.engine(), out);
    } catch (RuntimeException e) {
      met = Failures.translate(e);
      ours = error(met);
    }
    Exchange.bcast(local, world, new long[] {ours.length, theirs.length}, leader);
    long[] both = Arrays.copyOf(ours, ours.length + theirs.length);
    System.arraycopy(theirs, 0, both, ours.length, theirs.length);
    Exchange.bcast(local, world, both, leader);
    return understood(ours, theirs, met);
  }

  /** Checks for lengths: another call of the leader sends other numbers. */
  private static void checkLengths(long[] lengths) {
    for (long length : lengths) {
      if (length < 1 || length > MOST_WORDS) {
        throw new MpiException(ErrorClass.ERR_OTHER, "the leader of this group makes another call than this rank");
      }
    }
  }

  private static LeaderWords understood(long[] ours, long[] theirs, MpiException met) {
    if (met != null) {
      throw met;
    }
    checkFine("", ours);
    checkFine("in the other group: ", theirs);
    return new LeaderWords(Arrays.copyOfRange(ours, 1, ours.length), Arrays.copyOfRange(theirs, 1, theirs.length));
  }

  private static void checkFine(String where, long[] message) {
    if (message[0] != FINE) {
      StringBuilder text = new StringBuilder(where);
      for (int i = 1; i < message.length; i++) {
        text.append((char) message[i]);
      }
      throw new MpiException(ErrorClass.ofCode((int) message[0]).orElse(ErrorClass.ERR_OTHER), text.toString());
    }
  }

  /** Sends and receives one message, whose length the receiver probes. */
  private static long[] exchange(Engine engine, LeaderMessage call) {
    Plan plan = TypeHandle.planOf(Datatype.INT64_T);
    long[] words = call.words();
    Operation sent = engine.isend(
        Engine.STANDARD, Memory.LONGS, words, 0, words.length, plan, call.peer(), call.context(), call.tag());
    Envelope envelope = new Envelope();
    engine.probe(call.peer(), call.context(), call.tag(), envelope);
    long[] answer = new long[Math.toIntExact(envelope.bytes() / Long.BYTES)];
    engine.recv(
        Memory.LONGS, answer, 0, answer.length, plan, call.peer(), call.context(), call.tag(), envelope);
    engine.await(sent);
    if (sent.error() != null) {
      throw sent.error();
    }
    if (answer.length == 0) {
      throw new MpiException(ErrorClass.ERR_INTERN, "peer " + call.peer() + " has sent an empty message");
    }
    return answer;
  }

  // ---- members as numbers

  private static final int RANGE = 1;
  private static final int LIST = 2;
  private static final int RANGE_NUMBERS = 5;

  /** Writes members as numbers, behind one number of another kind. */
  static long[] write(long before, Members members) {
    int size = members.size();
    if (members.isRange()) {
      int first = size == 0 ? 0 : members.peer(0);
      return new long[] {before, RANGE, first, size, size < 2 ? 1 : members.peer(1) - first};
    }
    long[] numbers = new long[size + 2];
    numbers[0] = before;
    numbers[1] = LIST;
    for (int r = 0; r < size; r++) {
      numbers[r + 2] = members.peer(r);
    }
    return numbers;
  }

  /**
   * Reads the members that {@link #write} has written.
   *
   * @throws MpiException ERR_OTHER when the numbers are not members, since the other group makes another call
   */
  static Members read(long[] numbers) {
    if (numbers.length < 2 || numbers[1] != LIST && (numbers[1] != RANGE || numbers.length != RANGE_NUMBERS)) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the other group makes another call than this one");
    }
    if (numbers[1] == RANGE) {
      return Members.range((int) numbers[2], (int) numbers[3], (int) numbers[4]);
    }
    int[] peers = new int[numbers.length - 2];
    for (int r = 0; r < peers.length; r++) {
      peers[r] = (int) numbers[r + 2];
    }
    return Members.of(peers);
  }
}
