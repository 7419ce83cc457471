// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Set;
import org.ffmpi.CallListener;
import org.ffmpi.Calls;

/** Installs listeners that are named to the agent. Separate from the agent, which must load none of our classes. */
final class NamedListeners {
  /** Stands for the table that mpirun prints, for which it needs no agent. */
  private static final String SUMMARY = "summary";

  private NamedListeners() {}

  static void install(String name, Instrumentation instrumentation) throws Refusal {
    if (name.equals(SUMMARY)) {
      throw new Refusal(SUMMARY + " is for mpirun --profile; other launchers' ranks make a page with the setting"
          + " ffmpi.trace", null);
    }
    try {
      Class<?> type = Class.forName(name, true, ClassLoader.getSystemClassLoader());
      if (!CallListener.class.isAssignableFrom(type)) {
        throw new Refusal(name + " does not implement " + CallListener.class.getName(), null);
      }
      open(type, instrumentation);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Calls.install((CallListener) constructor.newInstance());
    } catch (ClassNotFoundException e) {
      throw new Refusal("there is no class " + name + ": allowed are on and names of classes on the class"
          + " path or module path that implement " + CallListener.class.getName(), null);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new Refusal(name + " is no class that can be made by a constructor without parameters", null);
    } catch (InvocationTargetException e) {
      throw new Refusal("the constructor of " + name + " threw", e.getCause());
    } catch (LinkageError e) {
      throw new Refusal(name + " cannot be loaded", e);
    }
  }

  /** Lets this module make objects of a class that its own module keeps to itself. */
  private static void open(Class<?> type, Instrumentation instrumentation) {
    Module module = type.getModule();
    if (module.isNamed()) {
      Set<Module> us = Set.of(NamedListeners.class.getModule());
      instrumentation.redefineModule(
          module, Set.of(), Map.of(), Map.of(type.getPackageName(), us), Set.of(), Map.of());
    }
  }
}
