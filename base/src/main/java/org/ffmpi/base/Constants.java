// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

/**
 * The integer constants of MPI, without their prefix and with the values of the MPI-5 ABI. All are compile-time
 * constants: fit for {@code switch} and annotations, and equal to those of a C library with the same ABI. The
 * exceptions are {@link #DISTRIBUTE_DFLT_DARG}, {@link #VERSION} and {@link #SUBVERSION}.
 *
 * <p>Error classes are in {@link ErrorClass}. Handles such as {@code MPI_COMM_NULL} have no number in Java.
 */
public final class Constants {
  // ---- wildcards and special values

  /** {@code MPI_ANY_SOURCE}: receives and probes: from any rank. */
  public static final int ANY_SOURCE = -1;

  /** {@code MPI_ANY_TAG}: receives and probes: with any tag; also the tag of an empty status. */
  public static final int ANY_TAG = -2;

  /** {@code MPI_PROC_NULL}: a rank that does nothing: operations with it complete at once and move no data. */
  public static final int PROC_NULL = -3;

  /** {@code MPI_ROOT}: collectives of an intercommunicator: given by the root itself as root. */
  public static final int ROOT = -4;

  /** {@code MPI_UNDEFINED}: no such rank, color, count or index. */
  public static final int UNDEFINED = -32766;

  /** {@code MPI_KEYVAL_INVALID}: a freed attribute key. */
  public static final int KEYVAL_INVALID = 0;

  /** {@code MPI_BSEND_OVERHEAD}: bytes that each buffered message takes besides its data. */
  public static final int BSEND_OVERHEAD = 512;

  // ---- version of the standard

  /** {@code MPI_VERSION}: version of the standard that this library follows. */
  public static final int VERSION = 4;

  /** {@code MPI_SUBVERSION}: its subversion. */
  public static final int SUBVERSION = 1;

  // ---- thread levels

  /** {@code MPI_THREAD_SINGLE}: one thread only. */
  public static final int THREAD_SINGLE = 0;

  /** {@code MPI_THREAD_FUNNELED}: several threads, of which only the one that initialized calls MPI. */
  public static final int THREAD_FUNNELED = 1024;

  /** {@code MPI_THREAD_SERIALIZED}: several threads call MPI, but never two at once. */
  public static final int THREAD_SERIALIZED = 2048;

  /** {@code MPI_THREAD_MULTIPLE}: any thread calls MPI at any time. */
  public static final int THREAD_MULTIPLE = 4096;

  // ---- results of comparing

  /** {@code MPI_IDENT}: the same object. */
  public static final int IDENT = 201;

  /** {@code MPI_CONGRUENT}: the same ranks in the same order. */
  public static final int CONGRUENT = 202;

  /** {@code MPI_SIMILAR}: the same ranks in another order. */
  public static final int SIMILAR = 203;

  /** {@code MPI_UNEQUAL}: neither. */
  public static final int UNEQUAL = 204;

  // ---- ways to split a communicator

  /** {@code MPI_COMM_TYPE_SHARED}: ranks that can share memory. */
  public static final int COMM_TYPE_SHARED = 221;

  /** {@code MPI_COMM_TYPE_HW_UNGUIDED}: ranks within the next smaller part of the hardware. */
  public static final int COMM_TYPE_HW_UNGUIDED = 222;

  /** {@code MPI_COMM_TYPE_HW_GUIDED}: ranks within a named part of the hardware. */
  public static final int COMM_TYPE_HW_GUIDED = 223;

  /** {@code MPI_COMM_TYPE_RESOURCE_GUIDED}: ranks within a named resource or process set. */
  public static final int COMM_TYPE_RESOURCE_GUIDED = 224;

  // ---- topologies

  /** {@code MPI_CART}: the communicator has a Cartesian grid. */
  public static final int CART = 211;

  /** {@code MPI_GRAPH}: the communicator has a graph that every rank knows whole. */
  public static final int GRAPH = 212;

  /** {@code MPI_DIST_GRAPH}: the communicator has a graph of which each rank knows its neighbours. */
  public static final int DIST_GRAPH = 213;

  // ---- keys of predefined attributes

  /** {@code MPI_TAG_UB}: key of the largest tag, whose value is {@link #LARGEST_TAG}. */
  public static final int TAG_UB = 501;

  /** The largest tag a message can have: the value of the attribute {@code MPI_TAG_UB}. */
  public static final int LARGEST_TAG = 2147483647;

  /** {@code MPI_IO}: key of the rank that can do input and output. */
  public static final int IO = 502;

