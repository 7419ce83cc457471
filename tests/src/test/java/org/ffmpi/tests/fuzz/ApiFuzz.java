// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.ffmpi.Buf;
import org.ffmpi.Grequest;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Session;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.Seeds;

/**
 * Random calls of everything public. An episode is a world of one to three rank threads; each rank makes some hundred
 * calls on objects that earlier calls have returned. In most episodes all ranks draw the same calls, now and then with
 * arguments of their own, so that collective calls meet each other. When no call has ended for a while, ranks may well
 * wait for what never comes; the world is aborted, and then every call has to end.
 *
 * <p>Arguments: the seed, the number of calls, and the seed of one episode that is to be run alone, if any.
 */
public final class ApiFuzz {
  private static final int CALLS_PER_RANK = 300;
  private static final long STILL_NANOS = 60_000_000;
  private static final Duration END = Duration.ofSeconds(30);
  private static final int MOST_FINDINGS = 40;

  /** Exceptions of the JDK that the documentation of these methods names. */
  private static final Map<String, Class<?>> DOCUMENTED = Map.of(
      "MpiException.<init>", NullPointerException.class, "MpiException.argument", NullPointerException.class);

  private final ApiSurface surface = new ApiSurface();
  private final List<Executable> calls = surface.calls();
  private final LastCase last = LastCase.open(4);
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Map<String, String> findings = new ConcurrentHashMap<>();
  private final Map<Executable, Integer> called = new ConcurrentHashMap<>();
  private long waits;

  private ApiFuzz() {}

  /** Runs episodes until so many calls have been made. */
  public static void main(String[] args) {
    ApiFuzz fuzz = new ApiFuzz();
    long seed = Long.parseLong(args[0]);
    long cases = Long.parseLong(args[1]);
    RandomGenerator seeds = Seeds.random(seed);
    int episodes = 0;
    long start = System.nanoTime();
    if (args.length > 2) {
      fuzz.episode(Long.parseLong(args[2]));
    } else {
      while (fuzz.done.get() < cases && fuzz.findings.size() < MOST_FINDINGS) {
        fuzz.episode(seeds.nextLong());
        episodes++;
      }
    }
    System.out.printf(
        "%d calls of %d methods of %d types in %d worlds, %d refused with MpiException, %d worlds waited, %.1f s%n",
        fuzz.done.get(), fuzz.called.size(), fuzz.surface.types().size(), episodes, fuzz.refused.get(), fuzz.waits,
        (System.nanoTime() - start) * 1e-9);
    if (Boolean.getBoolean("ffmpi.fuzz.uncalled")) {
      fuzz.calls.stream().filter(c -> !fuzz.called.containsKey(c)).forEach(c -> System.out.println("never: " + c));
    }
    new TreeMap<>(fuzz.findings).values().forEach(System.out::println);
    System.out.flush();
    Runtime.getRuntime().halt(fuzz.findings.isEmpty() ? 0 : 1); // threads of findings may not end
  }

  // ---- an episode

  private void episode(long seed) {
    RandomGenerator random = Seeds.random(seed);
    int ranks = 1 + random.nextInt(3);
    boolean same = random.nextInt(4) != 0;
    Map<String, String> settings = new HashMap<>(Map.of("ffmpi.shm.limit", "24M"));
    settings.put("ffmpi.errors", random.nextInt(10) == 0 ? "fatal" : "return");
    if (random.nextInt(4) == 0) {
      settings.put("ffmpi.check", "full");
    }
    if (random.nextInt(4) == 0) {
      settings.putAll(Map.of("ffmpi.ring.slots", "2", "ffmpi.ring.bulk", "64"));
    }
    try (ThreadWorld world = ThreadWorld.start(ranks, settings, mpi -> rank(mpi, seed, same))) {
      boolean ended = Standstill.ended(world, done::get, STILL_NANOS);
      if (!ended) {
        waits++;
        world.abort("the fuzzer's world stands still");
        ended = Standstill.ended(world, END);
      }
      if (!ended) {
        found(seed, "hang", "a world that was aborted does not end", Standstill.stacks(world));
      }
    }
  }

  private void found(long seed, String kind, String call, String detail) {
    findings.putIfAbsent(kind, "FOUND " + kind + "\n  by " + call + "\n  episode " + seed
        + " (-Dffmpi.fuzz.episode=" + seed + ")\n  " + detail);
  }

  // ---- one rank

  private void rank(Mpi mpi, long seed, boolean same) {
    int me = mpi.world().rank();
    RandomGenerator random = Seeds.random(same ? seed + 1 : seed + 1 + me);
    RandomGenerator own = Seeds.random(seed + 100 + me);
    Values values = new Values(random);
    begin(mpi, values);
    for (int i = 0; i < CALLS_PER_RANK; i++) {
      long next = (same && own.nextInt(30) == 0 ? own : random).nextLong();
      call(seed, me, i, Seeds.random(next), values);
    }
  }

