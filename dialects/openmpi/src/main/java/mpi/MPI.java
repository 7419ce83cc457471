// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.PropertyCalls;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.BaseKind;
import org.ffmpi.dialect.Job;

/**
 * Constants, start and end, and memory.
 *
 * <p>This file is long because all constants of the dialect are here.
 */
public final class MPI {
  /** {@code MPI_COMM_WORLD}. */
  public static final Intracomm COMM_WORLD = new Intracomm((org.ffmpi.Comm) null);

  /** {@code MPI_COMM_SELF}. */
  public static final Intracomm COMM_SELF = new Intracomm((org.ffmpi.Comm) null);

  /** {@code MPI_THREAD_SINGLE}. */
  public static final int THREAD_SINGLE = Constants.THREAD_SINGLE;

  /** {@code MPI_THREAD_FUNNELED}. */
  public static final int THREAD_FUNNELED = Constants.THREAD_FUNNELED;

  /** {@code MPI_THREAD_SERIALIZED}. */
  public static final int THREAD_SERIALIZED = Constants.THREAD_SERIALIZED;

  /** {@code MPI_THREAD_MULTIPLE}. */
  public static final int THREAD_MULTIPLE = Constants.THREAD_MULTIPLE;

  /** {@code MPI_GRAPH}. */
  public static final int GRAPH = Constants.GRAPH;

  /** {@code MPI_DIST_GRAPH}. */
  public static final int DIST_GRAPH = Constants.DIST_GRAPH;

  /** {@code MPI_CART}. */
  public static final int CART = Constants.CART;

  /** {@code MPI_ANY_SOURCE}. */
  public static final int ANY_SOURCE = Constants.ANY_SOURCE;

  /** {@code MPI_ANY_TAG}. */
  public static final int ANY_TAG = Constants.ANY_TAG;

  /** {@code MPI_MAX}. */
  public static final Op MAX = new Op(org.ffmpi.Op.MAX);

  /** {@code MPI_MIN}. */
  public static final Op MIN = new Op(org.ffmpi.Op.MIN);

  /** {@code MPI_SUM}. */
  public static final Op SUM = new Op(org.ffmpi.Op.SUM);

  /** {@code MPI_PROD}. */
  public static final Op PROD = new Op(org.ffmpi.Op.PROD);

  /** {@code MPI_LAND}. */
  public static final Op LAND = new Op(org.ffmpi.Op.LAND);

  /** {@code MPI_BAND}. */
  public static final Op BAND = new Op(org.ffmpi.Op.BAND);

  /** {@code MPI_LOR}. */
  public static final Op LOR = new Op(org.ffmpi.Op.LOR);

  /** {@code MPI_BOR}. */
  public static final Op BOR = new Op(org.ffmpi.Op.BOR);

  /** {@code MPI_LXOR}. */
  public static final Op LXOR = new Op(org.ffmpi.Op.LXOR);

  /** {@code MPI_BXOR}. */
  public static final Op BXOR = new Op(org.ffmpi.Op.BXOR);

  /** {@code MPI_REPLACE}. */
  public static final Op REPLACE = new Op(org.ffmpi.Op.REPLACE);

  /** {@code MPI_NO_OP}. */
  public static final Op NO_OP = new Op(org.ffmpi.Op.NO_OP);

  /** {@code MPI_MINLOC}. */
  public static final Op MINLOC = new Op(org.ffmpi.Op.MINLOC);

  /** {@code MPI_MAXLOC}. */
  public static final Op MAXLOC = new Op(org.ffmpi.Op.MAXLOC);

  /** {@code MPI_DATATYPE_NULL}. */
  public static final Datatype DATATYPE_NULL = new Datatype(null, BaseKind.BYTE);

  /** {@code MPI_BYTE}. */
  public static final Datatype BYTE = new Datatype(org.ffmpi.datatype.Datatype.UINT8_T, BaseKind.BYTE);

  /** {@code MPI_CHAR}. */
  public static final Datatype CHAR = new Datatype(org.ffmpi.datatype.Datatype.UINT16_T, BaseKind.CHAR);

  /** {@code MPI_SHORT}. */
  public static final Datatype SHORT = new Datatype(org.ffmpi.datatype.Datatype.INT16_T, BaseKind.SHORT);

