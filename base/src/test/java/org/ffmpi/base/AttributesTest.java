// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttributesTest {
  private record Thing(String name) {}

  private final List<String> log = new ArrayList<>();
  private final Thing original = new Thing("original");
  private final Attributes<Thing> table = new Attributes<>(original);

  private Keyval<Thing, Integer> logging(String name) {
    return Keyval.of(
        (from, value) -> {
          log.add("copy " + name + "=" + value + " from " + from.name());
          return Optional.of(value + 1);
        },
        (from, value) -> log.add("delete " + name + "=" + value + " from " + from.name()));
  }

  @Test
  void whatIsSetIsThereUntilDeleted() {
    Keyval<Thing, Integer> key = logging("a");
    assertEquals(Optional.empty(), table.get(key));
    table.set(key, 1);
    assertEquals(Optional.of(1), table.get(key));
    assertTrue(table.delete(key));
    assertFalse(table.delete(key));
    assertEquals(Optional.empty(), table.get(key));
    assertEquals(List.of("delete a=1 from original"), log);
    table.set(key, null);
    assertTrue(table.isSet(key));
    assertEquals(Optional.empty(), table.get(key));
    assertTrue(table.delete(key));
    assertFalse(table.isSet(key));
  }

  @Test
  void replacingDeletesTheOldValueFirst() {
    Keyval<Thing, Integer> key = logging("a");
    table.set(key, 1);
    table.set(key, 2);
    assertEquals(List.of("delete a=1 from original"), log);
    assertEquals(Optional.of(2), table.get(key));
  }

  @Test
  void attributesGoInReverseOrderOfSetting() {
    Keyval<Thing, Integer> a = logging("a");
    Keyval<Thing, Integer> b = logging("b");
    Keyval<Thing, Integer> c = logging("c");
    table.set(a, 1);
    table.set(b, 2);
    table.set(c, 3);
    table.set(a, 4); // set anew: now the last
    log.clear();
    table.deleteAll();
    assertEquals(List.of("delete a=4 from original", "delete c=3 from original", "delete b=2 from original"), log);
    table.deleteAll();
    assertEquals(3, log.size());
  }

  @Test
  void duplicatesGetWhatTheCopyFunctionsSay() {
    Keyval<Thing, Integer> logged = logging("a");
    Keyval<Thing, Object> shared = Keyval.shared();
    Keyval<Thing, String> left = Keyval.notCopied();
    Object value = new Object();
    table.set(logged, 1);
    table.set(shared, value);
    table.set(left, "x");
    Attributes<Thing> duplicate = new Attributes<>(new Thing("duplicate"));
    table.copyTo(duplicate);
    assertEquals(List.of("copy a=1 from original"), log);
    assertEquals(Optional.of(2), duplicate.get(logged));
    assertSame(value, duplicate.get(shared).orElseThrow());
    assertEquals(Optional.empty(), duplicate.get(left));
    assertEquals(Optional.of(1), table.get(logged));
    duplicate.deleteAll();
    assertEquals(List.of("copy a=1 from original", "delete a=2 from duplicate"), log);
  }

  @Test
  void aCopyFunctionThatThrowsFailsTheDuplicationAndLeavesNothingBehind() {
    table.set(logging("a"), 1);
    table.set(
        Keyval.<Thing, Integer>of(
            (from, value) -> {
              throw new MpiException(ErrorClass.ERR_OTHER, "no copy");
            },
            (from, value) -> {}),
        5);
    Attributes<Thing> duplicate = new Attributes<>(new Thing("duplicate"));
    assertThrows(MpiException.class, () -> table.copyTo(duplicate));
    assertEquals(List.of("copy a=1 from original", "delete a=2 from duplicate"), log);
  }

  @Test
  void aDeleteFunctionThatThrowsKeepsTheAttribute() {
    boolean[] refuse = {true};
    Keyval<Thing, Integer> key = Keyval.of(
        (from, value) -> Optional.empty(),
        (from, value) -> {
          if (refuse[0]) {
            throw new MpiException(ErrorClass.ERR_OTHER, "still needed");
          }
        });
    Keyval<Thing, Integer> later = logging("later");
    table.set(key, 1);
    table.set(later, 2);
    assertThrows(MpiException.class, () -> table.delete(key));
    assertThrows(MpiException.class, () -> table.set(key, 3));
    assertThrows(MpiException.class, table::deleteAll);
    assertEquals(Optional.of(1), table.get(key));
    assertEquals(Optional.empty(), table.get(later));
    refuse[0] = false;
    table.deleteAll();
    assertEquals(Optional.empty(), table.get(key));
  }

  @Test
  void aClosedKeyIsRefusedButItsAttributesLiveOn() {
    Keyval<Thing, Integer> key = logging("a");
    table.set(key, 1);
    key.close();
    assertTrue(key.isClosed());
    for (Runnable use : List.<Runnable>of(() -> table.get(key), () -> table.set(key, 2), () -> table.delete(key))) {
      MpiException e = assertThrows(MpiException.class, use::run);
      assertEquals(ErrorClass.ERR_KEYVAL, e.errorClass());
    }
    Attributes<Thing> duplicate = new Attributes<>(new Thing("duplicate"));
    table.copyTo(duplicate);
    duplicate.deleteAll();
    table.deleteAll();
    assertEquals(
        List.of("copy a=1 from original", "delete a=2 from duplicate", "delete a=1 from original"), log);
  }

  private static void refused(ErrorClass expected, Runnable call) {
    assertEquals(expected, assertThrows(MpiException.class, call::run).errorClass());
  }

  @Test
  void whatIsMissingIsNamed() {
    refused(ErrorClass.ERR_KEYVAL, () -> table.set(null, 1));
    refused(ErrorClass.ERR_KEYVAL, () -> table.get(null));
    refused(ErrorClass.ERR_KEYVAL, () -> table.isSet(null));
    refused(ErrorClass.ERR_KEYVAL, () -> table.delete(null));
    refused(ErrorClass.ERR_ARG, () -> Keyval.of(null, (from, value) -> {}));
    refused(ErrorClass.ERR_ARG, () -> Keyval.of((from, value) -> Optional.empty(), null));
    table.set(Keyval.of((from, value) -> null, (from, value) -> {}), 1);
    refused(ErrorClass.ERR_OTHER, () -> table.copyTo(new Attributes<>(original)));
  }

  @Test
  void aDeleteFunctionThatFreesTheObjectAgainIsCalledOnce() {
    Keyval<Thing, Integer> first = logging("first");
    Keyval<Thing, Integer> again = Keyval.of(
        (from, value) -> Optional.empty(),
        (from, value) -> {
          log.add("delete again");
          table.deleteAll();
        });
    table.set(first, 1);
    table.set(again, 2);
    table.deleteAll();
    assertEquals(List.of("delete again", "delete first=1 from original"), log);
    assertEquals(Optional.empty(), table.get(again));
  }
}
