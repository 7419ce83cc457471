// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table against a plain list, with hashes that crowd together, round the table's end above all. */
@Tag("long")
class QueueTableTest {
  private record Entry(int hash, int number) {}

  @Test
  void agreesWithAListHoweverHashesCrowd() {
    long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
    System.out.println("QueueTableTest: repeat with -Dffmpi.test.seed=" + seed);
    Random random = new Random(seed);
    for (int crowding : new int[] {1, 3, 40, 5_000}) {
      QueueTable<Entry> table = new QueueTable<>();
      List<Entry> model = new ArrayList<>();
      for (int step = 0; step < 20_000; step++) {
        boolean growing = step / 2_000 % 3 != 2;
        if (model.isEmpty() || random.nextInt(5) < (growing ? 3 : 1)) {
          Entry e = new Entry(-1 - 2 * random.nextInt(crowding) << 1 | 1, step);
          table.add(free(table, e.hash), e.hash, e);
          model.add(e);
          if (model.size() > 400) {
            growing = false;
          }
        }
        if (!growing && !model.isEmpty() || model.size() > 400) {
          Entry e = model.remove(random.nextInt(model.size()));
          table.remove(slot(table, e));
        }
        if (step % 16 == 0) {
          compare(table, model, "seed " + seed + ", crowding " + crowding + ", step " + step);
        }
      }
    }
  }

  private static int slot(QueueTable<Entry> table, Entry e) {
    int slot = table.find(e.hash);
    while (!e.equals(table.head(slot))) {
      slot = table.findAfter(slot);
    }
    return slot;
  }

  private static int free(QueueTable<Entry> table, int hash) {
    int slot = table.find(hash);
    while (slot >= 0) {
      slot = table.findAfter(slot);
    }
    return ~slot;
  }

  private static void compare(QueueTable<Entry> table, List<Entry> model, String what) {
    assertEquals(model.size(), table.size(), what);
    Set<Entry> found = new HashSet<>();
    for (int slot = 0; slot < table.slots(); slot++) {
      if (table.head(slot) != null) {
        found.add(table.head(slot));
      }
    }
    assertEquals(Set.copyOf(model), found, what);
    for (Entry e : model) {
      Set<Entry> ofHash = new HashSet<>();
      for (int slot = table.find(e.hash); slot >= 0; slot = table.findAfter(slot)) {
        assertTrue(ofHash.add(table.head(slot)), what);
      }
      assertTrue(ofHash.contains(e), what);
    }
  }

  @Test
  void neighbouringKeysHaveDifferentHashes() {
    Set<Integer> hashes = new HashSet<>();
    for (int tag = -2; tag < 10_000; tag++) {
      for (int peer = -1; peer < 8; peer++) {
        int hash = QueueTable.hash(4, peer, tag);
        assertNotEquals(0, hash);
        hashes.add(hash);
      }
    }
    assertTrue(hashes.size() > 10_002 * 9 - 100, hashes.size() + " of " + 10_002 * 9);
  }
}
