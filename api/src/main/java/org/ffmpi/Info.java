// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.Standard;
import org.ffmpi.process.ProcessFacts;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.ThreadSettings;
import org.ffmpi.spi.ProgramFacts;
import org.ffmpi.spi.RunSettings;

/**
 * Pairs of a key and a value, both texts, in the order in which the keys were first set ({@code MPI_Info}, MPI-4.1
 * chapter 10). Calls take them for hints and further wishes; where one takes an info, null stands for
 * {@code MPI_INFO_NULL}.
 *
 * {@snippet :
 * try (Info info = new Info().set("mpi_assert_no_any_tag", "true"); IntraComm ordered = world.dup(info)) {
 *   ordered.info().get("mpi_assert_no_any_tag");   // Optional[true]
 * }
 * }
 *
 * <p>Everything here is local and may be called by any thread at any time, also before MPI is initialized and after it
 * has been finalized. An info belongs to no communicator: errors are thrown, and go to no error handler. Calls that are
 * given an info copy what they need; what happens to it afterwards does not matter to them.
 */
@Standard({"MPI_Info"})
public final class Info implements AutoCloseable {
  private final LinkedHashMap<String, String> values = new LinkedHashMap<>();
  private boolean closed;

  /** Creates an info without keys ({@code MPI_Info_create}, MPI-4.1 §10). */
  @Standard({"MPI_Info_create"})
  public Info() {}

  /**
   * Returns how this program was started ({@code MPI_Info_create_env} and {@code MPI_INFO_ENV}, MPI-4.1 §10, §11.2.1).
   *
   * <table>
   * <caption>Keys</caption>
   * <tr><th>key</th><th>value</th></tr>
   * <tr><td>{@code command}</td><td>the class, jar, module or source file</td></tr>
   * <tr><td>{@code argv}</td><td>the program's arguments, separated by spaces; absent when there are none</td></tr>
   * <tr><td>{@code maxprocs}</td><td>number of ranks that run this program</td></tr>
   * <tr><td>{@code host}, {@code arch}, {@code wdir}</td><td>name and architecture of the machine, working
   * directory</td></tr>
   * <tr><td>{@code thread_level}</td><td>such as {@code MPI_THREAD_FUNNELED}, when the level was set outside the
   * program</td></tr>
   * <tr><td>{@code mpi_initial_errhandler}</td><td>such as {@code mpi_errors_return}, when it was set outside the
   * program</td></tr>
   * </table>
   *
   * <p>Without a launcher, as in a world of threads, the first three are absent.
   *
   * @return a new info, which may be changed
   */
  @Standard({"MPI_Info_create_env", "MPI_INFO_ENV"})
  public static Info env() {
    return ofRun(RankEnvironment.settings());
  }

  static Info ofRun(Settings settings) {
    Info info = new Info();
    info.putFact("command", ProgramFacts.COMMAND.get(settings));
    info.putFact("argv", ProgramFacts.ARGUMENTS.get(settings));
    if (ProgramFacts.RANKS.get(settings) > 0) {
      info.putFact("maxprocs", Integer.toString(ProgramFacts.RANKS.get(settings)));
    }
    info.putFact("host", ProcessFacts.processorName());
    info.putFact("arch", System.getProperty("os.arch"));
    info.putFact("wdir", System.getProperty("user.dir"));
    if (settings.isSet(ThreadSettings.THREAD_LEVEL)) {
      info.putFact("thread_level", "MPI_THREAD_" + ThreadSettings.THREAD_LEVEL.get(settings));
    }
    if (settings.isSet(RunSettings.ERRORS)) {
      info.putFact("mpi_initial_errhandler", switch (RunSettings.ERRORS.get(settings)) {
        case FATAL -> "mpi_errors_are_fatal";
        case ABORT -> "mpi_errors_abort";
        case RETURN -> "mpi_errors_return";
      });
    }
    return info;
  }

  /** A fact may be longer than the limit for programs; it is cut then. */
  private void putFact(String key, String value) {
    if (!value.isEmpty()) {
      values.put(
          key, value.length() < Constants.MAX_INFO_VAL ? value : value.substring(0, Constants.MAX_INFO_VAL - 1));
    }
  }