  /** {@code MPI_HOST}: key of the host's rank. */
  public static final int HOST = 503;

  /** {@code MPI_WTIME_IS_GLOBAL}: key of whether all ranks see the same clock. */
  public static final int WTIME_IS_GLOBAL = 504;

  /** {@code MPI_APPNUM}: key of the number of this rank's program among those that were started together. */
  public static final int APPNUM = 505;

  /** {@code MPI_LASTUSEDCODE}: key of the largest error code in use. */
  public static final int LASTUSEDCODE = 506;

  /** {@code MPI_UNIVERSE_SIZE}: key of the number of processes that can run at once. */
  public static final int UNIVERSE_SIZE = 507;

  /** {@code MPI_WIN_BASE}: key of a window's first address. */
  public static final int WIN_BASE = 601;

  /** {@code MPI_WIN_DISP_UNIT}: key of a window's displacement unit. */
  public static final int WIN_DISP_UNIT = 602;

  /** {@code MPI_WIN_SIZE}: key of a window's size in bytes. */
  public static final int WIN_SIZE = 603;

  /** {@code MPI_WIN_CREATE_FLAVOR}: key of how a window was made. */
  public static final int WIN_CREATE_FLAVOR = 604;

  /** {@code MPI_WIN_MODEL}: key of a window's memory model. */
  public static final int WIN_MODEL = 605;

  // ---- how a datatype was made

  /** {@code MPI_COMBINER_NAMED}: predefined. */
  public static final int COMBINER_NAMED = 101;

  /** {@code MPI_COMBINER_DUP}: a duplicate. */
  public static final int COMBINER_DUP = 102;

  /** {@code MPI_COMBINER_CONTIGUOUS}: elements one after another. */
  public static final int COMBINER_CONTIGUOUS = 103;

  /** {@code MPI_COMBINER_VECTOR}: blocks at a stride in elements. */
  public static final int COMBINER_VECTOR = 104;

  /** {@code MPI_COMBINER_HVECTOR}: blocks at a stride in bytes. */
  public static final int COMBINER_HVECTOR = 105;

  /** {@code MPI_COMBINER_INDEXED}: blocks of different length at displacements in elements. */
  public static final int COMBINER_INDEXED = 106;

  /** {@code MPI_COMBINER_HINDEXED}: blocks of different length at displacements in bytes. */
  public static final int COMBINER_HINDEXED = 107;

  /** {@code MPI_COMBINER_INDEXED_BLOCK}: blocks of one length at displacements in elements. */
  public static final int COMBINER_INDEXED_BLOCK = 108;

  /** {@code MPI_COMBINER_HINDEXED_BLOCK}: blocks of one length at displacements in bytes. */
  public static final int COMBINER_HINDEXED_BLOCK = 109;

  /** {@code MPI_COMBINER_STRUCT}: blocks of different types. */
  public static final int COMBINER_STRUCT = 110;

  /** {@code MPI_COMBINER_SUBARRAY}: part of an array of several dimensions. */
  public static final int COMBINER_SUBARRAY = 111;

  /** {@code MPI_COMBINER_DARRAY}: one rank's part of a distributed array. */
  public static final int COMBINER_DARRAY = 112;

  /** {@code MPI_COMBINER_F90_REAL}: a Fortran real of chosen precision and range. */
  public static final int COMBINER_F90_REAL = 113;

  /** {@code MPI_COMBINER_F90_COMPLEX}: a Fortran complex of chosen precision and range. */
  public static final int COMBINER_F90_COMPLEX = 114;

  /** {@code MPI_COMBINER_F90_INTEGER}: a Fortran integer of chosen range. */
  public static final int COMBINER_F90_INTEGER = 115;

  /** {@code MPI_COMBINER_RESIZED}: with other bounds. */
  public static final int COMBINER_RESIZED = 116;

  /** {@code MPI_COMBINER_VALUE_INDEX}: a pair of value and index. */
  public static final int COMBINER_VALUE_INDEX = 117;

  // ---- order and distribution of arrays

  /** {@code MPI_ORDER_C}: the last dimension varies fastest. */
  public static final int ORDER_C = 12;

  /** {@code MPI_ORDER_FORTRAN}: the first dimension varies fastest. */
  public static final int ORDER_FORTRAN = 15;

  /** {@code MPI_DISTRIBUTE_NONE}: a dimension that is not distributed. */
  public static final int DISTRIBUTE_NONE = 16;

