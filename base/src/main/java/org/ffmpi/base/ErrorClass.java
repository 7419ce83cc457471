// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The error classes of MPI, with the values of the MPI-5 ABI; those of the tool interface begin with {@code T_}. */
public enum ErrorClass {
  /** No error. */
  SUCCESS(0, "no error"),

  /** The buffer cannot be used: too small, closed, read-only or of the wrong kind. */
  ERR_BUFFER(1, "the buffer cannot be used: too small, closed, read-only or of the wrong kind"),

  /** The count is negative or too large. */
  ERR_COUNT(2, "the count is negative or too large"),

  /** The datatype cannot be used here: not committed, freed or not fitting. */
  ERR_TYPE(3, "the datatype cannot be used here: not committed, freed or not fitting"),

  /** The tag is out of range. */
  ERR_TAG(4, "the tag is out of range"),

  /** The communicator cannot be used here: freed, null or of the wrong kind. */
  ERR_COMM(5, "the communicator cannot be used here: freed, null or of the wrong kind"),

  /** The rank is out of range. */
  ERR_RANK(6, "the rank is out of range"),

  /** The request cannot be used here: active, inactive, freed or of another world. */
  ERR_REQUEST(7, "the request cannot be used here: active, inactive, freed or of another world"),

  /** The root is out of range. */
  ERR_ROOT(8, "the root is out of range"),

  /** The group cannot be used here. */
  ERR_GROUP(9, "the group cannot be used here"),

  /** The operation cannot be used with this datatype. */
  ERR_OP(10, "the operation cannot be used with this datatype"),

  /** The communicator has no topology, or not of this kind. */
  ERR_TOPOLOGY(11, "the communicator has no topology, or not of this kind"),

  /** The dimensions cannot be used. */
  ERR_DIMS(12, "the dimensions cannot be used"),

  /** An argument that has no class of its own is wrong. */
  ERR_ARG(13, "an argument that has no class of its own is wrong"),

  /** An error of unknown kind. */
  ERR_UNKNOWN(14, "an error of unknown kind"),

  /** The message is longer than the buffer that receives it. */
  ERR_TRUNCATE(15, "the message is longer than the buffer that receives it"),

  /** A known error that has no class of its own. */
  ERR_OTHER(16, "a known error that has no class of its own"),

  /** An error inside the library, or a resource of its own that ran out. */
  ERR_INTERN(17, "an error inside the library, or a resource of its own that ran out"),

  /** The request has neither completed nor failed. */
  ERR_PENDING(18, "the request has neither completed nor failed"),

  /** Several operations were requested; each status has its own error. */
  ERR_IN_STATUS(19, "several operations were asked for; each status says how its own went"),

  /** Permission denied. */
  ERR_ACCESS(20, "permission denied"),

  /** The access mode is contradictory or unknown. */
  ERR_AMODE(21, "the access mode is contradictory or unknown"),

  /** The assertion about one-sided access is unknown. */
  ERR_ASSERT(22, "the assertion about one-sided access is unknown"),

  /** The file name cannot be used. */
  ERR_BAD_FILE(23, "the file name cannot be used"),

  /** The memory was not allocated by this library. */
  ERR_BASE(24, "the memory was not allocated by this library"),

  /** A conversion of user data failed. */
  ERR_CONVERSION(25, "a conversion of user data failed"),

  /** The displacement is out of range. */
  ERR_DISP(26, "the displacement is out of range"),

  /** The data representation is defined already. */
  ERR_DUP_DATAREP(27, "the data representation is defined already"),

  /** The file exists. */
  ERR_FILE_EXISTS(28, "the file exists"),

  /** The file is open elsewhere. */
  ERR_FILE_IN_USE(29, "the file is open elsewhere"),

  /** The file handle cannot be used: closed or null. */
  ERR_FILE(30, "the file handle cannot be used: closed or null"),

  /** The info key is empty or too long. */
  ERR_INFO_KEY(31, "the info key is empty or too long"),

  /** The info key is not set. */
  ERR_INFO_NOKEY(32, "the info key is not set"),