  /** {@code MPI_BOOLEAN}. */
  public static final Datatype BOOLEAN = new Datatype(org.ffmpi.datatype.Datatype.C_BOOL, BaseKind.BOOLEAN);

  /** {@code MPI_INT}. */
  public static final Datatype INT = new Datatype(org.ffmpi.datatype.Datatype.INT32_T, BaseKind.INT);

  /** {@code MPI_LONG}. */
  public static final Datatype LONG = new Datatype(org.ffmpi.datatype.Datatype.INT64_T, BaseKind.LONG);

  /** {@code MPI_FLOAT}. */
  public static final Datatype FLOAT = new Datatype(org.ffmpi.datatype.Datatype.FLOAT, BaseKind.FLOAT);

  /** {@code MPI_DOUBLE}. */
  public static final Datatype DOUBLE = new Datatype(org.ffmpi.datatype.Datatype.DOUBLE, BaseKind.DOUBLE);

  /** {@code MPI_PACKED}. */
  public static final Datatype PACKED = new Datatype(org.ffmpi.datatype.Datatype.PACKED, BaseKind.BYTE);

  /** {@code MPI_FLOAT_COMPLEX}. */
  public static final Datatype FLOAT_COMPLEX =
      new Datatype(org.ffmpi.datatype.Datatype.C_FLOAT_COMPLEX, BaseKind.FLOAT);

  /** {@code MPI_DOUBLE_COMPLEX}. */
  public static final Datatype DOUBLE_COMPLEX =
      new Datatype(org.ffmpi.datatype.Datatype.C_DOUBLE_COMPLEX, BaseKind.DOUBLE);

  /** {@code MPI_INT2}. */
  public static final Datatype INT2 = new Datatype(org.ffmpi.datatype.Datatype.TWO_INT, BaseKind.BYTE);

  /** {@code MPI_SHORT_INT}. */
  public static final Datatype SHORT_INT = new Datatype(org.ffmpi.datatype.Datatype.SHORT_INT, BaseKind.BYTE);

  /** {@code MPI_LONG_INT}. */
  public static final Datatype LONG_INT = new Datatype(org.ffmpi.datatype.Datatype.LONG_INT, BaseKind.BYTE);

  /** {@code MPI_FLOAT_INT}. */
  public static final Datatype FLOAT_INT = new Datatype(org.ffmpi.datatype.Datatype.FLOAT_INT, BaseKind.BYTE);

  /** {@code MPI_DOUBLE_INT}. */
  public static final Datatype DOUBLE_INT = new Datatype(org.ffmpi.datatype.Datatype.DOUBLE_INT, BaseKind.BYTE);

  /** {@code MPI_REQUEST_NULL}. */
  public static final Request REQUEST_NULL = new Request((org.ffmpi.Request) null);

  /** {@code MPI_GROUP_EMPTY}. */
  public static final Group GROUP_EMPTY = new Group(org.ffmpi.Group.EMPTY);

  /** {@code MPI_INFO_ENV}. */
  public static final Info INFO_ENV = new Info((org.ffmpi.Info) null);

  /** {@code MPI_INFO_NULL}. */
  public static final Info INFO_NULL = new Info((org.ffmpi.Info) null);

  /** {@code MPI_PROC_NULL}. */
  public static final int PROC_NULL = Constants.PROC_NULL;

  /** {@code MPI_UNDEFINED}. */
  public static final int UNDEFINED = Constants.UNDEFINED;

  /** {@code MPI_IDENT}. */
  public static final int IDENT = Constants.IDENT;

  /** {@code MPI_CONGRUENT}. */
  public static final int CONGRUENT = Constants.CONGRUENT;

  /** {@code MPI_SIMILAR}. */
  public static final int SIMILAR = Constants.SIMILAR;

  /** {@code MPI_UNEQUAL}. */
  public static final int UNEQUAL = Constants.UNEQUAL;

  /** {@code MPI_TAG_UB}. */
  public static final int TAG_UB = Constants.TAG_UB;

  /** {@code MPI_HOST}. */
  public static final int HOST = Constants.HOST;

  /** {@code MPI_IO}. */
  public static final int IO = Constants.IO;

  /** {@code MPI_WTIME_IS_GLOBAL}. */
  public static final int WTIME_IS_GLOBAL = Constants.WTIME_IS_GLOBAL;

  /** {@code MPI_APPNUM}. */
  public static final int APPNUM = Constants.APPNUM;