  /**
   * Adds a key, or gives it another value ({@code MPI_Info_set}). A key that was there keeps its place.
   *
   * @param key from 1 to {@code MAX_INFO_KEY} - 1 characters, upper and lower case being different
   * @param value at most {@code MAX_INFO_VAL} - 1 characters
   * @return this
   * @throws MpiException ERR_INFO_KEY when the key is null, empty or too long, ERR_INFO_VALUE when the value is null or
   *     too long, ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_set"})
  public synchronized Info set(String key, String value) {
    checkOpen();
    checkKey(key);
    if (value == null || value.length() >= Constants.MAX_INFO_VAL) {
      throw MpiException.argument(
          ErrorClass.ERR_INFO_VALUE, "value", value, "texts of less than " + Constants.MAX_INFO_VAL + " characters");
    }
    values.put(key, value);
    return this;
  }

  /**
   * Returns a key's value ({@code MPI_Info_get_string}, and {@code MPI_Info_get} and
   * {@code MPI_Info_get_valuelen}, which it replaces).
   *
   * @param key as {@link #set}
   * @return the value, or empty when the key is not there
   * @throws MpiException ERR_INFO_KEY when the key is null, empty or too long, ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_get_string", "MPI_Info_get", "MPI_Info_get_valuelen"})
  public synchronized Optional<String> get(String key) {
    checkOpen();
    checkKey(key);
    return Optional.ofNullable(values.get(key));
  }

  /**
   * Removes a key ({@code MPI_Info_delete}).
   *
   * @param key as {@link #set}
   * @throws MpiException ERR_INFO_NOKEY when the key is not there, ERR_INFO_KEY when it is null, empty or too long,
   *     ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_delete"})
  public synchronized void delete(String key) {
    checkOpen();
    checkKey(key);
    if (values.remove(key) == null) {
      throw MpiException.argument(
          ErrorClass.ERR_INFO_NOKEY, "key", key, values.isEmpty() ? "none, no key is set" : "keys that are set");
    }
  }

  /**
   * Returns how many keys there are ({@code MPI_Info_get_nkeys}).
   *
   * @return number of keys
   * @throws MpiException ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_get_nkeys"})
  public synchronized int size() {
    checkOpen();
    return values.size();
  }

  /**
   * Returns a key by its place ({@code MPI_Info_get_nthkey}).
   *
   * @param n from 0 to {@link #size} - 1
   * @return the key
   * @throws MpiException ERR_ARG when there are not so many keys, ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_get_nthkey"})
  public synchronized String key(int n) {
    checkOpen();
    if (n < 0 || n >= values.size()) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "n", n, values.isEmpty() ? "none, no key is set" : "0.." + (values.size() - 1));
    }
    int place = 0;
    for (String key : values.keySet()) {
      if (place++ == n) {
        return key;
      }
    }
    throw new AssertionError("a map with fewer keys than its size");
  }

  /**
   * Returns all keys in their order.
   *
   * @return the keys as they are now
   * @throws MpiException ERR_INFO when this info has been freed
   */
  public synchronized List<String> keys() {
    checkOpen();
    return List.copyOf(values.keySet());
  }

  /**
   * Copies this info, with the same keys in the same order ({@code MPI_Info_dup}).
   *
   * @return an independent info
   * @throws MpiException ERR_INFO when this info has been freed
   */
  @Standard({"MPI_Info_dup"})
  public Info dup() {
    Info copy = new Info();
    copy.values.putAll(entries());
    return copy;
  }

  /** Returns the pairs as they are now. */
  private synchronized Map<String, String> entries() {
    checkOpen();
    return new LinkedHashMap<>(values);
  }

  /** Frees this info ({@code MPI_Info_free}). Later calls on it are ERR_INFO; freeing it again does nothing. */
  @Standard({"MPI_Info_free"})
  @Override
  public synchronized void close() {
    closed = true;
    values.clear();
  }

  private void checkOpen() {
    if (closed) {
      throw new MpiException(ErrorClass.ERR_INFO, "info has been freed: allowed are infos that are in use");
    }
  }

  private static void checkKey(String key) {
    if (key == null || key.isEmpty() || key.length() >= Constants.MAX_INFO_KEY) {
      throw MpiException.argument(
          ErrorClass.ERR_INFO_KEY, "key", key == null ? null : '"' + key + '"',
          "texts of 1 to " + (Constants.MAX_INFO_KEY - 1) + " characters");
    }
  }

  /**
   * Describes the info for messages.
   *
   * @return keys and values
   */
  @Override
  public synchronized String toString() {
    List<String> pairs = new ArrayList<>();
    values.forEach((key, value) -> pairs.add(key + "=" + value));
    return closed ? "Info(freed)" : "Info{" + String.join(", ", pairs) + "}";
  }
}
