// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Providers;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.RankThreads;
import org.ffmpi.process.World;
import org.ffmpi.spi.RunSettings;

/** Starts threads as the ranks of a new world in this JVM. They run classes with a main method, or bodies. */
public final class ThreadStarter implements Starter {
  private final World parent;
  private final int universe;
  private final AtomicInteger living;
  private volatile String failure;
  private volatile boolean settled;

  /** Prepares the start. */
  public ThreadStarter(World parent) {
    this.parent = parent;
    this.universe = ConnectSettings.UNIVERSE.get(parent.settings());
    Living known = parent.companion(Living.class);
    this.living = (known != null ? known : parent.companion(Living.class, new Living(new AtomicInteger()))).threads;
  }

  /** The threads that a rank has spawned and that have not ended. */
  private record Living(AtomicInteger threads) {}

  @Override
  public int slots() {
    return universe == 0 ? Integer.MAX_VALUE : Math.max(0, universe - parent.engine().peers() - living.get());
  }

  @Override
  public void start(SpawnRequest request) {
    Map<String, String> settings = new HashMap<>(parent.settings().toPassOn());
    request.commands().forEach(command -> settings.putAll(command.settings()));
    settings.put(RunSettings.PARENT.name(), request.parents());
    List<RankThreads.Body> parts = new ArrayList<>();
    for (int number = 0; number < request.commands().size(); number++) {
      RankThreads.Body part = part(request.commands().get(number), number);
      for (int i = 0; i < request.commands().get(number).processes(); i++) {
        parts.add(part);
      }
    }
    RankThreads threads = RankThreads.start(parts.size(), settings, world -> parts.get(world.rank()).run(world));
    living.addAndGet(parts.size());
    Thread.ofPlatform().daemon().name("ffmpi-spawned").start(() -> watch(threads, parts.size()));
  }

  private void watch(RankThreads threads, int number) {
    try {
      threads.await();
      failure = "the new ranks have ended before all of them had initialized MPI";
    } catch (RuntimeException | Error e) {
      failure = e.toString();
      if (settled) {
        System.err.println("ffmpi: a spawned rank has failed: " + e);
      }
    } finally {
      living.addAndGet(-number);
    }
  }

  private static RankThreads.Body part(SpawnImpl command, int number) {
    SpawnImpl.Program program = switch (command.kind()) {
      case BODY -> command.body();
      case CLASS -> main(command);
      default -> throw new MpiException(
          ErrorClass.ERR_SPAWN, "ranks in threads can spawn classes and bodies only, not " + command.target());
    };
    return world -> {
      world.setProgram(number);
      RankEnvironment.prepare(world);
      try {
        program.run();
        if (world.isOpen()) {
          throw new MpiException(ErrorClass.ERR_OTHER, command.target() + " has returned without finalizing MPI");
        }
        world.membership().endAll();
      } catch (InvocationTargetException e) {
        throw ended(world, e.getCause());
      } catch (Exception | Error e) {
        throw ended(world, e);
      } finally {
        RankEnvironment.setOfThread(null);
        RankEnvironment.prepare(null);
      }
    };
  }

  /** Ends the world because of an exception, which is returned. */
  private static Throwable ended(World world, Throwable failure) {
    world.membership().endByBody(failure);
    world.membership().endAll();
    return failure;
  }

  private static SpawnImpl.Program main(SpawnImpl command) {
    try {
      Method main = Class.forName(command.target(), true, Providers.loader()).getMethod("main", String[].class);
      if (!Modifier.isStatic(main.getModifiers())) {
        throw new NoSuchMethodException(command.target() + ".main is not static");
      }
      main.setAccessible(true);
      String[] arguments = command.arguments().toArray(String[]::new);
      return () -> main.invoke(null, (Object) arguments.clone());
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "the class " + command.target() + " cannot be run: " + e, e);
    }
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void settled() {
    settled = true;
  }

  @Override
  public void close() {}
}
