// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/**
 * Compares what all ranks call, where everything is checked. The ranks exchange their {@link CollectiveFacts};
 * between groups, the ranks 0 also send the other group the facts of their ranks. So all ranks know everything, and
 * find the same mistake or none.
 */
public final class CollectiveComparison {
  private final Collectives collectives;
  private final Channel channel;
  private final boolean between;
  private final int peers;
  private final int size;
  /** What the ranks at the other end have said: within a group, all. */
  private final long[] theirs;
  private final long[] ours;
  private final int theirLength;
  private final int ourLength;
  private final List<Operation> steps = new ArrayList<>(2);

  /** Prepares a comparison; the ranks carry out {@link #steps} one after the other. */
  public CollectiveComparison(Collectives collectives, Channel channel, CollectiveFacts facts) {
    this.collectives = collectives;
    this.channel = channel;
    between = CollectiveChecks.isBetweenGroups(channel);
    peers = CollectiveChecks.peers(channel);
    size = channel.size();
    theirLength = CollectiveFacts.length(between ? size : peers);
    ourLength = facts.words.length;
    theirs = new long[theirLength * peers];
    if (!between) {
      ours = theirs;
      CollectiveCall call = new CollectiveCall().begin(Collective.ALLGATHER);
      CollectiveChecks.put(call.send(), Buf.of(facts.words));
      CollectiveChecks.put(call.recv(), Buf.of(theirs));
      steps.add(collectives.call(channel, call, CollectiveForm.PERSISTENT));
      return;
    }
    ours = new long[ourLength * size];
    CollectiveCall call = new CollectiveCall().begin(Collective.ALLGATHERV);
    CollectiveChecks.put(call.send(), Buf.of(facts.words));
    CollectiveChecks.putEqual(call.recvBlocks(), Buf.of(theirs), peers);
    steps.add(collectives.call(channel, call, CollectiveForm.PERSISTENT));
    Buf<?>[] told = new Buf<?>[peers];
    Arrays.fill(told, Buf.of(new long[0]));
    told[0] = Buf.of(ours);
    CollectiveChecks.put(call.begin(Collective.ALLGATHERV).send(), Buf.of(channel.rank() == 0 ? theirs : new long[0]));
    CollectiveChecks.put(call.recvBlocks(), told);
    steps.add(collectives.call(channel, call, CollectiveForm.PERSISTENT));
  }

  /** Returns the operations that lead to {@link #mistake}, to be started one after the other. */
  public List<Operation> steps() {
    return steps;
  }

  /** Releases the operations, none of which is under way. */
  public void close() {
    steps.forEach(collectives::discard);
  }

  /** Returns in what the ranks differ, or null. */
  public MpiException mistake() {
    MpiException found = wrongArguments();
    if (found == null) {
      found = differing(CollectiveFacts.CALL, ErrorClass.ERR_OTHER);
    }
    if (found == null) {
      found = differing(CollectiveFacts.FORM, ErrorClass.ERR_OTHER);
    }
    if (found == null) {
      found = between ? differingRootsBetween() : differing(CollectiveFacts.ROOT, ErrorClass.ERR_ROOT);
    }
    if (found == null) {
      found = differing(CollectiveFacts.OP, ErrorClass.ERR_OP);
    }
    if (found == null) {
      found = differing(CollectiveFacts.BYTES, ErrorClass.ERR_COUNT);
    }
    if (found == null) {
      found = differing(CollectiveFacts.SIGNATURE, ErrorClass.ERR_TYPE);
    }
    if (found == null) {
      found = differingCounts();
    }
    if (found == null) {
      found = messages(ours, ourLength, size, theirs, theirLength, peers, channel.local() == lower());
    }
    return found == null && between
        ? messages(theirs, theirLength, peers, ours, ourLength, size, channel.remote() == lower())
        : found;
  }

  // ---- who says what; ranks of the group that has the lowest process come first, so that all see the same order

  private Members lower() {
    return channel.local().peer(0) <= channel.remote().peer(0) ? channel.local() : channel.remote();
  }

  private int all() {
    return between ? size + peers : size;
  }

  private boolean isOurs(int index) {
    return !between || (channel.local() == lower() ? index < size : index >= peers);
  }

  private int rank(int index) {
    int first = channel.local() == lower() ? size : peers;
    return between && index >= first ? index - first : index;
  }

  private long word(int index, int place) {
    return isOurs(index) ? ours[rank(index) * ourLength + place] : theirs[rank(index) * theirLength + place];
  }

  /** Names a rank, as one of this group or the other. */
  private String who(int index) {
    return "rank " + rank(index) + (isOurs(index) ? "" : " of the other group");
  }

  private String call(int index) {
    return CollectiveFacts.call(word(index, CollectiveFacts.CALL));
  }

  // ---- what may be wrong