  /** {@code MPI_LASTUSEDCODE}. */
  public static final int LASTUSEDCODE = Constants.LASTUSEDCODE;

  /** {@code MPI_UNIVERSE_SIZE}. */
  public static final int UNIVERSE_SIZE = Constants.UNIVERSE_SIZE;

  /** {@code MPI_WIN_BASE}. */
  public static final int WIN_BASE = Constants.WIN_BASE;

  /** {@code MPI_WIN_SIZE}. */
  public static final int WIN_SIZE = Constants.WIN_SIZE;

  /** {@code MPI_WIN_DISP_UNIT}. */
  public static final int WIN_DISP_UNIT = Constants.WIN_DISP_UNIT;

  /** {@code MPI_VERSION}. */
  public static final int VERSION = Constants.VERSION;

  /** {@code MPI_SUBVERSION}. */
  public static final int SUBVERSION = Constants.SUBVERSION;

  /** {@code MPI_ROOT}. */
  public static final int ROOT = Constants.ROOT;

  /** {@code MPI_KEYVAL_INVALID}. */
  public static final int KEYVAL_INVALID = Constants.KEYVAL_INVALID;

  /** {@code MPI_BSEND_OVERHEAD}. */
  public static final int BSEND_OVERHEAD = Constants.BSEND_OVERHEAD;

  /** {@code MPI_MAX_OBJECT_NAME}. */
  public static final int MAX_OBJECT_NAME = Constants.MAX_OBJECT_NAME;

  /** {@code MPI_MAX_PORT_NAME}. */
  public static final int MAX_PORT_NAME = Constants.MAX_PORT_NAME;

  /** {@code MPI_MAX_DATAREP_STRING}. */
  public static final int MAX_DATAREP_STRING = Constants.MAX_DATAREP_STRING;

  /** {@code MPI_MAX_INFO_KEY}. */
  public static final int MAX_INFO_KEY = Constants.MAX_INFO_KEY;

  /** {@code MPI_MAX_INFO_VAL}. */
  public static final int MAX_INFO_VAL = Constants.MAX_INFO_VAL;

  /** {@code MPI_ORDER_C}. */
  public static final int ORDER_C = Constants.ORDER_C;

  /** {@code MPI_ORDER_FORTRAN}. */
  public static final int ORDER_FORTRAN = Constants.ORDER_FORTRAN;

  /** {@code MPI_DISTRIBUTE_BLOCK}. */
  public static final int DISTRIBUTE_BLOCK = Constants.DISTRIBUTE_BLOCK;

  /** {@code MPI_DISTRIBUTE_CYCLIC}. */
  public static final int DISTRIBUTE_CYCLIC = Constants.DISTRIBUTE_CYCLIC;

  /** {@code MPI_DISTRIBUTE_NONE}. */
  public static final int DISTRIBUTE_NONE = Constants.DISTRIBUTE_NONE;

  /** {@code MPI_DISTRIBUTE_DFLT_DARG}. */
  public static final int DISTRIBUTE_DFLT_DARG = Constants.DISTRIBUTE_DFLT_DARG;

  /** {@code MPI_MODE_CREATE}. */
  public static final int MODE_CREATE = Constants.MODE_CREATE;

  /** {@code MPI_MODE_RDONLY}. */
  public static final int MODE_RDONLY = Constants.MODE_RDONLY;

  /** {@code MPI_MODE_WRONLY}. */
  public static final int MODE_WRONLY = Constants.MODE_WRONLY;

  /** {@code MPI_MODE_RDWR}. */
  public static final int MODE_RDWR = Constants.MODE_RDWR;

  /** {@code MPI_MODE_DELETE_ON_CLOSE}. */
  public static final int MODE_DELETE_ON_CLOSE = Constants.MODE_DELETE_ON_CLOSE;

  /** {@code MPI_MODE_UNIQUE_OPEN}. */
  public static final int MODE_UNIQUE_OPEN = Constants.MODE_UNIQUE_OPEN;

  /** {@code MPI_MODE_EXCL}. */
  public static final int MODE_EXCL = Constants.MODE_EXCL;

  /** {@code MPI_MODE_APPEND}. */
  public static final int MODE_APPEND = Constants.MODE_APPEND;

