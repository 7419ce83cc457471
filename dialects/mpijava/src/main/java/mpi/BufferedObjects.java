// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/** Buffered sends of objects that may not be complete yet. Their bytes have memory of their own. */
final class BufferedObjects {
  private static final List<org.ffmpi.Request> PENDING = new ArrayList<>();

  private BufferedObjects() {}

  static synchronized void add(org.ffmpi.Request request) {
    PENDING.removeIf(org.ffmpi.Request::test);
    PENDING.add(request);
  }

  /** Blocks until all are complete. */
  static void await() {
    List<org.ffmpi.Request> pending;
    synchronized (BufferedObjects.class) {
      pending = new ArrayList<>(PENDING);
      PENDING.clear();
    }
    pending.forEach(org.ffmpi.Request::await);
  }
}