  /** Gives a rank something to begin with: communicators of all kinds, types, an operation, requests. */
  private static void begin(Mpi mpi, Values values) {
    IntraComm world = mpi.world();
    List<Object> objects = new ArrayList<>(List.of(mpi, world, mpi.self(), mpi.shared(), Op.SUM, Datatype.INT32_T));
    try {
      objects.add(world.dup());
      objects.add(world.group());
      if (world.size() > 1) {
        boolean low = world.rank() < world.size() / 2;
        IntraComm half = world.split(low ? 0 : 1, world.rank());
        objects.add(half.intercomm(0, world, low ? world.size() / 2 : 0, 9));
      }
      objects.add(Grequest.start(mpi, status -> { }));
      objects.add(Session.init());
      objects.add(Datatype.vector(3, 1, 2, Datatype.DOUBLE).commit());
      objects.add(Datatype.DOUBLE);
      objects.add(mpi.self().isend(new int[] {1, 2, 3}, 0, 1));
      objects.add(mpi.self().irecv(new int[3], 0, 1));
      objects.add(Buf.of(mpi.shared().allocate(64), 8, Datatype.DOUBLE));
    } catch (MpiException e) {
      // the world was aborted meanwhile
    }
    objects.forEach(values::keep);
  }

  private void call(long seed, int rank, int number, RandomGenerator random, Values values) {
    Executable call = calls.get(random.nextInt(calls.size()));
    if (isRare(call) && random.nextInt(30) != 0) {
      return;
    }
    values.draw(random);
    Object receiver = null;
    if (call instanceof Method m && !Modifier.isStatic(m.getModifiers())) {
      receiver = values.kept(m.getDeclaringClass());
      if (receiver == null) {
        return;
      }
    }
    Type[] parameters = call.getGenericParameterTypes();
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = values.of(parameters[i], 0);
      Class<?> type = call.getParameterTypes()[i];
      if (arguments[i] != null && !type.isPrimitive() && !type.isInstance(arguments[i])) {
        arguments[i] = null;
      }
      if (makesWorld(call) && type == int.class && (int) arguments[i] > 4 && (int) arguments[i] < 1 << 28) {
        arguments[i] = 3; // so many threads would be made
      }
    }
    last.set(rank, "episode " + seed + ", call " + number + ": " + name(call));
    try {
      Object result = call instanceof Constructor<?> c ? c.newInstance(arguments)
          : ((Method) call).invoke(receiver, arguments);
      values.keep(result);
    } catch (InvocationTargetException e) {
      judge(seed, rank, number, call, receiver, arguments, e.getCause());
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new AssertionError(call.toGenericString() + " " + Arrays.toString(arguments), e);
    } finally {
      called.merge(call, 1, Integer::sum);
      done.incrementAndGet();
    }
  }

  /** Calls that end the rank's world or much of what later calls need, and those that mostly wait. */
  private static boolean isRare(Executable call) {
    if (call.getName().startsWith("recv")) {
      return true;
    }
    return switch (call.getName()) {
      case "abort", "close", "disconnect", "free", "await", "detachBuffer", "flushBuffer" -> true;
      case "probe", "mprobe", "ssend", "waitFor", "waitAll", "waitAny", "waitSome", "sendrecv" -> true;
      default -> false;
    };
  }

  private static boolean makesWorld(Executable call) {
    return call.getName().equals("runThreads")
        || call.getName().equals("start") && call.getDeclaringClass() == ThreadWorld.class;
  }

  private void judge(
      long seed, int rank, int number, Executable call, Object receiver, Object[] arguments, Throwable thrown) {
    if (thrown instanceof MpiException) {
      refused.incrementAndGet();
      return;
    }
    if (isOwn(thrown) || isDeclared(call, thrown)
        || DOCUMENTED.getOrDefault(name(call), FuzzThrown.class).isInstance(thrown)) {
      return;
    }
    StackTraceElement[] stack = thrown.getStackTrace();
    String top = Arrays.stream(stack).filter(f -> f.getClassName().startsWith("org.ffmpi.")).findFirst()
        .map(f -> f.getClassName() + "." + f.getMethodName()).orElse("?");
    String kind = thrown.getClass().getSimpleName() + " in " + top;
    if (!findings.containsKey(kind)) {
      found(seed, kind, call.toGenericString() + "\n  of " + shown(receiver) + "\n  with "
          + Arrays.stream(arguments).map(ApiFuzz::shown).collect(Collectors.joining(", "))
          + "\n  rank " + rank + ", call " + number,
          thrown + "\n    " + Standstill.frames(stack, 14));
    }
  }

  /** Whether the method says that it throws this: what a codec reads may end too early. */
  private static boolean isDeclared(Executable call, Throwable thrown) {
    return thrown instanceof IOException && List.of(call.getExceptionTypes()).contains(IOException.class);
  }

  /** Whether this comes from a callback of the fuzzer, perhaps as the cause of what the library made of it. */
  private static boolean isOwn(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof FuzzThrown) {
        return true;
      }
    }
    return false;
  }

  private static String name(Executable call) {
    return call.getDeclaringClass().getSimpleName() + "." + (call instanceof Method ? call.getName() : "<init>");
  }

  private static String shown(Object value) {
    try {
      String text = switch (value) {
        case null -> "null";
        case int[] a -> "int" + (a.length > 30 ? "[" + a.length + "]" : Arrays.toString(a));
        case long[] a -> "long" + (a.length > 30 ? "[" + a.length + "]" : Arrays.toString(a));
        case Object[] a ->
            a.getClass().getComponentType().getSimpleName() + Arrays.stream(a).map(ApiFuzz::shown).toList();
        default -> value.getClass().isArray()
            ? value.getClass().getComponentType() + "[" + Array.getLength(value) + "]"
            : value.getClass().getSimpleName() + " " + value;
      };
      return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    } catch (RuntimeException e) {
      return value.getClass() + " whose toString throws " + e;
    }
  }
}
