// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import org.ffmpi.base.ErrorClass;

/**
 * The table of numbers and handles in which the ABIs differ. A row has the name in C and the values in the ABI of
 * MPI-5, in MPICH's and in Open MPI's. A predefined handle of Open MPI is the address of a variable; the row has its
 * name.
 *
 * <p>{@code MpiHeadersTest} compiles the rows against each {@code mpi.h} that is installed. The column of MPI-5 is that
 * of the standard's chapter on the ABI and of the header that the MPI Forum publishes with it.
 */
enum AbiValue {
  COMM_NULL("MPI_COMM_NULL", 0x100, 0x04000000, "ompi_mpi_comm_null"),
  COMM_WORLD("MPI_COMM_WORLD", 0x101, 0x44000000, "ompi_mpi_comm_world"),
  REQUEST_NULL("MPI_REQUEST_NULL", 0x180, 0x2c000000, "ompi_request_null"),
  INFO_NULL("MPI_INFO_NULL", 0x130, 0x1c000000, "ompi_mpi_info_null"),
  ERRORS_RETURN("MPI_ERRORS_RETURN", 0x142, 0x54000001, "ompi_mpi_errors_return"),

  BYTE("MPI_BYTE", 0x247, 0x4c00010d, "ompi_mpi_byte"),
  INT8("MPI_INT8_T", 0x240, 0x4c000137, "ompi_mpi_int8_t"),
  UINT8("MPI_UINT8_T", 0x241, 0x4c00013b, "ompi_mpi_uint8_t"),
  INT16("MPI_INT16_T", 0x248, 0x4c000238, "ompi_mpi_int16_t"),
  UINT16("MPI_UINT16_T", 0x249, 0x4c00023c, "ompi_mpi_uint16_t"),
  INT32("MPI_INT32_T", 0x250, 0x4c000439, "ompi_mpi_int32_t"),
  UINT32("MPI_UINT32_T", 0x251, 0x4c00043d, "ompi_mpi_uint32_t"),
  INT64("MPI_INT64_T", 0x258, 0x4c00083a, "ompi_mpi_int64_t"),
  UINT64("MPI_UINT64_T", 0x259, 0x4c00083e, "ompi_mpi_uint64_t"),
  FLOAT("MPI_FLOAT", 0x210, 0x4c00040a, "ompi_mpi_float"),
  DOUBLE("MPI_DOUBLE", 0x214, 0x4c00080b, "ompi_mpi_double"),

  SUM("MPI_SUM", 0x21, 0x58000003, "ompi_mpi_op_sum"),
  MIN("MPI_MIN", 0x22, 0x58000002, "ompi_mpi_op_min"),
  MAX("MPI_MAX", 0x23, 0x58000001, "ompi_mpi_op_max"),
  PROD("MPI_PROD", 0x24, 0x58000004, "ompi_mpi_op_prod"),
  BAND("MPI_BAND", 0x28, 0x58000006, "ompi_mpi_op_band"),
  BOR("MPI_BOR", 0x29, 0x58000008, "ompi_mpi_op_bor"),
  BXOR("MPI_BXOR", 0x2a, 0x5800000a, "ompi_mpi_op_bxor"),
  LAND("MPI_LAND", 0x30, 0x58000005, "ompi_mpi_op_land"),
  LOR("MPI_LOR", 0x31, 0x58000007, "ompi_mpi_op_lor"),
  LXOR("MPI_LXOR", 0x32, 0x58000009, "ompi_mpi_op_lxor"),

  STATUS_IGNORE("MPI_STATUS_IGNORE", 0, 1, 0),

  ANY_SOURCE("MPI_ANY_SOURCE", -1, -2, -1),
  ANY_TAG("MPI_ANY_TAG", -2, -1, -1),
  PROC_NULL("MPI_PROC_NULL", -3, -1, -2),
  UNDEFINED("MPI_UNDEFINED", -32766, -32766, -32766),
  COMM_TYPE_SHARED("MPI_COMM_TYPE_SHARED", 221, 1, 0),

