// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.CommRequest;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Session;
import org.ffmpi.SplitType;
import org.ffmpi.Status;
import org.ffmpi.Topology;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;

/** Cartesian communicators (MPI-4.1 §8.5). */
class CartTest {
  /** Everybody tells its rank to whoever is so far away, in all directions. */
  private static void exchange(CartComm cart, int displacement) {
    for (int direction = 0; direction < cart.ndims(); direction++) {
      CartComm.Shift shift = cart.shift(direction, displacement);
      int[] in = {-7};
      Status status = new Status();
      cart.sendrecv(Buf.of(new int[] {cart.rank()}), shift.dest(), 3, Buf.of(in), shift.source(), 3, status);
      assertEquals(shift.source() == PROC_NULL ? -7 : shift.source(), in[0]);
      assertEquals(shift.source(), status.source());
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void torus(IntraComm world) {
    int[] dims = Mpi.dimsCreate(world.size(), 0, 0);
    try (CartComm cart = world.cartCreate(dims, new boolean[] {true, true}, false)) {
      assertEquals(Comparison.CONGRUENT, cart.compare(world));
      assertEquals(Topology.CART, cart.topology());
      assertEquals(Topology.UNDEFINED, world.topology());
      assertEquals("", cart.name());
      assertEquals(2, cart.ndims());
      assertArrayEquals(dims, cart.dims());
      assertArrayEquals(new boolean[] {true, true}, cart.periods());
      assertArrayEquals(new int[] {cart.rank() / dims[1], cart.rank() % dims[1]}, cart.coords());
      for (int r = 0; r < cart.size(); r++) {
        assertEquals(r, cart.rank(cart.coords(r)));
      }
      assertEquals(cart.rank(), cart.rank(cart.coords()[0] - 5 * dims[0], cart.coords()[1] + dims[1]));
      for (int displacement = -3; displacement <= 3; displacement++) {
        exchange(cart, displacement);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void bordersLeadToNobody(IntraComm world) {
    int n = world.size();
    try (CartComm line = world.cartCreate(new int[] {n}, new boolean[1], false)) {
      CartComm.Shift shift = line.shift(0, 1);
      assertEquals(line.rank() == 0 ? PROC_NULL : line.rank() - 1, shift.source());
      assertEquals(line.rank() == n - 1 ? PROC_NULL : line.rank() + 1, shift.dest());
      assertEquals(new CartComm.Shift(line.rank(), line.rank()), line.shift(0, 0));
      assertEquals(new CartComm.Shift(PROC_NULL, PROC_NULL), line.shift(0, Integer.MIN_VALUE));
      exchange(line, 1);
      exchange(line, -2);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void outOfACommunicatorInAnotherOrder(IntraComm world) {
    int n = world.size();
    try (IntraComm backwards = world.split(0, -world.rank());
        CartComm ring = backwards.cartCreate(new int[] {n}, new boolean[] {true}, false);
        CartComm sub = ring.sub(true);
        CartComm asGood = backwards.cartCreate(new int[] {n}, new boolean[] {true}, true)) {
      for (CartComm cart : List.of(ring, sub, asGood)) {
        assertEquals(Comparison.CONGRUENT, cart.compare(backwards));
        assertEquals(Comparison.SIMILAR, cart.compare(world));
        int[] in = new int[1];
        CartComm.Shift up = cart.shift(0, 1);
        cart.sendrecv(Buf.of(new int[] {world.rank()}), up.dest(), 0, Buf.of(in), up.source(), 0);
        assertEquals((world.rank() + 1) % n, in[0]);
      }
      assertEquals(backwards.rank(), backwards.cartMap(new int[] {n}, new boolean[1]));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void inASession(IntraComm world) {
    try (Session session = Session.init();
        IntraComm all = IntraComm.createFromGroup(session.group(Session.WORLD), "grid");
        CartComm ring = all.cartCreate(new int[] {all.size()}, new boolean[] {true}, true);
        IntraComm shared = ring.splitType(SplitType.SHARED, 0, null)) {
      exchange(ring, 1);
      assertEquals(world.size(), shared.size());
      assertError(ErrorClass.ERR_DIMS, () -> ring.shift(1, 1));
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void ranksOutsideGetNull(IntraComm world) {
    int n = world.size() - 1;
    CartComm cart = world.cartCreate(new int[] {n}, new boolean[] {true}, false);
    assertEquals(world.rank() < n ? world.rank() : UNDEFINED, world.cartMap(new int[] {n}, new boolean[] {true}));
    if (world.rank() == n) {
      assertNull(cart);
    } else {
      assertEquals(n, cart.size());
      exchange(cart, 1);
      cart.close();
      assertError(ErrorClass.ERR_COMM, cart::coords);
      assertError(ErrorClass.ERR_COMM, cart::topology);
      assertError(ErrorClass.ERR_COMM, () -> cart.sub(true));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void withoutDimensions(IntraComm world) {
    CartComm point = world.cartCreate(new int[0], new boolean[0], true);
    if (world.rank() > 0) {
      assertNull(point);
      return;
    }
    assertEquals(1, point.size());
    assertEquals(0, point.ndims());
    assertEquals(0, point.coords().length);
    assertEquals(0, point.rank(new int[0]));
    assertError(ErrorClass.ERR_DIMS, () -> point.shift(0, 1), "direction = 0", "no dimension");
    try (CartComm again = point.sub()) {
      assertEquals(0, again.ndims());
    }
    point.close();
  }

  @MpiTest(ranks = {1, 2, 4, 6, 8})
  void rowsAndColumns(IntraComm world) {
    int[] dims = Mpi.dimsCreate(world.size(), 0, 0);
    try (CartComm cart = world.cartCreate(dims, new boolean[] {true, false}, false);
        CartComm column = cart.sub(true, false);
        CartComm row = cart.sub(false, true);
        CartComm point = cart.sub(false, false);
        CartComm all = cart.sub(true, true)) {
      assertArrayEquals(new int[] {dims[0]}, column.dims());
      assertArrayEquals(new boolean[] {true}, column.periods());
      assertArrayEquals(new boolean[] {false}, row.periods());
      assertEquals(cart.coords()[0], column.rank());
      assertEquals(cart.coords()[1], row.rank());
      assertEquals(1, point.size());
      assertEquals(0, point.ndims());
      assertEquals(Comparison.CONGRUENT, all.compare(cart));
      int[] sum = {cart.rank()};
      row.allreduce(Buf.of(sum), Op.SUM);
      int first = cart.coords()[0] * dims[1];
      assertEquals(dims[1] * (2 * first + dims[1] - 1) / 2, sum[0]);
      exchange(column, 1);
      exchange(row, 1);
      try (CartComm point2 = row.sub(false)) {
        assertEquals(1, point2.size());
      }
    }
  }

  @MpiTest(ranks = {1, 4, 6})
  void nothingKeptOfAReorderedGrid(IntraComm world) {
    int[] dims = Mpi.dimsCreate(world.size(), 0, 0, 0);
    try (IntraComm backwards = world.split(0, -world.rank());
        CartComm cart = backwards.cartCreate(dims, new boolean[] {true, false, true}, true);
        CartComm point = cart.sub(false, false, false)) {
      assertEquals(1, point.size());
      assertEquals(0, point.ndims());
      assertEquals(0, point.coords().length);
      assertEquals(0, point.rank(new int[0]));
      assertEquals(cart.rank(), point.group().translateRanks(new int[] {0}, cart.group())[0]);
      int[] sum = {cart.rank()};
      point.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(cart.rank(), sum[0]);
      try (CartComm again = point.sub(); CartComm middle = cart.sub(false, true, false)) {
        assertEquals(1, again.size());
        assertEquals(dims[1], middle.size());
        assertEquals(cart.coords()[1], middle.rank());
        exchange(middle, 1);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void duplicatesKeepTheGridAndOthersDoNot(IntraComm world) {
    try (CartComm cart = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false);
        CartComm dup = cart.dup();
        IntraComm split = cart.split(0, 0);
        IntraComm created = cart.create(cart.group())) {
      assertArrayEquals(cart.dims(), dup.dims());
      assertEquals(Topology.UNDEFINED, split.topology());
      assertEquals(Topology.UNDEFINED, created.topology());
      exchange(dup, 1);
      CommRequest<CartComm> request = cart.idup();
      request.await();
      CommRequest<CartComm> withInfo = cart.idup(new Info());
      withInfo.await();
      try (CartComm second = request.comm(); CartComm third = cart.dup(null); CartComm fourth = withInfo.comm()) {
        exchange(second, 1);
        exchange(third, 1);
        exchange(fourth, 1);
      }
    }
  }

  @MpiTest(ranks = 2)
  void inheritTheErrorHandler(IntraComm world) {
    try (IntraComm parent = world.dup()) {
      parent.setErrhandler(Errhandler.ABORT);
      try (CartComm cart = parent.cartCreate(new int[] {2}, new boolean[1], false); CartComm sub = cart.sub(true)) {
        assertEquals(Errhandler.ABORT, cart.errhandler());
        assertEquals(Errhandler.ABORT, sub.errhandler());
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void againstAModel(IntraComm world) {
    long[] seeds = {Seeds.next()};
    world.bcast(Buf.of(seeds), 0);
    Seeds.run(seeds[0], () -> {
      RandomGenerator random = Seeds.random(seeds[0]);
      for (int round = 0; round < 20; round++) {
        int[] dims = new int[random.nextInt(4)];
        boolean[] periods = new boolean[dims.length];
        int size = 1;
        for (int i = 0; i < dims.length; i++) {
          dims[i] = random.nextInt(1, world.size() / size + 1);
          periods[i] = random.nextBoolean();
          size *= dims[i];
        }
        CartComm cart = world.cartCreate(dims, periods, random.nextBoolean());
        if (cart != null) {
          assertEquals(size, cart.size());
          exchange(cart, random.nextInt(-4, 5));
          boolean[] remain = new boolean[dims.length];
          for (int i = 0; i < remain.length; i++) {
            remain[i] = random.nextBoolean();
          }
          try (CartComm sub = cart.sub(remain)) {
            checkSub(cart, sub, remain);
          }
          cart.close();
        } else {
          random.nextInt(-4, 5);
          for (int i = 0; i < dims.length; i++) {
            random.nextBoolean();
          }
        }
      }
    });
  }

  private static void checkSub(CartComm cart, CartComm sub, boolean[] remain) {
    int[] coords = sub.coords();
    int next = 0;
    for (int i = 0; i < remain.length; i++) {
      if (remain[i]) {
        assertEquals(cart.coords()[i], coords[next]);
        assertEquals(cart.dims()[i], sub.dims()[next]);
        assertEquals(cart.periods()[i], sub.periods()[next++]);
      }
    }
    assertEquals(next, sub.ndims());
    exchange(sub, 1);
  }

  @MpiTest(ranks = {1, 2, 4})
  void wrongArguments(IntraComm world) {
    int n = world.size();
    assertError(
        ErrorClass.ERR_DIMS, () -> world.cartCreate(new int[] {n + 1}, new boolean[1], false),
        "dims = [" + (n + 1) + "]", "at most " + n);
    assertError(ErrorClass.ERR_DIMS, () -> world.cartCreate(new int[] {0}, new boolean[1], true), "dims[0] = 0");
    assertError(ErrorClass.ERR_DIMS, () -> world.cartCreate(null, new boolean[1], false));
    assertError(ErrorClass.ERR_ARG, () -> world.cartCreate(new int[] {n}, new boolean[2], false), "periods.length = 2");
    assertError(ErrorClass.ERR_DIMS, () -> world.cartMap(new int[] {-1}, new boolean[1]));
    assertError(ErrorClass.ERR_DIMS, () -> Mpi.dimsCreate(7, 0, 3, 0), "dims = [0, 3, 0]", "nnodes = 7");
    try (CartComm cart = world.cartCreate(new int[] {n}, new boolean[1], false)) {
      assertError(ErrorClass.ERR_RANK, () -> cart.coords(n), "rank = " + n);
      assertError(ErrorClass.ERR_RANK, () -> cart.coords(PROC_NULL));
      assertError(ErrorClass.ERR_RANK, () -> cart.rank(n), "coords[0] = " + n, "no ring");
      assertError(ErrorClass.ERR_ARG, () -> cart.rank(0, 0));
      assertError(ErrorClass.ERR_DIMS, () -> cart.shift(1, 1), "direction = 1");
      assertError(ErrorClass.ERR_DIMS, () -> cart.shift(-1, 1));
      assertError(ErrorClass.ERR_ARG, () -> cart.sub(true, true), "remainDims.length = 2");
      exchange(cart, 1);
    }
  }

  @MpiTest(ranks = {2, 3, 8})
  void aWrongArgumentAtOneRankKeepsNobodyWaiting(IntraComm world) {
    boolean wrong = world.rank() == 1;
    for (boolean reorder : new boolean[] {false, true}) {
      int[] dims = {wrong ? -1 : world.size()};
      if (wrong) {
        assertError(ErrorClass.ERR_DIMS, () -> world.cartCreate(dims, new boolean[1], reorder));
      } else {
        assertNotNull(world.cartCreate(dims, new boolean[1], reorder));
      }
      try (CartComm cart = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, reorder)) {
        exchange(cart, 1);
        if (wrong) {
          assertError(ErrorClass.ERR_ARG, () -> cart.sub());
        } else {
          assertNotNull(cart.sub(true));
        }
        try (CartComm sub = cart.sub(true)) {
          exchange(sub, 1);
        }
      }
    }
  }

  @MpiTest(ranks = {2, 3}, settings = "ffmpi.check=full")
  void differentArgumentsAreFoundWhereEverythingIsChecked(IntraComm world) {
    boolean[] periods = {world.rank() == 1};
    assertError(ErrorClass.ERR_ARG, () -> world.cartCreate(new int[] {2}, periods, false), "rank 1", "differ");
    try (CartComm cart = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, true)) {
      exchange(cart, 1);
    }
  }

  @MpiTest(ranks = 4, processes = true, timeout = 120)
  void inProcesses(IntraComm world) {
    torus(world);
    rowsAndColumns(world);
    againstAModel(world);
  }
}
