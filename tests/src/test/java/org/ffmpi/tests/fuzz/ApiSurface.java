// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Session;
import org.ffmpi.ThreadWorld;
import org.ffmpi.datatype.Datatype;

/**
 * The calls that a program can make: all public methods and constructors of every type of the users' packages that the
 * signatures lead to, beginning at {@link Mpi}. The order is the same in every JVM.
 */
final class ApiSurface {
  private static final Set<String> PACKAGES = Set.of("org.ffmpi", "org.ffmpi.datatype", "org.ffmpi.base");

  /**
   * The first two make this process a rank of a job of its own, whose end ends the process. The others are for the
   * library: it trusts the functions that they are given, which the fuzzer's are not worth.
   */
  private static final Set<String> EXCLUDED = Set.of("Mpi.init", "Mpi.run", "Keyval.readOnly", "Attributes.<init>");

  private final Set<Class<?>> types = new TreeSet<>(Comparator.comparing(Class::getName));
  private final Deque<Class<?>> next = new ArrayDeque<>();
  private final List<Executable> calls = new ArrayList<>();

  ApiSurface() {
    List.of(Mpi.class, ThreadWorld.class, Session.class, Request.class, Datatype.class, Op.class).forEach(this::reach);
    while (!next.isEmpty()) {
      read(next.remove());
    }
    calls.sort(Comparator.comparing(Executable::toGenericString));
  }

  List<Executable> calls() {
    return calls;
  }

  Set<Class<?>> types() {
    return types;
  }

  private void read(Class<?> type) {
    List<Executable> own = new ArrayList<>();
    if (!EXCLUDED.contains(type.getSimpleName() + ".<init>")) {
      own.addAll(Arrays.asList(type.getConstructors()));
    }
    for (Method m : type.getMethods()) {
      boolean ofEnum = type.isEnum() && m.getName().equals("valueOf");
      boolean mine = !m.isSynthetic() && !ofEnum && m.getDeclaringClass().getName().startsWith("org.ffmpi.")
          && (m.getDeclaringClass() == type || !types.contains(m.getDeclaringClass()));
      if (mine && !EXCLUDED.contains(type.getSimpleName() + "." + m.getName())) {
        own.add(m);
      }
    }
    for (Executable e : own) {
      if (!Modifier.isPublic(e.getDeclaringClass().getModifiers()) && e instanceof Constructor<?>) {
        continue;
      }
      if (calls.contains(e) || Modifier.isAbstract(type.getModifiers()) && e instanceof Constructor<?>) {
        continue;
      }
      calls.add(e);
      for (Type parameter : e.getGenericParameterTypes()) {
        reach(parameter);
      }
      if (e instanceof Method m) {
        reach(m.getGenericReturnType());
      }
    }
    for (Class<?> above : type.getInterfaces()) {
      reach(above);
    }
    for (Class<?> inside : type.getClasses()) {
      reach(inside);
    }
  }

  private void reach(Type type) {
    switch (type) {
      case Class<?> c when c.isArray() -> reach(c.getComponentType());
      case Class<?> c -> {
        if (PACKAGES.contains(c.getPackageName()) && !c.isPrimitive() && !c.isAnnotation()
            && Modifier.isPublic(c.getModifiers()) && types.add(c)) {
          next.add(c);
        }
      }
      case ParameterizedType p -> {
        reach(p.getRawType());
        Arrays.stream(p.getActualTypeArguments()).forEach(this::reach);
      }
      case GenericArrayType a -> reach(a.getGenericComponentType());
      case WildcardType w -> Arrays.stream(w.getUpperBounds()).forEach(this::reach);
      case TypeVariable<?> v -> {
        for (Type bound : v.getBounds()) {
          if (bound instanceof Class<?>) {
            reach(bound);
          }
        }
      }
      default -> { }
    }
  }
}
