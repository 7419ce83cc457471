// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The memory of unexpected payload. */
class PayloadStoreTest {
  @Test
  void payloadStoreUsesBlocksAgain() {
    PayloadStore store = new PayloadStore();
    long a = store.acquire(65);
    long b = store.acquire(1 << 20);
    assertEquals(128 + (1 << 20), store.used());
    store.release(a, 65);
    store.release(b, 1 << 20);
    assertEquals(0, store.used());
    assertEquals(a, store.acquire(128));
    assertEquals(b, store.acquire((1 << 20) - 1));
  }
}
