// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;

/** Requests of accesses: what is refused, and lists in which they are waited for with others. */
@EveryWindowPath
class WindowRequestTest {
  private static final int ROUNDS = 50;
  private static final int LONG = 3000;

  @MpiTest(ranks = 2)
  void theyAreNeitherCancelledNorFreed(IntraComm world) {
    int other = 1 - world.rank();
    long[] got = new long[1];
    try (Win win = world.winCreate(Buf.of(new long[] {5}), 8)) {
      List<MpiException> seen = new ArrayList<>();
      win.setErrhandler(Errhandler.of((Win _, MpiException error) -> seen.add(error)));
      try (Epoch _ = win.lockAll()) {
        Request request = win.rget(Buf.of(got), other, 0);
        assertError(ErrorClass.ERR_REQUEST, request::cancel, "one-sided");
        assertError(ErrorClass.ERR_REQUEST, request::close, "one-sided");
        assertEquals(2, seen.size(), "the window's handler gets the errors");
        request.await();
        assertEquals(5, got[0]);
        request.close();
      }
      assertEquals(2, seen.size());
    }
  }

  /** Each of several requests to one target completes with its own access; all bring their data. */
  @MpiTest(ranks = 2)
  void eachOfSeveralCompletesWithItsOwnAccess(IntraComm world) {
    int other = 1 - world.rank();
    long[] part = new long[2 * LONG + 2];
    part[2 * LONG] = 7;
    part[2 * LONG + 1] = 8;
    long[] ones = new long[LONG];
    Arrays.fill(ones, 1);
    long[] first = new long[1];
    long[] second = new long[1];
    try (Win win = world.winCreate(Buf.of(part), 8)) {
      try (Epoch _ = win.lockAll()) {
        for (int i = 0; i < ROUNDS; i++) {
          List<Request> all = new ArrayList<>(List.of(
              win.rput(Buf.of(ones), other, 0),
              win.rget(Buf.of(first), other, 2 * LONG),
              win.raccumulate(Buf.of(ones), other, LONG, Op.SUM),
              win.rget(Buf.of(second), other, 2 * LONG + 1)));
          all.getLast().await();
          assertEquals(8, second[0]);
          Request.waitAll(all);
          assertEquals(7, first[0]);
          first[0] = 0;
          second[0] = 0;
          win.flush(other);
        }
      }
      world.barrier();
      assertEquals(1, part[LONG - 1]);
      assertEquals(ROUNDS, part[2 * LONG - 1]);
      world.barrier();
    }
  }

  @MpiTest(ranks = 2)
  void listsOfThemAndOfReceives(IntraComm world) {
    int other = 1 - world.rank();
    long[] got = new long[1];
    long[] received = new long[1];
    try (Win win = world.winCreate(Buf.of(new long[] {5}), 8)) {
      try (Epoch _ = win.lockAll()) {
        for (int i = 0; i < ROUNDS; i++) {
          List<Request> both = new ArrayList<>(
              List.of(world.irecv(Buf.of(received), other, 1), win.rget(Buf.of(got), other, 0)));
          assertEquals(1, Request.waitAny(both, new Status()), "only the access can be complete");
          assertEquals(5, got[0]);
          got[0] = 0;
          world.barrier();
          world.send(Buf.of(new long[] {i}), other, 1);
          Request.waitAll(both);
          assertEquals(i, received[0]);

          List<Request> some = new ArrayList<>(
              List.of(world.irecv(Buf.of(received), other, 1), win.rget(Buf.of(got), other, 0)));
          int[] done = Request.waitSome(some);
          assertEquals(1, done.length);
          assertEquals(1, done[0]);
          assertEquals(5, got[0]);
          world.barrier();
          world.send(Buf.of(new long[] {-i}), other, 1);
          Request.waitAll(some);
          assertEquals(-i, received[0]);
        }
      }
    }
  }
}
