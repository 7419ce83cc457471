// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ffmpi.base.Standard;
import org.junit.jupiter.api.Test;

/** Every call that serves a procedure of the standard has an annotation for it, which reflection finds. */
class StandardTest {
  /** Methods of our own, whose purpose no procedure of the standard has. */
  private static final Set<String> OURS = Set.of(
      "Message.status", "Mpi.errors", "Mpi.progress", "Mpi.runThreads", "Mpi.shared", "TypeCalls.typeAttributes",
      "PointToPointCalls.requests", "PropertyCalls.attributes", "Request.isActive", "Request.toCompletableFuture",
      "Requests.add", "Status.bytes", "Op.name",
      // Two calls of the standard in one.
      "NamedArrayCalls.recvDoubles", "NamedArrayCalls.recvFloats", "NamedArrayCalls.recvInts",
      "NamedArrayCalls.recvLongs", "NamedArrayCalls.recvShorts", "NamedArrayCalls.recvChars",
      "NamedArrayCalls.recvBytes", "NamedArrayCalls.recvBooleans", "NamedArrayCalls.bcastDoubles",
      "NamedArrayCalls.bcastFloats", "NamedArrayCalls.bcastInts", "NamedArrayCalls.bcastLongs",
      "NamedArrayCalls.bcastShorts", "NamedArrayCalls.bcastChars", "NamedArrayCalls.bcastBytes",
      "NamedArrayCalls.bcastBooleans", "NamedArrayCalls.recvSegment",
      // The standard knows no objects of a language.
      "ObjectCalls.sendObject", "ObjectCalls.ssendObject", "ObjectCalls.isendObject", "ObjectCalls.recvObject",
      "ObjectCalls.irecvObject", "ObjectCalls.bcastObject", "ObjectCalls.gatherObjects", "ObjectCalls.scatterObjects",
      "ObjectCalls.allgatherObjects", "ObjectCalls.alltoallObjects", "ObjectCalls.reduceObject",
      "ObjectCalls.allreduceObject", "ObjectCalls.scanObject", "ObjectCalls.exscanObject", "Message.mrecvObject",
      "Packer.position", "Packer.reset", "Packer.packed", "Unpacker.position", "Unpacker.remaining",
      // ULFM is not part of the standard.
      "SurvivalCalls.revoke", "SurvivalCalls.isRevoked", "SurvivalCalls.getFailed", "SurvivalCalls.ackFailed",
      "SurvivalCalls.agree", "SurvivalCalls.iagree", "Comm.shrink", "Comm.ishrink", "IntraComm.shrink",
      "IntraComm.ishrink");

  private static final List<Class<?>> TYPES =
      List.of(Address.class, Comm.class, Grequest.class, Grequest.Callbacks.class, IntraComm.class, Message.class,
          Mpi.class, Op.class, Packer.class, PartitionedRecv.class, PartitionedSend.class, Persistent.class,
          Request.class, Requests.class, Status.class, Unpacker.class);

  @Test
  void callsNameTheirProcedure() {
    Set<String> unnamed = new TreeSet<>();
    for (Class<?> c : TYPES) {
      for (Method m : c.getMethods()) {
        Standard names = m.getAnnotation(Standard.class);
        if (m.getDeclaringClass() == Object.class || m.getName().equals("toString")) {
          continue;
        }
        if (names == null) {
          unnamed.add(m.getDeclaringClass().getSimpleName() + "." + m.getName());
        } else {
          assertTrue(Arrays.stream(names.value()).allMatch(n -> n.startsWith("MPI_")), m.toString());
        }
      }
    }
    assertEquals(new TreeSet<>(OURS), unnamed);
  }

  @Test
  void arrayFormsExistForEveryPrimitiveType() {
    for (Class<?> array : List.of(double[].class, float[].class, int[].class, long[].class, short[].class, char[].class,
        byte[].class, boolean[].class)) {
      for (String name : List.of("send", "recv", "isend", "irecv")) {
        assertTrue(Arrays.stream(Comm.class.getMethods()).anyMatch(
            m -> m.getName().equals(name) && Modifier.isPublic(m.getModifiers()) && m.getParameterTypes()[0] == array));
      }
    }
  }
}
