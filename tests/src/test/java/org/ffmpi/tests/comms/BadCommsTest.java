// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.MAX_STRINGTAG_LEN;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;

/** Arguments of which no communicator can be made; the parent stays as it was, at every rank. */
class BadCommsTest {
  @MpiTest(ranks = {1, 2, 3})
  void colours(IntraComm world) {
    for (int color : new int[] {-1, -2, UNDEFINED + 1, UNDEFINED - 1, Integer.MIN_VALUE}) {
      assertError(ErrorClass.ERR_ARG, () -> world.split(color, 0), "color", String.valueOf(color));
      stillWorks(world);
    }
    assertNull(world.split(UNDEFINED, 0));
    stillWorks(world.split(Integer.MAX_VALUE, Integer.MIN_VALUE));
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void groups(Mpi mpi) {
    IntraComm world = mpi.world();
    Group freed = world.group();
    freed.close();
    assertError(ErrorClass.ERR_GROUP, () -> world.create(null), "group");
    assertError(ErrorClass.ERR_GROUP, () -> world.create(freed), "group");
    assertError(ErrorClass.ERR_GROUP, () -> world.createGroup(null, 0), "group");
    assertError(ErrorClass.ERR_GROUP, () -> world.createGroup(freed, 0), "group");
    assertError(ErrorClass.ERR_GROUP, () -> create(null, "a tag"), "group");
    assertError(ErrorClass.ERR_GROUP, () -> create(freed, "a tag"), "group");
    assertNull(create(Group.EMPTY, "a tag"));
    assertNull(world.create(Group.EMPTY));
    stillWorks(world);
    if (world.size() > 1) {
      Group others = world.group().excl(world.rank());
      assertError(ErrorClass.ERR_GROUP, () -> mpi.self().create(world.group()), "group");
      assertError(ErrorClass.ERR_GROUP, () -> mpi.self().createGroup(world.group(), 0), "group");
      assertError(ErrorClass.ERR_GROUP, () -> world.createGroup(others, 0), "group");
      assertError(ErrorClass.ERR_GROUP, () -> create(others, "a tag"), "group");
      stillWorks(world);
      stillWorks(mpi.self());
    }
  }

  @MpiTest(ranks = {1, 2})
  void tags(IntraComm world) {
    Group group = world.group();
    assertError(ErrorClass.ERR_TAG, () -> world.createGroup(group, -1), "tag", "-1");
    assertError(ErrorClass.ERR_ARG, () -> create(group, null), "stringtag");
    assertError(ErrorClass.ERR_ARG, () -> create(group, "x".repeat(MAX_STRINGTAG_LEN)), "stringtag");
    stillWorks(create(group, "x".repeat(MAX_STRINGTAG_LEN - 1)));
    stillWorks(create(group, ""));
    stillWorks(world.createGroup(group, Integer.MAX_VALUE));
  }

  /** The ranks go on counting alike after one of them alone was refused. */
  @MpiTest(ranks = {2, 3})
  void oneRankAloneIsRefused(IntraComm world) {
    Group group = world.group();
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_GROUP, () -> world.create(null), "group");
    } else {
      world.create(group.excl(0)).close();
    }
    for (int i = 0; i < 100; i++) {
      try (IntraComm made = world.dup()) {
        stillWorks(made);
      }
    }
  }

  private static IntraComm create(Group group, String stringtag) {
    return IntraComm.createFromGroup(group, stringtag, null, Errhandler.RETURN);
  }

  private static void stillWorks(IntraComm comm) {
    try (IntraComm twin = comm.dup()) {
      int[] sum = {1};
      twin.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(comm.size(), sum[0]);
    }
  }
}
