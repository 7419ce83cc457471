// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Packer;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Unpacker;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Data packed piece by piece and sent as one message, and messages unpacked piece by piece. */
@EveryTransport
class PackingTest {
  private final long seed = Seeds.next();

  private static byte[] letters(int count) {
    byte[] letters = new byte[count];
    for (int i = 0; i < count; i++) {
      letters[i] = (byte) ('a' + i % 26);
    }
    return letters;
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.21 S1-4.2-a S1-4.2-c: an int and 100 characters are packed, sent as PACKED and unpacked")
  void intAndCharacters(Mpi mpi) {
    Exchange.everywhere(mpi, 1_000, memory -> {}, 1_000, (outbuf, inbuf, passing) -> {
      Packer packer = Packer.into(outbuf);
      assertEquals(4, packer.pack(Buf.of(new int[] {4_711})).position());
      assertEquals(104, packer.pack(Buf.of(letters(100), 100, Datatype.CHAR)).position());
      Status status = passing.pass(packer.packed(), Buf.of(inbuf, 1_000, Datatype.PACKED));
      assertEquals(104, status.getCount(Datatype.PACKED));
      int[] i = new int[1];
      byte[] a = new byte[100];
      Unpacker unpacker = Unpacker.from(inbuf);
      assertEquals(4, unpacker.unpack(Buf.of(i)).position());
      assertEquals(104, unpacker.unpack(Buf.of(a, 100, Datatype.CHAR)).position());
      assertEquals(4_711, i[0]);
      assertArrayEquals(letters(100), a);
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.21 S1-4.2-c S1-4.2-d: what was packed is received with the types it was packed from")
  void packedReceivedByType(Mpi mpi) {
    Datatype<?> type = Datatype.struct(
        new long[] {1, 100}, new long[] {100, 0}, new Datatype<?>[] {Datatype.INT, Datatype.CHAR}).commit();
    Exchange.everywhere(mpi, 104, memory -> {}, 104, (outbuf, inbuf, passing) -> {
      Packer packer = Packer.into(outbuf)
          .pack(Buf.of(new int[] {-5}, 1, Datatype.INT)).pack(Buf.of(letters(100), 100, Datatype.CHAR));
      Status status = passing.pass(packer.packed(), Buf.of(inbuf, 1, type));
      assertEquals(1, status.getCount(type));
      assertEquals(101, status.getElements(type));
      assertEquals(-5, inbuf.get(JAVA_INT_UNALIGNED, 100));
      assertArrayEquals(letters(100), inbuf.asSlice(0, 100).toArray(JAVA_BYTE));
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.2-d: two packed reals arrive as two reals")
  void packedReals(Mpi mpi) {
    Exchange.everywhere(mpi, 8, memory -> {}, 8, (outbuf, inbuf, passing) -> {
      Packer packer = Packer.into(outbuf).pack(Buf.of(new float[] {1.5f})).pack(Buf.of(new float[] {-2}));
      Status status = passing.pass(packer.packed(), Buf.of(inbuf, 2, Datatype.REAL));
      assertEquals(2, status.getCount(Datatype.REAL));
      assertEquals(1.5f, inbuf.get(JAVA_FLOAT_UNALIGNED, 0));
      assertEquals(-2f, inbuf.get(JAVA_FLOAT_UNALIGNED, 4));
    });
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-4.2-d: packing units go through collectives")
  void packedInCollectives(Comm world) {
    byte[] unit = new byte[60];
    if (world.rank() == 0) {
      Packer.into(unit).pack(Buf.of(new int[] {1, 2, 3})).pack(Buf.of(new double[] {4, 5, 6, 7, 8, 9}));
    }
    world.bcast(Buf.of(unit, 60, Datatype.PACKED), 0);
    int[] ints = new int[3];
    double[] doubles = new double[6];
    Unpacker.from(unit).unpack(Buf.of(ints)).unpack(Buf.of(doubles));
    assertArrayEquals(new int[] {1, 2, 3}, ints);
    assertArrayEquals(new double[] {4, 5, 6, 7, 8, 9}, doubles);
    byte[] all = new byte[60 * world.size()];
    world.gather(Buf.of(unit, 60, Datatype.PACKED), Buf.of(all, all.length, Datatype.PACKED), 1);
    for (int rank = 0; world.rank() == 1 && rank < world.size(); rank++) {
      assertArrayEquals(unit, Arrays.copyOfRange(all, 60 * rank, 60 * rank + 60));
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.2-e S1-4.2-b: any message is received as PACKED and unpacked in several calls of exact counts")
  void anyMessageAsPacked(Mpi mpi) {
    Exchange.everywhere(mpi, Particles.BYTES, Particles::fill, 59_000, (source, target, passing) -> {
      Status status = passing.pass(
          Buf.of(source, Particles.COUNT, Particles.type().commit()), Buf.of(target, 59_000, Datatype.PACKED));
      assertEquals(59_000, status.getCount(Datatype.PACKED));
      MemorySegment particles = MemorySegment.ofArray(new byte[(int) Particles.BYTES]);
      Particles.clear(particles);
      Unpacker unpacker = Unpacker.from(target);
      Datatype<?> particle = Particles.type().commit();
      assertEquals(59 * 300, unpacker.unpack(Buf.of(particles, 300, particle)).position());
      assertEquals(59 * 300, unpacker.unpack(Buf.of(particles, 300 * 64, 0, particle)).position());
      assertEquals(59 * 999, unpacker.unpack(Buf.of(particles, 300 * 64, 699, particle)).position());
      assertError(ErrorClass.ERR_TRUNCATE, () -> unpacker.unpack(Buf.of(particles, 2, particle)));
      assertEquals(59 * 999, unpacker.position());
      unpacker.unpack(Buf.of(particles, 999 * 64, 1, particle));
      assertEquals(0, unpacker.remaining());
      for (int i = 0; i < Particles.COUNT; i++) {
        Particles.check(particles, i, i);
      }
    });
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.2-a S1-4.2-g: what does not fit is an error, nothing is written past the end")
  void tooMuch(Comm world) {
    byte[] memory = new byte[20];
    Arrays.fill(memory, (byte) 9);
    Packer packer = Packer.into(MemorySegment.ofArray(memory).asSlice(0, 10)).pack(Buf.of(new int[] {1, 2}));
    byte[] before = memory.clone();
    assertError(ErrorClass.ERR_TRUNCATE, () -> packer.pack(Buf.of(new int[] {3})), "10");
    assertEquals(8, packer.position());
    assertArrayEquals(before, memory);
    packer.pack(Buf.of(new short[] {3}));
    assertEquals(10, packer.packed().count());
    Datatype<Integer> great = Datatype.contiguous(0x7fff_ffff, Datatype.INT);
    assertEquals(8_589_934_588L, Packer.size(1, great));
    assertEquals(Constants.UNDEFINED, Packer.sizeInt(1, great));
    assertEquals(59_000, Packer.size(1_000, Particles.type()));
    world.barrier();
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-4.2-h: a header tells how much of the same message is to be unpacked")
  void laterPartsDependOnEarlierOnes(Comm world) {
    int other = 1 - world.rank();
    byte[] in = new byte[1 << 16];
    for (int n : new int[] {0, 1, 7, 500, 8_000}) {
      byte[] out = new byte[1 << 16];
      int[] numbers = new int[n];
      Arrays.setAll(numbers, i -> i * i);
      Packer packer = Packer.into(out).pack(Buf.of(new int[] {n})).pack(Buf.of(numbers));
      Request sent = world.isend(packer.packed(), other, 1);
      Status status = world.recv(Buf.of(in, in.length, Datatype.PACKED), other, 1, new Status());
      int[] header = new int[1];
      Unpacker unpacker = Unpacker.from(in).unpack(Buf.of(header));
      int[] received = new int[header[0]];
      unpacker.unpack(Buf.of(received));
      assertArrayEquals(numbers, received);
      assertEquals(status.bytes(), unpacker.position());
      sent.await();
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-4.2-h S1-4.2-f: records whose kind and length the data before them tell, in one message and joined")
  void recordsOfSeveralKinds(Comm world) {
    byte[] unit = new byte[4_000];
    Packer packer = Packer.into(unit);
    for (int i = 0; i < 30; i++) {
      packer.pack(Buf.of(new int[] {i % 3, i})); // kind and length
      switch (i % 3) {
        case 0 -> packer.pack(Buf.of(IntStream.range(0, i).toArray()));
        case 1 -> packer.pack(Buf.of(IntStream.range(0, i).asDoubleStream().toArray()));
        default -> packer.pack(Buf.of(letters(i)));
      }
    }
    int length = (int) packer.position();
    byte[] twice = Arrays.copyOf(unit, 2 * length); // two units side by side
    System.arraycopy(unit, 0, twice, length, length);
    byte[] in = new byte[2 * length];
    Status status = Way.SENDRECV.pass(world, Buf.of(twice, 2L * length, Datatype.PACKED),
        Buf.of(in, 2L * length, Datatype.PACKED));
    assertEquals(2L * length, status.getCount(Datatype.PACKED));
    Unpacker unpacker = Unpacker.from(in);
    for (int k = 0; k < 60; k++) {
      int[] header = new int[2];
      unpacker.unpack(Buf.of(header));
      int i = k % 30;
      assertArrayEquals(new int[] {i % 3, i}, header);
      switch (header[0]) {
        case 0 -> {
          int[] ints = new int[i];
          unpacker.unpack(Buf.of(ints));
          assertArrayEquals(IntStream.range(0, i).toArray(), ints);
        }
        case 1 -> {
          double[] doubles = new double[i];
          unpacker.unpack(Buf.of(doubles));
          assertArrayEquals(IntStream.range(0, i).asDoubleStream().toArray(), doubles);
        }
        default -> {
          byte[] bytes = new byte[i];
          unpacker.unpack(Buf.of(bytes));
          assertArrayEquals(letters(i), bytes);
        }
      }
    }
    assertEquals(0, unpacker.remaining());
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.2-f: units have no header, so that parts and sequences of units are units again")
  void partsOfUnits(Comm world) {
    byte[] unit = new byte[24];
    Packer.into(unit).pack(Buf.of(new int[] {1, 2})).pack(Buf.of(new double[] {3, 4}));
    double[] doubles = new double[2];
    Unpacker.from(MemorySegment.ofArray(unit).asSlice(8)).unpack(Buf.of(doubles));
    assertArrayEquals(new double[] {3, 4}, doubles);
    byte[] both = new byte[48];
    System.arraycopy(unit, 0, both, 0, 24);
    System.arraycopy(unit, 0, both, 24, 24);
    int[] ints = new int[2];
    Unpacker.from(both).position(24).unpack(Buf.of(ints)).unpack(Buf.of(doubles));
    assertArrayEquals(new int[] {1, 2}, ints);
    world.barrier();
  }

  @MpiTest(ranks = {1, 2}, timeout = 120)
  @DisplayName("S1-4.2-c: packing a list of random pieces makes the message that one type of them makes")
  void randomPieces(Mpi mpi) {
    Seeds.run(seed, () -> {
      RandomGenerator random = Seeds.random(seed);
      for (int round = 0; round < 4; round++) {
        int pieces = random.nextInt(1, 12);
        long[] lengths = random.longs(pieces, 0, 300).toArray();
        long[] displacements = new long[pieces];
        Datatype<?>[] types = new Datatype<?>[pieces];
        long at = 0;
        for (int i = 0; i < pieces; i++) {
          types[i] = random.nextBoolean() ? Datatype.DOUBLE : Particles.type().commit();
          displacements[i] = at;
          at += lengths[i] * types[i].extent() + random.nextInt(16);
        }
        long bytes = at;
        Datatype<?> whole = Datatype.struct(lengths, displacements, types).commit();
        long packed = whole.size();
        byte[] content = new byte[(int) bytes];
        random.nextBytes(content);
        Exchange.everywhere(mpi, bytes, memory -> memory.copyFrom(MemorySegment.ofArray(content)), packed,
            (source, target, passing) -> {
              byte[] unit = new byte[(int) packed];
              Packer packer = Packer.into(unit);
              for (int i = 0; i < pieces; i++) {
                packer.pack(Buf.of(source, displacements[i], lengths[i], types[i]));
              }
              assertEquals(packed, packer.position());
              passing.pass(Buf.of(source, 1, whole), Buf.of(target, packed, Datatype.PACKED));
              assertEquals(-1, target.mismatch(MemorySegment.ofArray(unit)));
            });
      }
    });
  }
}