  THREAD_SINGLE("MPI_THREAD_SINGLE", 0, 0, 0),
  THREAD_FUNNELED("MPI_THREAD_FUNNELED", 1024, 1, 1),
  THREAD_SERIALIZED("MPI_THREAD_SERIALIZED", 2048, 2, 2),
  THREAD_MULTIPLE("MPI_THREAD_MULTIPLE", 4096, 3, 3),

  MAX_ERROR_STRING("MPI_MAX_ERROR_STRING", 512, 512, 256),

  STATUS_BYTES("sizeof (MPI_Status)", 32, 20, 24),
  STATUS_SOURCE("offsetof (MPI_Status, MPI_SOURCE)", 0, 8, 0),

  ERR_BUFFER(ErrorClass.ERR_BUFFER, 1, 1, 1),
  ERR_COUNT(ErrorClass.ERR_COUNT, 2, 2, 2),
  ERR_TYPE(ErrorClass.ERR_TYPE, 3, 3, 3),
  ERR_TAG(ErrorClass.ERR_TAG, 4, 4, 4),
  ERR_COMM(ErrorClass.ERR_COMM, 5, 5, 5),
  ERR_RANK(ErrorClass.ERR_RANK, 6, 6, 6),
  ERR_REQUEST(ErrorClass.ERR_REQUEST, 7, 19, 7),
  ERR_ROOT(ErrorClass.ERR_ROOT, 8, 7, 8),
  ERR_GROUP(ErrorClass.ERR_GROUP, 9, 8, 9),
  ERR_OP(ErrorClass.ERR_OP, 10, 9, 10),
  ERR_ARG(ErrorClass.ERR_ARG, 13, 12, 13),
  ERR_UNKNOWN(ErrorClass.ERR_UNKNOWN, 14, 13, 14),
  ERR_TRUNCATE(ErrorClass.ERR_TRUNCATE, 15, 14, 15),
  ERR_OTHER(ErrorClass.ERR_OTHER, 16, 15, 16),
  ERR_INTERN(ErrorClass.ERR_INTERN, 17, 16, 17),
  ERR_PENDING(ErrorClass.ERR_PENDING, 18, 18, 19),
  ERR_IN_STATUS(ErrorClass.ERR_IN_STATUS, 19, 17, 18),
  ERR_NO_MEM(ErrorClass.ERR_NO_MEM, 39, 34, 39);

  private final String inC;
  private final ErrorClass errorClass;
  private final long standard;
  private final long mpich;
  private final long openMpi;
  private final String openMpiVariable;

  AbiValue(String inC, ErrorClass errorClass, long standard, long mpich, long openMpi, String openMpiVariable) {
    this.inC = inC;
    this.errorClass = errorClass;
    this.standard = standard;
    this.mpich = mpich;
    this.openMpi = openMpi;
    this.openMpiVariable = openMpiVariable;
  }

  /** A predefined handle. */
  AbiValue(String inC, long standard, long mpich, String openMpiVariable) {
    this(inC, null, standard, mpich, 0, openMpiVariable);
  }

  /** A number. */
  AbiValue(String inC, long standard, long mpich, long openMpi) {
    this(inC, null, standard, mpich, openMpi, null);
  }

  /** The number of an error class. */
  AbiValue(ErrorClass errorClass, long standard, long mpich, long openMpi) {
    this(errorClass.mpiName(), errorClass, standard, mpich, openMpi, null);
  }

  /** Returns the expression of C with this value. */
  String inC() {
    return inC;
  }

  /** Returns the error class that this is the number of, or null. */
  ErrorClass errorClass() {
    return errorClass;
  }

  /** Returns the name of the variable whose address this is in an ABI, or null for a fixed value. */
  String variable(MpiAbi abi) {
    return abi == MpiAbi.OPEN_MPI ? openMpiVariable : null;
  }

  /** Returns the fixed value in an ABI. */
  long value(MpiAbi abi) {
    return switch (abi) {
      case STANDARD -> standard;
      case MPICH -> mpich;
      case OPEN_MPI -> openMpi;
    };
  }

  /** Returns the value in a library that is loaded. */
  long in(MpiLibrary library) {
    String variable = variable(library.abi());
    return variable == null ? value(library.abi()) : library.addressOf(variable);
  }
}