  private MpiException wrongArguments() {
    for (int i = 0; i < all(); i++) {
      long code = word(i, CollectiveFacts.WRONG);
      if (code != 0) {
        ErrorClass errorClass = ErrorClass.ofCode((int) code).orElse(ErrorClass.ERR_OTHER);
        return new MpiException(errorClass, who(i) + " has called " + call(i) + " with wrong arguments: "
            + errorClass.mpiName() + " there");
      }
    }
    return null;
  }

  /** Finds a rank that says something else than most that say anything. */
  private MpiException differing(int place, ErrorClass errorClass) {
    return differing(place, errorClass, 0, all());
  }

  private MpiException differing(int place, ErrorClass errorClass, int from, int to) {
    int usual = -1;
    int most = 0;
    for (int i = from; i < to; i++) {
      int same = 0;
      for (int j = from; j < to; j++) {
        same += word(i, place) == word(j, place) ? 1 : 0;
      }
      if (word(i, place) != CollectiveFacts.NOTHING && same > most) {
        usual = i;
        most = same;
      }
    }
    for (int i = from; i < to; i++) {
      long said = word(i, place);
      if (usual >= 0 && said != CollectiveFacts.NOTHING && said != word(usual, place)) {
        return new MpiException(errorClass, who(i) + " " + text(place, i) + ", " + who(usual) + " "
            + text(place, usual));
      }
    }
    return null;
  }

  private String text(int place, int index) {
    long said = word(index, place);
    return switch (place) {
      case CollectiveFacts.CALL -> "has called " + call(index);
      case CollectiveFacts.FORM -> "has called the " + CollectiveFacts.form(said) + " form of " + call(index);
      case CollectiveFacts.ROOT -> "has called " + call(index) + " with root = " + said;
      case CollectiveFacts.OP -> "has called " + call(index) + " with an op of its own";
      case CollectiveFacts.BYTES -> "has operands of " + said + " bytes for " + call(index);
      case CollectiveFacts.SIGNATURE -> "has operands of types of its own for " + call(index);
      default -> "has counts of its own for " + call(index);
    };
  }

  private MpiException differingCounts() {
    if (!between) {
      return differing(CollectiveFacts.COUNTS, ErrorClass.ERR_COUNT);
    }
    int first = channel.local() == lower() ? size : peers;
    MpiException found = differing(CollectiveFacts.COUNTS, ErrorClass.ERR_COUNT, 0, first);
    return found != null ? found : differing(CollectiveFacts.COUNTS, ErrorClass.ERR_COUNT, first, all());
  }

  /** One rank is the root, the others of its group know it, and those of the other group name it. */
  private MpiException differingRootsBetween() {
    int root = -1;
    for (int i = 0; i < all(); i++) {
      long said = word(i, CollectiveFacts.ROOT);
      if (said == Constants.ROOT && root < 0) {
        root = i;
      } else if (said == Constants.ROOT) {
        return new MpiException(
            ErrorClass.ERR_ROOT, who(i) + " has called " + call(i) + " with root = ROOT, as has " + who(root));
      }
    }
    if (root < 0) {
      return word(0, CollectiveFacts.ROOT) == CollectiveFacts.NOTHING
          ? null
          : new MpiException(ErrorClass.ERR_ROOT, "no rank has called " + call(0) + " with root = ROOT");
    }
    for (int i = 0; i < all(); i++) {
      long due = isOurs(i) == isOurs(root) ? Constants.PROC_NULL : rank(root);
      if (i != root && word(i, CollectiveFacts.ROOT) != due) {
        return new MpiException(ErrorClass.ERR_ROOT, who(i) + " has called " + call(i) + " with root = "
            + word(i, CollectiveFacts.ROOT) + ": " + due + " is due, as " + who(root) + " is the root");
      }
    }
    return null;
  }

  /** Compares what each rank of one group sends with what each of the other is to get. */
  private MpiException messages(
      long[] from, int fromLength, int senders, long[] into, int intoLength, int receivers, boolean fromLower) {
    int senderIndex = fromLower || !between ? 0 : receivers;
    int receiverIndex = fromLower && between ? senders : 0;
    for (int s = 0; s < senders; s++) {
      for (int r = 0; r < receivers; r++) {
        long sent = CollectiveFacts.sent(from, s * fromLength, r);
        long due = CollectiveFacts.due(into, r * intoLength, s);
        if (sent != due) {
          return new MpiException(ErrorClass.ERR_COUNT, who(senderIndex + s) + " has " + sent + " bytes for "
              + who(receiverIndex + r) + ", which is to get " + due + ", in " + call(0));
        }
        if (!CollectiveFacts.sameTypes(from, s * fromLength, r, into, r * intoLength, s)) {
          return new MpiException(ErrorClass.ERR_TYPE, who(senderIndex + s) + " has elements of other types for "
              + who(receiverIndex + r) + " than that is to get, in " + call(0));
        }
      }
    }
    return null;
  }
}
