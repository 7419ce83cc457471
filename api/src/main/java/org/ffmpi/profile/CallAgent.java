// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * The agent that reports calls to listeners, by {@code -javaagent:ffmpi.jar} or
 * {@code -javaagent:ffmpi.jar=org.example.First,org.example.Second}. The names are classes that implement {@link
 * org.ffmpi.CallListener} and have a constructor without parameters.
 */
public final class CallAgent {
  /** Stands for no listener: the program installs its own. */
  static final String ON = "on";

  private static boolean started;

  private CallAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @param options names separated by commas, or null
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(String options, Instrumentation instrumentation) {
    try {
      if (!started) {
        refuseIfLate(instrumentation);
        instrumentation.addTransformer(new Transformer());
        started = true;
      }
      for (String name : (options == null ? "" : options).split(",")) {
        String word = name.strip();
        if (!word.isEmpty() && !word.equals(ON)) {
          NamedListeners.install(word, instrumentation);
        }
      }
    } catch (Refusal e) {
      System.err.println("ffmpi: --profile: " + e.getMessage());
      if (e.getCause() != null) {
        e.getCause().printStackTrace();
      }
      System.exit(1); // a throw would have the JVM end itself by a signal
    }
  }

  private static void refuseIfLate(Instrumentation instrumentation) throws Refusal {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (CallRewriter.isOurs(loaded.getName().replace('.', '/'))) {
        throw new Refusal(
            loaded.getName() + " was loaded before the agent was started: its -javaagent has to come before others",
            null);
      }
    }
  }

  /** Rewrites classes as they are loaded. */
  private static final class Transformer implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
      if (name == null || redefined != null || !CallRewriter.isOurs(name)) {
        return null;
      }
      try {
        return CallRewriter.rewritten(name, bytes);
      } catch (RuntimeException | Error e) {
        // The JVM would drop it silently.
        System.err.println("ffmpi: --profile: the calls of " + name.replace('/', '.') + " cannot be seen: " + e);
        return null;
      }
    }
  }
}
