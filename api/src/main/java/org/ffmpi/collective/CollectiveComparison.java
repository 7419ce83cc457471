// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The comparison of all ranks' calls, where everything is checked, by the notes of their {@link CollectiveFacts}. All
 * ranks have all notes, and so find the same mismatch or none.
 */
final class CollectiveComparison {
  private static final int NONE = -1;

  private final ComparedRanks ranks;
  private final long[][] notes;
  private final int all;

  /** Creates the comparison of notes, which are in the order of the ranks. */
  CollectiveComparison(ComparedRanks ranks, long[][] notes) {
    this.ranks = ranks;
    this.notes = notes;
    this.all = notes.length;
  }

  /**
   * Returns whether some ranks have refused the arguments of a call that the other ranks, which agree, have not made.
   * Such a call is passed over: its ranks may still make the one in which the others wait.
   */
  boolean isRefusedElsewhere() {
    int usual = NONE;
    boolean anyRefused = false;
    for (int i = 0; i < all; i++) {
      if (isRefused(i)) {
        anyRefused = true;
      } else if (usual == NONE) {
        usual = i;
      } else if (!isSameCall(i, usual)) {
        return false;
      }
    }
    if (!anyRefused || usual == NONE) {
      return false;
    }
    for (int i = 0; i < all; i++) {
      if (isRefused(i) && isSameCall(i, usual)) {
        return false;
      }
    }
    return true;
  }

  boolean isRefused(int index) {
    return CollectiveFacts.isRefused(notes[index]);
  }

  private boolean isSameCall(int index, int other) {
    return word(index, CollectiveFacts.CALL) == word(other, CollectiveFacts.CALL)
        && word(index, CollectiveFacts.FORM) == word(other, CollectiveFacts.FORM);
  }

  /** Returns the error for the first mismatch, or null. */
  MpiException mismatch() {
    MpiException found = wrongArguments();
    if (found == null) {
      found = differing(CollectiveFacts.CALL, ErrorClass.ERR_OTHER);
    }
    if (found == null) {
      found = differing(CollectiveFacts.FORM, ErrorClass.ERR_OTHER);
    }
    if (found == null) {
      found = ranks.areInTwoGroups()
          ? differingRootsBetween()
          : differing(CollectiveFacts.ROOT, ErrorClass.ERR_ROOT);
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
      found = differing(CollectiveFacts.COUNTS, ErrorClass.ERR_COUNT, 0, ranks.inFirstGroup());
    }
    if (found == null) {
      found = differing(CollectiveFacts.COUNTS, ErrorClass.ERR_COUNT, ranks.inFirstGroup(), all);
    }
    return found == null ? messages() : found;
  }

  private long word(int index, int place) {
    return notes[index][place];
  }

  private String call(int index) {
    return CollectiveFacts.call(word(index, CollectiveFacts.CALL));
  }

  // ---- mismatches

  private MpiException wrongArguments() {
    int refuser = NONE;
    for (int i = 0; i < all; i++) {
      if (isRefused(i) && (refuser == NONE || isAlsoMade(i) && !isAlsoMade(refuser))) {
        refuser = i;
      }
    }
    if (refuser == NONE) {
      return null;
    }
    ErrorClass errorClass = ErrorClass.ofCode((int) word(refuser, CollectiveFacts.WRONG)).orElse(ErrorClass.ERR_OTHER);
    return new MpiException(errorClass, ranks.name(refuser) + " has called " + call(refuser)
        + " with wrong arguments: " + errorClass.mpiName() + " there");
  }

  /** Returns whether another rank has made the call that one has refused. */
  private boolean isAlsoMade(int refuser) {
    for (int i = 0; i < all; i++) {
      if (!isRefused(i) && isSameCall(i, refuser)) {
        return true;
      }
    }
    return false;
  }

  /** Finds a rank whose value differs from the majority of the ranks that have one. */
  private MpiException differing(int place, ErrorClass errorClass) {
    return differing(place, errorClass, 0, all);
  }

  private MpiException differing(int place, ErrorClass errorClass, int from, int to) {
    int usual = NONE;
    int most = 0;
    for (int i = from; i < to && most <= (to - from) / 2; i++) {
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
      long value = word(i, place);
      if (usual >= 0 && value != CollectiveFacts.NOTHING && value != word(usual, place)) {
        String subject = place == CollectiveFacts.OP || place == CollectiveFacts.SIGNATURE ? call(i) + ": " : "";
        return new MpiException(errorClass, subject + ranks.name(i) + " " + text(place, i) + ", " + ranks.name(usual)
            + " " + text(place, usual));
      }
    }
    return null;
  }

  private String text(int place, int index) {
    long value = word(index, place);
    return switch (place) {
      case CollectiveFacts.CALL -> "has called " + call(index);
      case CollectiveFacts.FORM -> "has called the " + CollectiveFacts.form(value) + " form of " + call(index);
      case CollectiveFacts.ROOT -> "has called " + call(index) + " with root = " + value;
      case CollectiveFacts.OP -> "has " + ComparedText.op(value);
      case CollectiveFacts.BYTES -> "has operands of " + value + " bytes for " + call(index);
      case CollectiveFacts.SIGNATURE -> "has " + ComparedText.elements(value, word(index, CollectiveFacts.BYTES));
      default -> "has counts of its own for " + call(index);
    };
  }

