// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/** Objects that have been sent in buffered mode and have perhaps not left yet: they lie in memory of their own. */
final class BufferedObjects {
  private static final List<org.ffmpi.Request> LEAVING = new ArrayList<>();

  private BufferedObjects() {}

  static synchronized void add(org.ffmpi.Request request) {
    LEAVING.removeIf(org.ffmpi.Request::test);
    LEAVING.add(request);
  }

  /** Blocks until all have left. */
  static void await() {
    List<org.ffmpi.Request> leaving;
    synchronized (BufferedObjects.class) {
      leaving = new ArrayList<>(LEAVING);
      LEAVING.clear();
    }
    leaving.forEach(org.ffmpi.Request::await);
  }
}
