// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Asks a launcher to start processes, over a line. The launcher tells first how many there may be, then whether it has
 * started them, then if they end before all have joined.
 */
public final class LinkStarter implements Starter {
  /** Words of the launcher. */
  public static final String SLOTS = "slots";

  public static final String STARTED = "started";
  public static final String FAILED = "failed";

  private final Link link;
  private final int slots;

  /** Hears first how many processes there may be. */
  public LinkStarter(Link link, Runnable between) {
    this.link = link;
    List<String> words = link.await(between, Long.MAX_VALUE);
    if (!words.getFirst().equals(SLOTS)) {
      throw new MpiException(ErrorClass.ERR_SPAWN, words.getLast());
    }
    this.slots = Integer.parseInt(words.get(1));
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public void start(SpawnRequest request) {
    link.send(request.words());
  }

  @Override
  public String failure() {
    try {
      List<String> words = link.poll();
      return words == null || words.getFirst().equals(STARTED) ? null : words.getLast();
    } catch (MpiException e) {
      return "the launcher of the new processes has gone";
    }
  }

  @Override
  public void settled() {
    try {
      link.send("settled");
    } catch (MpiException e) {
      // they have ended again
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