  /** Checks that one rank is the root, that its group passes PROC_NULL and the other group its rank. */
  private MpiException differingRootsBetween() {
    int root = NONE;
    for (int i = 0; i < all; i++) {
      long value = word(i, CollectiveFacts.ROOT);
      if (value == Constants.ROOT && root < 0) {
        root = i;
      } else if (value == Constants.ROOT) {
        return new MpiException(ErrorClass.ERR_ROOT,
            ranks.name(i) + " has called " + call(i) + " with root = ROOT, as has " + ranks.name(root));
      }
    }
    if (root < 0) {
      return word(0, CollectiveFacts.ROOT) == CollectiveFacts.NOTHING
          ? null
          : new MpiException(ErrorClass.ERR_ROOT, "no rank has called " + call(0) + " with root = ROOT");
    }
    for (int i = 0; i < all; i++) {
      long due = ranks.isOurs(i) == ranks.isOurs(root) ? Constants.PROC_NULL : ranks.rank(root);
      if (i != root && word(i, CollectiveFacts.ROOT) != due) {
        return new MpiException(ErrorClass.ERR_ROOT, ranks.name(i) + " has called " + call(i) + " with root = "
            + word(i, CollectiveFacts.ROOT) + ": " + due + " is due, as " + ranks.name(root) + " is the root");
      }
    }
    return null;
  }

  // ---- messages

  /**
   * Compares the messages that ranks send with those that they expect: for each pair of ranks in their order, and with
   * no bytes where one side has fewer.
   */
  private MpiException messages() {
    int total = 0;
    for (long[] note : notes) {
      total += CollectiveFacts.sends(note);
    }
    int[] sender = new int[total];
    int[] sent = new int[total];
    int[] next = new int[total]; // the next message for the same receiver
    int[] first = new int[all];
    int[] last = new int[all];
    Arrays.fill(first, NONE);
    int m = 0;
    for (int i = 0; i < all; i++) {
      for (int k = 0; k < CollectiveFacts.sends(notes[i]); k++, m++) {
        sender[m] = i;
        sent[m] = CollectiveFacts.sent(k);
        next[m] = NONE;
        int receiver = ranks.indexOfPeer(i, CollectiveFacts.rank(notes[i], sent[m]));
        if (first[receiver] == NONE) {
          first[receiver] = m;
        } else {
          next[last[receiver]] = m;
        }
        last[receiver] = m;
      }
    }
    for (int r = 0; r < all; r++) {
      MpiException found = messagesFor(r, first[r], sender, sent, next);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Compares the messages for one rank, which are a list, with those that it expects. */
  private MpiException messagesFor(int receiver, int first, int[] sender, int[] sent, int[] next) {
    long[] into = notes[receiver];
    int dues = CollectiveFacts.receives(into);
    int[] due = new int[all]; // from each rank, the first that has not been compared
    int[] more = new int[dues]; // the next one from the same rank
    Arrays.fill(due, NONE);
    for (int k = dues - 1; k >= 0; k--) {
      int from = ranks.indexOfPeer(receiver, CollectiveFacts.rank(into, CollectiveFacts.due(into, k)));
      more[k] = due[from];
      due[from] = k;
    }
    for (int m = first; m != NONE; m = next[m]) {
      int k = due[sender[m]];
      long[] from = notes[sender[m]];
      int at = k == NONE ? NONE : CollectiveFacts.due(into, k);
      long bytes = CollectiveFacts.bytes(from, sent[m]);
      long dueBytes = k == NONE ? 0 : CollectiveFacts.bytes(into, at);
      if (bytes != dueBytes) {
        return lengthMismatch(sender[m], receiver, bytes, dueBytes);
      }
      if (k != NONE && !CollectiveFacts.sameTypes(from, sent[m], into, at)) {
        return new MpiException(ErrorClass.ERR_TYPE,
            call(0) + ": " + ranks.name(sender[m]) + " sends " + CollectiveFacts.elements(from, sent[m]) + ", "
                + ranks.name(receiver) + " receives " + CollectiveFacts.elements(into, at));
      }
      if (k != NONE) {
        due[sender[m]] = more[k];
      }
    }
    for (int s = 0; s < all; s++) {
      for (int k = due[s]; k != NONE; k = more[k]) {
        long bytes = CollectiveFacts.bytes(into, CollectiveFacts.due(into, k));
        if (bytes > 0) {
          return lengthMismatch(s, receiver, 0, bytes);
        }
      }
    }
    return null;
  }

  private MpiException lengthMismatch(int sender, int receiver, long sent, long due) {
    return new MpiException(ErrorClass.ERR_COUNT, ranks.name(sender) + " has " + sent + " bytes for "
        + ranks.name(receiver) + ", which is to get " + due + " bytes, in " + call(0));
  }
}
