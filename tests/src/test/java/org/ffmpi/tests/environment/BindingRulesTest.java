// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of the standard about arguments, constants and language bindings, as far as they concern Java. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BindingRulesTest {
  private static final List<Class<?>> OBJECTS = List.of(
      Comm.class, IntraComm.class, Group.class, Request.class, Persistent.class, Status.class, Info.class,
      Errhandler.class, Mpi.class, Datatype.class, Op.class, Keyval.class, Attributes.class, MpiException.class);

  // ---- arguments

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.2-b S1-2.5.2-c: lists may hold null requests, and statuses may be left out")
  void nullRequestsInLists(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int[] in = new int[1];
    List<Request> requests = new ArrayList<>();
    requests.add(null);
    requests.add(world.irecv(in, Constants.ANY_SOURCE, 0));
    requests.add(null);
    requests.add(world.isend(new int[] {5}, next, 0));
    Request.waitAll(requests);
    assertEquals(5, in[0]);
    assertEquals(Constants.UNDEFINED, Request.waitAny(new ArrayList<>(Arrays.asList(null, null))));
    assertTrue(Request.testAll(Arrays.asList(null, null)));
  }

  @Test
  @DisplayName("S1-2.5.3: states are enumerations, and each constant has its value in the binary interface")
  void statesAreEnumerations() {
    assertTrue(Comparison.class.isEnum() && Datatype.Order.class.isEnum() && ThreadLevel.class.isEnum());
    int[] codes = Arrays.stream(Comparison.values()).mapToInt(Comparison::code).toArray();
    assertArrayEquals(
        new int[] {Constants.IDENT, Constants.CONGRUENT, Constants.SIMILAR, Constants.UNEQUAL}, codes);
    assertError(ErrorClass.ERR_ARG, () -> Datatype.subarray(
        new long[] {2}, new long[] {1}, new long[] {0}, null, Datatype.INT), "order");
  }

  // ---- constants

  @MpiTest(ranks = {1, 3})
  @DisplayName("S1-2.5.4-a S1-2.5.4-b: special values lie outside the regular range")
  void specialValues(Comm world) {
    int[] special = {Constants.ANY_SOURCE, Constants.ANY_TAG, Constants.PROC_NULL, Constants.ROOT, Constants.UNDEFINED};
    assertArrayEquals(new int[] {-1, -2, -3, -4, -32766}, special);
    int largest = world.attributes().get(Comm.TAG_UB).orElseThrow();
    assertTrue(largest >= 32767);
    Comm self = world;
    int next = (world.rank() + 1) % world.size();
    int[] in = new int[1];
    Request receive = self.irecv(in, Math.floorMod(world.rank() - 1, world.size()), largest);
    self.send(new int[] {world.rank()}, next, largest);
    receive.await();
    assertEquals(Math.floorMod(world.rank() - 1, world.size()), in[0], "the largest tag can be used");
    assertError(ErrorClass.ERR_RANK, () -> world.send(in, world.size(), 0), "dest");
  }

  /** Initialized before any environment: the standard's predefined handles may be used in initializers. */
  private static final Object[] HANDLES = {
      Datatype.INT, Datatype.DOUBLE, Op.SUM, Errhandler.RETURN, Group.EMPTY, Comm.TAG_UB, Buf.inPlace()};

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.4-c: predefined handles exist before init and do not change")
  void predefinedHandles(Mpi mpi) {
    assertArrayEquals(
        new Object[] {
            Datatype.INT, Datatype.DOUBLE, Op.SUM, Errhandler.RETURN, Group.EMPTY, Comm.TAG_UB, Buf.inPlace()},
        HANDLES);
    assertSame(mpi.world(), mpi.world());
    assertSame(mpi.self(), mpi.self());
    assertEquals("MPI_COMM_SELF", mpi.self().name());
    assertError(ErrorClass.ERR_COMM, mpi.world()::close, "communicator");
    assertError(ErrorClass.ERR_COMM, mpi.self()::close, "communicator");
    mpi.world().barrier();
  }

  @Test
  @DisplayName("S1-2.5.4-d S1-2.6.2 S1-A-4: the longest strings are compile-time constants, those of C")
  void longestStrings() {
    final int[] arrays = new int[Constants.MAX_PROCESSOR_NAME + Constants.MAX_DATAREP_STRING];
    assertEquals(384, arrays.length);
    for (int length : new int[] {256, 512, 128, 1024}) {
      // Labels have to be constants, or this does not compile.
      String name = switch (length) {
        case Constants.MAX_PROCESSOR_NAME -> "MAX_PROCESSOR_NAME";
        case Constants.MAX_ERROR_STRING -> "MAX_ERROR_STRING";
        case Constants.MAX_OBJECT_NAME -> "MAX_OBJECT_NAME";
        case Constants.MAX_PORT_NAME -> "MAX_PORT_NAME";
        default -> throw new AssertionError(length);
      };
      assertFalse(name.isEmpty());
    }
    assertEquals(256, Constants.MAX_INFO_KEY);
    assertEquals(1024, Constants.MAX_INFO_VAL);
    assertEquals(128, Constants.MAX_DATAREP_STRING);
  }

  @Test
  @DisplayName("S1-2.5.4-e S1-A-2: kinds of Fortran's integers and places in a status do not exist")
  void nothingOfFortransKinds() {
    Set<String> names = new HashSet<>();
    for (Field field : Constants.class.getFields()) {
      names.add(field.getName());
    }
    for (String name : List.of(
        "STATUS_SIZE", "SOURCE", "TAG", "ERROR", "ADDRESS_KIND", "COUNT_KIND", "INTEGER_KIND", "OFFSET_KIND")) {
      assertFalse(names.contains(name), name);
    }
    Status status = new Status();
    assertEquals(Constants.ANY_SOURCE, status.source());
    assertEquals(Constants.ANY_TAG, status.tag());
    assertEquals(ErrorClass.SUCCESS, status.error());
  }

  @Test
  @DisplayName("S1-A-1: the assorted constants")
  void assortedConstants() throws ReflectiveOperationException {
    for (String name : List.of(
        "PROC_NULL", "ANY_SOURCE", "ANY_TAG", "UNDEFINED", "BSEND_OVERHEAD", "KEYVAL_INVALID", "LOCK_EXCLUSIVE",
        "LOCK_SHARED", "ROOT")) {
      Field field = Constants.class.getField(name);
      assertEquals(int.class, field.getType(), name);
      assertTrue(Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers()), name);
    }
  }

  // ---- names and shapes of methods

  private static List<Method> served() {
    List<Method> methods = new ArrayList<>();
    for (Class<?> type : OBJECTS) {
      for (Method method : type.getMethods()) {
        if (method.isAnnotationPresent(Standard.class)) {
          methods.add(method);
        }
      }
    }
    assertTrue(methods.size() > 200, "too few to mean anything: " + methods.size());
    return methods;
  }

  @Test
  @DisplayName("S1-2.6-a S1-2.6.4-e S1-2.6.4-f: methods are named in lower camel case, without the prefix of C")
  void namesOfMethods() {
    for (Method method : served()) {
      assertTrue(method.getName().matches("[a-z][A-Za-z0-9]*"), method::toString);
      assertFalse(method.getName().toLowerCase(java.util.Locale.ROOT).startsWith("mpi"), method::toString);
      assertTrue(method.getDeclaringClass().getPackageName().startsWith("org.ffmpi"), method::toString);
    }
    assertDoesNotThrow(() -> Comm.class.getMethod("size"));
    assertDoesNotThrow(() -> Request.class.getMethod("close"));
    assertDoesNotThrow(() -> Mpi.class.getMethod("bufferAttach", Buf.class));
    assertDoesNotThrow(() -> Mpi.class.getMethod("isFinalized"));
  }

  @Test
  @DisplayName("S1-2.6.3-b S1-2.6.3-c: flags are booleans, and no method returns a code of success")
  void shapesOfMethods() {
    for (Method method : served()) {
      if (method.getName().matches("is[A-Z]\\w*|test|testAll|parrived")) {
        assertEquals(boolean.class, method.getReturnType(), method::toString);
      }
      if (method.getName().matches("\\w*(send|recv|Send|Recv)|set\\w+|remove\\w+|barrier|close|start|cancel|waitAll")) {
        assertNotEquals(int.class, method.getReturnType(), () -> "a code of success? " + method);
      }
    }
    MpiException error = assertError(ErrorClass.ERR_COUNT, () -> Datatype.contiguous(-1, Datatype.INT));
    assertEquals(ErrorClass.ERR_COUNT.code(), error.errorCode());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.3-a: arrays count from 0")
  void arraysCountFromZero(Comm world) {
    int[] in = {-1, -1, -1};
    int next = (world.rank() + 1) % world.size();
    Request receive = world.irecv(Buf.of(in, 1, 2), Constants.ANY_SOURCE, 0);
    world.send(Buf.of(new int[] {7, 8, 9}, 0, 2), next, 0);
    receive.await();
    assertArrayEquals(new int[] {-1, 7, 8}, in);
    List<Request> requests = List.of(world.isend(new int[1], Constants.PROC_NULL, 0));
    assertEquals(0, Request.waitAny(requests));
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.4-a: every handler throws the error once it has run; the default ends the job first")
  void everyHandlerThrows(Comm world) {
    boolean[] ran = {false};
    Errhandler<Comm> own = Errhandler.of((Comm comm, MpiException error) -> ran[0] = true);
    for (Errhandler<? super Comm> handler : List.<Errhandler<? super Comm>>of(Errhandler.RETURN, own)) {
      world.setErrhandler(handler);
      assertError(ErrorClass.ERR_TAG, () -> world.send(new int[1], 0, -5), "tag = -5");
    }
    assertTrue(ran[0]);
    MpiException ended = org.junit.jupiter.api.Assertions.assertThrows(MpiException.class, () -> Mpi.runThreads(
        1, mpi -> mpi.world().send(new int[1], 0, -5)));
    assertEquals(ErrorClass.ERR_TAG, ended.errorClass());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.4-c: two references to an object are equal, and different objects are not")
  void handlesAreReferences(IntraComm world) {
    try (IntraComm duplicate = world.dup()) {
      IntraComm alias = duplicate;
      assertEquals(alias, duplicate);
      assertNotEquals(world, duplicate);
      assertEquals(Comparison.IDENT, alias.compare(duplicate));
      assertEquals(Comparison.CONGRUENT, world.compare(duplicate));
    }
    Datatype<?> type = Datatype.contiguous(2, Datatype.INT);
    Datatype<?> same = Datatype.contiguous(2, Datatype.INT);
    assertNotEquals(type, (Object) same);
    assertNotEquals(new Info(), new Info());
    type.close();
    same.close();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.6.4-d: a status may be left out")
  void statusesMayBeLeftOut(Comm world) {
    int next = (world.rank() + 1) % world.size();
    for (int round = 0; round < 2; round++) {
      Request send = world.isend(new int[] {4}, next, 1);
      int[] in = new int[1];
      if (round == 0) {
        world.recv(in, Constants.ANY_SOURCE, 1);
      } else {
        assertEquals(1, world.recv(in, Constants.ANY_SOURCE, 1, new Status()).tag());
      }
      send.await();
      assertEquals(4, in[0]);
    }
  }

  // ---- names that the standard gave up

  @Test
  @DisplayName("S1-2.6.1-a: what replaces a deprecated name is there, and names it where it serves it")
  void replacementsOfDeprecatedNames() {
    Set<String> names = new HashSet<>();
    List<Class<?>> holders = new ArrayList<>(OBJECTS);
    holders.addAll(List.of(Keyval.Copy.class, Keyval.Delete.class, Errhandler.Function.class,
        org.ffmpi.Address.class));
    for (Class<?> type : holders) {
      Optional.ofNullable(type.getAnnotation(Standard.class)).ifPresent(s -> names.addAll(List.of(s.value())));
      for (Method method : type.getMethods()) {
        Optional.ofNullable(method.getAnnotation(Standard.class)).ifPresent(s -> names.addAll(List.of(s.value())));
      }
    }
    for (String replacement : List.of(
        "MPI_Get_address", "MPI_Type_create_hindexed", "MPI_Type_create_hvector", "MPI_Type_create_struct",
        "MPI_Type_get_extent", "MPI_Type_create_resized", "MPI_Comm_create_errhandler", "MPI_Comm_get_errhandler",
        "MPI_Comm_set_errhandler", "MPI_Comm_errhandler_function", "MPI_Comm_create_keyval", "MPI_Comm_free_keyval",
        "MPI_COMM_DUP_FN", "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN", "MPI_Comm_copy_attr_function",
        "MPI_Comm_delete_attr_function", "MPI_Comm_delete_attr", "MPI_Comm_get_attr", "MPI_Comm_set_attr")) {
      assertTrue(names.contains(replacement), replacement);
    }
    for (String deprecated : List.of(
        "MPI_Attr_put", "MPI_Attr_get", "MPI_Attr_delete", "MPI_Keyval_create", "MPI_Keyval_free", "MPI_Copy_function",
        "MPI_Delete_function", "MPI_DUP_FN", "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN", "MPI_Info_get",
        "MPI_Info_get_valuelen")) {
      assertTrue(names.contains(deprecated), deprecated);
    }
  }

  @Test
  @DisplayName("S1-2.6.1-b: there are no types LB and UB; resizing gives the same effect")
  void noMarkerTypes() {
    for (Field field : Datatype.class.getFields()) {
      assertFalse(Set.of("LB", "UB").contains(field.getName()));
    }
    Datatype<?> resized = Datatype.INT.resized(-3, 9);
    assertEquals(-3, resized.lowerBound());
    assertEquals(6, resized.upperBound());
    resized.close();
  }

  // ---- predefined types by name

  private static void assertNames(String... names) {
    for (String name : names) {
      Datatype<?> type = assertDoesNotThrow(() -> (Datatype<?>) Datatype.class.getField(name).get(null), name);
      String known = switch (name) {
        case "LONG_LONG" -> "LONG_LONG_INT";
        case "C_FLOAT_COMPLEX" -> "C_COMPLEX";
        default -> name;
      };
      assertEquals("MPI_" + known, type.name());
      assertTrue(type.isPredefined() && type.size() > 0, name);
    }
  }

  @Test
  @DisplayName("S1-A-5: the named types of C and Fortran have their constant's name")
  void namedTypes() {
    assertNames(
        "CHAR", "SHORT", "INT", "LONG", "LONG_LONG_INT", "LONG_LONG", "SIGNED_CHAR", "UNSIGNED_CHAR", "UNSIGNED_SHORT",
        "UNSIGNED", "UNSIGNED_LONG", "UNSIGNED_LONG_LONG", "FLOAT", "DOUBLE", "LONG_DOUBLE", "WCHAR", "C_BOOL",
        "INT8_T", "INT16_T", "INT32_T", "INT64_T", "UINT8_T", "UINT16_T", "UINT32_T", "UINT64_T", "AINT", "COUNT",
        "OFFSET", "C_COMPLEX", "C_FLOAT_COMPLEX", "C_DOUBLE_COMPLEX", "C_LONG_DOUBLE_COMPLEX", "BYTE", "PACKED");
    assertNames(
        "INTEGER", "REAL", "DOUBLE_PRECISION", "COMPLEX", "LOGICAL", "CHARACTER", "AINT", "COUNT", "OFFSET", "BYTE",
        "PACKED");
  }

  @Test
  @DisplayName("S1-A-6 S1-2.6.4-g: the types of C++ have the names that the standard gives them now")
  void typesOfCPlusPlus() {
    assertNames("CXX_BOOL", "CXX_FLOAT_COMPLEX", "CXX_DOUBLE_COMPLEX", "CXX_LONG_DOUBLE_COMPLEX");
  }

  @Test
  @DisplayName("S1-A-7 S1-A-8: all optional types of Fortran are there, INTEGER2 with 2 bytes, so none is rejected")
  void optionalTypesOfFortran() {
    assertNames(
        "DOUBLE_COMPLEX", "INTEGER1", "INTEGER2", "INTEGER4", "INTEGER8", "INTEGER16", "REAL2", "REAL4", "REAL8",
        "REAL16", "COMPLEX4", "COMPLEX8", "COMPLEX16", "COMPLEX32");
    assertEquals(2, Datatype.INTEGER2.size());
    assertEquals(16, Datatype.INTEGER16.size());
  }
}
