// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PredefinedTableTest {
  private record Thing(String name) {}

  private final Thing first = new Thing("a");
  private final Thing equalButOther = new Thing("a");
  private final PredefinedTable<Thing> table = new PredefinedTable<>();
  private final List<String> log = new ArrayList<>();

  private Keyval<Thing, String> logging() {
    return Keyval.of((from, value) -> Optional.of(value), (from, value) -> {
      log.add(value);
      if (value.startsWith("bad")) {
        throw new IllegalStateException(value);
      }
    });
  }

  @Test
  void namesAreTheOriginalsUntilChanged() {
    assertEquals("original", table.name(first, "original"));
    table.setName(first, "changed");
    assertEquals("changed", table.name(first, "original"));
    assertEquals("original", table.name(equalButOther, "original"));
    assertEquals("original", new PredefinedTable<Thing>().name(first, "original"));
  }

  @Test
  void objectsAreToldApartByIdentity() {
    assertSame(table.attributes(first), table.attributes(first));
    assertNotSame(table.attributes(first), table.attributes(equalButOther));
  }

  @Test
  void allIsDeletedInReverseOrder() {
    Keyval<Thing, String> one = logging();
    Keyval<Thing, String> two = logging();
    table.attributes(first).set(one, "1");
    table.attributes(equalButOther).set(one, "2");
    table.attributes(first).set(two, "3");
    table.deleteAttributes();
    assertEquals(List.of("2", "3", "1"), log);
    table.deleteAttributes();
    assertEquals(3, log.size());
  }

  @Test
  void oneThatThrowsDoesNotStopTheOthers() {
    table.attributes(first).set(logging(), "good");
    table.attributes(equalButOther).set(logging(), "bad 1");
    table.attributes(new Thing("b")).set(logging(), "bad 2");
    RuntimeException thrown = assertThrows(IllegalStateException.class, table::deleteAttributes);
    assertEquals(List.of("bad 2", "bad 1", "good"), log);
    assertEquals("bad 2", thrown.getMessage());
    assertEquals("bad 1", thrown.getSuppressed()[0].getMessage());
  }
}