  /** {@code MPI_MODE_SEQUENTIAL}. */
  public static final int MODE_SEQUENTIAL = Constants.MODE_SEQUENTIAL;

  /** {@code MPI_DISPLACEMENT_CURRENT}. */
  public static final int DISPLACEMENT_CURRENT = Constants.DISPLACEMENT_CURRENT;

  /** {@code MPI_SEEK_SET}. */
  public static final int SEEK_SET = Constants.SEEK_SET;

  /** {@code MPI_SEEK_CUR}. */
  public static final int SEEK_CUR = Constants.SEEK_CUR;

  /** {@code MPI_SEEK_END}. */
  public static final int SEEK_END = Constants.SEEK_END;

  /** {@code MPI_MODE_NOCHECK}. */
  public static final int MODE_NOCHECK = Constants.MODE_NOCHECK;

  /** {@code MPI_MODE_NOPRECEDE}. */
  public static final int MODE_NOPRECEDE = Constants.MODE_NOPRECEDE;

  /** {@code MPI_MODE_NOPUT}. */
  public static final int MODE_NOPUT = Constants.MODE_NOPUT;

  /** {@code MPI_MODE_NOSTORE}. */
  public static final int MODE_NOSTORE = Constants.MODE_NOSTORE;

  /** {@code MPI_MODE_NOSUCCEED}. */
  public static final int MODE_NOSUCCEED = Constants.MODE_NOSUCCEED;

  /** {@code MPI_LOCK_EXCLUSIVE}. */
  public static final int LOCK_EXCLUSIVE = Constants.LOCK_EXCLUSIVE;

  /** {@code MPI_LOCK_SHARED}. */
  public static final int LOCK_SHARED = Constants.LOCK_SHARED;

  /** {@code MPI_ERRORS_ARE_FATAL}. */
  public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(org.ffmpi.Errhandler.FATAL);

  /** {@code MPI_ERRORS_RETURN}. */
  public static final Errhandler ERRORS_RETURN = new Errhandler(org.ffmpi.Errhandler.RETURN);

  /** {@code MPI_SUCCESS}. */
  public static final int SUCCESS = ErrorClass.SUCCESS.code();

  /** {@code MPI_ERR_BUFFER}. */
  public static final int ERR_BUFFER = ErrorClass.ERR_BUFFER.code();

  /** {@code MPI_ERR_COUNT}. */
  public static final int ERR_COUNT = ErrorClass.ERR_COUNT.code();

  /** {@code MPI_ERR_TYPE}. */
  public static final int ERR_TYPE = ErrorClass.ERR_TYPE.code();

  /** {@code MPI_ERR_TAG}. */
  public static final int ERR_TAG = ErrorClass.ERR_TAG.code();

  /** {@code MPI_ERR_COMM}. */
  public static final int ERR_COMM = ErrorClass.ERR_COMM.code();

  /** {@code MPI_ERR_RANK}. */
  public static final int ERR_RANK = ErrorClass.ERR_RANK.code();

  /** {@code MPI_ERR_REQUEST}. */
  public static final int ERR_REQUEST = ErrorClass.ERR_REQUEST.code();

  /** {@code MPI_ERR_ROOT}. */
  public static final int ERR_ROOT = ErrorClass.ERR_ROOT.code();

  /** {@code MPI_ERR_GROUP}. */
  public static final int ERR_GROUP = ErrorClass.ERR_GROUP.code();

  /** {@code MPI_ERR_OP}. */
  public static final int ERR_OP = ErrorClass.ERR_OP.code();

  /** {@code MPI_ERR_TOPOLOGY}. */
  public static final int ERR_TOPOLOGY = ErrorClass.ERR_TOPOLOGY.code();

  /** {@code MPI_ERR_DIMS}. */
  public static final int ERR_DIMS = ErrorClass.ERR_DIMS.code();

  /** {@code MPI_ERR_ARG}. */
  public static final int ERR_ARG = ErrorClass.ERR_ARG.code();

  /** {@code MPI_ERR_UNKNOWN}. */
  public static final int ERR_UNKNOWN = ErrorClass.ERR_UNKNOWN.code();

  /** {@code MPI_ERR_TRUNCATE}. */
  public static final int ERR_TRUNCATE = ErrorClass.ERR_TRUNCATE.code();

  /** {@code MPI_ERR_OTHER}. */
  public static final int ERR_OTHER = ErrorClass.ERR_OTHER.code();

