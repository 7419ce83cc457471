// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.analysis.CallWaits;
import org.ffmpi.trace.analysis.JobLanes;
import org.ffmpi.trace.analysis.MatchedMessage;

/**
 * Messages that stand for the others from afar. Of those from one rank to another that are sent in the same stretch of
 * time it is the one that was waited for longest, with the number of all. The page draws these where a view holds more
 * messages than can be told apart.
 */
final class MessageLevels {
  /** Stretches of the coarsest level, and how many times more the next one has. */
  private static final int COARSEST = 64;
  private static final int STEP = 4;
  private static final int LEVELS = 6;

  /** A message that stands for several, as a place in the list of all. */
  private static final class Bundle {
    int message;
    int count;
    long waited = -1;

  }

  private record Key(int stretch, int sender, int receiver) {}

  private MessageLevels() {}

  /**
   * Writes levels until one has as many entries as half the messages.
   *
   * @param messages all messages, those of each sender together, in the order in which they were sent
   * @return the number of entries of each level
   */
  static List<Integer> write(JobLanes lanes, List<MatchedMessage> messages, CallWaits waits, Columns columns) {
    List<Integer> sizes = new ArrayList<>();
    double perNano = 1.0 / Math.max(1, lanes.end() - lanes.start() + 1);
    for (int level = 0, stretches = COARSEST; level < LEVELS; level++, stretches *= STEP) {
      Map<Key, Bundle> bundles = new HashMap<>();
      List<Bundle> entries = new ArrayList<>();
      for (int i = 0; i < messages.size(); i++) {
        MatchedMessage message = messages.get(i);
        long sent = lanes.get(message.sender()).start(message.send()) - lanes.start();
        Key key = new Key((int) (sent * perNano * stretches), message.sender(), message.receiver());
        Bundle bundle = bundles.get(key);
        if (bundle == null) {
          bundle = new Bundle();
          bundles.put(key, bundle);
          entries.add(bundle);
        }
        bundle.count++;
        long waited = waits.waited(message.sender(), message.send())
            + waits.waited(message.receiver(), message.completed() < 0 ? message.posted() : message.completed());
        if (waited > bundle.waited) {
          bundle.waited = waited;
          bundle.message = i;
        }
      }
      if (2 * entries.size() > messages.size()) {
        break;
      }
      int last = 0;
      for (Bundle bundle : entries) {
        columns.addSigned(bundle.message - last);
        columns.add(bundle.count);
        last = bundle.message;
      }
      sizes.add(entries.size());
    }
    return sizes;
  }
}
