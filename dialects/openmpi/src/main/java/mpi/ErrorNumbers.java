// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;

/**
 * The numbers that Open MPI has for error classes. Programs print them and hand them to a shell as exit codes. Those of
 * ffmpi are other ones from {@code MPI_ERR_PENDING} on.
 */
final class ErrorNumbers {
  /** The classes that have the numbers from 0 on. */
  private static final List<ErrorClass> FIRST = List.of(
      ErrorClass.SUCCESS, ErrorClass.ERR_BUFFER, ErrorClass.ERR_COUNT, ErrorClass.ERR_TYPE, ErrorClass.ERR_TAG,
      ErrorClass.ERR_COMM, ErrorClass.ERR_RANK, ErrorClass.ERR_REQUEST, ErrorClass.ERR_ROOT, ErrorClass.ERR_GROUP,
      ErrorClass.ERR_OP, ErrorClass.ERR_TOPOLOGY, ErrorClass.ERR_DIMS, ErrorClass.ERR_ARG, ErrorClass.ERR_UNKNOWN,
      ErrorClass.ERR_TRUNCATE, ErrorClass.ERR_OTHER, ErrorClass.ERR_INTERN, ErrorClass.ERR_IN_STATUS,
      ErrorClass.ERR_PENDING, ErrorClass.ERR_ACCESS, ErrorClass.ERR_AMODE, ErrorClass.ERR_ASSERT,
      ErrorClass.ERR_BAD_FILE, ErrorClass.ERR_BASE, ErrorClass.ERR_CONVERSION, ErrorClass.ERR_DISP,
      ErrorClass.ERR_DUP_DATAREP, ErrorClass.ERR_FILE_EXISTS, ErrorClass.ERR_FILE_IN_USE, ErrorClass.ERR_FILE,
      ErrorClass.ERR_INFO_KEY, ErrorClass.ERR_INFO_NOKEY, ErrorClass.ERR_INFO_VALUE, ErrorClass.ERR_INFO,
      ErrorClass.ERR_IO, ErrorClass.ERR_KEYVAL, ErrorClass.ERR_LOCKTYPE, ErrorClass.ERR_NAME, ErrorClass.ERR_NO_MEM,
      ErrorClass.ERR_NOT_SAME, ErrorClass.ERR_NO_SPACE, ErrorClass.ERR_NO_SUCH_FILE, ErrorClass.ERR_PORT,
      ErrorClass.ERR_QUOTA, ErrorClass.ERR_READ_ONLY, ErrorClass.ERR_RMA_CONFLICT, ErrorClass.ERR_RMA_SYNC,
      ErrorClass.ERR_SERVICE, ErrorClass.ERR_SIZE, ErrorClass.ERR_SPAWN, ErrorClass.ERR_UNSUPPORTED_DATAREP,
      ErrorClass.ERR_UNSUPPORTED_OPERATION, ErrorClass.ERR_WIN);

  /** The other classes of Open MPI that ffmpi has. */
  private static final Map<ErrorClass, Integer> LATER = Map.of(
      ErrorClass.ERR_RMA_RANGE, 68,
      ErrorClass.ERR_RMA_ATTACH, 69,
      ErrorClass.ERR_RMA_FLAVOR, 70,
      ErrorClass.ERR_RMA_SHARED, 71,
      ErrorClass.ERR_PROC_ABORTED, 74,
      ErrorClass.ERR_PROC_FAILED, 75,
      ErrorClass.ERR_PROC_FAILED_PENDING, 76,
      ErrorClass.ERR_REVOKED, 77,
      ErrorClass.ERR_LASTCODE, 92);

  private static final Map<ErrorClass, Integer> NUMBERS = new EnumMap<>(LATER);
  private static final Map<Integer, ErrorClass> CLASSES = new HashMap<>();

  static {
    for (int i = 0; i < FIRST.size(); i++) {
      NUMBERS.put(FIRST.get(i), i);
    }
    NUMBERS.forEach((errorClass, number) -> CLASSES.put(number, errorClass));
  }

  private ErrorNumbers() {}

  /** Returns the number of a class; that of {@code MPI_ERR_OTHER} for one that Open MPI does not have. */
  static int of(ErrorClass errorClass) {
    return NUMBERS.getOrDefault(errorClass, FIRST.indexOf(ErrorClass.ERR_OTHER));
  }

  /** Returns the number for a code of ffmpi. */
  static int of(int code) {
    return of(ErrorClass.ofCode(code).orElse(ErrorClass.ERR_OTHER));
  }

  /** Returns ffmpi's code for a number of a program; that of {@code MPI_ERR_UNKNOWN} for a number of no class. */
  static int codeOf(int number) {
    return CLASSES.getOrDefault(number, ErrorClass.ERR_UNKNOWN).code();
  }
}
