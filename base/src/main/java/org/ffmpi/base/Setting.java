// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * An option that a user can set. Its one name has three spellings: {@code ffmpi.ring.slots} as a system property,
 * {@code FFMPI_RING_SLOTS} in the environment, {@code --ring-slots} on the launcher's command line.
 *
 * <p>A setting is a static constant of the class that uses it; making it registers it, so that {@link #all} and the
 * launcher's help know every setting whose class has been loaded.
 *
 * {@snippet :
 * static final Setting<Integer> SLOTS =
 *     Setting.ofInt("ffmpi.ring.slots", 64, 2, 4096, Setting.Scope.JOB, "slots in each ring");
 *
 * int slots = SLOTS.get(settings);
 * }
 *
 * <p>Settings are immutable and may be used by any thread.
 *
 * @param <T> type of the value
 */
public final class Setting<T> {
  /** The processes that have to agree on a value, or that a counter counts for. */
  public enum Scope {
    /** The same for all ranks of a job. */
    JOB,
    /** May differ from rank to rank. */
    RANK,
    /** Concerns the launcher only. */
    LAUNCHER
  }

  private static final ConcurrentSkipListMap<String, Setting<?>> REGISTRY = new ConcurrentSkipListMap<>();
  private static final Pattern NAME = Pattern.compile("ffmpi(\\.[a-z0-9]+(-[a-z0-9]+)*)+");

  private final String name;
  private final T defaultValue;
  private final Scope scope;
  private final String description;
  private final String allowed;
  private final Function<String, T> parser;
  private final Function<T, String> printer;

  private Setting(
      String name,
      T defaultValue,
      Scope scope,
      String description,
      String allowed,
      Function<String, T> parser,
      Function<T, String> printer) {
    if (!NAME.matcher(name).matches()) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "name", name, "names such as ffmpi.ring.slots");
    }
    this.name = name;
    this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
    this.scope = Objects.requireNonNull(scope, "scope");
    this.description = Objects.requireNonNull(description, "description");
    this.allowed = allowed;
    this.parser = parser;
    this.printer = printer;
    parse(printer.apply(defaultValue), "the default");
    if (REGISTRY.putIfAbsent(name, this) != null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "name", name, "names that no other setting has");
    }
  }

  // ---- kinds

  /**
   * Registers a setting that is an int.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param min smallest allowed value
   * @param max largest allowed value
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<Integer> ofInt(
      String name, int defaultValue, int min, int max, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description, "whole numbers " + min + ".." + max,
        text -> (int) inRange(Long.parseLong(text), min, max), String::valueOf);
  }

  /**
   * Registers a setting that is a long.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param min smallest allowed value
   * @param max largest allowed value
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<Long> ofLong(
      String name, long defaultValue, long min, long max, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description, "whole numbers " + min + ".." + max,
        text -> inRange(Long.parseLong(text), min, max), String::valueOf);
  }

  /**
   * Registers a setting that is a number of bytes, written {@code 4096}, {@code 64K}, {@code 1M}, {@code 2G} or
   * {@code 1T}; a letter stands for a power of 1024.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param min smallest allowed value
   * @param max largest allowed value
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<Long> ofBytes(
      String name, long defaultValue, long min, long max, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description,
        "sizes " + ByteSizes.format(min) + ".." + ByteSizes.format(max) + " such as 65536, 64K or 1M",
        text -> inRange(ByteSizes.parse(text), min, max), ByteSizes::format);
  }

  /**
   * Registers a setting that is a time in microseconds.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param min smallest allowed value
   * @param max largest allowed value
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<Long> ofDurationMicros(
      String name, long defaultValue, long min, long max, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description, "times " + min + ".." + max + " in microseconds",
        text -> inRange(Long.parseLong(text), min, max), String::valueOf);
  }

  /**
   * Registers a setting that is on or off: {@code true}, {@code on}, {@code yes} or {@code 1}, or their opposites.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<Boolean> ofBoolean(String name, boolean defaultValue, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description, "true and false", Setting::parseBoolean, String::valueOf);
  }

  /**
   * Registers a setting that is one of several words.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param choices the words; upper and lower case are the same
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<String> ofChoice(
      String name, String defaultValue, List<String> choices, Scope scope, String description) {
    List<String> words = List.copyOf(choices);
    return new Setting<>(
        name, defaultValue, scope, description, String.join(", ", words),
        text -> words.stream().filter(text::equalsIgnoreCase).findFirst().orElseThrow(IllegalArgumentException::new),
        word -> word);
  }

  /**
   * Registers a setting that is one of an enum's constants, written in lower case with hyphens.
   *
   * @param <E> the enum
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static <E extends Enum<E>> Setting<E> ofChoice(
      String name, E defaultValue, Scope scope, String description) {
    List<E> constants = List.of(defaultValue.getDeclaringClass().getEnumConstants());
    return new Setting<>(
        name, defaultValue, scope, description,
        String.join(", ", constants.stream().map(Setting::word).toList()),
        text -> constants.stream().filter(c -> word(c).equalsIgnoreCase(text)).findFirst()
            .orElseThrow(IllegalArgumentException::new),
        Setting::word);
  }

  /**
   * Registers a setting that is any text.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<String> ofString(String name, String defaultValue, Scope scope, String description) {
    return new Setting<>(name, defaultValue, scope, description, "any text", text -> text, text -> text);
  }

  /**
   * Registers a setting that is a path of the file system, or empty.
   *
   * @param name its name, as a system property
   * @param defaultValue used when nothing is set
   * @param scope who has to agree on it
   * @param description one phrase for the launcher's help
   * @return the setting
   */
  public static Setting<String> ofPath(String name, String defaultValue, Scope scope, String description) {
    return new Setting<>(
        name, defaultValue, scope, description, "a path", Setting::checkedPath, text -> text);
  }

  /** Throws InvalidPathException, an IllegalArgumentException, for what can name no file: text with a NUL, for one. */
  private static String checkedPath(String text) {
    Path path = Path.of(text);
    return path.toString().isEmpty() ? "" : text;
  }

  // ---- the registry

  /**
   * Lists the settings registered so far.
   *
   * @return settings in the order of their names; a snapshot
   */
  public static Collection<Setting<?>> all() {
    return Collections.unmodifiableList(new ArrayList<>(REGISTRY.values()));
  }

  /**
   * Finds a registered setting.
   *
   * @param spelling its name, its environment variable or its flag
   * @return the setting, or empty when none registered so far is spelled so
   */
  public static Optional<Setting<?>> find(String spelling) {
    Setting<?> byName = REGISTRY.get(spelling);
    if (byName != null) {
      return Optional.of(byName);
    }
    return REGISTRY.values().stream()
        .<Setting<?>>map(setting -> setting)
        .filter(setting -> setting.flag().equals(spelling) || setting.environmentVariable().equals(spelling))
        .findFirst();
  }

  // ---- one setting

  /**
   * Returns the value that is in force.
   *
   * @param settings where to look
   * @return the value set, or the default
   * @throws MpiException ERR_ARG when the value is not allowed
   */
  public T get(Settings settings) {
    Settings.Found found = settings.find(this);
    return found == null ? defaultValue : parse(found.text(), found.origin());
  }

  /**
   * Reads a value from text.
   *
   * @param text the user's text
   * @param origin where, for the error text
   * @return the value
   * @throws MpiException ERR_ARG when it is not allowed
   */
  public T parse(String text, String origin) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new MpiException(
          ErrorClass.ERR_ARG, name + " = " + text + " (from " + origin + "): allowed are " + allowed);
    }
  }

  /**
   * Writes a value as {@link #parse} reads it.
   *
   * @param value a value
   * @return its text
   */
  public String format(T value) {
    return printer.apply(value);
  }

  /**
   * Returns the name.
   *
   * @return the name of the system property
   */
  public String name() {
    return name;
  }

  /**
   * Returns the spelling in the environment.
   *
   * @return the name of the environment variable
   */
  public String environmentVariable() {
    return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * Returns the spelling on the launcher's command line.
   *
   * @return the flag with both hyphens
   */
  public String flag() {
    return "--" + name.substring("ffmpi.".length()).replace('.', '-');
  }

  /**
   * Returns the default.
   *
   * @return the value used when nothing is set
   */
  public T defaultValue() {
    return defaultValue;
  }

  /**
   * Returns who has to agree on the value.
   *
   * @return the scope
   */
  public Scope scope() {
    return scope;
  }

  /**
   * Returns the description.
   *
   * @return one phrase
   */
  public String description() {
    return description;
  }

  /**
   * Returns what may be set.
   *
   * @return a phrase
   */
  public String allowed() {
    return allowed;
  }

  @Override
  public String toString() {
    return name;
  }

  // ---- reading

  private static long inRange(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static Boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes", "1" -> true;
      case "false", "off", "no", "0" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
