// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import org.ffmpi.base.ErrorClass;

/**
 * Numbers and handles of the library that is loaded. Initialising this class needs {@link MpiLibrary#load} to have
 * succeeded; from then on the JIT treats every field as a constant. The names are the standard's without {@code MPI_}.
 */
public final class MpiConstants {
  private static final MpiLibrary LIBRARY = MpiLibrary.current();

  /** Bytes of a handle in memory: the distance of two requests in an array. */
  public static final int HANDLE_BYTES = LIBRARY.abi().handleBytes();

  /** {@code MPI_COMM_NULL}. */
  public static final long COMM_NULL = handle(AbiValue.COMM_NULL);

  /** {@code MPI_COMM_WORLD}. */
  public static final long COMM_WORLD = handle(AbiValue.COMM_WORLD);

  /** {@code MPI_REQUEST_NULL}. */
  public static final long REQUEST_NULL = handle(AbiValue.REQUEST_NULL);

  /** {@code MPI_INFO_NULL}. */
  public static final long INFO_NULL = handle(AbiValue.INFO_NULL);

  /** {@code MPI_ERRORS_RETURN}. */
  public static final long ERRORS_RETURN = handle(AbiValue.ERRORS_RETURN);

  /** {@code MPI_BYTE}. */
  public static final long BYTE = handle(AbiValue.BYTE);

  /** {@code MPI_INT8_T}. */
  public static final long INT8 = handle(AbiValue.INT8);

  /** {@code MPI_UINT8_T}. */
  public static final long UINT8 = handle(AbiValue.UINT8);

  /** {@code MPI_INT16_T}. */
  public static final long INT16 = handle(AbiValue.INT16);

  /** {@code MPI_UINT16_T}. */
  public static final long UINT16 = handle(AbiValue.UINT16);

  /** {@code MPI_INT32_T}. */
  public static final long INT32 = handle(AbiValue.INT32);

  /** {@code MPI_UINT32_T}. */
  public static final long UINT32 = handle(AbiValue.UINT32);

  /** {@code MPI_INT64_T}. */
  public static final long INT64 = handle(AbiValue.INT64);

  /** {@code MPI_UINT64_T}. */
  public static final long UINT64 = handle(AbiValue.UINT64);

  /** {@code MPI_FLOAT}. */
  public static final long FLOAT = handle(AbiValue.FLOAT);

  /** {@code MPI_DOUBLE}. */
  public static final long DOUBLE = handle(AbiValue.DOUBLE);

  /** {@code MPI_SUM}. */
  public static final long SUM = handle(AbiValue.SUM);

  /** {@code MPI_MIN}. */
  public static final long MIN = handle(AbiValue.MIN);

  /** {@code MPI_MAX}. */
  public static final long MAX = handle(AbiValue.MAX);

  /** {@code MPI_PROD}. */
  public static final long PROD = handle(AbiValue.PROD);

  /** {@code MPI_BAND}. */
  public static final long BAND = handle(AbiValue.BAND);

  /** {@code MPI_BOR}. */
  public static final long BOR = handle(AbiValue.BOR);

  /** {@code MPI_BXOR}. */
  public static final long BXOR = handle(AbiValue.BXOR);

  /** {@code MPI_LAND}. */
  public static final long LAND = handle(AbiValue.LAND);

  /** {@code MPI_LOR}. */
  public static final long LOR = handle(AbiValue.LOR);

  /** {@code MPI_LXOR}. */
  public static final long LXOR = handle(AbiValue.LXOR);

  /** {@code MPI_STATUS_IGNORE}, instead of the address of a status. */
  public static final long STATUS_IGNORE = handle(AbiValue.STATUS_IGNORE);

  /** {@code MPI_ANY_SOURCE}. */
  public static final int ANY_SOURCE = number(AbiValue.ANY_SOURCE);

  /** {@code MPI_ANY_TAG}. */
  public static final int ANY_TAG = number(AbiValue.ANY_TAG);

  /** {@code MPI_PROC_NULL}. */
  public static final int PROC_NULL = number(AbiValue.PROC_NULL);

  /** {@code MPI_UNDEFINED}. */
  public static final int UNDEFINED = number(AbiValue.UNDEFINED);

  /** {@code MPI_COMM_TYPE_SHARED}. */
  public static final int COMM_TYPE_SHARED = number(AbiValue.COMM_TYPE_SHARED);

  /** {@code MPI_THREAD_SINGLE}. Levels are ordered as in the standard. */
  public static final int THREAD_SINGLE = number(AbiValue.THREAD_SINGLE);

  /** {@code MPI_THREAD_FUNNELED}. */
  public static final int THREAD_FUNNELED = number(AbiValue.THREAD_FUNNELED);

  /** {@code MPI_THREAD_SERIALIZED}. */
  public static final int THREAD_SERIALIZED = number(AbiValue.THREAD_SERIALIZED);

  /** {@code MPI_THREAD_MULTIPLE}. */
  public static final int THREAD_MULTIPLE = number(AbiValue.THREAD_MULTIPLE);

  /** {@code MPI_MAX_ERROR_STRING}. */
  public static final int MAX_ERROR_STRING = number(AbiValue.MAX_ERROR_STRING);

  /** Bytes of an {@code MPI_Status}: the distance of two in an array. {@link NativeStatus} reads one. */
  public static final int STATUS_BYTES = number(AbiValue.STATUS_BYTES);

  /** Offset of {@code MPI_SOURCE}, an int, in a status. */
  public static final int STATUS_SOURCE = number(AbiValue.STATUS_SOURCE);

  /** {@code MPI_SUCCESS}, the same in all ABIs. */
  public static final int SUCCESS = ErrorClass.SUCCESS.code();

  private MpiConstants() {}

  private static long handle(AbiValue value) {
    return value.in(LIBRARY);
  }

  private static int number(AbiValue value) {
    return Math.toIntExact(value.in(LIBRARY));
  }
}
