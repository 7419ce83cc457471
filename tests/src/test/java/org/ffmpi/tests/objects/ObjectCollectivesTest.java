// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.ROOT;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;

/** The collective calls with objects, compared with their definitions. */
class ObjectCollectivesTest {
  private final long seed = Seeds.next();

  /** Associative, but not commutative. */
  private static final BinaryOperator<String> CONCAT = (a, b) -> a + b;

  private static List<Particle> particles(int size, IntFunction<Particle> maker) {
    List<Particle> all = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      all.add(maker.apply(r));
    }
    return all;
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void allCallsWithRandomObjects(IntraComm world) {
    Seeds.run(seed, () -> allCalls(world, Codec.objects()));
  }

  @MpiTest(ranks = {1, 3, 4})
  void allCallsWithACodec(IntraComm world) {
    Seeds.run(seed, () -> allCalls(world, new Particle.OwnCodec()));
  }

  @MpiTest(ranks = 4, settings = "ffmpi.check=full")
  void allCallsWhereEverythingIsChecked(IntraComm world) {
    Seeds.run(seed, () -> allCalls(world, Codec.objects()));
  }

  @MpiTest(ranks = 4, settings = "ffmpi.node=2")
  void allCallsOverNodes(IntraComm world) {
    Seeds.run(seed, () -> allCalls(world, Codec.objects()));
  }

  private void allCalls(IntraComm world, Codec<Particle> codec) {
    int size = world.size();
    int rank = world.rank();
    RandomGenerator random = Seeds.random(seed); // the same at all ranks
    for (int round = 0; round < 4; round++) {
      int root = random.nextInt(size);
      List<Particle> all = particles(size, r -> Particle.of(random));
      List<List<Particle>> matrix = new ArrayList<>();
      for (int r = 0; r < size; r++) {
        matrix.add(particles(size, c -> Particle.of(random)));
      }
      Particle mine = all.get(rank);

      Particle given = rank == root ? mine : null;
      assertEquals(all.get(root), world.bcastObject(given, root, codec));
      assertEquals(rank == root ? all : List.of(), world.gatherObjects(mine, root, codec));
      assertEquals(mine, world.scatterObjects(rank == root ? all : null, root, codec));
      assertEquals(all, world.allgatherObjects(mine, codec));
      List<Particle> column = particles(size, r -> matrix.get(r).get(rank));
      assertEquals(column, world.alltoallObjects(matrix.get(rank), codec));
      BinaryOperator<Particle> first = (a, b) -> a;
      BinaryOperator<Particle> last = (a, b) -> b;
      assertEquals(rank == root ? all.getLast() : null, world.reduceObject(mine, last, root, codec));
      assertEquals(all.getFirst(), world.allreduceObject(mine, first, codec));
      assertEquals(all.getFirst(), world.scanObject(mine, first, codec));
      assertEquals(rank == 0 ? null : all.get(rank - 1), world.exscanObject(mine, last, codec));
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 5, 7, 8})
  void functionsSeeValuesInTheOrderOfRanks(IntraComm world) {
    int size = world.size();
    int rank = world.rank();
    String letters = "abcdefgh".substring(0, size);
    String mine = letters.substring(rank, rank + 1);
    for (int root = 0; root < size; root++) {
      assertEquals(rank == root ? letters : null, world.reduceObject(mine, CONCAT, root));
    }
    assertEquals(letters, world.allreduceObject(mine, CONCAT));
    assertEquals(letters.substring(0, rank + 1), world.scanObject(mine, CONCAT));
    assertEquals(rank == 0 ? null : letters.substring(0, rank), world.exscanObject(mine, CONCAT));
  }

  @MpiTest(ranks = {1, 3, 4})
  void nullIsAValue(IntraComm world) {
    int size = world.size();
    assertNull(world.bcastObject(null, 0));
    assertEquals(Collections.nCopies(size, null), world.allgatherObjects(null));
    assertEquals(Collections.nCopies(size, null), world.alltoallObjects(Collections.nCopies(size, null)));
    assertNull(world.allreduceObject(null, (a, b) -> a == null ? b : a));
  }

  @MpiTest(ranks = {2, 4})
  void ownValuesAreTheObjectsThemselves(IntraComm world) {
    Particle mine = Particle.of(world.rank(), 300);
    assertSame(mine, world.allgatherObjects(mine).get(world.rank()));
    Particle root = world.bcastObject(mine, 1);
    assertEquals(Particle.of(1, 300), root);
    assertEquals(world.rank() == 1, root == mine);
  }

