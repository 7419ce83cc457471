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

/** Constants, start and end, and memory. */
public final class MPI {
  //text return String  a text

  /** {@code MPI_COMM_WORLD}. */
  public static final Intracomm COMM_WORLD = new Intracomm((org.ffmpi.Comm) null);

  /** {@code MPI_COMM_SELF}. */
  public static final Intracomm COMM_SELF = new Intracomm((org.ffmpi.Comm) null);

  //for-each name
  //| THREAD_SINGLE THREAD_FUNNELED THREAD_SERIALIZED THREAD_MULTIPLE GRAPH DIST_GRAPH CART ANY_SOURCE ANY_TAG
  /** {@code MPI_@name@}. */
  public static final int @name@ = Constants.@name@;

  //end
  //for-each name
  //| MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR REPLACE NO_OP MINLOC MAXLOC
  /** {@code MPI_@name@}. */
  public static final Op @name@ = new Op(org.ffmpi.Op.@name@);

  //end
  /** {@code MPI_DATATYPE_NULL}. */
  public static final Datatype DATATYPE_NULL = new Datatype(null, BaseKind.BYTE);

  //for-each name type kind
  //| BYTE            UINT8_T           BYTE
  //| CHAR            UINT16_T          CHAR
  //| SHORT           INT16_T           SHORT
  //| BOOLEAN         C_BOOL            BOOLEAN
  //| INT             INT32_T           INT
  //| LONG            INT64_T           LONG
  //| FLOAT           FLOAT             FLOAT
  //| DOUBLE          DOUBLE            DOUBLE
  //| PACKED          PACKED            BYTE
  //| FLOAT_COMPLEX   C_FLOAT_COMPLEX   FLOAT
  //| DOUBLE_COMPLEX  C_DOUBLE_COMPLEX  DOUBLE
  //| INT2            TWO_INT           BYTE
  //| SHORT_INT       SHORT_INT         BYTE
  //| LONG_INT        LONG_INT          BYTE
  //| FLOAT_INT       FLOAT_INT         BYTE
  //| DOUBLE_INT      DOUBLE_INT        BYTE
  /** {@code MPI_@name@}. */
  public static final Datatype @name@ = new Datatype(org.ffmpi.datatype.Datatype.@type@, BaseKind.@kind@);

  //end
  /** {@code MPI_REQUEST_NULL}. */
  public static final Request REQUEST_NULL = new Request((org.ffmpi.Request) null);

  /** {@code MPI_GROUP_EMPTY}. */
  public static final Group GROUP_EMPTY = new Group(org.ffmpi.Group.EMPTY);

  /** {@code MPI_INFO_ENV}. */
  public static final Info INFO_ENV = new Info((org.ffmpi.Info) null);

  /** {@code MPI_INFO_NULL}. */
  public static final Info INFO_NULL = new Info((org.ffmpi.Info) null);

  //for-each name
  //| PROC_NULL UNDEFINED IDENT CONGRUENT SIMILAR UNEQUAL TAG_UB HOST IO WTIME_IS_GLOBAL APPNUM LASTUSEDCODE
  //| UNIVERSE_SIZE WIN_BASE WIN_SIZE WIN_DISP_UNIT VERSION SUBVERSION ROOT KEYVAL_INVALID BSEND_OVERHEAD
  //| MAX_OBJECT_NAME MAX_PORT_NAME MAX_DATAREP_STRING MAX_INFO_KEY MAX_INFO_VAL ORDER_C ORDER_FORTRAN
  //| DISTRIBUTE_BLOCK DISTRIBUTE_CYCLIC DISTRIBUTE_NONE DISTRIBUTE_DFLT_DARG MODE_CREATE MODE_RDONLY MODE_WRONLY
  //| MODE_RDWR MODE_DELETE_ON_CLOSE MODE_UNIQUE_OPEN MODE_EXCL MODE_APPEND MODE_SEQUENTIAL DISPLACEMENT_CURRENT
  //| SEEK_SET SEEK_CUR SEEK_END MODE_NOCHECK MODE_NOPRECEDE MODE_NOPUT MODE_NOSTORE MODE_NOSUCCEED LOCK_EXCLUSIVE
  //| LOCK_SHARED
  /** {@code MPI_@name@}. */
  public static final int @name@ = Constants.@name@;

  //end
  /** {@code MPI_ERRORS_ARE_FATAL}. */
  public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(Errors.FATAL);

  /** {@code MPI_ERRORS_RETURN}. */
  public static final Errhandler ERRORS_RETURN = new Errhandler(org.ffmpi.Errhandler.RETURN);

  //for-each name
  //| SUCCESS ERR_BUFFER ERR_COUNT ERR_TYPE ERR_TAG ERR_COMM ERR_RANK ERR_REQUEST ERR_ROOT ERR_GROUP ERR_OP
  //| ERR_TOPOLOGY ERR_DIMS ERR_ARG ERR_UNKNOWN ERR_TRUNCATE ERR_OTHER ERR_INTERN ERR_IN_STATUS ERR_PENDING ERR_ACCESS
  //| ERR_AMODE ERR_ASSERT ERR_BAD_FILE ERR_BASE ERR_CONVERSION ERR_DISP ERR_DUP_DATAREP ERR_FILE_EXISTS
  //| ERR_FILE_IN_USE ERR_FILE ERR_INFO_KEY ERR_INFO_NOKEY ERR_INFO_VALUE ERR_INFO ERR_IO ERR_KEYVAL ERR_LOCKTYPE
  //| ERR_NAME ERR_NO_MEM ERR_NOT_SAME ERR_NO_SPACE ERR_NO_SUCH_FILE ERR_PORT ERR_QUOTA ERR_READ_ONLY ERR_RMA_CONFLICT
  //| ERR_RMA_SYNC ERR_SERVICE ERR_SIZE ERR_SPAWN ERR_UNSUPPORTED_DATAREP ERR_UNSUPPORTED_OPERATION ERR_WIN
  //| ERR_LASTCODE
  /** {@code MPI_@name@}. */
  public static final int @name@ = ErrorNumbers.of(ErrorClass.@name@);

