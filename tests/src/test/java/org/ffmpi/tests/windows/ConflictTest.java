// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.tests.support.Errors.assertError;

import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;

/** Accesses to the same bytes in one epoch that the standard forbids, where everything is checked (MPI-4.1 §12.7). */
@MpiVariant(name = "check=full", settings = "ffmpi.check=full")
class ConflictTest {
  private static final long[] TWO = {1, 2};
  private static final long[] ONE = {1};

  @MpiTest(ranks = 2)
  void accessesOfOneRankContradict(IntraComm world) {
    try (Win win = world.winAllocate(64, 8)) {
      int other = 1 - world.rank();
      win.fence();
      win.put(Buf.of(TWO), other, 0);
      assertError(ErrorClass.ERR_RMA_CONFLICT, () -> win.put(Buf.of(ONE), other, 1),
          "MPI_Put of bytes 8 to 15 of rank " + other, "MPI_Put of rank " + world.rank() + " to bytes 0 to 15");
      assertError(ErrorClass.ERR_RMA_CONFLICT, () -> win.get(Buf.of(new long[1]), other, 0), "MPI_Get");
      assertError(ErrorClass.ERR_RMA_CONFLICT, () -> win.accumulate(Buf.of(ONE), other, 0, Op.SUM), "MPI_SUM");
      win.put(Buf.of(ONE), other, 2);
      win.accumulate(Buf.of(ONE), other, 4, Op.SUM);
      win.accumulate(Buf.of(ONE), other, 4, Op.SUM);
      win.fetchAndOp(null, Buf.of(new long[1]), other, 4, Op.NO_OP);
      win.accumulate(Buf.of(ONE), other, 4, Op.MAX); // in the order of one rank
      win.fence();
      win.get(Buf.of(new long[2]), other, 0);
      win.get(Buf.of(new long[2]), other, 1);
      win.fence();
    }
  }

  @MpiTest(ranks = 3)
  void accessesOfTwoRanksContradict(IntraComm world) {
    try (Win win = world.winAllocate(64, 8)) {
      win.fence();
      if (world.rank() == 1) {
        win.put(Buf.of(ONE), 0, 3);
      }
      world.barrier();
      if (world.rank() == 2) {
        assertError(ErrorClass.ERR_RMA_CONFLICT, () -> win.get(Buf.of(new long[4]), 0, 1), "MPI_Put of rank 1");
        win.get(Buf.of(new long[2]), 0, 1);
      }
      win.fence();
      if (world.rank() == 2) {
        win.put(Buf.of(ONE), 0, 3); // another epoch
      }
      win.fence();
    }
  }

  /** By default NO_OP goes with every operation. */
  @MpiTest(ranks = 2)
  void theHintSameOpExcludesAllOthers(IntraComm world) {
    int other = 1 - world.rank();
    try (Win win = world.winAllocate(64, 8, new Info().set("accumulate_ops", "same_op"))) {
      win.fence();
      win.accumulate(Buf.of(ONE), other, 4, Op.SUM);
      win.accumulate(Buf.of(ONE), other, 4, Op.SUM);
      assertError(ErrorClass.ERR_RMA_CONFLICT,
          () -> win.fetchAndOp(null, Buf.of(new long[1]), other, 4, Op.NO_OP), "MPI_NO_OP", "MPI_SUM");
      win.fence();
      win.setInfo(new Info().set("accumulate_ops", "same_op_no_op"));
      win.accumulate(Buf.of(ONE), other, 4, Op.SUM);
      win.fetchAndOp(null, Buf.of(new long[1]), other, 4, Op.NO_OP);
      win.fence();
    }
  }

  @MpiTest(ranks = 2)
  void typesOfBothEndsAreCompared(IntraComm world) {
    int other = 1 - world.rank();
    for (boolean served : new boolean[] {false, true}) {
      try (Win win = served ? world.winCreate(Buf.of(new long[8]), 8) : world.winAllocate(64, 8)) {
        win.fence();
        assertError(ErrorClass.ERR_TYPE, () -> win.put(Buf.of(TWO), other, 0, 2, Datatype.DOUBLE), "MPI_DOUBLE");
        assertError(ErrorClass.ERR_TYPE, () -> win.get(Buf.of(new long[2]), other, 0, 16, Datatype.BYTE), "MPI_BYTE");
        win.put(Buf.of(TWO), other, 0, 2, Datatype.INT64_T);
        win.fence();
      }
    }
  }

  @MpiTest(ranks = 3)
  void whatIsCompleteContradictsNothing(IntraComm world) {
    try (Win win = world.winAllocate(64, 8)) {
      for (int round = 0; round < 20; round++) {
        try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
          win.put(Buf.of(TWO), 0, 0);
          win.flush(0);
          win.put(Buf.of(ONE), 0, 0);
        }
      }
      try (Epoch _ = win.lockAll()) {
        win.accumulate(Buf.of(ONE), 0, 5, Op.SUM);
        win.flushAll();
        win.accumulate(Buf.of(ONE), 0, 5 + world.rank() % 2, Op.SUM);
      }
      world.barrier();
    }
  }
}