  /** {@code MPI_DISTRIBUTE_BLOCK}: one block a rank. */
  public static final int DISTRIBUTE_BLOCK = 17;

  /** {@code MPI_DISTRIBUTE_CYCLIC}: blocks dealt out in turn. */
  public static final int DISTRIBUTE_CYCLIC = 18;

  /**
   * {@code MPI_DISTRIBUTE_DFLT_DARG}: the usual size of a block. The MPI-5 ABI has 19, which is also a size of a block.
   * This number is no size, and no program has it by accident.
   */
  public static final int DISTRIBUTE_DFLT_DARG = -49767;

  // ---- classes of types by size

  /** {@code MPI_TYPECLASS_INTEGER}: integers. */
  public static final int TYPECLASS_INTEGER = 192;

  /** {@code MPI_TYPECLASS_REAL}: reals. */
  public static final int TYPECLASS_REAL = 193;

  /** {@code MPI_TYPECLASS_COMPLEX}: complex numbers. */
  public static final int TYPECLASS_COMPLEX = 194;

  // ---- windows

  /** {@code MPI_WIN_FLAVOR_CREATE}: a window over memory that was there. */
  public static final int WIN_FLAVOR_CREATE = 311;

  /** {@code MPI_WIN_FLAVOR_ALLOCATE}: a window with memory of its own. */
  public static final int WIN_FLAVOR_ALLOCATE = 312;

  /** {@code MPI_WIN_FLAVOR_DYNAMIC}: a window that memory is attached to. */
  public static final int WIN_FLAVOR_DYNAMIC = 313;

  /** {@code MPI_WIN_FLAVOR_SHARED}: a window with memory that ranks share. */
  public static final int WIN_FLAVOR_SHARED = 314;

  /** {@code MPI_WIN_UNIFIED}: one copy of a window's memory. */
  public static final int WIN_UNIFIED = 321;

  /** {@code MPI_WIN_SEPARATE}: a public and a private copy of a window's memory. */
  public static final int WIN_SEPARATE = 322;

  /** {@code MPI_LOCK_EXCLUSIVE}: a lock for one rank. */
  public static final int LOCK_EXCLUSIVE = 301;

  /** {@code MPI_LOCK_SHARED}: a lock for several ranks. */
  public static final int LOCK_SHARED = 302;

  /** {@code MPI_MODE_NOCHECK}: assertion: the matching call has been made, or no other process locks. */
  public static final int MODE_NOCHECK = 1024;

  /**
   * {@code MPI_MODE_NOSTORE}: assertion: the window's memory was not written locally since the last synchronisation.
   */
  public static final int MODE_NOSTORE = 8192;

  /** {@code MPI_MODE_NOPUT}: assertion: no process writes to the window until the next synchronisation. */
  public static final int MODE_NOPUT = 4096;

  /** {@code MPI_MODE_NOPRECEDE}: assertion: the fence ends no accesses of this rank. */
  public static final int MODE_NOPRECEDE = 2048;

  /** {@code MPI_MODE_NOSUCCEED}: assertion: the fence begins no accesses of this rank. */
  public static final int MODE_NOSUCCEED = 16384;

  // ---- files

  /** {@code MPI_MODE_APPEND}: file pointers begin at the end. */
  public static final int MODE_APPEND = 1;

  /** {@code MPI_MODE_CREATE}: make the file if it does not exist. */
  public static final int MODE_CREATE = 2;

  /** {@code MPI_MODE_DELETE_ON_CLOSE}: delete the file when it is closed. */
  public static final int MODE_DELETE_ON_CLOSE = 4;

  /** {@code MPI_MODE_EXCL}: fail if the file to be made exists. */
  public static final int MODE_EXCL = 8;

  /** {@code MPI_MODE_RDONLY}: only read. */
  public static final int MODE_RDONLY = 16;

  /** {@code MPI_MODE_RDWR}: read and write. */
  public static final int MODE_RDWR = 32;

  /** {@code MPI_MODE_SEQUENTIAL}: only from beginning to end. */
  public static final int MODE_SEQUENTIAL = 64;

  /** {@code MPI_MODE_UNIQUE_OPEN}: no other program opens the file meanwhile. */
  public static final int MODE_UNIQUE_OPEN = 128;

  /** {@code MPI_MODE_WRONLY}: only write. */
  public static final int MODE_WRONLY = 256;

  /** {@code MPI_SEEK_SET}: from the beginning. */
  public static final int SEEK_SET = 403;

  /** {@code MPI_SEEK_CUR}: from the current position. */
  public static final int SEEK_CUR = 401;