  //end
  /** The class of errors of exhausted resources in Open MPI; ffmpi has none of that class. */
  public static final int ERR_SYSRESOURCE = -2;

  //for-each kind Name name
  //| INT2        Int2       int2
  //| SHORT_INT   ShortInt   shortInt
  //| LONG_INT    LongInt    longInt
  //| FLOAT_INT   FloatInt   floatInt
  //| DOUBLE_INT  DoubleInt  doubleInt
  /** Layout of pairs of {@code MPI.@kind@} in a buffer. */
  public static final @Name@ @name@ = new @Name@();

  //end
  /** The argument of {@link #attachBuffer}. */
  private static byte[] attached;

  /** Objects have no use; the original has this constructor. */
  public MPI() {}

  // ---- start and end

  /**
   * Joins the job ({@code MPI_Init}).
   *
   * @param args arguments of the program
   * @return the same
   */
  public static String[] Init(String[] args) throws MPIException {
    begin(args, ThreadLevel.SINGLE);
    return args;
  }

  /**
   * Joins the job ({@code MPI_Init_thread}).
   *
   * @param args arguments of the program
   * @param required the threads that will make calls
   * @return the threads that may
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
      COMM_WORLD.bind(mpi.world());
      COMM_SELF.bind(mpi.self());
      Line.begin();
      Errors.begin(mpi);
      mpi.bufferAttach(Buf.automatic());
      INFO_ENV.bind(environment(mpi));
      return mpi;
    } catch (MpiException e) {
      throw Errors.raise(e);
    }
  }

  /** Returns {@code MPI_INFO_ENV} with the keys of Open MPI, which describe the ranks of each program. */
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
    Line.line().allgather(Buf.of(programs));
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
   * Returns the threads that may make calls ({@code MPI_Query_thread}).
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

  /** Leaves the job ({@code MPI_Finalize}). */
  public static void Finalize() throws MPIException {
    Errors.run(() -> {
      Job.mpi();
      if (!Mpi.isFinalized()) {
        Line.end();
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
   * @return seconds since an arbitrary time
   */
  public static double wtime() throws MPIException {
    return Mpi.wtime();
  }

  /**
   * Returns the resolution of the time ({@code MPI_Wtick}).
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

  /** Returns the version of the library ({@code MPI_Get_library_version}). */
  public static String getLibVersion() {
    return Mpi.libraryVersion();
  }

  /** Returns the name of the machine ({@code MPI_Get_processor_name}). */
  public static String getProcessorName() throws MPIException {
    return Mpi.processorName();
  }

  /**
   * Passes a level to a profiler ({@code MPI_Pcontrol}).
   *
   * @param level a number
   * @param obj anything
   */
  public static void pControl(int level, Object obj) {
    Mpi.pcontrol(level, obj);
  }

  // ---- buffered mode

  /**
   * Attaches memory for buffered sends ({@code MPI_Buffer_attach}), which otherwise allocate their own.
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
   * Detaches the memory of buffered sends when all have left ({@code MPI_Buffer_detach}).
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
   * Makes a direct buffer, in shared memory if it has room.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static ByteBuffer newByteBuffer(int capacity) {
    return memory(capacity);
  }

  //for-each Type type width
  //| Char    char    2
  //| Short   short   2
  //| Int     int     4
  //| Long    long    8
  //| Float   float   4
  //| Double  double  8
  /**
   * Makes a direct buffer, in shared memory if it has room.
   *
   * @param capacity number of values
   * @return the buffer, in the machine's byte order
   */
  public static @Type@Buffer new@Type@Buffer(int capacity) {
    return memory(@width@L * capacity).as@Type@Buffer();
  }

  //end
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

  //for-each Type type bytes order
  //| Byte    byte    -     .order(ByteOrder.nativeOrder())
  //| Char    char    2L *  -
  //| Short   short   2L *  -
  //| Int     int     4L *  -
  //| Long    long    8L *  -
  //| Float   float   4L *  -
  //| Double  double  8L *  -
  /**
   * Returns the part of a buffer that begins at a value. Types may reach below and beyond it.
   *
   * @param buf a buffer
   * @param offset first value
   * @return the part, in the machine's byte order
   */
  public static @Type@Buffer slice(@Type@Buffer buf, int offset) {
    return Slices.register(cut(buf, offset).slice()@order@, buf, @bytes@offset);
  }

  /**
   * Returns a buffer over the part of an array that begins at a value. Types may reach below it.
   *
   * @param buf an array
   * @param offset first value
   * @return the buffer
   */
  public static @Type@Buffer slice(@type@[] buf, int offset) {
    return @Type@Buffer.wrap(buf, offset, behind(buf.length, offset)).slice()@order@;
  }

  //end
  /** Returns a view of all of a buffer from a value on. */
  @SuppressWarnings("unchecked") // duplicates are of the same class
  private static <B extends Buffer> B cut(B buffer, int offset) {
    if (offset < 0 || offset > buffer.capacity()) {
      throw new IllegalArgumentException(noOffset(buffer.capacity(), offset));
    }
    return (B) buffer.duplicate().clear().position(offset);
  }

  /** Returns the number of values of an array from an offset on. */
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