  /** {@code MPI_ERR_INTERN}. */
  public static final int ERR_INTERN = ErrorClass.ERR_INTERN.code();

  /** {@code MPI_ERR_IN_STATUS}. */
  public static final int ERR_IN_STATUS = ErrorClass.ERR_IN_STATUS.code();

  /** {@code MPI_ERR_PENDING}. */
  public static final int ERR_PENDING = ErrorClass.ERR_PENDING.code();

  /** {@code MPI_ERR_ACCESS}. */
  public static final int ERR_ACCESS = ErrorClass.ERR_ACCESS.code();

  /** {@code MPI_ERR_AMODE}. */
  public static final int ERR_AMODE = ErrorClass.ERR_AMODE.code();

  /** {@code MPI_ERR_ASSERT}. */
  public static final int ERR_ASSERT = ErrorClass.ERR_ASSERT.code();

  /** {@code MPI_ERR_BAD_FILE}. */
  public static final int ERR_BAD_FILE = ErrorClass.ERR_BAD_FILE.code();

  /** {@code MPI_ERR_BASE}. */
  public static final int ERR_BASE = ErrorClass.ERR_BASE.code();

  /** {@code MPI_ERR_CONVERSION}. */
  public static final int ERR_CONVERSION = ErrorClass.ERR_CONVERSION.code();

  /** {@code MPI_ERR_DISP}. */
  public static final int ERR_DISP = ErrorClass.ERR_DISP.code();

  /** {@code MPI_ERR_DUP_DATAREP}. */
  public static final int ERR_DUP_DATAREP = ErrorClass.ERR_DUP_DATAREP.code();

  /** {@code MPI_ERR_FILE_EXISTS}. */
  public static final int ERR_FILE_EXISTS = ErrorClass.ERR_FILE_EXISTS.code();

  /** {@code MPI_ERR_FILE_IN_USE}. */
  public static final int ERR_FILE_IN_USE = ErrorClass.ERR_FILE_IN_USE.code();

  /** {@code MPI_ERR_FILE}. */
  public static final int ERR_FILE = ErrorClass.ERR_FILE.code();

  /** {@code MPI_ERR_INFO_KEY}. */
  public static final int ERR_INFO_KEY = ErrorClass.ERR_INFO_KEY.code();

  /** {@code MPI_ERR_INFO_NOKEY}. */
  public static final int ERR_INFO_NOKEY = ErrorClass.ERR_INFO_NOKEY.code();

  /** {@code MPI_ERR_INFO_VALUE}. */
  public static final int ERR_INFO_VALUE = ErrorClass.ERR_INFO_VALUE.code();

  /** {@code MPI_ERR_INFO}. */
  public static final int ERR_INFO = ErrorClass.ERR_INFO.code();

  /** {@code MPI_ERR_IO}. */
  public static final int ERR_IO = ErrorClass.ERR_IO.code();

  /** {@code MPI_ERR_KEYVAL}. */
  public static final int ERR_KEYVAL = ErrorClass.ERR_KEYVAL.code();

  /** {@code MPI_ERR_LOCKTYPE}. */
  public static final int ERR_LOCKTYPE = ErrorClass.ERR_LOCKTYPE.code();

  /** {@code MPI_ERR_NAME}. */
  public static final int ERR_NAME = ErrorClass.ERR_NAME.code();

  /** {@code MPI_ERR_NO_MEM}. */
  public static final int ERR_NO_MEM = ErrorClass.ERR_NO_MEM.code();

  /** {@code MPI_ERR_NOT_SAME}. */
  public static final int ERR_NOT_SAME = ErrorClass.ERR_NOT_SAME.code();

  /** {@code MPI_ERR_NO_SPACE}. */
  public static final int ERR_NO_SPACE = ErrorClass.ERR_NO_SPACE.code();

  /** {@code MPI_ERR_NO_SUCH_FILE}. */
  public static final int ERR_NO_SUCH_FILE = ErrorClass.ERR_NO_SUCH_FILE.code();

  /** {@code MPI_ERR_PORT}. */
  public static final int ERR_PORT = ErrorClass.ERR_PORT.code();

  /** {@code MPI_ERR_QUOTA}. */
  public static final int ERR_QUOTA = ErrorClass.ERR_QUOTA.code();