  /** {@code MPI_SEEK_END}: from the end. */
  public static final int SEEK_END = 402;

  /** {@code MPI_DISPLACEMENT_CURRENT}: set a view from the current position on. */
  public static final int DISPLACEMENT_CURRENT = -1;

  // ---- longest strings

  /** {@code MPI_MAX_DATAREP_STRING}: name of a data representation. */
  public static final int MAX_DATAREP_STRING = 128;

  /** {@code MPI_MAX_ERROR_STRING}: text of an error. */
  public static final int MAX_ERROR_STRING = 512;

  /** {@code MPI_MAX_INFO_KEY}: key of an info. */
  public static final int MAX_INFO_KEY = 256;

  /** {@code MPI_MAX_INFO_VAL}: value of an info. */
  public static final int MAX_INFO_VAL = 1024;

  /** {@code MPI_MAX_LIBRARY_VERSION_STRING}: description of the library. */
  public static final int MAX_LIBRARY_VERSION_STRING = 8192;

  /** {@code MPI_MAX_OBJECT_NAME}: name of a communicator, datatype or window. */
  public static final int MAX_OBJECT_NAME = 128;

  /** {@code MPI_MAX_PORT_NAME}: name of a port. */
  public static final int MAX_PORT_NAME = 1024;

  /** {@code MPI_MAX_PROCESSOR_NAME}: name of the node. */
  public static final int MAX_PROCESSOR_NAME = 256;

  /** {@code MPI_MAX_PSET_NAME_LEN}: name of a process set. */
  public static final int MAX_PSET_NAME_LEN = 1024;

  /** {@code MPI_MAX_STRINGTAG_LEN}: tag of a group from which a communicator is made. */
  public static final int MAX_STRINGTAG_LEN = 1024;

  // ---- tool interface

  /** {@code MPI_T_BIND_NO_OBJECT}: bound to nothing. */
  public static final int T_BIND_NO_OBJECT = 1;

  /** {@code MPI_T_BIND_MPI_COMM}: bound to a communicator. */
  public static final int T_BIND_MPI_COMM = 2;

  /** {@code MPI_T_BIND_MPI_DATATYPE}: bound to a datatype. */
  public static final int T_BIND_MPI_DATATYPE = 3;

  /** {@code MPI_T_BIND_MPI_ERRHANDLER}: bound to an error handler. */
  public static final int T_BIND_MPI_ERRHANDLER = 4;

  /** {@code MPI_T_BIND_MPI_FILE}: bound to a file. */
  public static final int T_BIND_MPI_FILE = 5;

  /** {@code MPI_T_BIND_MPI_GROUP}: bound to a group. */
  public static final int T_BIND_MPI_GROUP = 6;

  /** {@code MPI_T_BIND_MPI_OP}: bound to an operation. */
  public static final int T_BIND_MPI_OP = 7;

  /** {@code MPI_T_BIND_MPI_REQUEST}: bound to a request. */
  public static final int T_BIND_MPI_REQUEST = 8;

  /** {@code MPI_T_BIND_MPI_WIN}: bound to a window. */
  public static final int T_BIND_MPI_WIN = 9;

  /** {@code MPI_T_BIND_MPI_MESSAGE}: bound to a matched message. */
  public static final int T_BIND_MPI_MESSAGE = 10;

  /** {@code MPI_T_BIND_MPI_INFO}: bound to an info. */
  public static final int T_BIND_MPI_INFO = 11;

  /** {@code MPI_T_BIND_MPI_SESSION}: bound to a session. */
  public static final int T_BIND_MPI_SESSION = 12;

  /** {@code MPI_T_CB_REQUIRE_NONE}: the callback may do anything. */
  public static final int T_CB_REQUIRE_NONE = 0;

  /** {@code MPI_T_CB_REQUIRE_MPI_RESTRICTED}: the callback may make few MPI calls. */
  public static final int T_CB_REQUIRE_MPI_RESTRICTED = 3;

  /** {@code MPI_T_CB_REQUIRE_THREAD_SAFE}: the callback must be thread-safe. */
  public static final int T_CB_REQUIRE_THREAD_SAFE = 15;

  /** {@code MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE}: the callback must be fit for a signal handler. */
  public static final int T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 63;

  /** {@code MPI_T_PVAR_ALL_HANDLES}: all handles of a session. */
  public static final int T_PVAR_ALL_HANDLES = 1;

  /** {@code MPI_T_PVAR_CLASS_STATE}: one of several states. */
  public static final int T_PVAR_CLASS_STATE = 1;