  @MpiTest(ranks = {3, 4})
  void objectsAndArraysTakeTurns(IntraComm world) {
    double[] sum = {1};
    for (int i = 0; i < 5; i++) {
      List<Particle> all = world.allgatherObjects(Particle.of(world.rank(), 400 * i));
      world.allreduce(Buf.of(sum), Op.SUM);
      double data = all.getLast().data().length + world.allreduceObject(1.0, Double::sum);
      assertEquals(400 * i + world.size(), data);
    }
    assertEquals(Math.pow(world.size(), 5), sum[0]);
  }

  // ---- between two groups

  private interface Body {
    void run(InterComm inter, boolean isLow);
  }

  private static void between(IntraComm world, Body body) {
    int lows = (world.size() + 1) / 2;
    boolean isLow = world.rank() < lows;
    try (IntraComm part = world.split(isLow ? 0 : 1, world.rank());
        InterComm inter = part.intercomm(0, world, isLow ? lows : 0, 1)) {
      body.run(inter, isLow);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void betweenTwoGroups(IntraComm world) {
    between(world, (inter, isLow) -> {
      int remote = inter.remoteSize();
      int base = isLow ? 0 : 100;
      int other = 100 - base;
      Particle mine = Particle.of(base + inter.rank(), 700);
      List<Particle> theirs = particles(remote, r -> Particle.of(other + r, 700));
      int root = !isLow ? 0 : inter.rank() == 0 ? ROOT : PROC_NULL;
      boolean isRoot = root == ROOT;

      Particle given = inter.bcastObject(isRoot ? mine : null, root);
      assertEquals(isRoot ? mine : isLow ? null : Particle.of(0, 700), given);
      assertEquals(isRoot ? theirs : List.of(), inter.gatherObjects(mine, root));
      assertEquals(isLow ? null : Particle.of(inter.rank(), 700),
          inter.scatterObjects(isRoot ? particles(remote, r -> Particle.of(r, 700)) : null, root));
      assertEquals(theirs, inter.allgatherObjects(mine));
      List<String> texts = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int r = 0; r < remote; r++) {
        texts.add((base + inter.rank()) + "->" + (other + r));
        expected.add((other + r) + "->" + (base + inter.rank()));
      }
      assertEquals(expected, inter.alltoallObjects(texts));
      String letter = "" + (char) ((isLow ? 'a' : 'A') + inter.rank());
      String all = (isLow ? "ABCDEFGH" : "abcdefgh").substring(0, remote);
      assertEquals(isRoot ? all : null, inter.reduceObject(letter, CONCAT, root));
      assertEquals(all, inter.allreduceObject(letter, CONCAT));
      assertError(ErrorClass.ERR_COMM, () -> inter.scanObject(letter, CONCAT), "scanObject", "not defined between");
      assertError(ErrorClass.ERR_COMM, () -> inter.exscanObject(letter, CONCAT), "exscanObject");
      int there = inter.rank() % remote;
      if (isLow && inter.rank() < remote) {
        inter.sendObject(mine, there, 4);
        assertEquals("thanks", inter.recvObject(there, 4));
      } else if (!isLow && inter.rank() < remote) {
        assertEquals(Particle.of(there, 700), inter.recvObject(Constants.ANY_SOURCE, 4));
        inter.sendObject("thanks", there, 4);
      }
    });
  }

  // ---- errors

  @MpiTest(ranks = {1, 2, 3, 4})
  void nobodyWaitsForARankThatFails(IntraComm world) {
    int rank = world.rank();
    int size = world.size();
    Object bad = rank == size - 1 ? new Object() : rank;
    String where = "java.lang.Object is not Serializable";
    assertError(ErrorClass.ERR_CONVERSION, () -> world.bcastObject(bad, size - 1), where);
    assertError(ErrorClass.ERR_CONVERSION, () -> world.allgatherObjects(bad), where);
    if (size > 1) {
      assertError(ErrorClass.ERR_CONVERSION, () -> world.gatherObjects(bad, 0), where);
    } else {
      world.gatherObjects(1, 0);
    }
    List<Integer> tooFew = List.of();
    assertError(ErrorClass.ERR_COUNT, () -> world.scatterObjects(tooFew, 0), "size of values", "= 0");
    assertError(ErrorClass.ERR_COUNT, () -> world.scatterObjects(null, 0), "values = null");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallObjects(tooFew), "size of values", "= 0");
    BinaryOperator<Integer> failing = (a, b) -> {
      throw new ArithmeticException("no sum");
    };
    if (size > 1) {
      assertError(ErrorClass.ERR_OTHER, () -> world.allreduceObject(rank, failing), "no sum");
      assertError(ErrorClass.ERR_OTHER, () -> world.reduceObject(rank, failing, 0), "no sum");
      assertError(ErrorClass.ERR_OTHER, () -> world.scanObject(rank, failing), "no sum");
    }
    assertError(ErrorClass.ERR_OP, () -> world.allreduceObject(1, null), "op");
    assertError(ErrorClass.ERR_ROOT, () -> world.bcastObject(1, size), "root");
    assertError(ErrorClass.ERR_ROOT, () -> world.gatherObjects(1, -7), "root");
    assertError(ErrorClass.ERR_ROOT, () -> world.reduceObject(1, Integer::sum, size), "root");
    assertError(ErrorClass.ERR_ARG, () -> world.allgatherObjects(1, null), "codec");
    assertEquals(size * (size - 1) / 2, world.allreduceObject(rank, Integer::sum)); // later calls succeed
  }