  /** {@code MPI_ERR_READ_ONLY}. */
  public static final int ERR_READ_ONLY = ErrorClass.ERR_READ_ONLY.code();

  /** {@code MPI_ERR_RMA_CONFLICT}. */
  public static final int ERR_RMA_CONFLICT = ErrorClass.ERR_RMA_CONFLICT.code();

  /** {@code MPI_ERR_RMA_SYNC}. */
  public static final int ERR_RMA_SYNC = ErrorClass.ERR_RMA_SYNC.code();

  /** {@code MPI_ERR_SERVICE}. */
  public static final int ERR_SERVICE = ErrorClass.ERR_SERVICE.code();

  /** {@code MPI_ERR_SIZE}. */
  public static final int ERR_SIZE = ErrorClass.ERR_SIZE.code();

  /** {@code MPI_ERR_SPAWN}. */
  public static final int ERR_SPAWN = ErrorClass.ERR_SPAWN.code();

  /** {@code MPI_ERR_UNSUPPORTED_DATAREP}. */
  public static final int ERR_UNSUPPORTED_DATAREP = ErrorClass.ERR_UNSUPPORTED_DATAREP.code();

  /** {@code MPI_ERR_UNSUPPORTED_OPERATION}. */
  public static final int ERR_UNSUPPORTED_OPERATION = ErrorClass.ERR_UNSUPPORTED_OPERATION.code();

  /** {@code MPI_ERR_WIN}. */
  public static final int ERR_WIN = ErrorClass.ERR_WIN.code();

  /** {@code MPI_ERR_LASTCODE}. */
  public static final int ERR_LASTCODE = ErrorClass.ERR_LASTCODE.code();

  /** The class of errors of exhausted resources in Open MPI; ffmpi has none of that class. */
  public static final int ERR_SYSRESOURCE = -2;

  /** How pairs of {@code MPI.INT2} lie in a buffer. */
  public static final Int2 int2 = new Int2();

  /** How pairs of {@code MPI.SHORT_INT} lie in a buffer. */
  public static final ShortInt shortInt = new ShortInt();

  /** How pairs of {@code MPI.LONG_INT} lie in a buffer. */
  public static final LongInt longInt = new LongInt();

  /** How pairs of {@code MPI.FLOAT_INT} lie in a buffer. */
  public static final FloatInt floatInt = new FloatInt();

  /** How pairs of {@code MPI.DOUBLE_INT} lie in a buffer. */
  public static final DoubleInt doubleInt = new DoubleInt();

  /** What {@link #attachBuffer} has been given. */
  private static byte[] attached;

  /** Programs have no use for an object; the original lets them make one. */
  public MPI() {}

  // ---- start and end

  /**
   * Begins ({@code MPI_Init}).
   *
   * @param args arguments of the program
   * @return the same
   */
  public static String[] Init(String[] args) throws MPIException {
    begin(args, ThreadLevel.SINGLE);
    return args;
  }

  /**
   * Begins ({@code MPI_Init_thread}).
   *
   * @param args arguments of the program
   * @param required which threads are going to make calls
   * @return which threads may
   */
  public static int InitThread(String[] args, int required) throws MPIException {
    ThreadLevel level = Arrays.stream(ThreadLevel.values()).filter(known -> known.code() == required).findFirst()
        .orElseThrow(() -> new MPIException(MpiException.argument(
            ErrorClass.ERR_ARG, "required", required, "the constants MPI.THREAD_...")));
    return begin(args, level).threadLevel().code();
  }

  private static Mpi begin(String[] args, ThreadLevel level) {
    try {
      Mpi mpi = Job.start(args, level);
      COMM_WORLD.become(mpi.world());
      COMM_SELF.become(mpi.self());
      Ports.begin();
      mpi.bufferAttach(Buf.automatic());
      INFO_ENV.become(environment(mpi));
      return mpi;
    } catch (MpiException e) {
      throw Errors.raise(e);
    }
  }

