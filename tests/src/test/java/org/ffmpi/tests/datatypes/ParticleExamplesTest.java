// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** The standard's examples of an array of structs, with their numbers. */
@EveryTransport
class ParticleExamplesTest {
  private static final int COUNT = Particles.COUNT;
  private static final int CLASS_ZERO = 334;

  private static void assertNumbers(Datatype<?> type, long size, long extent, long trueExtent) {
    assertEquals(size, type.size(), "size");
    assertEquals(extent, type.extent(), "extent");
    assertEquals(trueExtent, type.trueExtent(), "true extent");
  }

  private static long[] ones(int count) {
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** Where the particles of class zero are. */
  private static long[] classZero() {
    return LongStream.range(0, COUNT).filter(i -> Particles.classOf(i) == 0).toArray();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-1 S1-4.1.11-i S4-10: a thousand particles arrive, no byte of their padding is touched")
  void wholeParticles(Mpi mpi) {
    Datatype<?> particle = Particles.type().commit();
    assertNumbers(particle, 59, 64, 63);
    assertEquals(new TypeEnvelope(Combiner.STRUCT, 4, 3, 3), particle.envelope());
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, Particles.BYTES, (source, target, passing) -> {
      Particles.clear(target);
      Status status = passing.pass(Buf.of(source, COUNT, particle), Buf.of(target, COUNT, particle));
      assertEquals(1_000, status.getCount(particle));
      assertEquals(14_000, status.getElements(particle));
      assertEquals(59_000, status.bytes());
      for (int i = 0; i < COUNT; i++) {
        Particles.check(target, i, i);
      }
    });
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.17-1b S1-4.1.6: an upper bound at the size of the struct gives the same extent")
  void explicitUpperBound(Mpi mpi) {
    Datatype<?> particle = Particles.type().resized(0, Particles.SIZEOF).commit();
    assertNumbers(particle, 59, 64, 63);
    assertEquals(0, particle.lowerBound());
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, Particles.BYTES, (source, target, passing) -> {
      Particles.clear(target);
      passing.pass(Buf.of(source, COUNT, particle), Buf.of(target, COUNT, particle));
      for (int i = 0; i < COUNT; i++) {
        Particles.check(target, i, i);
      }
    });
  }

  /** Passes on a count and the particles of class zero, out of two places at once. */
  private static void passClassZero(Mpi mpi, Datatype<?> zeros) {
    MemorySegment count = Arena.ofAuto().allocate(JAVA_INT);
    count.set(JAVA_INT, 0, CLASS_ZERO);
    Datatype<?> received = Datatype.struct(
        new long[] {1, CLASS_ZERO}, new long[] {0, Particles.SIZEOF},
        new Datatype<?>[] {Datatype.INT, Particles.type()}).commit();
    long targetBytes = Particles.SIZEOF * (CLASS_ZERO + 1);
    Exchange.fromAddresses(mpi, Particles.BYTES, Particles::fill, targetBytes, (source, target, passing) -> {
      Datatype<?> both = Datatype.struct(
          new long[] {1, 1}, new long[] {Address.of(count), Address.of(source)},
          new Datatype<?>[] {Datatype.INT, zeros}).commit();
      assertEquals(19_710, both.size());
      Particles.clear(target);
      Status status = passing.pass(Buf.bottom(List.of(count, source), 1, both), Buf.of(target, 1, received));
      assertEquals(19_710, status.bytes());
      assertEquals(CLASS_ZERO, target.get(JAVA_INT_UNALIGNED, 0));
      for (int n = 0; n < CLASS_ZERO; n++) {
        Particles.check(target, n + 1, 3 * n);
      }
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-2 S1-4.17-E2 S1-4.1.12-b: a count and some particles are sent from BOTTOM as one message")
  void someParticlesAndTheirNumber(Mpi mpi) {
    long[] positions = classZero();
    assertEquals(CLASS_ZERO, positions.length);
    Datatype<?> zeros = Datatype.indexed(ones(positions.length), positions, Particles.type());
    assertNumbers(zeros, 19_706, 64_000, 63_999);
    passClassZero(mpi, zeros);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-2b: neighbours written as one block make the same message as one by one")
  void neighboursAsOneBlock(Mpi mpi) {
    Datatype<?> particle = Particles.type();
    Datatype<?> merged = Datatype.indexed(new long[] {3, 1, 2}, new long[] {4, 9, 20}, particle).commit();
    Datatype<?> single = Datatype.indexed(ones(6), new long[] {4, 5, 6, 9, 20, 21}, particle).commit();
    assertEquals(TypeHandle.of(single).signature(), TypeHandle.of(merged).signature());
    assertEquals(single.extent(), merged.extent());
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, 59 * 6, (source, target, passing) -> {
      passing.pass(Buf.of(source, 1, merged), Buf.of(target, 59 * 6, Datatype.PACKED));
      byte[] first = target.toArray(JAVA_BYTE);
      target.fill((byte) 0);
      passing.pass(Buf.of(source, 1, single), Buf.of(target, 59 * 6, Datatype.PACKED));
      assertEquals(-1, MemorySegment.ofArray(first).mismatch(target));
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-2b: any choice of particles, in blocks or one by one, is the same message both ways")
  void anyChoiceOfParticles(Mpi mpi) {
    long[] seed = {Seeds.next()};
    mpi.world().bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      RandomGenerator random = Seeds.random(seed[0]);
      long[] chosen = LongStream.range(0, COUNT).filter(_ -> random.nextInt(3) > 0).toArray();
      List<Long> lengths = new ArrayList<>();
      List<Long> starts = new ArrayList<>();
      for (long particle : chosen) {
        if (!starts.isEmpty() && starts.getLast() + lengths.getLast() == particle) {
          lengths.set(lengths.size() - 1, lengths.getLast() + 1);
        } else {
          starts.add(particle);
          lengths.add(1L);
        }
      }
      assertTrue(starts.size() < chosen.length);
      Datatype<?> merged = Datatype.indexed(
          lengths.stream().mapToLong(n -> n).toArray(), starts.stream().mapToLong(n -> n).toArray(),
          Particles.type()).commit();
      Datatype<?> single = Datatype.indexed(ones(chosen.length), chosen, Particles.type()).commit();
      MemorySegment source = Arena.ofAuto().allocate(Particles.BYTES, 8);
      Particles.fill(source);
      MemorySegment first = Arena.ofAuto().allocate(Particles.BYTES, 8);
      MemorySegment second = Arena.ofAuto().allocate(Particles.BYTES, 8);
      Particles.clear(first);
      Particles.clear(second);
      Way.SENDRECV.pass(mpi.world(), Buf.of(source, 1, merged), Buf.of(first, 1, single));
      Way.UNEXPECTED.pass(mpi.world(), Buf.of(source, 1, single), Buf.of(second, 1, merged));
      assertEquals(-1, first.mismatch(second));
      for (long particle : chosen) {
        Particles.check(first, (int) particle, (int) particle);
      }
    });
  }

  private static void assertPairs(MemorySegment target) {
    for (int i = 0; i < COUNT; i++) {
      for (int k = 0; k < 2; k++) {
        assertEquals(Particles.d(i, k), target.getAtIndex(JAVA_DOUBLE_UNALIGNED, 2 * i + k), "particle " + i);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-3 S1-4.17-E1: the first two coordinates of all particles, counted from the first of them")
  void allPairs(Mpi mpi) {
    Datatype<Double> allPairs = Datatype.hvector(COUNT, 2, Particles.SIZEOF, Datatype.DOUBLE).commit();
    assertNumbers(allPairs, 16_000, 63_952, 63_952);
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, 16_000, (source, target, passing) -> {
      passing.pass(Buf.of(source.asSlice(8), 1, allPairs), Buf.of(target, 2 * COUNT, Datatype.DOUBLE));
      assertPairs(target);
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.17-3b: two doubles with the extent of a particle")
  void onePair(Mpi mpi) {
    Datatype<Double> onePair = Datatype.contiguous(2, Datatype.DOUBLE).resized(0, Particles.SIZEOF).commit();
    assertNumbers(onePair, 16, 64, 16);
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, 16_000, (source, target, passing) -> {
      passing.pass(Buf.of(source.asSlice(8), COUNT, onePair), Buf.of(target, 2 * COUNT, Datatype.DOUBLE));
      assertPairs(target);
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.18 S1-4.1.12-b S1-4.1.12-c: a type of absolute addresses is sent from BOTTOM, received relatively")
  void absoluteAddresses(Mpi mpi) {
    Datatype<?> relative = Particles.type().commit();
    Exchange.fromAddresses(mpi, Particles.BYTES, Particles::fill, Particles.BYTES, (source, target, passing) -> {
      long base = Address.of(source);
      Datatype<?> absolute = Datatype.struct(
          new long[] {1, 6, 7},
          new long[] {base, Address.of(source.asSlice(8)), Address.add(base, 56)},
          new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE, Datatype.CHAR}).commit();
      assertEquals(base, absolute.lowerBound());
      assertNumbers(absolute, 59, 64, 63);
      Particles.clear(target);
      passing.pass(Buf.bottom(List.of(source), COUNT, absolute), Buf.of(target, COUNT, relative));
      for (int i = 0; i < COUNT; i++) {
        Particles.check(target, i, i);
      }
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.18: particles of class zero of an absolute type, beside a count, both from BOTTOM")
  void someOfAnAbsoluteType(Mpi mpi) {
    MemorySegment count = Arena.ofAuto().allocate(JAVA_INT);
    count.set(JAVA_INT, 0, CLASS_ZERO);
    Exchange.fromAddresses(mpi, Particles.BYTES, Particles::fill, 19_710, (source, target, passing) -> {
      long base = Address.of(source);
      Datatype<?> absolute = Datatype.struct(
          new long[] {1, 6, 7}, new long[] {base, base + 8, base + 56},
          new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE, Datatype.CHAR});
      Datatype<?> zeros = Datatype.indexed(ones(CLASS_ZERO), classZero(), absolute);
      Datatype<?> both = Datatype.struct(
          new long[] {1, 1}, new long[] {Address.of(count), Address.BOTTOM},
          new Datatype<?>[] {Datatype.INT, zeros}).commit();
      passing.pass(Buf.bottom(List.of(count, source), 1, both), Buf.of(target, 19_710, Datatype.PACKED));
      assertEquals(CLASS_ZERO, target.get(JAVA_INT_UNALIGNED, 0));
      for (int n = 0; n < CLASS_ZERO; n++) {
        assertEquals(Particles.d(3 * n, 5), target.get(JAVA_DOUBLE_UNALIGNED, 4 + 59 * n + 4 + 40));
      }
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.19: of an array of unions either member is sent, by types of the union's extent")
  void unions(Mpi mpi) {
    List<Datatype<?>> members = List.of(
        Datatype.INT.resized(0, 4).commit(), Datatype.FLOAT.resized(0, 4).commit());
    for (Datatype<?> member : members) {
      assertNumbers(member, 4, 4, 4);
      Exchange.everywhere(mpi, 4 * COUNT, MatrixExamplesTest::count, 4 * COUNT, (source, target, passing) -> {
        passing.pass(Buf.of(source, COUNT, member), Buf.of(target, COUNT, member));
        assertEquals(-1, source.mismatch(target));
      });
    }
  }
}
