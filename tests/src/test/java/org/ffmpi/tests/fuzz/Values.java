// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * Arguments of random calls: values at the edges, null, objects that earlier calls have returned, and callbacks. One
 * rank's; the same seed and the same results of calls give the same values.
 */
final class Values {
  /** Objects that are kept; a new one takes a random place when there are so many. */
  private static final int KEPT = 160;

  private static final int[] INTS = {
    0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 31, 64, 100, 1000, -1, -2, -3, -7, 1 << 20, 1 << 30, 1 << 28,
    Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Constants.ANY_SOURCE, Constants.ANY_TAG,
    Constants.PROC_NULL, Constants.ROOT, Constants.UNDEFINED,
  };
  private static final long[] LONGS = {
    0, 0, 1, 1, 2, 3, 4, 8, 24, 64, 100, 4096, 20_000, -1, -8, 1L << 31, (1L << 31) - 1, 1L << 32, 1L << 40, 1L << 61,
    1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 7, -(1L << 40), 1L << 33 | 8,
  };
  private static final String[] STRINGS = {
    "", "a", "thread", "mpi_memory_alloc_kinds", "host", "mpi://WORLD", "mpi://SELF", "external32", "native",
    "MPI_COMM_WORLD", "ffmpi.ring.slots", "mpi_assert_no_any_tag", "true", "false", "-1", "99999999999999999999",
    "x".repeat(300), "\u0000", "ü\ud83d\ude00", "%s%n", "mpi_hw_resource_type", "L2Cache",
  };

  private RandomGenerator random;
  private final List<Object> kept = new ArrayList<>();

  Values(RandomGenerator random) {
    this.random = random;
  }

  /** Draws from another source from now on. */
  void draw(RandomGenerator source) {
    random = source;
  }

  void keep(Object value) {
    Object plain = value instanceof Optional<?> o ? o.orElse(null) : value;
    if (plain == null || plain instanceof Number || plain instanceof String || plain instanceof Boolean) {
      return;
    }
    if (kept.size() < KEPT) {
      kept.add(plain);
    } else {
      kept.set(16 + random.nextInt(KEPT - 16), plain); // the first ones stay: the rank's environment
    }
  }

  /** Returns a kept object of a type; null when there is none. */
  Object kept(Class<?> type) {
    int at = kept.isEmpty() ? 0 : random.nextInt(kept.size());
    for (int i = 0; i < kept.size(); i++) {
      Object object = kept.get((at + i) % kept.size());
      if (type.isInstance(object)) {
        return object;
      }
    }
    return null;
  }

  int small() {
    return random.nextInt(6);
  }

  /** Makes a value of a type. */
  Object of(Type type, int depth) {
    return switch (type) {
      case Class<?> c -> ofClass(c, Object.class, depth);
      case ParameterizedType p ->
        ofClass((Class<?>) p.getRawType(), p.getActualTypeArguments()[p.getActualTypeArguments().length - 1], depth);
      case GenericArrayType a -> array(rawOf(a.getGenericComponentType()), a.getGenericComponentType(), depth);
      case WildcardType w -> of(w.getUpperBounds()[0], depth);
      case TypeVariable<?> v -> random.nextInt(3) == 0 ? of(v.getBounds()[0], depth) : anything(rawOf(v), depth);
      default -> null;
    };
  }

  private static Class<?> rawOf(Type type) {
    return switch (type) {
      case Class<?> c -> c;
      case ParameterizedType p -> (Class<?>) p.getRawType();
      case WildcardType w -> rawOf(w.getUpperBounds()[0]);
      case TypeVariable<?> v -> rawOf(v.getBounds()[0]);
      default -> Object.class;
    };
  }

