// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;

/**
 * The agent that has the classes of a program tell of their loads and stores, with {@code mpirun --check races}. Called
 * by the JVM, before the program and in the threads that load classes.
 */
public final class RaceAgent {
  private RaceAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @param options ignored
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer(instrumentation));
  }

  /** Rewrites classes as they are loaded. */
  private static final class Transformer implements ClassFileTransformer {
    private final Instrumentation instrumentation;

    Transformer(Instrumentation instrumentation) {
      this.instrumentation = instrumentation;
    }

    @Override
    public byte[] transform(
        Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
      if (name == null || redefined != null || loader == null || loader == ClassLoader.getPlatformClassLoader()
          || RaceRewriter.isOfLibrary(name)) {
        return null;
      }
      try {
        connect(module);
        return RaceRewriter.rewritten(bytes, loader);
      } catch (RuntimeException | Error e) {
        // The JVM would drop it silently.
        System.err.println(
            "ffmpi: --check races: the loads and stores of " + name.replace('/', '.') + " cannot be seen: " + e);
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
