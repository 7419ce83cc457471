// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Results of choices that a run is given, by their place in the program or as a line of text. Made before the run;
 * {@link #isOver} changes during it.
 */
final class Script {
  /** The place of a choice. */
  record Place(int rank, int index) {}

  /** The given result of a choice, and the hash of the calls before it; 0 where that is not known. */
  record Entry(String result, int hash, int calls) {}

  /** The line of a run without choices in which standard sends complete at once. */
  static final String BUFFERED = "buffered";

  /** The word before choices of a run in which a standard send waits for its receive. */
  static final String UNBUFFERED = "unbuffered";

  /** The beginning of the word before choices of a run in which some standard sends wait for their receives. */
  static final String WAITING = "waiting:";

  private static final Pattern SEND = Pattern.compile("r(\\d{1,6})#(\\d{1,6})");
  private static final String REPEATED = "*";

  private final Map<Place, Entry> entries = new HashMap<>();
  /** The calls of each rank in the run that this script was derived from, or null. */
  private final List<List<RankCall>> calls;

  private int made;

  /** Creates a script without choices. */
  Script() {
    this(null);
  }

  /** Creates a script without choices, for a run that begins as another one did. */
  Script(List<List<RankCall>> calls) {
    this.calls = calls;
  }

  /** Returns the calls of each rank in the run that this script was derived from, or null. */
  List<List<RankCall>> calls() {
    return calls;
  }

  void add(Place place, Entry entry) {
    entries.put(place, entry);
  }

  /** Adds the result of a choice, as another run had it or is to have it. */
  void add(ChoicePoint point, String result) {
    entries.put(new Place(point.rank, point.index), new Entry(result, point.hash, point.calls));
  }

  Entry of(ChoicePoint point) {
    return entries.get(new Place(point.rank, point.index));
  }

  Map<Place, Entry> entries() {
    return entries;
  }

  void countMade() {
    made++;
  }

  /** Returns whether all choices that are given have been made. */
  boolean isOver() {
    return made >= entries.size();
  }

  /** Gives up the rest: choices that the run does not come to. */
  void giveUp() {
    made = entries.size();
  }

  // ---- text

  /** Reads the choices of a line, those of each rank in order. */
  static Script parse(String line) {
    Script script = new Script();
    Map<Integer, Integer> next = new HashMap<>();
    for (String word : line.strip().split("\\s+")) {
      if (word.isEmpty()) {
        continue;
      }
      int times = word.lastIndexOf(REPEATED);
      try {
        int repeated = times < 0 ? 1 : Integer.parseInt(word.substring(times + 1));
        String one = times < 0 ? word : word.substring(0, times);
        int end = 1;
        while (end < one.length() && Character.isDigit(one.charAt(end))) {
          end++;
        }
        if (one.charAt(0) != 'r' || end == one.length()) {
          throw new NumberFormatException();
        }
        int rank = Integer.parseInt(one.substring(1, end));
        for (int i = 0; i < repeated; i++) {
          int index = one.startsWith(ChoicePoint.REQUEST, end)
              ? ChoicePoint.indexIn(one.substring(end)) : next.merge(rank, 1, Integer::sum) - 1;
          script.entries.put(new Place(rank, index), new Entry(one.substring(end), 0, 0));
        }
      } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "choice of orders", word,
            "r2<-1, r0:any=3, r0:some=0+2, r1:yes, r1:no, r1:no*17, r0@2.0>1.0");
      }
    }
    return script;
  }

  /** Writes the sends that wait although others do not. */
  static String waiting(Set<SendPlace> sends) {
    return WAITING + new TreeSet<>(sends).stream().map(SendPlace::toString).collect(Collectors.joining(","));
  }

  /** Reads the sends that wait, from the word before choices. */
  static Set<SendPlace> parseWaiting(String word) {
    Set<SendPlace> sends = new HashSet<>();
    for (String send : word.substring(WAITING.length()).split(",")) {
      Matcher matcher = SEND.matcher(send);
      if (!matcher.matches()) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "sends that wait", word,
            WAITING + "r0#1,r2#3 for the first one of rank 0 and the third one of rank 2");
      }
      sends.add(new SendPlace(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
    }
    return sends;
  }

  /** Writes choices as a line, in the order in which they were made. */
  static String line(RunPlan plan, List<ChoicePoint> choices) {
    List<String> words = new ArrayList<>();
    if (!plan.buffered()) {
      words.add(UNBUFFERED);
    } else if (!plan.waiting().isEmpty()) {
      words.add(waiting(plan.waiting()));
    }
    String last = null;
    int repeated = 0;
    for (ChoicePoint point : choices) {
      String word = point.toString();
      if (word.equals(last)) {
        words.removeLast();
        repeated++;
        words.add(word + REPEATED + repeated);
      } else {
        words.add(word);
        last = word;
        repeated = 1;
      }
    }
    return words.isEmpty() ? BUFFERED : String.join(" ", words);
  }
}