  /** A codec of texts that one rank cannot read. */
  private record UnreadableAt(boolean here) implements Codec<String> {
    @Override
    public void write(String value, CodecOutput out) throws IOException {
      out.writeUTF(value);
    }

    @Override
    public String read(CodecInput in) throws IOException {
      String value = in.readUTF();
      if (here) {
        throw new IOException("texts are refused here" + " at some length".repeat(40));
      }
      return value;
    }
  }

  private static void assertRefused(IntraComm world, int odd, Runnable call) {
    MpiException error = assertError(ErrorClass.ERR_CONVERSION, call::run, "texts are refused here");
    assertEquals(world.rank() != odd, error.getMessage().contains("rank " + odd + ": "), error.getMessage());
  }

  @MpiTest(ranks = {2, 3, 4})
  void allRanksLearnThatOneRefusesAnObject(IntraComm world) {
    int size = world.size();
    for (int odd : new int[] {0, size - 1}) {
      Codec<String> codec = new UnreadableAt(world.rank() == odd);
      int other = size - 1 - odd;
      List<String> texts = Collections.nCopies(size, "text");
      assertRefused(world, odd, () -> world.bcastObject("text", other, codec));
      assertRefused(world, odd, () -> world.gatherObjects("text", odd, codec));
      assertRefused(world, odd, () -> world.scatterObjects(texts, other, codec));
      assertRefused(world, odd, () -> world.allgatherObjects("text", codec));
      assertRefused(world, odd, () -> world.alltoallObjects(texts, codec));
      assertRefused(world, odd, () -> world.reduceObject("text", CONCAT, odd, codec));
      assertRefused(world, odd, () -> world.allreduceObject("text", CONCAT, codec));
      assertRefused(world, odd, () -> world.scanObject("text", CONCAT, codec));
      assertEquals("text", world.bcastObject("text", odd, codec));
    }
    assertEquals(size, world.allreduceObject(1, Integer::sum));
  }

  @MpiTest(ranks = {2, 3, 4})
  void ranksOfBothGroupsLearnThatOneRefusesAnObject(IntraComm world) {
    between(world, (inter, isLow) -> {
      boolean isOdd = isLow && inter.rank() == 0;
      Codec<String> codec = new UnreadableAt(isOdd);
      String theirs = isLow ? "rank 0 has" : "rank 0 of the other group has";
      String[] text = {isOdd ? "texts are refused here" : theirs};
      int fromHigh = isLow ? 0 : inter.rank() == 0 ? ROOT : PROC_NULL;
      assertError(ErrorClass.ERR_CONVERSION, () -> inter.allgatherObjects("text", codec), text);
      assertError(ErrorClass.ERR_CONVERSION, () -> inter.bcastObject("text", fromHigh, codec), text);
      assertError(ErrorClass.ERR_CONVERSION, () -> inter.allreduceObject("text", CONCAT, codec), text);
      assertEquals(inter.remoteSize(), inter.allgatherObjects(1).size());
    });
  }
}
