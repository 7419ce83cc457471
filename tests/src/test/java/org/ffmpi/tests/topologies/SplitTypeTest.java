// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.SplitType;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;

/** Communicators of ranks that share something of the machine (MPI-4.1 §7.4.2), also of a machine that was recorded. */
class SplitTypeTest {
  private static final String RESOURCE = "mpi_hw_resource_type";
  private static final String PSET = "mpi_pset_name";

  static {
    Machines.unpack();
  }

  private static Info guide(String key, String value) {
    return new Info().set(key, value);
  }

  private static int sum(IntraComm comm, int mine) {
    int[] sum = {mine};
    comm.allreduce(Buf.of(sum), Op.SUM);
    return sum[0];
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void sharedMemory(IntraComm world) {
    int n = world.size();
    try (IntraComm same = world.splitType(SplitType.SHARED, 0, null);
        IntraComm reversed = world.splitType(SplitType.SHARED, -world.rank(), new Info());
        IntraComm named = world.splitType(SplitType.HW_GUIDED, 1, guide(RESOURCE, "mpi_shared_memory"))) {
      assertEquals(Comparison.CONGRUENT, same.compare(world));
      assertEquals(n - 1 - world.rank(), reversed.rank());
      assertEquals(Comparison.CONGRUENT, named.compare(world));
      assertEquals(n * (n - 1) / 2, sum(reversed, world.rank()));
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void thoseWithoutATypeTakeNoPart(IntraComm world) {
    boolean takes = world.rank() % 2 == 0;
    IntraComm even = world.splitType(takes ? SplitType.SHARED : null, 0, null);
    if (takes) {
      assertEquals((world.size() + 1) / 2, even.size());
      even.close();
    } else {
      assertNull(even);
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void nothingIsGuidedByNothing(IntraComm world) {
    for (SplitType type : List.of(SplitType.HW_GUIDED, SplitType.RESOURCE_GUIDED)) {
      assertNull(world.splitType(type, 0, null));
      assertNull(world.splitType(type, 0, new Info()));
      assertNull(world.splitType(type, 0, guide(RESOURCE, "hwloc://Moon")));
    }
    assertNull(world.splitType(SplitType.HW_GUIDED, 0, guide(PSET, "mpi://WORLD")), "a key of the other type");
    assertNull(world.splitType(SplitType.RESOURCE_GUIDED, 0, guide(PSET, "mpi://NOWHERE")));
    assertNull(
        world.splitType(SplitType.RESOURCE_GUIDED, 0, guide(PSET, "mpi://WORLD").set(RESOURCE, "hwloc://Core")));
  }

  @MpiTest(ranks = {1, 2, 4})
  void processSets(IntraComm world) {
    try (IntraComm all = world.splitType(SplitType.RESOURCE_GUIDED, 0, guide(PSET, "mpi://WORLD"));
        IntraComm self = world.splitType(SplitType.RESOURCE_GUIDED, 0, guide(PSET, "mpi://SELF"))) {
      assertEquals(Comparison.CONGRUENT, all.compare(world));
      assertEquals(1, self.size());
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void differentTypesAreAnErrorEverywhere(IntraComm world) {
    SplitType type = world.rank() == 1 ? SplitType.HW_UNGUIDED : SplitType.SHARED;
    assertError(ErrorClass.ERR_ARG, () -> world.splitType(type, 0, null), "type", "rank 1");
    Info freed = new Info();
    freed.close();
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_INFO, () -> world.splitType(SplitType.SHARED, 0, freed));
    } else {
      assertEquals(world.size() - 1, world.splitType(SplitType.SHARED, 0, null).size());
    }
    try (IntraComm dup = world.dup()) {
      dup.barrier();
    }
  }

  @MpiTest(
      ranks = 4, settings = {"ffmpi.machine=" + Machines.FOUR_CACHES, "ffmpi.machine.processors=0,4,1,5"})
  void guidedByHardware(IntraComm world) {
    try (IntraComm caches = world.splitType(SplitType.HW_GUIDED, -world.rank(), guide(RESOURCE, "hwloc://L3Cache"));
        IntraComm nodes = world.splitType(SplitType.RESOURCE_GUIDED, 0, guide(RESOURCE, "NUMANode"));
        IntraComm cores = world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://Core"));
        IntraComm machine = world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://Machine"))) {
      assertEquals(2, caches.size());
      assertEquals(world.rank() < 2 ? 1 : 0, caches.rank(), "ordered by the key");
      assertEquals(2 * (world.rank() % 2) + 2, sum(caches, world.rank()));
      assertEquals(4, nodes.size());
      assertEquals(1, cores.size());
      assertEquals(Comparison.CONGRUENT, machine.compare(world));
    }
  }

  @MpiTest(
      ranks = 4, settings = {"ffmpi.machine=" + Machines.FOUR_CACHES, "ffmpi.machine.processors=0,4,1,5"})
  void unguidedFindsTheLargestHardwareThatTellsRanksApart(IntraComm world) {
    Info info = new Info();
    IntraComm caches = world.splitType(SplitType.HW_UNGUIDED, 0, info);
    assertEquals(Optional.of("hwloc://L3Cache"), info.get(RESOURCE));
    assertEquals(2, caches.size());
    assertEquals(2 * (world.rank() % 2) + 2, sum(caches, world.rank()));
    IntraComm cores = caches.splitType(SplitType.HW_UNGUIDED, 0, info);
    assertEquals(Optional.of("hwloc://L2Cache"), info.get(RESOURCE));
    assertEquals(1, cores.size());
    Info untouched = new Info();
    assertNull(cores.splitType(SplitType.HW_UNGUIDED, 0, untouched), "one rank has no real part");
    assertEquals(0, untouched.size());
    cores.close();
    caches.close();
  }

  @MpiTest(
      ranks = 3, settings = {"ffmpi.machine=" + Machines.FOUR_CACHES, "ffmpi.machine.processors=0,1,2"})
  void unguidedWithoutThoseThatTakeNoPart(IntraComm world) {
    IntraComm part = world.splitType(world.rank() == 2 ? null : SplitType.HW_UNGUIDED, 0, null);
    if (world.rank() == 2) {
      assertNull(part);
    } else {
      assertNotNull(part);
      assertEquals(2, part.size(), "both in the same machine, which is a real part of three ranks");
    }
  }

  @MpiTest(ranks = {1, 2, 4}, settings = "ffmpi.machine=" + Machines.FOUR_CACHES)
  void ranksThatAreNotBound(IntraComm world) {
    assertNull(world.splitType(SplitType.HW_UNGUIDED, 0, null));
    assertNull(world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://L3Cache")));
    try (IntraComm package_ = world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://Package"))) {
      assertEquals(world.size(), package_.size(), "the machine has but one");
    }
    Info info = Mpi.hwResourceInfo();
    assertEquals(
        List.of("hwloc://Machine", "hwloc://Package", "hwloc://NUMANode", "hwloc://L3Cache", "hwloc://L2Cache",
            "hwloc://L1Cache", "hwloc://Core", "hwloc://PU"), info.keys());
    assertEquals(Optional.of("true"), info.get("hwloc://Package"));
    assertEquals(Optional.of("false"), info.get("hwloc://NUMANode"));
  }

  @MpiTest(
      ranks = 2, settings = {"ffmpi.machine=" + Machines.FOUR_CACHES, "ffmpi.machine.processors=3"})
  void infoOfABoundRank(IntraComm world) {
    Info info = Mpi.hwResourceInfo();
    info.keys().forEach(key -> assertEquals(Optional.of("true"), info.get(key), key));
    info.close();
    Mpi.hwResourceInfo().set("hwloc://PU", "mine");
    assertEquals(Optional.of("true"), Mpi.hwResourceInfo().get("hwloc://PU"), "each info is a new one");
    assertEquals(2, world.size());
  }

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  void ofThisMachine(IntraComm world) {
    Info info = Mpi.hwResourceInfo();
    assertEquals(Optional.of("true"), info.get("hwloc://Machine"));
    try (IntraComm machine = world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://Machine"))) {
      assertEquals(2, machine.size());
    }
    IntraComm processors = world.splitType(SplitType.HW_GUIDED, 0, guide(RESOURCE, "hwloc://PU"));
    assertEquals(info.get("hwloc://PU").equals(Optional.of("true")), processors != null);
    if (processors != null) {
      assertEquals(1, processors.size(), "each rank is bound to a processor of its own");
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.machine.processors=,")
  void aSettingWithoutNumbers(IntraComm world) {
    assertError(ErrorClass.ERR_ARG, () -> world.splitType(SplitType.SHARED, 0, null), "ffmpi.machine.processors");
  }

  @MpiTest(ranks = 2, settings = "ffmpi.machine.processors=none")
  void aWrongSetting(IntraComm world) {
    assertError(ErrorClass.ERR_ARG, () -> world.splitType(SplitType.SHARED, 0, null), "ffmpi.machine.processors");
  }
}
