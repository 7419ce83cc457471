// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Types from their construction to their end, in communication. */
@EveryTransport
class TypeLifeTest {
  private static float[] numbers(int count, float first) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = first + i;
    }
    return numbers;
  }

  private static float[] everyThird(float[] data) {
    float[] kept = data.clone();
    for (int i = 0; i < kept.length; i++) {
      kept[i] = i % 3 == 0 ? kept[i] : 0;
    }
    return kept;
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.10: a second name of a type stays usable when the first one is given to a new type")
  void secondName(Comm world) {
    Datatype<Float> type1 = Datatype.contiguous(5, Datatype.REAL);
    assertEquals(20, type1.size());
    assertEquals(20, type1.extent());
    type1.commit();
    Datatype<Float> type2 = type1;
    type1 = Datatype.vector(3, 5, 4, Datatype.REAL);
    assertEquals(60, type1.size());
    assertEquals(52, type1.extent());
    type1.commit();
    float[] received = new float[15];
    Way.SENDRECV.pass(world, Buf.of(numbers(5, 1), 1, type2), Buf.of(received, 1, type2));
    assertArrayEquals(Arrays.copyOf(numbers(5, 1), 15), received);
    // Its blocks overlap by one element: that may be sent.
    Way.SENDRECV.pass(world, Buf.of(numbers(13, 0), 1, type1), Buf.of(received));
    assertArrayEquals(new float[] {0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12}, received);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.9-b: one committed type is used with changing data in different buffers")
  void theContentMayChange(Comm world) {
    Datatype<Float> type = Datatype.vector(100, 1, 3, Datatype.FLOAT).commit();
    float[] data = new float[300];
    Buf<Float> kept = Buf.of(data, 1, type);
    for (int round = 0; round < 4; round++) {
      System.arraycopy(numbers(300, round), 0, data, 0, 300);
      float[] received = new float[300];
      Way.values()[round].pass(world, kept, Buf.of(received, 1, type));
      assertArrayEquals(everyThird(data), received);
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.9-d S1-4.1.9-a: committing twice is committing once; basic types are committed")
  void committingTwice(Comm world) {
    Datatype<Float> type = Datatype.vector(2, 1, 3, Datatype.FLOAT);
    assertFalse(type.isCommitted());
    assertSame(type, type.commit());
    Object plan = TypeHandle.planOf(type);
    assertSame(type, type.commit());
    assertSame(plan, TypeHandle.planOf(type));
    assertTrue(type.isCommitted());
    assertTrue(Datatype.FLOAT.isCommitted());
    assertSame(Datatype.FLOAT, Datatype.FLOAT.commit());
    world.barrier();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.9-e S1-2.5.1-b: what is under way completes although its type is freed")
  void freedUnderWay(Comm world) {
    int next = Way.next(world);
    int previous = Way.previous(world);
    for (int blocks : new int[] {1, 30, 5_000, 60_000}) {
      float[] sent = numbers(3 * blocks, 7);
      float[] received = new float[3 * blocks];
      float[] alsoReceived = new float[3 * blocks];
      List<Request> requests = new ArrayList<>();
      Datatype<Float> receiveType = Datatype.vector(blocks, 1, 3, Datatype.FLOAT).commit();
      requests.add(world.irecv(Buf.of(received, 1, receiveType), previous, 1));
      receiveType.close();
      Datatype<Float> sendType = Datatype.vector(blocks, 1, 3, Datatype.FLOAT).commit();
      requests.add(world.isend(Buf.of(sent, 1, sendType), next, 1));
      requests.add(world.isend(Buf.of(sent, 1, sendType), next, 2));
      sendType.close();
      world.barrier();
      Datatype<Float> another = Datatype.vector(blocks, 1, 3, Datatype.FLOAT).commit();
      requests.add(world.irecv(Buf.of(alsoReceived, 1, another), previous, 2));
      another.close();
      Request.waitAll(requests);
      assertArrayEquals(everyThird(sent), received);
      assertArrayEquals(everyThird(sent), alsoReceived);
      assertTrue(sendType.isClosed() && receiveType.isClosed());
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.1-a S1-4.1.9-e S1-4.1.9-f: a type goes on when what it was made of is freed")
  void freedComponents(Comm world) {
    Datatype<Float> inner = Datatype.contiguous(2, Datatype.FLOAT);
    Datatype<Float> outer = Datatype.vector(40, 1, 2, inner);
    Datatype<Float> copy = outer.dup();
    inner.close();
    outer.commit();
    float[] sent = numbers(160, 1);
    float[] received = new float[80];
    Way.SEND_FIRST.pass(world, Buf.of(sent, 1, outer), Buf.of(received));
    outer.close();
    float[] again = new float[80];
    Way.SENDRECV.pass(world, Buf.of(sent, 1, copy.commit()), Buf.of(again));
    assertArrayEquals(received, again);
    for (int i = 0; i < 80; i++) {
      assertEquals(1 + i / 2 * 4 + i % 2, received[i]);
    }
    assertError(ErrorClass.ERR_TYPE, () -> Datatype.contiguous(2, inner), "freed");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(sent, 1, outer), "freed");
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-2.8-b S1-4.1.9-e: predefined types cannot be freed")
  void predefinedTypesStay(Comm world) {
    assertError(ErrorClass.ERR_TYPE, Datatype.INT::close, "MPI_INT");
    assertError(ErrorClass.ERR_TYPE, Datatype.DOUBLE_INT::close, "MPI_DOUBLE_INT");
    assertFalse(Datatype.INT.isClosed());
    world.sendrecv(Buf.of(new int[1]), 0, 0, Buf.of(new int[1]), 0, 0);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.10-a: a duplicate has the same bounds and is committed as the original was")
  void duplicates(Comm world) {
    Datatype<Float> type = Datatype.vector(20, 1, 3, Datatype.FLOAT).resized(-4, 400);
    assertFalse(type.dup().isCommitted());
    Datatype<Float> copy = type.commit().dup();
    assertTrue(copy.isCommitted());
    assertEquals(-4, copy.lowerBound());
    assertEquals(400, copy.extent());
    assertEquals(Combiner.DUP, copy.envelope().combiner());
    type.close();
    float[] sent = numbers(200, 3);
    float[] received = new float[200];
    Way.RECEIVE_FIRST.pass(world, Buf.of(sent, 2, copy), Buf.of(received, 2, copy));
    for (int i = 0; i < 200; i++) {
      assertEquals(i % 100 < 58 && i % 100 % 3 == 0 ? sent[i] : 0, received[i], "element " + i);
    }
  }
}