  /** {@code MPI_T_PVAR_CLASS_LEVEL}: how much of something is in use. */
  public static final int T_PVAR_CLASS_LEVEL = 2;

  /** {@code MPI_T_PVAR_CLASS_SIZE}: a size that does not change. */
  public static final int T_PVAR_CLASS_SIZE = 3;

  /** {@code MPI_T_PVAR_CLASS_PERCENTAGE}: how much of something is in use, in per cent. */
  public static final int T_PVAR_CLASS_PERCENTAGE = 4;

  /** {@code MPI_T_PVAR_CLASS_HIGHWATERMARK}: the most so far. */
  public static final int T_PVAR_CLASS_HIGHWATERMARK = 5;

  /** {@code MPI_T_PVAR_CLASS_LOWWATERMARK}: the least so far. */
  public static final int T_PVAR_CLASS_LOWWATERMARK = 6;

  /** {@code MPI_T_PVAR_CLASS_COUNTER}: how often something happened. */
  public static final int T_PVAR_CLASS_COUNTER = 7;

  /** {@code MPI_T_PVAR_CLASS_AGGREGATE}: a sum of amounts. */
  public static final int T_PVAR_CLASS_AGGREGATE = 8;

  /** {@code MPI_T_PVAR_CLASS_TIMER}: a sum of times. */
  public static final int T_PVAR_CLASS_TIMER = 9;

  /** {@code MPI_T_PVAR_CLASS_GENERIC}: anything else. */
  public static final int T_PVAR_CLASS_GENERIC = 10;

  /** {@code MPI_T_SCOPE_CONSTANT}: never changes. */
  public static final int T_SCOPE_CONSTANT = 1;

  /** {@code MPI_T_SCOPE_READONLY}: changes, but cannot be set. */
  public static final int T_SCOPE_READONLY = 2;

  /** {@code MPI_T_SCOPE_LOCAL}: may differ from rank to rank. */
  public static final int T_SCOPE_LOCAL = 3;

  /** {@code MPI_T_SCOPE_GROUP}: to be set on a group of ranks. */
  public static final int T_SCOPE_GROUP = 4;

  /** {@code MPI_T_SCOPE_GROUP_EQ}: to be set to one value on a group of ranks. */
  public static final int T_SCOPE_GROUP_EQ = 5;

  /** {@code MPI_T_SCOPE_ALL}: to be set on all ranks. */
  public static final int T_SCOPE_ALL = 6;

  /** {@code MPI_T_SCOPE_ALL_EQ}: to be set to one value on all ranks. */
  public static final int T_SCOPE_ALL_EQ = 7;

  /** {@code MPI_T_SOURCE_ORDERED}: events arrive in order. */
  public static final int T_SOURCE_ORDERED = 1;

  /** {@code MPI_T_SOURCE_UNORDERED}: events arrive in any order. */
  public static final int T_SOURCE_UNORDERED = 2;

  /** {@code MPI_T_VERBOSITY_USER_BASIC}: for users: the essentials. */
  public static final int T_VERBOSITY_USER_BASIC = 9;

  /** {@code MPI_T_VERBOSITY_USER_DETAIL}: for users: more. */
  public static final int T_VERBOSITY_USER_DETAIL = 10;

  /** {@code MPI_T_VERBOSITY_USER_ALL}: for users: everything. */
  public static final int T_VERBOSITY_USER_ALL = 12;

  /** {@code MPI_T_VERBOSITY_TUNER_BASIC}: for tuning: the essentials. */
  public static final int T_VERBOSITY_TUNER_BASIC = 17;

  /** {@code MPI_T_VERBOSITY_TUNER_DETAIL}: for tuning: more. */
  public static final int T_VERBOSITY_TUNER_DETAIL = 18;

  /** {@code MPI_T_VERBOSITY_TUNER_ALL}: for tuning: everything. */
  public static final int T_VERBOSITY_TUNER_ALL = 20;

  /** {@code MPI_T_VERBOSITY_MPIDEV_BASIC}: for developers of the library: the essentials. */
  public static final int T_VERBOSITY_MPIDEV_BASIC = 33;

  /** {@code MPI_T_VERBOSITY_MPIDEV_DETAIL}: for developers of the library: more. */
  public static final int T_VERBOSITY_MPIDEV_DETAIL = 34;

  /** {@code MPI_T_VERBOSITY_MPIDEV_ALL}: for developers of the library: everything. */
  public static final int T_VERBOSITY_MPIDEV_ALL = 36;

  private Constants() {}
}
