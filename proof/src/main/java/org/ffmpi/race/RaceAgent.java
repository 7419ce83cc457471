// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agent that has the classes of a program tell of their loads and stores, with {@code mpirun --check races}. Called
 * by the JVM, before the program and in the threads that load classes; or in a program that runs already, in the thread
 * that starts a world.
 */
public final class RaceAgent {
  /** What runs tests has no part in them. */
  private static final List<String> TOOLS = List.of(
      "org/junit/", "org/opentest4j/", "org/apiguardian/", "org/apache/maven/", "org/gradle/", "com/intellij/",
      "org/eclipse/jdt/");

  private static volatile boolean loaded;

  private RaceAgent() {}

  /** Returns whether the classes of this JVM's program are rewritten. */
  static boolean isLoaded() {
    return loaded;
  }

  /**
   * Called by the JVM before {@code main}.
   *
   * @param options ignored
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer(instrumentation));
    loaded = true;
  }

  /**
   * Called by the JVM when the agent is loaded into a program that runs. Methods that run now are seen from their next
   * call on.
   *
   * @param options ignored
   * @param instrumentation the JVM's services for agents
   */
  public static void agentmain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer(instrumentation), true);
    Class<?>[] loadedBefore = Arrays.stream(instrumentation.getAllLoadedClasses())
        .filter(type -> !type.isArray() && !type.isHidden() && instrumentation.isModifiableClass(type)
            && isOfProgram(type.getClassLoader(), type.getName().replace('.', '/')))
        .toArray(Class<?>[]::new);
    if (loadedBefore.length > 0 && retransform(instrumentation, loadedBefore) != null) {
      for (Class<?> type : loadedBefore) { // one of them has spoilt it for all
        Throwable reason = retransform(instrumentation, type);
        if (reason != null) {
          sayUnseen(type.getName(), reason);
        }
      }
    }
    loaded = true;
  }

  private static Throwable retransform(Instrumentation instrumentation, Class<?>... types) {
    try {
      instrumentation.retransformClasses(types);
      return null;
    } catch (UnmodifiableClassException | LinkageError e) {
      return e;
    }
  }

  private static boolean isOfProgram(ClassLoader loader, String name) {
    return loader != null && loader != ClassLoader.getPlatformClassLoader() && !RaceRewriter.isOfLibrary(name)
        && TOOLS.stream().noneMatch(name::startsWith);
  }

  private static void sayUnseen(String name, Throwable reason) {
    System.err.println("ffmpi: --check races: the loads and stores of " + name + " cannot be seen: " + reason);
  }

  /** Rewrites classes as they are loaded, and those that have been. */
  private static final class Transformer implements ClassFileTransformer {
    private final Instrumentation instrumentation;

    Transformer(Instrumentation instrumentation) {
      this.instrumentation = instrumentation;
    }

    @Override
    public byte[] transform(
        Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
      if (name == null || !isOfProgram(loader, name)) {
        return null;
      }
      try {
        connect(module);
        return RaceRewriter.rewritten(bytes, loader);
      } catch (RuntimeException | Error e) {
        sayUnseen(name.replace('/', '.'), e); // the JVM would drop it silently
        return null;
      }
    }

    /** Lets the classes of a named module call the hook. */
    private void connect(Module module) {
      Module own = RaceAgent.class.getModule();
      if (!own.isNamed()) {
        return;
      }
      String hooks = RaceAgent.class.getPackageName();
      if (!own.isExported(hooks, module)) {
        instrumentation.redefineModule(
            own, Set.of(), Map.of(hooks, Set.of(module)), Map.of(), Set.of(), Map.of());
      }
      if (module.isNamed() && !module.canRead(own)) {
        instrumentation.redefineModule(module, Set.of(own), Map.of(), Map.of(), Set.of(), Map.of());
      }
    }
  }
}