  private Object ofClass(Class<?> c, Type argument, int depth) {
    if (c.isPrimitive()) {
      return primitive(c);
    }
    if (random.nextInt(24) == 0 || depth > 4) {
      return null;
    }
    if (c == Buf.class && random.nextInt(2) == 0) {
      return buf();
    }
    if (c.getName().startsWith("org.ffmpi.") && random.nextInt(12) != 0) {
      Object found = kept(c);
      if (found != null) {
        return found;
      }
    }
    if (c.isEnum()) {
      Object[] constants = c.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    if (c.isArray()) {
      return array(c.getComponentType(), c.getComponentType(), depth);
    }
    if (c == Object.class || c == Number.class || c == Comparable.class) {
      return anything(c, depth);
    }
    Object made = known(c, argument, depth);
    if (made != null) {
      return made;
    }
    if (c.isInterface() && !c.isSealed() && !c.getName().startsWith("java.lang.foreign")) {
      return callback(c);
    }
    return kept(c);
  }

  private Object primitive(Class<?> c) {
    if (c == boolean.class) {
      return random.nextBoolean();
    } else if (c == int.class) {
      return integer();
    } else if (c == long.class) {
      return random.nextInt(3) == 0 ? (long) integer() : LONGS[random.nextInt(LONGS.length)];
    } else if (c == byte.class) {
      return (byte) integer();
    } else if (c == short.class) {
      return (short) integer();
    } else if (c == char.class) {
      return (char) integer();
    } else if (c == float.class) {
      return (float) integer();
    }
    return random.nextInt(4) == 0 ? Double.NaN : (double) integer();
  }

  private int integer() {
    return switch (random.nextInt(16)) {
      case 0 -> random.nextInt();
      case 1, 2, 3, 4, 5 -> INTS[random.nextInt(INTS.length)];
      default -> random.nextInt(5);
    };
  }

  private Object known(Class<?> c, Type argument, int depth) {
    if (c == String.class || c == CharSequence.class) {
      return STRINGS[random.nextInt(STRINGS.length)];
    } else if (c == Integer.class) {
      return integer();
    } else if (c == Long.class) {
      return LONGS[random.nextInt(LONGS.length)];
    } else if (c == Boolean.class) {
      return random.nextBoolean();
    } else if (c == MemorySegment.class) {
      return memory();
    } else if (c == Arena.class) {
      return arena();
    } else if (c == Duration.class) {
      return Duration.ofMillis(random.nextInt(4) - 1);
    } else if (Buffer.class.isAssignableFrom(c)) {
      return buffer(c);
    } else if (c == ByteOrder.class) {
      return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    } else if (List.class.isAssignableFrom(c) || c == Collection.class || c == Iterable.class) {
      return list(argument, depth);
    } else if (c == Map.class) {
      Map<Object, Object> map = new HashMap<>();
      for (int n = random.nextInt(3); n > 0; n--) {
        map.put(of(String.class, depth + 1), of(argument, depth + 1));
      }
      return map;
    } else if (c == Class.class) {
      Class<?>[] some = {int.class, Integer.class, String.class, Duration.class, double[].class, Mpiless.class, null};
      return some[random.nextInt(some.length)];
    } else if (MemoryLayout.class.isAssignableFrom(c)) {
      MemoryLayout[] some = {
        ValueLayout.JAVA_INT, ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_LONG_UNALIGNED, ValueLayout.ADDRESS,
        MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("i"), ValueLayout.JAVA_INT),
        MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_SHORT), MemoryLayout.paddingLayout(8)};
      MemoryLayout chosen = some[random.nextInt(some.length)];
      return c.isInstance(chosen) ? chosen : null;
    } else if (c == Executor.class) {
      return (Executor) Runnable::run;
    } else if (c == Throwable.class || c == Exception.class || c == RuntimeException.class) {
      return new FuzzThrown();
    }
    return null;
  }

  /** A record that is no element of any datatype. */
  record Mpiless(String name, int[] values) {}

  private Object anything(Class<?> bound, int depth) {
    Object chosen = switch (random.nextInt(10)) {
      case 0 -> memory();
      case 1 -> STRINGS[random.nextInt(STRINGS.length)];
      case 2 -> integer();
      case 3 -> array(int.class, int.class, depth);
      case 4 -> array(double.class, double.class, depth);
      case 5 -> array(byte.class, byte.class, depth);
      case 6 -> new Object();
      case 7 -> new Mpiless("x", new int[1]);
      default -> kept(Object.class);
    };
    return bound.isInstance(chosen) ? chosen : null;
  }

  private Object array(Class<?> component, Type generic, int depth) {
    int length = switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> component.isPrimitive() ? 5000 : 1;
      case 2 -> component.isPrimitive() ? 20_000 : 2;
      default -> 1 + random.nextInt(8);
    };
    Object array = Array.newInstance(component, length);
    for (int i = 0; i < Math.min(length, 24); i++) {
      Object value = component.isPrimitive() ? primitive(component) : of(generic, depth + 1);
      if (component.isPrimitive() || value == null || component.isInstance(value)) {
        Array.set(array, i, value);
      }
    }
    return array;
  }

  private List<Object> list(Type argument, int depth) {
    List<Object> list = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      list.add(of(argument, depth + 1));
    }
    return switch (random.nextInt(4)) {
      case 0 -> Collections.unmodifiableList(list);
      case 1 -> Arrays.asList(list.toArray());
      default -> list;
    };
  }

  private Buf<?> buf() {
    return switch (random.nextInt(8)) {
      case 0 -> Buf.of(new int[random.nextInt(9)]);
      case 1 -> Buf.of(new double[random.nextInt(20) * 300]);
      case 2 -> Buf.of(new byte[random.nextInt(3) * 40_000]);
      case 3 -> Buf.of(Arena.ofAuto().allocate(64, 8), 8, Datatype.DOUBLE);
      case 4 -> Buf.of(Arena.ofAuto().allocate(40_000, 8), 10_000, Datatype.INT32_T);
      default -> Buf.of(new int[] {1, 2, 3, 4});
    };
  }

  private MemorySegment memory() {
    return switch (random.nextInt(9)) {
      case 0 -> MemorySegment.NULL;
      case 1 -> MemorySegment.ofArray(new int[16]);
      case 2 -> MemorySegment.ofArray(new byte[40_000]).asReadOnly();
      case 3 -> Arena.ofAuto().allocate(0);
      case 4 -> {
        Arena arena = Arena.ofConfined();
        MemorySegment memory = arena.allocate(64, 8);
        arena.close();
        yield memory;
      }
      case 5 -> Arena.ofAuto().allocate(256, 8).asReadOnly();
      case 6 -> Arena.ofAuto().allocate(256, 8).asSlice(3);
      default -> Arena.ofAuto().allocate(4096, 8);
    };
  }

  private Arena arena() {
    return switch (random.nextInt(4)) {
      case 0 -> Arena.global();
      case 1 -> Arena.ofConfined();
      case 2 -> {
        Arena arena = Arena.ofShared();
        arena.close();
        yield arena;
      }
      default -> Arena.ofAuto();
    };
  }

  private Object buffer(Class<?> c) {
    ByteBuffer bytes = random.nextBoolean() ? ByteBuffer.allocate(64) : ByteBuffer.allocateDirect(64);
    Object[] some = {
      bytes, bytes.asReadOnlyBuffer(), bytes.asIntBuffer(), bytes.asDoubleBuffer(), bytes.asLongBuffer(),
      bytes.asShortBuffer(), bytes.asCharBuffer(), bytes.asFloatBuffer(), bytes.order(ByteOrder.LITTLE_ENDIAN)};
    int at = random.nextInt(some.length);
    for (int i = 0; i < some.length; i++) {
      if (c.isInstance(some[(at + i) % some.length])) {
        return some[(at + i) % some.length];
      }
    }
    return null;
  }

  /** A callback that returns what it likes, null included, or throws. */
  private Object callback(Class<?> c) {
    if (!Modifier.isPublic(c.getModifiers())) {
      return null;
    }
    int mood = random.nextInt(8);
    long seed = random.nextLong();
    InvocationHandler handler = (proxy, method, arguments) -> {
      if (method.getDeclaringClass() == Object.class) {
        return switch (method.getName()) {
          case "equals" -> proxy == arguments[0];
          case "hashCode" -> System.identityHashCode(proxy);
          default -> "callback " + c.getSimpleName();
        };
      }
      if (mood == 0) {
        throw new FuzzThrown();
      }
      return answer(method, arguments, seed + mood);
    };
    return Proxy.newProxyInstance(c.getClassLoader() == null ? Values.class.getClassLoader() : c.getClassLoader(),
        new Class<?>[] {c}, handler);
  }

  /** What a callback returns must not depend on the thread that calls it, which may be another rank's. */
  private static Object answer(Method method, Object[] arguments, long seed) {
    Class<?> type = method.getReturnType();
    if (type == void.class) {
      return null;
    } else if (type == boolean.class) {
      return (seed & 1) == 0;
    } else if (type == int.class) {
      return (int) (seed & 3);
    } else if (type == long.class) {
      return seed & 3;
    } else if (type == double.class) {
      return 1.0;
    } else if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    for (int i = 0; arguments != null && i < arguments.length; i++) {
      if (type.isInstance(arguments[i]) && (seed & 7) != 0) {
        return arguments[i];
      }
    }
    return null;
  }
}
