// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.ExampleTypesTest;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.PredefinedHandles;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Signatures against the sequences of basic types they stand for. */
class SignatureTest {
  private static final List<Datatype<?>> LEAVES = List.of(
      Datatype.INT, Datatype.DOUBLE, Datatype.CHAR, Datatype.DOUBLE_INT, Datatype.C_COMPLEX, Datatype.TWO_INT,
      Datatype.SHORT_INT);

  /** A type and its basic types one by one. */
  private record Sample(Datatype<?> type, List<Basic> basics) {}

  private static Sample sample(RandomGenerator random, int depth) {
    if (depth == 0) {
      Datatype<?> leaf = LEAVES.get(random.nextInt(LEAVES.size()));
      Basic basic = ((TypeTree.Named) TypeHandle.of(leaf).tree()).basic();
      List<Basic> parts = switch (basic) {
        case DOUBLE_INT -> List.of(Basic.DOUBLE, Basic.INT);
        case TWO_INT -> List.of(Basic.INT, Basic.INT);
        case SHORT_INT -> List.of(Basic.SHORT, Basic.INT);
        default -> List.of(basic);
      };
      return new Sample(leaf, parts);
    }
    if (random.nextInt(3) == 0) {
      int parts = random.nextInt(4);
      long[] lengths = new long[parts];
      Datatype<?>[] types = new Datatype<?>[parts];
      List<Basic> all = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        Sample part = sample(random, depth - 1);
        lengths[i] = random.nextInt(4);
        types[i] = part.type;
        repeat(part.basics, lengths[i], all);
      }
      return new Sample(Datatype.struct(lengths, random.longs(parts, -500, 500).toArray(), types), all);
    }
    Sample part = sample(random, depth - 1);
    int count = random.nextInt(5);
    int length = random.nextInt(3);
    List<Basic> all = new ArrayList<>();
    return switch (random.nextInt(5)) {
      case 0 -> new Sample(Datatype.contiguous(count, part.type), repeat(part.basics, count, all));
      case 1 -> new Sample(Datatype.vector(count, length, -3, part.type), repeat(part.basics, count * length, all));
      case 2 -> {
        long[] lengths = random.longs(count, 0, 4).toArray();
        long copies = Arrays.stream(lengths).sum();
        yield new Sample(
            Datatype.hindexed(lengths, random.longs(count, -99, 99).toArray(), part.type),
            repeat(part.basics, copies, all));
      }
      case 3 -> new Sample(
          Datatype.indexedBlock(length, random.longs(count, -99, 99).toArray(), part.type),
          repeat(part.basics, count * length, all));
      default -> new Sample(part.type.resized(1, 2).dup(), part.basics);
    };
  }

  private static List<Basic> repeat(List<Basic> basics, long copies, List<Basic> into) {
    for (long i = 0; i < copies; i++) {
      into.addAll(basics);
    }
    return into;
  }

  private static long width(Basic basic) {
    return basic.element().bounds().size();
  }

  @Test
  @DisplayName("S1-4.1.11-e S1-4.12: elements, bytes and runs of random types, at every byte")
  void randomTypes() {
    Seed.repeat(400, random -> {
      Sample sample = sample(random, random.nextInt(4));
      if (sample.basics.size() > 2000) {
        return;
      }
      Signature signature = TypeHandle.of(sample.type).signature();
      long bytes = sample.basics.stream().mapToLong(SignatureTest::width).sum();
      assertEquals(sample.basics.size(), signature.elements());
      assertEquals(bytes, signature.bytes());
      assertEquals(bytes, sample.type.size());
      List<Basic> two = repeat(sample.basics, 2, new ArrayList<>());
      List<Basic> runs = new ArrayList<>();
      signature.forEachRun(2, (basic, copies) -> {
        assertTrue(copies > 0 && (runs.isEmpty() || runs.getLast() != basic), "runs are maximal");
        repeat(List.of(basic), copies, runs);
      });
      assertEquals(two, runs);
      long at = 0;
      for (int i = 0; i < two.size(); i++) {
        assertEquals(i, sample.type.elements(at));
        assertEquals(at, sample.type.bytesOf(i));
        for (long inside = at + 1; inside < at + width(two.get(i)); inside++) {
          assertEquals(Constants.UNDEFINED, sample.type.elements(inside));
        }
        at += width(two.get(i));
      }
      assertEquals(two.size(), sample.type.elements(at));
      assertEquals(at, sample.type.bytesOf(two.size()));
    });
  }

  @Test
  void hashesDependOnTheSequenceOnly() {
    Seed.repeat(200, random -> {
      Sample sample = sample(random, random.nextInt(4));
      int count = random.nextInt(4);
      if (sample.basics.size() * count > 1000) {
        return;
      }
      List<Basic> all = repeat(sample.basics, count, new ArrayList<>());
      Datatype<?>[] types =
          all.stream().map(b -> PredefinedHandles.of(new TypeTree.Named(b))).toArray(Datatype<?>[]::new);
      long[] ones = new long[types.length];
      Arrays.fill(ones, 1);
      Signature flat = TypeHandle.of(Datatype.struct(ones, new long[types.length], types)).signature();
      Signature signature = TypeHandle.of(sample.type).signature();
      assertEquals(flat, TypeHandle.of(Datatype.contiguous(count, sample.type)).signature());
      assertEquals(flat.hashCode(), TypeHandle.of(Datatype.contiguous(count, sample.type)).signature().hashCode());
      assertEquals(flat.hash(1), signature.hash(count));
      assertTrue(signature.matches(flat.hash(1), flat.bytes()));
      // A message may end anywhere between two basic elements, and must not be of other types.
      if (types.length > 0) {
        int cut = random.nextInt(types.length);
        long[] some = new long[types.length];
        Arrays.fill(some, 0, cut, 1);
        Signature begun = TypeHandle.of(Datatype.struct(some, new long[types.length], types)).signature();
        assertTrue(signature.matches(begun.hash(1), begun.bytes()));
        types[cut] = types[cut] == Datatype.INT ? Datatype.UNSIGNED : Datatype.INT;
        Signature other = TypeHandle.of(Datatype.struct(ones, new long[types.length], types)).signature();
        assertFalse(signature.matches(other.hash(1), other.bytes()));
        assertNotEquals(flat, other);
      }
    });
  }

  @Test
  void textNamesRuns() {
    assertEquals("INT, 6 x DOUBLE, 7 x CHAR", TypeHandle.of(ExampleTypesTest.particle()).signature().toString());
    assertEquals("1000 x (INT, 6 x DOUBLE, 7 x CHAR)",
        TypeHandle.of(ExampleTypesTest.particle()).signature().toString(1000));
    assertEquals("15 x REAL", TypeHandle.of(Datatype.vector(3, 5, 4, Datatype.REAL)).signature().toString());
    assertEquals("30 x REAL", TypeHandle.of(Datatype.vector(3, 5, 4, Datatype.REAL)).signature().toString(2));
    assertEquals("2 x INT", TypeHandle.of(Datatype.TWO_INT).signature().toString());
    assertEquals("DOUBLE, INT", TypeHandle.of(Datatype.DOUBLE_INT).signature().toString());
    assertEquals("nothing", TypeHandle.of(Datatype.contiguous(0, Datatype.INT)).signature().toString());
    assertEquals("nothing", TypeHandle.of(Datatype.INT).signature().toString(0));
    Datatype<?> twice = Datatype.DOUBLE_INT;
    for (int i = 0; i < 50; i++) {
      twice = Datatype.struct(longs(1, 1, 1), longs(0, 0, 0), twice, Datatype.CHAR, twice);
    }
    String text = TypeHandle.of(twice).signature().toString(Long.MAX_VALUE);
    assertTrue(text.length() < 300 && text.endsWith("…"), text);
  }

  @Test
  @DisplayName("S1-4.2-d: PACKED matches everything, BYTE only bytes")
  void packedAndByte() {
    Signature ints = TypeHandle.of(Datatype.contiguous(3, Datatype.INT)).signature();
    Signature packed = TypeHandle.of(Datatype.contiguous(12, Datatype.PACKED)).signature();
    assertTrue(packed.matchesAnything());
    assertEquals(Signature.ANY, packed.hash(5));
    assertTrue(ints.matches(packed.hash(1), 12));
    assertTrue(packed.matches(ints.hash(1), 12));
    assertFalse(ints.matches(TypeHandle.of(Datatype.BYTE).signature().hash(12), 12));
    assertFalse(TypeHandle.of(Datatype.BYTE).signature().matches(ints.hash(1), 12));
    long hash = TypeHandle.of(Datatype.contiguous(3, Datatype.BYTE)).signature().hash(4);
    assertTrue(TypeHandle.of(Datatype.BYTE).signature().matches(hash, 12));
    assertNotEquals(Signature.ANY, ints.hash(0));
  }

  @Test
  void plansCarrySignatures() {
    Datatype<?> type = ExampleTypesTest.particle().commit();
    StreamSignature carried = TypeHandle.planOf(type).signature();
    assertEquals(TypeHandle.of(type).signature().hash(3), carried.hash(3 * 59));
    assertEquals(TypeHandle.planOf(Datatype.INT).signature().hash(4), carried.hash(4));
    assertNotEquals(TypeHandle.of(type).signature().hash(1), carried.hash(58 + 59));
    assertNotEquals(Signature.ANY, carried.hash(3));
    assertFalse(carried.matchesAnything());
    assertTrue(TypeHandle.planOf(Datatype.PACKED).signature().matchesAnything());
    assertEquals("2 x (INT, 6 x DOUBLE, 7 x CHAR)", carried.text(2 * 59));
    assertEquals("INT, 2 x DOUBLE and 7 bytes of the next", carried.text(4 + 16 + 7));
    assertEquals("INT, 6 x DOUBLE, 7 x CHAR, INT, DOUBLE", carried.text(59 + 12));
    assertEquals("nothing", carried.text(0));
    assertEquals("5 x INT", TypeHandle.planOf(Datatype.INT).signature().text(20));
    assertEquals("nothing and 3 bytes of the next", TypeHandle.planOf(Datatype.INT).signature().text(3));
  }

  @Test
  void sizedTypesAreThePlatformsTypesOfThatSize() {
    Object[][] same = {
      {Datatype.INT32_T, Datatype.INT}, {Datatype.INT64_T, Datatype.LONG}, {Datatype.UINT16_T, Datatype.UNSIGNED_SHORT},
      {Datatype.INT8_T, Datatype.SIGNED_CHAR}, {Datatype.REAL4, Datatype.REAL}, {Datatype.INTEGER4, Datatype.INTEGER}
    };
    for (Object[] pair : same) {
      assertEquals(TypeHandle.of((Datatype<?>) pair[0]).signature(), TypeHandle.of((Datatype<?>) pair[1]).signature());
    }
    Object[][] different = {
      {Datatype.INT, Datatype.INTEGER}, {Datatype.INT, Datatype.UNSIGNED}, {Datatype.INT, Datatype.FLOAT},
      {Datatype.CHAR, Datatype.SIGNED_CHAR}, {Datatype.LONG, Datatype.AINT}, {Datatype.DOUBLE, Datatype.REAL8}
    };
    for (Object[] pair : different) {
      assertNotEquals(TypeHandle.of((Datatype<?>) pair[0]).signature(),
          TypeHandle.of((Datatype<?>) pair[1]).signature());
    }
  }

  @Test
  void oneBasicType() {
    assertEquals(Optional.of(Basic.REAL), TypeHandle.of(Datatype.vector(3, 5, 4, Datatype.REAL)).signature().basic());
    assertEquals(
        Optional.of(Basic.INT),
        TypeHandle.of(Datatype.struct(longs(1, 2), longs(0, 8), Datatype.INT, Datatype.TWO_INT)).signature().basic());
    assertEquals(Optional.empty(), TypeHandle.of(ExampleTypesTest.particle()).signature().basic());
    assertEquals(Optional.empty(), TypeHandle.of(Datatype.contiguous(0, Datatype.INT)).signature().basic());
    assertEquals(Optional.of(double[].class), Datatype.contiguous(4, Datatype.DOUBLE).arrayClass());
    assertEquals(Optional.empty(), ExampleTypesTest.particle().arrayClass());
  }

  @Test
  void hugeCountsTakeFewSteps() {
    Signature particle = TypeHandle.of(ExampleTypesTest.particle()).signature();
    long count = 1L << 50;
    Signature many = TypeHandle.of(Datatype.contiguous(count, ExampleTypesTest.particle())).signature();
    assertEquals(particle.hash(count), many.hash(1));
    assertTrue(particle.matches(many.hash(1), count * 59));
    assertEquals(14 * count, particle.elementsIn(59 * count));
    assertEquals(59 * count + 4, particle.bytesIn(14 * count + 1));
    MpiException refused = assertThrows(MpiException.class, () -> particle.hash(Long.MAX_VALUE));
    assertEquals(ErrorClass.ERR_COUNT, refused.errorClass());
  }

  @Test
  void impossibleElementCountsAreRefused() {
    Signature empty = TypeHandle.of(Datatype.contiguous(0, Datatype.INT)).signature();
    assertEquals(0, empty.bytesIn(0));
    assertEquals(Constants.UNDEFINED, empty.elementsIn(1));
    for (Runnable call : List.<Runnable>of(
        () -> empty.bytesIn(1),
        () -> Datatype.INT.bytesOf(-1),
        () -> Datatype.INT.bytesOf(Long.MAX_VALUE))) {
      assertEquals(ErrorClass.ERR_COUNT, assertThrows(MpiException.class, call::run).errorClass());
    }
  }
}