  /** The info value is too long or not understood. */
  ERR_INFO_VALUE(33, "the info value is too long or not understood"),

  /** The info object cannot be used. */
  ERR_INFO(34, "the info object cannot be used"),

  /** Input or output failed. */
  ERR_IO(35, "input or output failed"),

  /** The attribute key cannot be used: freed, or of another kind of object. */
  ERR_KEYVAL(36, "the attribute key cannot be used: freed, or of another kind of object"),

  /** The lock type is unknown. */
  ERR_LOCKTYPE(37, "the lock type is unknown"),

  /** The service name is not published. */
  ERR_NAME(38, "the service name is not published"),

  /** Memory ran out. */
  ERR_NO_MEM(39, "memory ran out"),

  /** Ranks passed different values where all have to pass the same. */
  ERR_NOT_SAME(40, "ranks passed different values where all have to pass the same"),

  /** The disk is full. */
  ERR_NO_SPACE(41, "the disk is full"),

  /** The file does not exist. */
  ERR_NO_SUCH_FILE(42, "the file does not exist"),

  /** The port name cannot be used. */
  ERR_PORT(43, "the port name cannot be used"),

  /** The quota is used up. */
  ERR_QUOTA(44, "the quota is used up"),

  /** The file or its file system is read-only. */
  ERR_READ_ONLY(45, "the file or its file system is read-only"),

  /** The memory cannot be attached to the window. */
  ERR_RMA_ATTACH(46, "the memory cannot be attached to the window"),

  /** Accesses to the window contradict each other. */
  ERR_RMA_CONFLICT(47, "accesses to the window contradict each other"),

  /** The target memory is not part of the window. */
  ERR_RMA_RANGE(48, "the target memory is not part of the window"),

  /** The memory cannot be shared between the ranks. */
  ERR_RMA_SHARED(49, "the memory cannot be shared between the ranks"),

  /** Synchronisation calls of the window are in the wrong order. */
  ERR_RMA_SYNC(50, "synchronisation calls of the window are in the wrong order"),

  /** The service was not published by this process. */
  ERR_SERVICE(51, "the service was not published by this process"),

  /** The size is out of range. */
  ERR_SIZE(52, "the size is out of range"),

  /** Processes could not be started. */
  ERR_SPAWN(53, "processes could not be started"),

  /** The data representation is not supported. */
  ERR_UNSUPPORTED_DATAREP(54, "the data representation is not supported"),

  /** The operation is not supported on this file. */
  ERR_UNSUPPORTED_OPERATION(55, "the operation is not supported on this file"),

  /** The window cannot be used: freed or null. */
  ERR_WIN(56, "the window cannot be used: freed or null"),

  /** The window is of the wrong flavor. */
  ERR_RMA_FLAVOR(57, "the window is of the wrong flavor"),

  /** A peer has died or has ended the job. */
  ERR_PROC_ABORTED(58, "a peer has died or has ended the job"),

  /** The value does not fit where it has to be returned. */
  ERR_VALUE_TOO_LARGE(59, "the value does not fit where it has to be returned"),

  /** The session cannot be used: finalized or null. */
  ERR_SESSION(60, "the session cannot be used: finalized or null"),

  /** The error handler cannot be used. */
  ERR_ERRHANDLER(61, "the error handler cannot be used"),

  /** The binary interface does not fit. */
  ERR_ABI(62, "the binary interface does not fit"),

  /** A process that the operation needs has failed; no class of the standard, but of its extension ULFM. */
  ERR_PROC_FAILED(201, "a process that the operation needs has failed"),

  /** A process that may have been about to send has failed, and the receive continues; of the extension ULFM. */
  ERR_PROC_FAILED_PENDING(202, "a process that may have been about to send has failed, and the receive goes on"),

  /** The communicator has been revoked; of the extension ULFM. */
  ERR_REVOKED(203, "the communicator has been revoked"),

  /** The tool interface cannot be initialized now. */
  T_ERR_CANNOT_INIT(1001, "the tool interface cannot be initialized now"),

