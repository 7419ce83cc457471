// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReaderTest {
  @TempDir Path folder;

  private static List<Integer> counts(Machine machine) {
    return List.of(Resource.values()).stream().map(machine::count).toList();
  }

  @Test
  void twoSockets() throws IOException {
    Machine machine = RecordedMachine.read("two-sockets", folder);
    assertEquals(List.of(1, 2, 2, 2, 8, 8, 8, 16), counts(machine));
    assertEquals(1, machine.instance(Resource.PACKAGE, 3, 5, 15));
    assertEquals(Machine.NONE, machine.instance(Resource.PACKAGE, 3, 4));
    assertEquals(3, machine.instance(Resource.CORE, 3, 11));
    assertEquals(11, machine.instance(Resource.PU, 11));
    assertEquals(0, machine.instance(Resource.MACHINE, 0, 1, 2));
  }

  @Test
  void cachesWithinNodes() throws IOException {
    Machine machine = RecordedMachine.read("four-caches", folder);
    assertEquals(List.of(1, 1, 2, 4, 16, 16, 16, 16), counts(machine));
    assertEquals(8, machine.instance(Resource.L3_CACHE, 9, 11));
    assertEquals(8, machine.instance(Resource.NUMA_NODE, 9, 15));
    assertEquals(Machine.NONE, machine.instance(Resource.L3_CACHE, 9, 15));
    assertArrayEquals(new long[] {0, 0, 8, 12, 13, 13, 13, 13}, machine.place(13));
    assertArrayEquals(new long[] {0, 0, 8, -1, -1, -1, -1, -1}, machine.place(8, 13));
  }

  @Test
  void coresOfTwoKinds() throws IOException {
    MachineReader reader = RecordedMachine.reader("hybrid", folder);
    Machine machine = reader.read();
    assertEquals(List.of(1, 1, 1, 1, 3, 6, 6, 8), counts(machine));
    assertEquals(4, machine.instance(Resource.L2_CACHE, 5, 7));
    assertArrayEquals(new int[] {2, 4, 5}, reader.allowed());
  }

  @Test
  void littleIsToldInAVirtualMachine() throws IOException {
    Machine machine = RecordedMachine.read("virtual", folder);
    assertEquals(List.of(1, 1, 0, 0, 0, 0, 3, 3), counts(machine));
    assertEquals(List.of(Resource.MACHINE, Resource.PACKAGE, Resource.CORE, Resource.PU), machine.resources());
    assertEquals(Machine.NONE, machine.instance(Resource.PU, 1), "offline");
    assertEquals(Machine.NONE, machine.instance(Resource.L3_CACHE, 0));
    assertEquals(Machine.NONE, machine.instance(Resource.PU, 99));
    assertEquals(Machine.NONE, machine.instance(Resource.PU), "of no processor");
  }

  @Test
  void nothingIsTold() {
    MachineReader reader = new MachineReader(folder);
    Machine machine = reader.read();
    assertEquals(Runtime.getRuntime().availableProcessors(), machine.count(Resource.PU));
    assertEquals(List.of(Resource.MACHINE, Resource.PU), machine.resources());
    assertEquals(0, reader.allowed().length);
  }

  @Test
  void thisMachine() {
    MachineReader reader = new MachineReader(Path.of("/"));
    Machine machine = reader.read();
    assertTrue(machine.count(Resource.PU) >= machine.count(Resource.CORE), machine.toString());
    assertTrue(reader.allowed().length > 0);
    assertTrue(machine.instance(Resource.MACHINE, reader.allowed()) != Machine.NONE, machine.toString());
  }

  @Test
  void listsOfTheKernel() {
    assertEquals(List.of(0, 1, 2, 3, 8), MachineReader.parse("0-3,8\n"));
    assertEquals(List.of(), MachineReader.parse("\n"));
    assertEquals(List.of(), MachineReader.parse("3-1"));
    assertEquals(List.of(), MachineReader.parse("many"));
    assertEquals(List.of(), MachineReader.parse("0-999999999"));
  }

  @Test
  void namesOfResources() {
    assertEquals("hwloc://L3Cache", Resource.L3_CACHE.uri());
    assertEquals(Optional.of(Resource.L3_CACHE), Resource.named("hwloc://L3Cache"));
    assertEquals(Optional.of(Resource.NUMA_NODE), Resource.named("numanode"));
    assertEquals(Optional.empty(), Resource.named("hwloc://Moon"));
  }
}