  /** Returns what is known about the start: also, as Open MPI says it, which ranks run which program. */
  private static org.ffmpi.Info environment(Mpi mpi) {
    org.ffmpi.Info info = org.ffmpi.Info.env();
    int size = mpi.world().size();
    String ranks = info.get("maxprocs").orElse("");
    int[] firsts = {0};
    if (!ranks.isEmpty() && !ranks.equals(Integer.toString(size))) {
      firsts = firstRanks(mpi);
    }
    StringBuilder counts = new StringBuilder();
    StringBuilder first = new StringBuilder();
    for (int i = 0; i < firsts.length; i++) {
      String gap = i == 0 ? "" : " ";
      counts.append(gap).append((i + 1 < firsts.length ? firsts[i + 1] : size) - firsts[i]);
      first.append(gap).append(firsts[i]);
    }
    return info.set("ompi_num_apps", Integer.toString(firsts.length))
        .set("ompi_np", counts.toString()).set("ompi_first_rank", first.toString());
  }

  /** Returns the first rank of each program of the job; all ranks call. */
  private static int[] firstRanks(Mpi mpi) {
    int[] programs = new int[mpi.world().size()];
    programs[mpi.world().rank()] = mpi.world().attributes().get(PropertyCalls.APPNUM).orElse(0);
    Ports.line().allgather(Buf.of(programs));
    int[] firsts = new int[programs.length];
    int n = 0;
    for (int r = 0; r < programs.length; r++) {
      if (r == 0 || programs[r] != programs[r - 1]) {
        firsts[n++] = r;
      }
    }
    return Arrays.copyOf(firsts, n);
  }

  /**
   * Returns which threads may make calls ({@code MPI_Query_thread}).
   *
   * @return one of the constants {@code MPI.THREAD_...}
   */
  public static int queryThread() throws MPIException {
    return Errors.call(() -> Job.mpi().threadLevel().code());
  }

  /**
   * Returns whether this is the thread that has called {@link #Init} ({@code MPI_Is_thread_main}).
   *
   * @return true for that thread
   */
  public static boolean isThreadMain() throws MPIException {
    return Errors.call(() -> Job.mpi().isThreadMain());
  }

  /** Ends ({@code MPI_Finalize}). */
  public static void Finalize() throws MPIException {
    Errors.run(() -> {
      Job.mpi();
      if (!Mpi.isFinalized()) {
        Ports.end();
      }
      Job.end();
    });
  }

  /**
   * Returns whether {@link #Init} has been called ({@code MPI_Initialized}).
   *
   * @return also true after {@link #Finalize}
   */
  public static boolean isInitialized() throws MPIException {
    return Mpi.isInitialized();
  }

  /**
   * Returns whether {@link #Finalize} has been called ({@code MPI_Finalized}).
   *
   * @return true afterwards
   */
  public static boolean isFinalized() throws MPIException {
    return Mpi.isFinalized();
  }

  // ---- the environment

  /**
   * Returns the time ({@code MPI_Wtime}).
   *
   * @return seconds since some moment
   */
  public static double wtime() throws MPIException {
    return Mpi.wtime();
  }

  /**
   * Returns how fine the time is ({@code MPI_Wtick}).
   *
   * @return seconds
   */
  public static double wtick() throws MPIException {
    return Mpi.wtick();
  }

  /**
   * Returns the version of the standard ({@code MPI_Get_version}).
   *
   * @return the version
   */
  public static Version getVersion() {
    return new Version(Mpi.version().version(), Mpi.version().subversion());
  }

  /**
   * Returns the version of the library ({@code MPI_Get_library_version}).
   *
   * @return a text
   */
  public static String getLibVersion() {
    return Mpi.libraryVersion();
  }

  /**
   * Returns the name of the machine ({@code MPI_Get_processor_name}).
   *
   * @return a text
   */
  public static String getProcessorName() throws MPIException {
    return Mpi.processorName();
  }

  /**
   * Tells a profiler something ({@code MPI_Pcontrol}).
   *
   * @param level a number
   * @param obj anything
   */
  public static void pControl(int level, Object obj) {
    Mpi.pcontrol(level, obj);
  }

  // ---- buffered mode

  /**
   * Gives memory to buffered sends ({@code MPI_Buffer_attach}). Without it they take memory of their own.
   *
   * @param buffer the memory
   */
  public static synchronized void attachBuffer(byte[] buffer) throws MPIException {
    Errors.run(() -> {
      Mpi mpi = Job.mpi();
      if (attached != null) {
        throw MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", buffer, "none as long as another one is attached");
      }
      Buf<Byte> memory = Buf.of(buffer);
      mpi.bufferDetach();
      mpi.bufferAttach(memory);
      attached = buffer;
    });
  }

