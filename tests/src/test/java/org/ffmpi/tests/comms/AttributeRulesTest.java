// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

/** Attributes over several ranks: functions that fail at one, functions that change attributes, null (MPI-4.1 §7.7). */
class AttributeRulesTest {
  private static int sum(Comm comm) {
    int[] one = {1};
    comm.allreduce(Buf.of(one), Op.SUM);
    return one[0];
  }

  private static IntraComm completed(CommRequest<? extends IntraComm> request) {
    request.await();
    return request.comm();
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("a copy function that throws at one rank leaves all ranks with the same contexts for what follows")
  void aCopyFunctionThatThrowsAtOneRank(IntraComm world) {
    CartComm cart = world.cartCreate(new int[] {world.size()}, new boolean[1], false);
    List<Function<IntraComm, IntraComm>> ways = List.of(
        IntraComm::dup, comm -> comm.dup(null), comm -> completed(comm.idup()), comm -> completed(comm.idup(null)));
    for (IntraComm parent : List.of(world, cart)) {
      for (int culprit = 0; culprit < world.size(); culprit++) {
        int thrower = culprit;
        Keyval<Comm, String> key = Keyval.of(
            (from, value) -> {
              if (from.rank() == thrower) {
                throw new IllegalStateException("no copy");
              }
              return Optional.of(value);
            },
            (from, value) -> {});
        for (Function<IntraComm, IntraComm> way : ways) {
          parent.attributes().set(key, "x");
          IntraComm partly = null;
          if (world.rank() == culprit) {
            assertError(ErrorClass.ERR_OTHER, () -> way.apply(parent), "no copy");
          } else {
            partly = way.apply(parent);
            assertEquals(Optional.of("x"), partly.attributes().get(key));
          }
          parent.attributes().delete(key);
          try (IntraComm good = way.apply(parent)) {
            assertEquals(world.size(), sum(good), "the ranks agree on its context");
            assertEquals(world.size(), sum(parent));
          }
          if (partly != null) {
            partly.close();
          }
        }
      }
    }
    cart.close();
  }

  /** Three keys whose delete functions note it and may do more. */
  private static final class Three {
    final List<String> deleted = new ArrayList<>();
    int again = 1;
    final Keyval<Comm, String> first = key("first");
    final Keyval<Comm, String> second = key("second");
    final Keyval<Comm, String> third = key("third");

    private Keyval<Comm, String> key(String name) {
      return Keyval.of((from, value) -> Optional.empty(), (from, value) -> {
        deleted.add(value);
        Attributes<Comm> attributes = from.attributes();
        if (name.equals("second")) {
          attributes.delete(this.first);
          attributes.set(this.third, "third of second");
          if (again-- > 0) {
            attributes.set(this.second, "second anew");
          }
        }
      });
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("delete functions may delete, attach and replace attributes, last in first out")
  void deleteFunctionsThatChangeAttributes(Mpi mpi) {
    Three three = new Three();
    IntraComm dup = mpi.world().dup();
    dup.attributes().set(three.first, "first");
    dup.attributes().set(three.second, "second");
    dup.attributes().set(three.second, "replacing"); // deletes the first value
    assertEquals(List.of("second", "first", "second anew", "third of second"), three.deleted);
    assertEquals(Optional.of("replacing"), dup.attributes().get(three.second));
    assertEquals(Optional.of("third of second"), dup.attributes().get(three.third));

    three.deleted.clear();
    three.again = 1;
    dup.attributes().set(three.first, "first");
    dup.close();
    assertEquals(
        List.of("first", "replacing", "third of second", "third of second", "second anew", "third of second"),
        three.deleted);

    Three last = new Three();
    mpi.self().attributes().set(last.first, "first");
    mpi.self().attributes().set(last.second, "second");
    mpi.close();
    assertEquals(List.of("second", "first", "third of second", "second anew", "third of second"), last.deleted);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("a delete function that attaches its value again each time is an error, and no loop without end")
  void aDeleteFunctionWithoutEnd(IntraComm world) {
    List<Keyval<Comm, String>> itself = new ArrayList<>();
    int[] calls = {0};
    boolean[] stop = {false};
    Keyval<Comm, String> key = Keyval.of((from, value) -> Optional.empty(), (from, value) -> {
      calls[0]++;
      if (!stop[0]) {
        from.attributes().set(itself.getFirst(), value);
      }
    });
    itself.add(key);
    IntraComm dup = world.dup();
    dup.attributes().set(key, "for ever");
    assertError(ErrorClass.ERR_OTHER, dup::close, "attached again");
    assertTrue(calls[0] > 1);
    stop[0] = true;
    dup.close();
    world.barrier();
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("a duplicate that nothing has asked for is closed with its request")
  void requestsOfUnwantedDuplicatesDeleteTheirAttributes(IntraComm world) {
    List<Integer> deleted = new ArrayList<>();
    Keyval<Comm, Integer> key = Keyval.of(
        (from, value) -> Optional.of(value + 1), (from, value) -> deleted.add(value));
    try (IntraComm parent = world.dup()) {
      parent.attributes().set(key, 10);
      for (int i = 0; i < 70; i++) { // through the end of a block of contexts
        CommRequest<? extends IntraComm> unwanted = parent.idup();
        unwanted.await();
        unwanted.close();
        unwanted.close();
        assertEquals(List.of(11), deleted);
        CommRequest<? extends IntraComm> wanted = parent.idup();
        wanted.await();
        IntraComm duplicate = wanted.comm();
        wanted.close();
        assertEquals(Optional.of(11), duplicate.attributes().get(key));
        duplicate.close();
        assertEquals(List.of(11, 11), deleted);
        deleted.clear();
      }
      parent.barrier();
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("idup takes over attributes and error handler as they are at the call")
  void idupTakesOverWhatThereIs(IntraComm world) {
    List<String> calls = new ArrayList<>();
    Keyval<Comm, Integer> key = Keyval.of(
        (from, value) -> {
          calls.add("copy " + value);
          return Optional.of(value + 1);
        },
        (from, value) -> calls.add("delete " + value));
    Errhandler<Comm> before = Errhandler.of((Comm comm, MpiException error) -> {});
    try (IntraComm parent = world.dup()) {
      for (int i = 0; i < 70; i++) { // through the end of a block of contexts
        parent.setErrhandler(before);
        parent.attributes().set(key, 10);
        calls.clear();
        CommRequest<? extends IntraComm> request = parent.idup();
        assertEquals(List.of("copy 10"), calls);
        parent.setErrhandler(Errhandler.RETURN);
        parent.attributes().delete(key);
        request.await();
        IntraComm duplicate = request.comm();
        assertEquals(Optional.of(11), duplicate.attributes().get(key));
        assertEquals(before, duplicate.errhandler());
        duplicate.close();
        assertEquals(List.of("copy 10", "delete 10", "delete 11"), calls);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("a key that was freed still copies and deletes what is attached, and attaches nothing new")
  void aClosedKey(IntraComm world) {
    List<String> calls = new ArrayList<>();
    Keyval<Comm, String> key = Keyval.of(
        (from, value) -> {
          calls.add("copy");
          return Optional.of(value);
        },
        (from, value) -> calls.add("delete"));
    IntraComm parent = world.dup();
    parent.attributes().set(key, "x");
    key.close();
    assertError(ErrorClass.ERR_KEYVAL, () -> parent.attributes().set(key, "y"), "closed");
    assertError(ErrorClass.ERR_KEYVAL, () -> parent.attributes().get(key), "closed");
    assertError(ErrorClass.ERR_KEYVAL, () -> parent.attributes().isSet(key), "closed");
    IntraComm duplicate = parent.dup();
    assertEquals(List.of("copy"), calls);
    parent.close();
    duplicate.close();
    assertEquals(List.of("copy", "delete", "delete"), calls);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("an attribute may be null, which is not the same as none")
  void nullAttributes(Mpi mpi) {
    IntraComm world = mpi.world();
    List<String> calls = new ArrayList<>();
    Keyval<Comm, String> mark = Keyval.of(
        (from, value) -> {
          calls.add("copy " + value);
          return Optional.ofNullable(value);
        },
        (from, value) -> calls.add("delete " + value));
    Keyval<Comm, String> shared = Keyval.shared();
    Keyval<Datatype<?>, String> ofTypes = Keyval.shared();
    assertFalse(world.attributes().isSet(mark));
    world.attributes().set(mark, null);
    world.attributes().set(shared, null);
    assertTrue(world.attributes().isSet(mark));
    assertTrue(world.attributes().get(mark).isEmpty());
    assertTrue(world.attributes().isSet(Comm.TAG_UB));
    try (IntraComm dup = world.dup()) {
      assertTrue(dup.attributes().isSet(shared));
      assertFalse(dup.attributes().isSet(mark), "its function has returned nothing");
    }
    world.attributes().set(mark, "x");
    assertEquals(List.of("copy null", "delete null"), calls);
    assertTrue(world.attributes().delete(mark));
    assertFalse(world.attributes().delete(mark));
    assertFalse(world.attributes().isSet(mark));
    assertTrue(world.attributes().delete(shared));
    assertFalse(world.attributes().delete(shared));
    Datatype<?> type = Datatype.contiguous(2, Datatype.INT);
    mpi.typeAttributes(type).set(ofTypes, null);
    assertTrue(mpi.typeAttributes(type.dup()).isSet(ofTypes));
  }
}
