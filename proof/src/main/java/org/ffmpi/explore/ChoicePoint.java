// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.spi.Operation;

/**
 * A call in which more than one result can be right, and the result that it got. Its place in the program, the rank and
 * the number among the rank's points, is the same in all runs that have the same past. Used by the rank that has the
 * turn, and after the run by the exploration.
 */
final class ChoicePoint {
  /** The kinds of such calls. */
  enum Kind {
    /** A receive from any source. */
    RECEIVE,
    /** A probe that blocks, from any source. */
    PROBE,
    /** A probe that does not block. */
    LOOK,
    /** A test of one operation, or of all of a list. */
    TEST,
    /** A call that reports one operation of a list. */
    ANY,
    /** A call that reports some operations of a list. */
    SOME,
    /** A request to a window, which is served before or after those of other ranks. */
    SERVE
  }

  /** The result of a call that sees nothing. */
  static final String NO = ":no";

  /** The result of a call that sees what has come. */
  static final String YES = ":yes";

  /** The beginning of the result of a request. */
  static final String REQUEST = "@";

  private static final int MOST_RANKS = 1 << 12;
  private static final String SENDER = "<-";
  private static final String INDEX = ":any=";
  private static final String SET = ":some=";

  /** The rank that makes the call, or serves the request. */
  final int rank;
  final int index;
  final Kind kind;
  /** Whether the call returns at once also without a result. */
  final boolean polls;
  /** Number of the calls of the rank before this one, and their hash. */
  final int calls;

  final int hash;
  /** Place in the order of the receives of the rank. */
  final int order;

  /** The envelope of receives and probes. */
  ExploredReceive pattern;

  /** The operations of a test or of a list; null entries are ignored. */
  Operation[] operations;

  /** Number of the choice in the run; -1 before it has been made. */
  int number = -1;

  String result;
  Past past;
  /** Whether the call could have seen nothing instead. */
  boolean mayMiss;
  /** Whether the call has seen nothing, and an earlier one had looked for the same in vain. */
  boolean missedAgain;
  /** The message that a probe has found, or the request that is served. */
  ExploredMessage message;

  /**
   * Creates the point of a call.
   *
   * @param index its number among those of the rank
   * @param calls number of calls of the rank before
   * @param hash their hash
   */
  ChoicePoint(int rank, int index, Kind kind, boolean polls, int order, int calls, int hash) {
    this.rank = rank;
    this.index = index;
    this.kind = kind;
    this.polls = polls;
    this.order = order;
    this.calls = calls;
    this.hash = hash;
  }

  /** What a request depends on that is not its own place, and the conflicting requests served before it. */
  Past reach;

  List<ChoicePoint> before = List.of();

  /** Whether a request can change nothing. */
  boolean reads;
  /** Whether it has changed nothing where it was served. */
  boolean vain;
  /** The request before that asked for the same, with nothing but vain ones of this rank between; null for none. */
  ChoicePoint repeated;
  /** How many requests in a row have asked for the same, and could not but get the same. */
  int repeats;

  /** Creates the point of a request, whose place is its number among those of one rank to another. */
  ChoicePoint(ExploredMessage request, int number) {
    this.rank = request.to;
    this.index = indexOf(request.from, number);
    this.kind = Kind.SERVE;
    this.polls = false;
    this.order = 0;
    this.calls = 0;
    this.hash = 0;
    this.message = request;
  }

  /** Returns the place of a request; those of the program's calls are not negative. */
  static int indexOf(int from, int number) {
    return -1 - from - number * MOST_RANKS;
  }

  /** Returns the result of a request that is served after others. */
  String after(List<ChoicePoint> others) {
    StringBuilder text = new StringBuilder(REQUEST).append(name());
    others.stream().sorted(Comparator.comparingInt((ChoicePoint p) -> p.index).reversed())
        .forEach(other -> text.append('>').append(other.name()));
    return text.toString();
  }

  private String name() {
    return (-1 - index) % MOST_RANKS + "." + (-1 - index) / MOST_RANKS;
  }

  /** Returns the place that is named in the result of a request. */
  static int indexIn(String result) {
    String name = result.substring(REQUEST.length()).split(">", 2)[0];
    int dot = name.indexOf('.');
    return indexOf(Integer.parseInt(name.substring(0, dot)), Integer.parseInt(name.substring(dot + 1)));
  }

  /**
   * Returns whether the next request for the same waits for something to change: after two that read, or one that
   * swaps, since a program swaps again only to look again.
   */
  boolean isLastOfRepeats() {
    return !reads || repeats > 0;
  }

  boolean isDecided() {
    return number >= 0;
  }

  /** Returns the result that names a sender. */
  static String sender(int from) {
    return SENDER + from;
  }

  /** Returns the sender in a result. */
  static int senderIn(String result) {
    return Integer.parseInt(result.substring(SENDER.length()));
  }

  /** Returns the result that names operations of a list. */
  String named(List<Integer> chosen) {
    if (kind == Kind.ANY) {
      return INDEX + chosen.getFirst();
    }
    StringBuilder text = new StringBuilder(SET);
    for (int i = 0; i < chosen.size(); i++) {
      text.append(i == 0 ? "" : "+").append(chosen.get(i));
    }
    return text.toString();
  }

  /** Returns the operations of a list that a result names. */
  List<Integer> namedIn(String text) {
    List<Integer> chosen = new ArrayList<>();
    if (!text.equals(NO)) {
      for (String number : text.substring(text.indexOf('=') + 1).split("\\+")) {
        chosen.add(Integer.valueOf(number));
      }
    }
    return chosen;
  }

  /** Returns whether a text can be a result of this kind of call. */
  boolean isResult(String text) {
    return switch (kind) {
      case RECEIVE, PROBE -> text.startsWith(SENDER);
      case LOOK -> text.startsWith(SENDER) || text.equals(NO);
      case TEST -> text.equals(YES) || text.equals(NO);
      case ANY -> text.startsWith(INDEX) || polls && text.equals(NO);
      case SOME -> text.startsWith(SET) || polls && text.equals(NO);
      case SERVE -> text.startsWith(REQUEST);
    };
  }

  /** Returns the choice as it is written in a line of choices. */
  @Override
  public String toString() {
    return "r" + rank + result;
  }
}
