// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The replacements of the deprecated names in the standard's Table 2.1 do the same as those. */
class ReplacedNamesTest {
  private static final List<String> DEPRECATED = List.of(
      "MPI_Address", "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_struct", "MPI_Type_extent", "MPI_Type_ub",
      "MPI_Type_lb", "MPI_LB", "MPI_UB", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set",
      "MPI_Handler_function", "MPI_Keyval_create", "MPI_Keyval_free", "MPI_DUP_FN", "MPI_NULL_COPY_FN",
      "MPI_NULL_DELETE_FN", "MPI_Copy_function", "COPY_FUNCTION", "MPI_Delete_function", "DELETE_FUNCTION",
      "MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put");

  @Test
  @DisplayName("S1-2.6.1-a: the guide names the replacement of each of the 25 names")
  void theGuideNamesThem() throws IOException {
    List<String> rows = Files.readAllLines(Path.of("..", "docs", "guide", "porting-from-c.md")).stream()
        .filter(line -> line.startsWith("|")).toList();
    assertEquals(25, DEPRECATED.size());
    for (String name : DEPRECATED) {
      assertTrue(rows.stream().anyMatch(row -> row.split("\\|")[1].contains(name)), name);
    }
  }

  /** Passes memory on to the next rank and returns what comes, as packed integers. */
  private static int[] pass(Comm world, Buf<?> buf, int integers) {
    int[] got = new int[integers];
    Request receive = world.irecv(got, (world.rank() + world.size() - 1) % world.size(), 1);
    world.send(buf, (world.rank() + 1) % world.size(), 1);
    assertEquals(integers, receive.await(new Status()).getCount(Datatype.INT));
    return got;
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.1-a: addresses, hindexed, hvector, struct, extents and bounds without the old names")
  void typesAndAddresses(Comm world) {
    MemorySegment memory = Arena.ofAuto().allocate(40, 8);
    for (int i = 0; i < 10; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, i);
    }
    long first = Address.of(memory);
    long fifth = Address.of(memory.asSlice(20));
    assertEquals(20, Address.diff(fifth, first));
    assertEquals(fifth, Address.add(first, 20));
    Datatype<Integer> hindexed = Datatype.hindexed(new long[] {2, 1}, new long[] {20, 4}, Datatype.INT).commit();
    assertArrayEquals(new int[] {5, 6, 1}, pass(world, Buf.of(memory, 1, hindexed), 3));
    Datatype<Integer> hvector = Datatype.hvector(3, 1, 12, Datatype.INT).commit();
    assertArrayEquals(new int[] {0, 3, 6}, pass(world, Buf.of(memory, 1, hvector), 3));
    Datatype<?> struct = Datatype.struct(
        new long[] {1, 1}, new long[] {fifth, first}, Datatype.INT, Datatype.INT).commit();
    assertArrayEquals(new int[] {5, 0}, pass(world, Buf.bottom(List.of(memory), 1, struct), 2));
    assertEquals(20, hindexed.lowerBound() - 4 + 20);
    assertEquals(28, hindexed.upperBound());
    assertEquals(24, hindexed.extent());
    // Markers LB at -4 and UB at 12 round an integer.
    Datatype<Integer> marked = Datatype.INT.resized(-4, 16).commit();
    assertEquals(-4, marked.lowerBound());
    assertEquals(12, marked.upperBound());
    assertArrayEquals(new int[] {0, 4, 8}, pass(world, Buf.of(memory, 3, marked), 3));
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.1-a: error handlers are made, set, got and given to communicators without the old names")
  void errorHandlers(IntraComm world) {
    List<String> seen = new ArrayList<>();
    Errhandler.Function<Comm> function = (comm, error) -> seen.add(comm.name() + " " + error.errorClass());
    Errhandler<Comm> handler = Errhandler.of(function);
    world.setName("here");
    world.setErrhandler(handler);
    assertEquals(handler, world.errhandler());
    MpiException error = assertError(ErrorClass.ERR_TAG, () -> world.send(new int[1], 0, -1));
    assertEquals(ErrorClass.ERR_TAG.code(), error.errorCode());
    assertEquals(List.of("here ERR_TAG"), seen);
    world.setErrhandler(Errhandler.RETURN);
    assertEquals(Errhandler.RETURN, world.errhandler());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.1-a: keys and attributes with functions of the program's, DUP_FN and NULL_COPY_FN")
  void keysAndAttributes(IntraComm world) {
    List<String> log = new ArrayList<>();
    Keyval.Copy<Comm, String> copy = (from, value) -> {
      log.add("copy " + value);
      return value.isEmpty() ? Optional.empty() : Optional.of(value + "'");
    };
    Keyval.Delete<Comm, String> delete = (from, value) -> log.add("delete " + value);
    try (Keyval<Comm, String> own = Keyval.of(copy, delete);
        Keyval<Comm, List<String>> shared = Keyval.shared();
        Keyval<Comm, String> left = Keyval.notCopied()) {
      world.attributes().set(own, "a");
      world.attributes().set(own, "b"); // deletes the first
      world.attributes().set(shared, log);
      world.attributes().set(left, "stays");
      try (IntraComm twin = world.dup()) {
        assertEquals(Optional.of("b'"), twin.attributes().get(own));
        assertTrue(twin.attributes().get(shared).orElseThrow() == log, "the value itself");
        assertEquals(Optional.empty(), twin.attributes().get(left));
      }
      world.attributes().set(own, "");
      try (IntraComm twin = world.dup()) {
        assertEquals(Optional.empty(), twin.attributes().get(own));
      }
      world.attributes().delete(own);
      assertEquals(Optional.empty(), world.attributes().get(own));
      assertEquals(
          List.of("delete a", "copy b", "delete b'", "delete b", "copy ", "delete "), log);
      world.attributes().delete(shared);
      world.attributes().delete(left);
    }
    Keyval<Comm, String> freed = Keyval.of(copy, delete);
    freed.close();
    assertError(ErrorClass.ERR_KEYVAL, () -> world.attributes().set(freed, "x"));
  }
}
