// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import org.ffmpi.tests.models.Sleeping.Mutation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Models of what ranks do to each other in shared memory, in every order that processes, store buffers and the kernel
 * allow. A right model has no state with a mistake and none in which a rank waits for ever; a model from which a step
 * is left out has one, else the search would not be worth much.
 */
@Tag("long")
class ModelsTest {
  private static void visit(String name, Model model) {
    long begin = System.nanoTime();
    int states = Search.run(model);
    assertTrue(states > 1_000, name + ": " + states);
    System.out.printf("model of %s: %,d states in %d ms%n", name, states, (System.nanoTime() - begin) / 1_000_000);
  }

  private static void finds(Mutation mutation, String said, Function<Mutation[], Model> model) {
    AssertionError found = assertThrows(AssertionError.class, () -> Search.run(model.apply(new Mutation[] {mutation})));
    assertTrue(found.getMessage().contains(said), found.getMessage());
  }

  // ---- rings

  @Test
  void rings() {
    visit("a ring", new RingModel(1, 5, false));
    visit("a ring, weakly ordered", new RingModel(1, 5, true));
    visit("two rings", new RingModel(2, 2, false));
    visit("two rings, weakly ordered", new RingModel(2, 2, true));
  }

  /** Without the limit of the first sleep a message is missed: 0004-waiting.md. */
  @ParameterizedTest
  @EnumSource(names = {"NO_WAKE", "FIRST_SLEEP_UNLIMITED", "NO_LOOK_AFTER_FIRST_SLEEP", "NO_CREDIT_CHECK"})
  void ringsThatHang(Mutation mutation) {
    finds(mutation, "sleeps for ever", mutations -> new RingModel(1, 5, false, mutations));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLAG_BEFORE_DATA", "CREDIT_BEFORE_READ"})
  void ringsThatLose(Mutation mutation) {
    finds(mutation, "was read as", mutations -> new RingModel(1, 5, false, mutations));
  }

  /** The release order of the sequence number: x86 does not need it, others do. */
  @Test
  void aPlainSequenceNumber() {
    visit("a ring with plain sequence numbers", new RingModel(1, 5, false, Mutation.PLAIN_FLAG));
    finds(Mutation.PLAIN_FLAG, "was read as", mutations -> new RingModel(1, 5, true, mutations));
  }

  // ---- join and end

  @Test
  void joinAndEnd() {
    visit("join and end", new EndModel(false));
    visit("join and end, weakly ordered", new EndModel(true));
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_WAKE", "LATER_SLEEPS_UNLIMITED"})
  void endsThatHang(Mutation mutation) {
    finds(mutation, "sleeps for ever", mutations -> new EndModel(false, mutations));
  }

  @ParameterizedTest
  @EnumSource(names = {"END_WITHOUT_CAS", "REASON_NOT_AWAITED"})
  void endsForMixedReasons(Mutation mutation) {
    finds(mutation, "the reason", mutations -> new EndModel(false, mutations));
  }

  @Test
  void aSecondJoin() {
    finds(Mutation.JOIN_WITHOUT_CAS, "two processes are rank 0", mutations -> new EndModel(false, mutations));
  }

  // ---- regions

  @Test
  void regions() {
    visit("a region of 2 ranks, 5 calls", new RegionModel(2, 5, false, false));
    visit("a region of 2 ranks, 5 calls, weakly ordered", new RegionModel(2, 5, false, true));
    visit("a region of 3 ranks, 1 call", new RegionModel(3, 1, false, false));
    visit("a region of 3 ranks, 3 calls with a root", new RegionModel(3, 3, true, false));
  }

  @Test
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true")
  void largeRegions() {
    visit("a region of 3 ranks, 3 calls with a root, weakly ordered", new RegionModel(3, 3, true, true));
    visit("a region of 3 ranks, 3 calls", new RegionModel(3, 3, false, false));
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_WAKE", "FIRST_SLEEP_UNLIMITED", "NO_LOOK_AFTER_FIRST_SLEEP", "SLOT_NOT_AWAITED",
      "SLOT_END_WITHOUT_WAKE"})
  void regionsThatHang(Mutation mutation) {
    finds(mutation, "sleeps for ever", mutations -> new RegionModel(2, 5, true, false, mutations));
  }

  @Test
  void regionsThatLose() {
    finds(Mutation.FLAG_BEFORE_DATA, "reads", mutations -> new RegionModel(2, 5, true, false, mutations));
    finds(Mutation.PLAIN_FLAG, "reads", mutations -> new RegionModel(2, 5, true, true, mutations));
    finds(Mutation.END_BEFORE_READ, "reads", mutations -> new RegionModel(2, 5, true, false, mutations));
  }
}
