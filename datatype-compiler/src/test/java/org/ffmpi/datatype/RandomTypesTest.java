// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.oracle.Item;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.oracle.Typemap;
import org.ffmpi.datatype.signature.Signature;
import org.ffmpi.datatype.tree.Decoding;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Properties of random types, against the naive typemap. */
@Tag("long")
public class RandomTypesTest {
  /** How many types each test tries; the stress profile sets millions. */
  public static final int TYPES = Integer.getInteger("ffmpi.test.types", 10_000);

  /** Runs a check of a type; a failure shows how to make the type. */
  public static void with(Sample sample, Runnable check) {
    try {
      check.run();
    } catch (Throwable e) {
      throw new AssertionError(sample + ": " + e, e);
    }
  }

  private static void repeat(int times, BiConsumer<RandomGenerator, Sample> check) {
    Seed.repeat(times, random -> {
      Sample sample = new RandomTypes(random).next();
      with(sample, () -> check.accept(random, sample));
    });
  }

  @Test
  @DisplayName("S4-3 S4-5 S4-6 S4-7 S1-4.1.5-b S1-4.1.7-c S1-4.1.8-a: bounds of random types follow the formulas")
  void bounds() {
    repeat(TYPES, (random, sample) -> {
      Datatype<?> type = sample.type();
      Typemap map = sample.map();
      assertEquals(map.size(), type.size(), "size");
      assertEquals(map.lowerBound(), type.lowerBound(), "lower bound");
      assertEquals(map.upperBound(), type.upperBound(), "upper bound");
      assertEquals(map.extent(), type.extent(), "extent");
      assertEquals(map.trueLowerBound(), type.trueLowerBound(), "true lower bound");
      assertEquals(map.trueExtent(), type.trueExtent(), "true extent");
      type.commit();
      assertEquals(map.size(), TypeHandle.planOf(type).size(), "size of the plan");
      assertEquals(map.extent(), TypeHandle.planOf(type).extent(), "extent of the plan");
      assertEquals(map.trueLowerBound(), TypeHandle.planOf(type).trueLowerBound(), "true lower bound of the plan");
      assertEquals(map.trueExtent(), TypeHandle.planOf(type).trueExtent(), "true extent of the plan");
    });
  }

  @Test
  @DisplayName("S1-4.12 S1-4.1.11-e: whole and partial elements of random types are counted")
  void countsOfEveryLength() {
    repeat(TYPES, (random, sample) -> {
      int longest = 2 * sample.map().size() + 1;
      int step = 1 + longest / 200;
      for (int bytes = 0; bytes <= longest; bytes += 1 + random.nextInt(step)) {
        assertEquals(sample.map().count(bytes), sample.type().count(bytes), "count of " + bytes + " bytes");
        assertEquals(sample.map().elements(bytes), sample.type().elements(bytes), "elements of " + bytes + " bytes");
      }
    });
  }

  @Test
  @DisplayName("S1-4.1.13-a S1-4.1.13-b S1-4.1.13-g S1-4.1.13-e: random types are decoded and built again")
  void decodedAndRebuilt() {
    repeat(TYPES, (random, sample) -> {
      assertEquals(sample.map(), Decoding.interpret(sample.type()), "typemap of the arguments");
      Decoding.assertSameCalls(sample.type(), Decoding.rebuild(sample.type()));
    });
  }

  @Test
  void signaturesOfEqualTypes() {
    Seed.repeat(TYPES, random -> {
      RandomTypes types = new RandomTypes(random);
      Sample sample = types.next();
      int copies = random.nextInt(1, 6);
      Sample one = types.sameSignature(sample.map(), 1);
      Sample many = types.sameSignature(sample.map(), copies);
      with(sample, () -> with(one, () -> with(many, () -> {
        Signature signature = TypeHandle.of(sample.type()).signature();
        assertEquals(sample.map().size(), signature.bytes(), "bytes");
        assertEquals(sample.map().items().size(), signature.elements(), "elements");
        assertEquals(signature, TypeHandle.of(one.type()).signature());
        assertEquals(signature.hashCode(), TypeHandle.of(one.type()).signature().hashCode());
        assertEquals(signature.hash(copies), TypeHandle.of(many.type()).signature().hash(1), copies + " copies");
        assertEquals(signature.hash(3L * copies), TypeHandle.of(many.type()).signature().hash(3), copies + " copies");
        List<Datatype<?>> basics = new ArrayList<>();
        signature.forEachRun(copies, (basic, n) -> basics.addAll(Collections.nCopies((int) n, typeOf(basic))));
        List<Datatype<?>> expected = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
          sample.map().items().forEach(item -> expected.add(item.basic()));
        }
        assertEquals(expected, basics);
      })));
    });
  }

  private static Datatype<?> typeOf(Basic basic) {
    return Datatype.predefined().stream().filter(type -> type.name().equals(basic.mpiName())).findFirst().orElseThrow();
  }

  @Test
  @DisplayName("S1-4.1.11-e: a message matches the types it is the beginning of, and no others")
  void signaturesOfMessages() {
    Seed.repeat(TYPES, random -> {
      RandomTypes types = new RandomTypes(random);
      Sample sent = types.next();
      Sample received = random.nextBoolean() ? types.next() : types.sameSignature(sent.map(), random.nextInt(1, 4));
      int count = random.nextInt(4);
      with(sent, () -> with(received, () -> {
        List<Item> message = repeated(sent.map().items(), count);
        List<Item> room = received.map().items();
        boolean matches = message.isEmpty();
        if (!room.isEmpty() && !message.isEmpty()) {
          List<Item> enough = repeated(room, 1 + message.size() / room.size());
          matches = enough.subList(0, message.size()).equals(message);
        }
        long bytes = (long) count * sent.map().size();
        long hash = TypeHandle.of(sent.type()).signature().hash(count);
        assertEquals(matches, TypeHandle.of(received.type()).signature().matches(hash, bytes),
            count + " elements");
      }));
    });
  }

  private static List<Item> repeated(List<Item> items, int count) {
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.addAll(items);
    }
    return all;
  }
}