  /** The tool interface offers no such function now. */
  T_ERR_NOT_ACCESSIBLE(1002, "the tool interface offers no such function now"),

  /** The tool interface is not initialized. */
  T_ERR_NOT_INITIALIZED(1003, "the tool interface is not initialized"),

  /** The tool interface does not support this. */
  T_ERR_NOT_SUPPORTED(1004, "the tool interface does not support this"),

  /** Memory ran out in the tool interface. */
  T_ERR_MEMORY(1005, "memory ran out in the tool interface"),

  /** An argument to the tool interface is wrong. */
  T_ERR_INVALID(1006, "an argument to the tool interface is wrong"),

  /** The index names no variable, category or event. */
  T_ERR_INVALID_INDEX(1007, "the index names no variable, category or event"),

  /** The index names no item of the enumeration. */
  T_ERR_INVALID_ITEM(1008, "the index names no item of the enumeration"),

  /** The tool session cannot be used. */
  T_ERR_INVALID_SESSION(1009, "the tool session cannot be used"),

  /** The tool handle cannot be used. */
  T_ERR_INVALID_HANDLE(1010, "the tool handle cannot be used"),

  /** No variable, category or event has this name. */
  T_ERR_INVALID_NAME(1011, "no variable, category or event has this name"),

  /** No more tool handles are available. */
  T_ERR_OUT_OF_HANDLES(1012, "no more tool handles are available"),

  /** No more tool sessions are available. */
  T_ERR_OUT_OF_SESSIONS(1013, "no more tool sessions are available"),

  /** The setting cannot be changed now. */
  T_ERR_CVAR_SET_NOT_NOW(1014, "the setting cannot be changed now"),

  /** The setting can never be changed. */
  T_ERR_CVAR_SET_NEVER(1015, "the setting can never be changed"),

  /** The counter cannot be written. */
  T_ERR_PVAR_NO_WRITE(1016, "the counter cannot be written"),

  /** The counter cannot be started or stopped. */
  T_ERR_PVAR_NO_STARTSTOP(1017, "the counter cannot be started or stopped"),

  /** The counter cannot be read and reset in one step. */
  T_ERR_PVAR_NO_ATOMIC(1018, "the counter cannot be read and reset in one step"),

  /** The largest code of a predefined error. */
  ERR_LASTCODE(16383, "the largest code of a predefined error");

  private static final Map<Integer, ErrorClass> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ErrorClass::code, Function.identity()));

  private final int code;
  private final String text;

  ErrorClass(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /**
   * Returns the class's number.
   *
   * @return the value in the MPI-5 ABI
   */
  public int code() {
    return code;
  }

  /**
   * Returns the text of the class ({@code MPI_Error_string}).
   *
   * @return a phrase without a full stop
   */
  public String text() {
    return text;
  }

  /**
   * Returns the name in the standard, or in its extension ULFM.
   *
   * @return the name with its prefix, such as {@code MPI_ERR_RANK} or {@code MPIX_ERR_REVOKED}
   */
  public String mpiName() {
    return (isOfSurvival() ? "MPIX_" : "MPI_") + name();
  }

  /**
   * Returns whether the class belongs to the survival of failed processes, for which the standard has none yet.
   *
   * @return true for ERR_PROC_FAILED, ERR_PROC_FAILED_PENDING and ERR_REVOKED
   */
  public boolean isOfSurvival() {
    return this == ERR_PROC_FAILED || this == ERR_PROC_FAILED_PENDING || this == ERR_REVOKED;
  }

  /**
   * Returns whether an error of this class means that other processes are out of reach: they have ended, or the
   * communicator has been revoked.
   *
   * @return true for ERR_PROC_ABORTED and the classes of the survival of failed processes
   */
  public boolean isOfEnd() {
    return this == ERR_PROC_ABORTED || isOfSurvival();
  }

  /**
   * Finds a class by its number.
   *
   * @param code a number
   * @return the class, or empty when no predefined class has it
   */
  public static Optional<ErrorClass> ofCode(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }
}