  /**
   * Takes back the memory of buffered sends when all have left ({@code MPI_Buffer_detach}).
   *
   * @return the memory
   */
  public static synchronized byte[] detachBuffer() throws MPIException {
    return Errors.call(() -> {
      Mpi mpi = Job.mpi();
      byte[] buffer = attached;
      if (buffer == null) {
        throw new MpiException(ErrorClass.ERR_BUFFER, "buffer: none is attached");
      }
      mpi.bufferDetach();
      attached = null;
      mpi.bufferAttach(Buf.automatic());
      return buffer;
    });
  }

  // ---- memory

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static ByteBuffer newByteBuffer(int capacity) {
    return memory(capacity);
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static CharBuffer newCharBuffer(int capacity) {
    return memory(2L * capacity).asCharBuffer();
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static ShortBuffer newShortBuffer(int capacity) {
    return memory(2L * capacity).asShortBuffer();
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static IntBuffer newIntBuffer(int capacity) {
    return memory(4L * capacity).asIntBuffer();
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static LongBuffer newLongBuffer(int capacity) {
    return memory(8L * capacity).asLongBuffer();
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static FloatBuffer newFloatBuffer(int capacity) {
    return memory(4L * capacity).asFloatBuffer();
  }

  /**
   * Makes a direct buffer, in shared memory where there is some.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static DoubleBuffer newDoubleBuffer(int capacity) {
    return memory(8L * capacity).asDoubleBuffer();
  }

  private static ByteBuffer memory(long bytes) {
    if (bytes > Integer.MAX_VALUE || bytes < 0) {
      throw Errors.raise(MpiException.argument(ErrorClass.ERR_NO_MEM, "bytes of the buffer", bytes,
          "0.." + Integer.MAX_VALUE + ", the most of NIO buffers"));
    }
    MemorySegment shared = bytes == 0 || !Mpi.isInitialized() || Mpi.isFinalized() ? null : shared(bytes);
    ByteBuffer buffer = shared == null ? ByteBuffer.allocateDirect((int) bytes) : shared.asByteBuffer();
    return buffer.order(ByteOrder.nativeOrder());
  }

  private static MemorySegment shared(long bytes) {
    try {
      return Job.mpi().shared().allocate(bytes, 64);
    } catch (MpiException e) { // used up: any memory will do
      return null;
    }
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static ByteBuffer slice(ByteBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice().order(ByteOrder.nativeOrder()), buf, offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static CharBuffer slice(CharBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 2L * offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static ShortBuffer slice(ShortBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 2L * offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static IntBuffer slice(IntBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 4L * offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static LongBuffer slice(LongBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 8L * offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static FloatBuffer slice(FloatBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 4L * offset);
  }

  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
    return Slices.note(cut(buf, offset).slice(), buf, 8L * offset);
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static ByteBuffer slice(byte[] buf, int offset) {
    return ByteBuffer.wrap(buf, offset, behind(buf.length, offset)).slice().order(ByteOrder.nativeOrder());
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static CharBuffer slice(char[] buf, int offset) {
    return CharBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static ShortBuffer slice(short[] buf, int offset) {
    return ShortBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static IntBuffer slice(int[] buf, int offset) {
    return IntBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static LongBuffer slice(long[] buf, int offset) {
    return LongBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static FloatBuffer slice(float[] buf, int offset) {
    return FloatBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static DoubleBuffer slice(double[] buf, int offset) {
    return DoubleBuffer.wrap(buf, offset, behind(buf.length, offset)).slice();
  }

  /** Returns a view of all of a buffer from a value on. */
  @SuppressWarnings("unchecked") // duplicates are of the same class
  private static <B extends Buffer> B cut(B buffer, int offset) {
    if (offset < 0 || offset > buffer.capacity()) {
      throw new IllegalArgumentException(noOffset(buffer.capacity(), offset));
    }
    return (B) buffer.duplicate().clear().position(offset);
  }

  /** Returns how many values of an array there are from an offset on. */
  private static int behind(int length, int offset) {
    if (offset < 0 || offset > length) {
      throw new IndexOutOfBoundsException(noOffset(length, offset));
    }
    return length - offset;
  }

  private static String noOffset(int length, int offset) {
    return "offset = " + offset + ": allowed are 0.." + length + ", for there are " + length + " values";
  }
}
