// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.Map;
import org.ffmpi.Info;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The hints of a communicator, by which a program promises not to use some features (MPI-4.1 §7.4.4).
 *
 * @param noAnySource no receive and no probe is from any source
 * @param noAnyTag no receive and no probe is for any tag
 * @param exactLength messages are as long as the buffers that receive them
 * @param allowOvertaking messages may be received in another order than that in which they were sent
 * @param strictOrder persistent collectives are started in the same order at all ranks
 * @param memoryKinds kinds of memory of buffers; null when unspecified
 */
public record CommHints(
    boolean noAnySource, boolean noAnyTag, boolean exactLength, boolean allowOvertaking, boolean strictOrder,
    String memoryKinds) {
  public static final CommHints NONE = new CommHints(false, false, false, false, false, null);

  private static final String NO_ANY_SOURCE = "mpi_assert_no_any_source";
  private static final String NO_ANY_TAG = "mpi_assert_no_any_tag";
  private static final String EXACT_LENGTH = "mpi_assert_exact_length";
  private static final String ALLOW_OVERTAKING = "mpi_assert_allow_overtaking";
  private static final String STRICT_ORDER = "mpi_assert_strict_persistent_collective_ordering";
  private static final String ASSERT_KINDS = "mpi_assert_memory_alloc_kinds";

  /** Replaces the hints that are given; other keys are not for communicators and are ignored. */
  public CommHints with(Map<String, String> given) {
    return given.isEmpty()
        ? this
        : new CommHints(
            flag(given, NO_ANY_SOURCE, noAnySource), flag(given, NO_ANY_TAG, noAnyTag),
            flag(given, EXACT_LENGTH, exactLength), flag(given, ALLOW_OVERTAKING, allowOvertaking),
            flag(given, STRICT_ORDER, strictOrder),
            given.getOrDefault(ASSERT_KINDS, memoryKinds));
  }

  private static boolean flag(Map<String, String> given, String key, boolean before) {
    String value = given.get(key);
    if (value == null) {
      return before;
    }
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw MpiException.argument(ErrorClass.ERR_INFO_VALUE, key, value, "true and false");
    };
  }

  /**
   * Returns the hints as an info.
   *
   * @param kinds the kinds of memory that buffers may lie in
   */
  public Info toInfo(String kinds) {
    Info info = new Info()
        .set(NO_ANY_SOURCE, Boolean.toString(noAnySource))
        .set(NO_ANY_TAG, Boolean.toString(noAnyTag))
        .set(EXACT_LENGTH, Boolean.toString(exactLength))
        .set(ALLOW_OVERTAKING, Boolean.toString(allowOvertaking))
        .set(STRICT_ORDER, Boolean.toString(strictOrder))
        .set(MemoryKinds.KEY, kinds);
    return memoryKinds == null ? info : info.set(ASSERT_KINDS, memoryKinds);
  }

  /** Returns the error of a receive or probe that breaks a promise, or null. */
  public MpiException brokenBy(int source, int tag) {
    if (noAnySource && source == Constants.ANY_SOURCE) {
      return broken(ErrorClass.ERR_RANK, "source = ANY_SOURCE", NO_ANY_SOURCE);
    }
    return noAnyTag && tag == Constants.ANY_TAG ? broken(ErrorClass.ERR_TAG, "tag = ANY_TAG", NO_ANY_TAG) : null;
  }

  private static MpiException broken(ErrorClass errorClass, String what, String hint) {
    return new MpiException(errorClass, what + ": the communicator has the hint " + hint + " = true");
  }
}
