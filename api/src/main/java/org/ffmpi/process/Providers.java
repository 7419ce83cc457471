// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.lang.ref.SoftReference;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.EngineProvider;
import org.ffmpi.spi.RunSettings;

/**
 * Finds engines and collectives by name, if a setting names them, or by {@link ServiceLoader}. The result is cached per
 * class loader, since several applications in a JVM may share this library, each with engines of its own; softly, so
 * that no class loader is kept alive.
 */
public final class Providers {
  private record Found(List<EngineProvider> engines, List<Collectives> collectives) {}

  private static final Map<ClassLoader, SoftReference<Found>> CACHE = new WeakHashMap<>();

  private Providers() {}

  /**
   * Returns the loader to search with: the calling thread's, which sees an application's class path, or this library's.
   */
  public static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Providers.class.getClassLoader();
  }

  /**
   * Applies a function to the best engine: the one that the setting names, otherwise that of the highest priority which
   * does not refuse with ERR_UNSUPPORTED_OPERATION.
   */
  public static <R> R withEngine(ClassLoader loader, Settings settings, Function<EngineProvider, R> use) {
    String wanted = RunSettings.ENGINE.get(settings);
    EngineProvider named = named(EngineProvider.class, loader, settings);
    if (named != null && (wanted.equals(RunSettings.ANY_ENGINE) || wanted.equals(named.name()))) {
      try {
        return use.apply(named);
      } catch (MpiException e) {
        if (e.errorClass() != ErrorClass.ERR_UNSUPPORTED_OPERATION) {
          throw e;
        }
      }
    }
    List<EngineProvider> engines = find(loader).engines();
    List<EngineProvider> candidates =
        engines.stream().filter(e -> wanted.equals(RunSettings.ANY_ENGINE) || wanted.equals(e.name())).toList();
    if (candidates.isEmpty()) {
      throw engines.isEmpty()
          ? missing("engine", "org.ffmpi.shm")
          : MpiException.argument(ErrorClass.ERR_ARG, RunSettings.ENGINE.name(), wanted,
              engines.stream().map(EngineProvider::name).collect(Collectors.joining(", ")));
    }
    List<MpiException> refusals = new ArrayList<>();
    for (EngineProvider candidate : candidates) {
      try {
        return use.apply(candidate);
      } catch (MpiException e) {
        if (e.errorClass() != ErrorClass.ERR_UNSUPPORTED_OPERATION) {
          throw e;
        }
        refusals.add(e);
      }
    }
    MpiException none = refusals.removeFirst();
    refusals.forEach(none::addSuppressed);
    throw none;
  }

  /** Returns the collectives of a rank, under the layers that its settings ask for. */
  public static Collectives collectives(ClassLoader loader, Settings settings, Engine engine) {
    return layered(collectives(loader, settings), engine);
  }

  private static Collectives collectives(ClassLoader loader, Settings settings) {
    Collectives named = named(Collectives.class, loader, settings);
    if (named != null) {
      return named;
    }
    List<Collectives> found = find(loader).collectives();
    if (found.isEmpty()) {
      throw missing("collectives", "org.ffmpi.collectives");
    }
    return found.getFirst();
  }

  /** Puts the layers that the settings ask for over the engine of a rank; usually it stays as it is. */
  public static Engine layered(Engine engine) {
    Settings settings = engine.settings();
    Engine top = engine;
    if (RunSettings.wantsLayers(settings)) {
      for (EngineLayer layer : layers(settings)) {
        top = layer.over(top);
      }
    }
    return top;
  }

  private static Collectives layered(Collectives collectives, Engine engine) {
    Settings settings = engine.settings();
    Collectives top = collectives;
    if (RunSettings.wantsLayers(settings)) {
      for (EngineLayer layer : layers(settings)) {
        top = layer.over(top, engine);
      }
    }
    return top;
  }

  /** Returns the wanted layers, the lowest first. */
  private static List<EngineLayer> layers(Settings settings) {
    return load(EngineLayer.class, Providers.class.getClassLoader()).stream()
        .filter(layer -> layer.isWanted(settings))
        .sorted(Comparator.comparingInt(EngineLayer::height))
        .toList();
  }

  /** Returns the provider of a family of operations, a module that belongs to this library. */
  public static <S> S family(Class<S> port, String module) {
    List<S> found = load(port, Providers.class.getClassLoader());
    if (found.isEmpty()) {
      throw missing(port.getSimpleName(), module);
    }
    return found.getFirst();
  }

  /** Describes where the provider of a port has to be. */
  private static MpiException missing(String what, String module) {
    CodeSource source = Providers.class.getProtectionDomain().getCodeSource();
    boolean image = source != null && source.getLocation().getProtocol().equals("jrt");
    return new MpiException(
        ErrorClass.ERR_OTHER,
        "no " + what + " found: "
            + (image
                ? "make the run-time image with jlink --add-modules " + module
                : "put ffmpi.jar on the class path or module path"));
  }

  /** Returns a port's provider by its class's name; null when none is named, or the class cannot be loaded. */
  private static <S> S named(Class<S> port, ClassLoader loader, Settings settings) {
    String names = RunSettings.PROVIDERS.get(settings);
    if (names.isEmpty()) {
      return null;
    }
    try {
      for (String name : names.split(",")) {
        Class<?> type = Class.forName(name, true, loader);
        if (port.isAssignableFrom(type)) {
          return port.cast(type.getDeclaredConstructor().newInstance());
        }
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      // Another class path than the launcher's: the services are found as usual.
    }
    return null;
  }

  private static Found find(ClassLoader loader) {
    synchronized (CACHE) {
      SoftReference<Found> cached = CACHE.get(loader);
      Found found = cached == null ? null : cached.get();
      if (found == null) {
        found = new Found(
            load(EngineProvider.class, loader).stream()
                .sorted(Comparator.comparingInt(EngineProvider::priority).reversed())
                .toList(),
            load(Collectives.class, loader));
        CACHE.put(loader, new SoftReference<>(found));
      }
      return found;
    }
  }

  /** Loads through the given loader and, when that sees nothing, through this library's own. */
  private static <S> List<S> load(Class<S> port, ClassLoader loader) {
    List<S> found = ServiceLoader.load(port, loader).stream().map(ServiceLoader.Provider::get).toList();
    ClassLoader own = Providers.class.getClassLoader();
    return found.isEmpty() && loader != own
        ? ServiceLoader.load(port, own).stream().map(ServiceLoader.Provider::get).toList()
        : found;
  }
}
