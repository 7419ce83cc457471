// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.reflect.Method;
import java.util.List;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/** The parameters of a test method of which each rank has its own. Used by any thread. */
final class RankArguments {
  private RankArguments() {}

  /** Returns whether each rank has its own argument of a type. */
  static boolean isOfRank(Class<?> type) {
    return type == Mpi.class || type == Comm.class || type == IntraComm.class || type == Orders.class;
  }

  /** Fills the placeholders of rank parameters. */
  static Object[] argumentsOf(Mpi mpi, Method method, List<Object> resolved) {
    return argumentsOf(mpi, method, resolved, Orders.ofOneRun());
  }

  /** Fills the placeholders of rank parameters in an explored test. */
  static Object[] argumentsOf(Mpi mpi, Method method, List<Object> resolved, Orders orders) {
    Object[] arguments = resolved.toArray();
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < arguments.length; i++) {
      if (types[i] == Mpi.class) {
        arguments[i] = mpi;
      } else if (types[i] == Orders.class) {
        arguments[i] = orders;
      } else if (isOfRank(types[i])) {
        arguments[i] = mpi.world();
      }
    }
    return arguments;
  }
}
