// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;
import org.ffmpi.dialect.TypedMemory;

/**
 * Start and end of a program, and the constants.
 *
 * {@snippet :
 * public static void main(String[] args) throws MPIException {
 *   args = MPI.Init(args);
 *   int rank = MPI.COMM_WORLD.Rank();
 *   double[] sum = new double[1];
 *   MPI.COMM_WORLD.Allreduce(new double[] {rank}, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
 *   MPI.Finalize();
 * }
 * }
 */
public class MPI {
  /** False, since the library writes no log. */
  public static final boolean DEBUG = false;

  /** All processes of the job; null before {@link #Init}. */
  public static Intracomm COMM_WORLD;

  /** Of no meaning here. */
  public static boolean isOldSelected = false;

  /** Processors of this machine. */
  public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** {@code MPI_UNDEFINED}. */
  public static int UNDEFINED = -1;

  /** {@code MPI_THREAD_SINGLE}. */
  public static int THREAD_SINGLE = 1;

  /** {@code MPI_THREAD_FUNNELED}. */
  public static int THREAD_FUNNELED = 2;

  /** {@code MPI_THREAD_SERIALIZED}. */
  public static int THREAD_SERIALIZED = 3;

  /** {@code MPI_THREAD_MULTIPLE}. */
  public static int THREAD_MULTIPLE = 4;

  /** {@code MPI_ANY_SOURCE}. */
  public static int ANY_SOURCE = -2;

  /** {@code MPI_ANY_TAG}. */
  public static int ANY_TAG = -2;

  /** {@code MPI_PROC_NULL}. */
  public static int PROC_NULL = -3;

  /** {@code MPI_DATATYPE_NULL}. */
  public static Datatype NULL = ElementType.basic(TypeCodes.NULL, null);

  /** {@code byte}, with a sign ({@code MPI_BYTE}). */
  public static Datatype BYTE = ElementType.basic(TypeCodes.BYTE, org.ffmpi.datatype.Datatype.INT8_T);

  /** {@code char} ({@code MPI_CHAR}). */
  public static Datatype CHAR = ElementType.basic(TypeCodes.CHAR, org.ffmpi.datatype.Datatype.UINT16_T);

  /** {@code short} ({@code MPI_SHORT}). */
  public static Datatype SHORT = ElementType.basic(TypeCodes.SHORT, org.ffmpi.datatype.Datatype.INT16_T);

  /** {@code boolean}. */
  public static Datatype BOOLEAN = ElementType.basic(TypeCodes.BOOLEAN, org.ffmpi.datatype.Datatype.C_BOOL);

  /** {@code int} ({@code MPI_INT}). */
  public static Datatype INT = ElementType.basic(TypeCodes.INT, org.ffmpi.datatype.Datatype.INT32_T);

  /** {@code long} ({@code MPI_LONG}). */
  public static Datatype LONG = ElementType.basic(TypeCodes.LONG, org.ffmpi.datatype.Datatype.INT64_T);

  /** {@code float} ({@code MPI_FLOAT}). */
  public static Datatype FLOAT = ElementType.basic(TypeCodes.FLOAT, org.ffmpi.datatype.Datatype.FLOAT);

  /** {@code double} ({@code MPI_DOUBLE}). */
  public static Datatype DOUBLE = ElementType.basic(TypeCodes.DOUBLE, org.ffmpi.datatype.Datatype.DOUBLE);

  /** A packed byte ({@code MPI_PACKED}). */
  public static Datatype PACKED = ElementType.basic(TypeCodes.PACKED, org.ffmpi.datatype.Datatype.PACKED);

  /** Sets the lower bound of a type made by {@link Datatype#Struct} ({@code MPI_LB}). */
  public static Datatype LB = ElementType.basic(TypeCodes.LB, null);

  /** Sets the upper bound of a type made by {@link Datatype#Struct} ({@code MPI_UB}). */
  public static Datatype UB = ElementType.basic(TypeCodes.UB, null);

  /** Anything that is {@code Serializable}, in an array of objects. */
  public static Datatype OBJECT = ElementType.basic(TypeCodes.OBJECT, null);

  /** Value and index, both {@code short}. */
  public static Datatype SHORT2 = Datatype.Contiguous(2, SHORT);

  /** Value and index, both {@code int} ({@code MPI_2INT}). */
  public static Datatype INT2 = Datatype.Contiguous(2, INT);

  /** Value and index, both {@code long}. */
  public static Datatype LONG2 = Datatype.Contiguous(2, LONG);

  /** Value and index, both {@code float} ({@code MPI_2REAL}). */
  public static Datatype FLOAT2 = Datatype.Contiguous(2, FLOAT);

  /** Value and index, both {@code double} ({@code MPI_2DOUBLE_PRECISION}). */
  public static Datatype DOUBLE2 = Datatype.Contiguous(2, DOUBLE);

  /** {@code MPI_MAX}. */
  public static Op MAX = new Op("MPI.MAX", 1, org.ffmpi.Op.MAX, true);

  /** {@code MPI_MIN}. */
  public static Op MIN = new Op("MPI.MIN", 2, org.ffmpi.Op.MIN, true);

  /** {@code MPI_SUM}. */
  public static Op SUM = new Op("MPI.SUM", 3, org.ffmpi.Op.SUM, true);

  /** {@code MPI_PROD}. */
  public static Op PROD = new Op("MPI.PROD", 4, org.ffmpi.Op.PROD, true);

  /** {@code MPI_LAND}. */
  public static Op LAND = new Op("MPI.LAND", 5, org.ffmpi.Op.LAND, true);

  /** {@code MPI_BAND}; of booleans, the same as {@link #LAND}. */
  public static Op BAND = new Op("MPI.BAND", 6, org.ffmpi.Op.BAND, true);

  /** {@code MPI_LOR}. */
  public static Op LOR = new Op("MPI.LOR", 7, org.ffmpi.Op.LOR, true);

  /** {@code MPI_BOR}; of booleans, the same as {@link #LOR}. */
  public static Op BOR = new Op("MPI.BOR", 8, org.ffmpi.Op.BOR, true);

  /** {@code MPI_LXOR}. */
  public static Op LXOR = new Op("MPI.LXOR", 9, org.ffmpi.Op.LXOR, true);

  /** {@code MPI_BXOR}; of booleans, the same as {@link #LXOR}. */
  public static Op BXOR = new Op("MPI.BXOR", 10, org.ffmpi.Op.BXOR, true);

  /** {@code MPI_MAXLOC}, of pairs. */
  public static Op MAXLOC = new Op("MPI.MAXLOC", 12, org.ffmpi.Op.MAXLOC, true);

  /** {@code MPI_MINLOC}, of pairs. */
  public static Op MINLOC = new Op("MPI.MINLOC", 11, org.ffmpi.Op.MINLOC, true);

  /** The status of no message. */
  public static Status EMPTY_STATUS = new Status();

  /** Bytes that each message in an attached buffer takes besides its packed elements ({@code MPI_BSEND_OVERHEAD}). */
  public static int BSEND_OVERHEAD = Constants.BSEND_OVERHEAD;

  /** Bytes that a packed message takes besides its elements: none. */
  public static int SEND_OVERHEAD = 0;

  /** Bytes that a packed message takes besides its elements: none. */
  public static int RECV_OVERHEAD = 0;

  /** {@code MPI_GROUP_EMPTY}. */
  public static Group GROUP_EMPTY = new Group(org.ffmpi.Group.EMPTY);

  /** This process alone; null before {@link #Init}. */
  public static Comm COMM_SELF;

  /** {@code MPI_IDENT}. */
  public static final int IDENT = 0;

  /** {@code MPI_CONGRUENT}. */
  public static final int CONGRUENT = 3;

  /** {@code MPI_SIMILAR}. */
  public static final int SIMILAR = 1;

  /** {@code MPI_UNEQUAL}. */
  public static final int UNEQUAL = 2;

  /** {@code MPI_GRAPH}. */
  public static int GRAPH = 1;

  /** {@code MPI_CART}. */
  public static int CART = 2;

  /** A failed call ends the job ({@code MPI_ERRORS_ARE_FATAL}). */
  public static Errhandler ERRORS_ARE_FATAL = new Errhandler("MPI.ERRORS_ARE_FATAL");

  /** A failed call throws ({@code MPI_ERRORS_RETURN}). */
  public static Errhandler ERRORS_RETURN = new Errhandler("MPI.ERRORS_RETURN");

  /** Key of the largest tag ({@code MPI_TAG_UB}). */
  public static int TAG_UB = 1;

  /** Key of the host's rank ({@code MPI_HOST}); 0, since programs of MPJ Express take it for the first rank. */
  public static int HOST = 0;

  /** Key of the rank that can do input and output ({@code MPI_IO}). */
  public static int IO = 2;

  /** {@code MPI_REQUEST_NULL}. */
  public static Request REQUEST_NULL = new Request();

  /**
   * {@code MPI_COMM_NULL}: calls return null in its place. Programs of MPJ Express, started
   * with {@code mpirun --dialect mpj}, get one from {@code Split} and {@code Create} whose rank is
   * {@code MPI.UNDEFINED}.
   */
  public static Comm COMM_NULL;

  /** {@code MPI_GROUP_NULL}. */
  public static Group GROUP_NULL;

  private static boolean attached; // a buffer for messages in buffered mode

  private static volatile Errhandler errhandler = ERRORS_RETURN;

  /** True if started as by MPJ Express; written before the first communicator is made. */
  static boolean isMpjExpress;

  /** Programs have no use for an object; the originals let them make one. */
  public MPI() {}

  // ---- start and end

  /**
   * Joins the job ({@code MPI_Init}).
   *
   * @param args arguments of the program
   * @return those that are the program's own: after {@code mpirun --dialect mpj}, rank, number of ranks and device come
   *     before them
   * @throws MPIException at the second call
   */
  public static String[] Init(String[] args) throws MPIException {
    return start(args, ThreadLevel.MULTIPLE);
  }

  /**
   * Joins the job, if {@link #Init} has not done it yet ({@code MPI_Init_thread}).
   *
   * @param required how many threads are going to make calls, one of {@code MPI.THREAD_SINGLE} …
   * @param provided ignored: {@link #queryThread} returns the level
   * @param argv arguments of the program
   * @return as {@link #Init}
   */
  public static String[] initThread(int required, int provided, String[] argv) {
    return Initialized() ? own(argv == null ? new String[0] : argv) : start(argv, Codes.level(required));
  }

  private static String[] start(String[] args, ThreadLevel level) {
    String[] given = args == null ? new String[0] : args;
    isMpjExpress = "mpj".equals(System.getProperty("ffmpi.dialect"));
    Mpi mpi;
    try {
      mpi = Job.start(given, level);
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
    org.ffmpi.Errhandler<org.ffmpi.Comm> handler = org.ffmpi.Errhandler.of(MPI::failed);
    mpi.world().setErrhandler(handler);
    mpi.self().setErrhandler(handler);
    SpareStatus.reserveFor(Thread.currentThread());
    leaveAfter(Thread.currentThread());
    COMM_WORLD = new Intracomm(mpi.world());
    COMM_SELF = new Intracomm(mpi.self());
    return own(given);
  }

  /**
   * Has the process leave the job when it ends because the program has returned from main without {@link #Finalize}, as
   * MPJ Express lets it, and prints one line then. A process that ends otherwise counts as failed: its thread has not
   * come to its end.
   */
  private static void leaveAfter(Thread main) {
    try {
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("mpi-leave").unstarted(() -> {
        if (main.getState() == Thread.State.TERMINATED && !Mpi.isFinalized()) {
          leave();
        }
      }));
    } catch (IllegalStateException e) {
      // the process is ending already
    }
  }

  private static void leave() {
    System.err.println("mpi: rank " + COMM_WORLD.rank
        + " has returned from main without MPI.Finalize; it leaves the job as if it had called it");
    try {
      Finalize();
    } catch (MPIException e) {
      System.err.println("mpi: rank " + COMM_WORLD.rank + " could not leave the job: " + e.getMessage());
    }
  }

  /** Returns the program's own arguments. */
  private static String[] own(String[] args) {
    return isMpjExpress && args.length >= 3 ? Arrays.copyOfRange(args, 3, args.length) : args;
  }

  private static void failed(org.ffmpi.Comm comm, MpiException error) {
    if (errhandler == ERRORS_ARE_FATAL) {
      System.err.println(
          "mpi: " + Errors.named(error).getMessage() + ", and the error handler is MPI.ERRORS_ARE_FATAL");
      comm.abort(error.errorCode());
    }
  }

  /**
   * Leaves the job ({@code MPI_Finalize}); waits for what other processes still need of this one.
   *
   * @throws MPIException when {@link #Init} has not been called
   */
  public static void Finalize() throws MPIException {
    try {
      BufferedObjects.await();
      Job.end();
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  /**
   * Returns whether {@link #Init} has been called ({@code MPI_Initialized}).
   *
   * @return true, also after {@link #Finalize}
   * @throws MPIException never
   */
  public static boolean Initialized() throws MPIException {
    return COMM_WORLD != null;
  }

  /**
   * Returns whether this is the thread that joined the job ({@code MPI_Is_thread_main}).
   *
   * @return true for that thread
   */
  public static boolean isMainThread() {
    try {
      return Job.mpi().isThreadMain();
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  /**
   * Returns how many threads may make calls ({@code MPI_Query_thread}).
   *
   * @return one of {@code MPI.THREAD_SINGLE} …
   */
  public static int queryThread() {
    try {
      return Codes.level(Job.mpi().threadLevel());
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  // ---- the process

  /**
   * Sets what happens when a call fails, on any communicator ({@code MPI_Errhandler_set}).
   *
   * @param handler {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}
   * @throws MPIException when the handler is null
   */
  public static void Errorhandler_set(Errhandler handler) throws MPIException {
    if (handler == null) {
      throw Errors.raised(Errors.argument("handler", null, "MPI.ERRORS_RETURN and MPI.ERRORS_ARE_FATAL"));
    }
    errhandler = handler;
  }

  /**
   * Returns what happens when a call fails ({@code MPI_Errhandler_get}).
   *
   * @return {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}
   * @throws MPIException never
   */
  public static Errhandler Errorhandler_get() throws MPIException {
    return errhandler;
  }

  /**
   * Returns the name of the machine ({@code MPI_Get_processor_name}).
   *
   * @return the name
   * @throws MPIException never
   */
  public static String Get_processor_name() throws MPIException {
    return Mpi.processorName();
  }

  /**
   * Returns the time ({@code MPI_Wtime}).
   *
   * @return seconds since some moment in the past
   * @throws MPIException never
   */
  public static double Wtime() throws MPIException {
    return Mpi.wtime();
  }

  /**
   * Returns the resolution of {@link #Wtime} ({@code MPI_Wtick}).
   *
   * @return seconds
   * @throws MPIException never
   */
  public static double Wtick() throws MPIException {
    return Mpi.wtick();
  }

  // ---- the buffer of buffered mode

  /**
   * Gives messages in buffered mode a buffer ({@code MPI_Buffer_attach}). It replaces an attached one.
   *
   * @param userbuffer all of its memory is used
   * @throws MPIException when messages are in an attached one
   */
  public static void Buffer_attach(ByteBuffer userbuffer) throws MPIException {
    attach(userbuffer, userbuffer == null ? 0 : userbuffer.capacity());
  }

  /**
   * Gives messages in buffered mode a buffer ({@code MPI_Buffer_attach}). It replaces an attached one.
   *
   * @param userbuffer all of it is used
   * @throws MPIException when messages are in an attached one
   */
  public static void Buffer_attach(byte[] userbuffer) throws MPIException {
    attach(userbuffer, userbuffer == null ? 0 : userbuffer.length);
  }

  private static synchronized void attach(Object memory, int bytes) {
    Buf<Byte> buf;
    try {
      if (memory == null) {
        throw Errors.argument("userbuffer", null, "buffers");
      }
      buf = TypedMemory.of(memory, 0, bytes, org.ffmpi.datatype.Datatype.INT8_T);
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
    try {
      if (attached && Job.mpi().bufferIflush().test(new org.ffmpi.Status())) {
        Job.mpi().bufferDetach();
        attached = false;
      }
      Job.mpi().bufferAttach(buf);
      attached = true;
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Takes the buffer back, after all messages in it have left ({@code MPI_Buffer_detach}). Without one, does nothing.
   *
   * @throws MPIException why messages could not leave
   */
  public static synchronized void Buffer_detach() throws MPIException {
    try {
      BufferedObjects.await();
      if (attached) {
        attached = false;
        Job.mpi().bufferDetach();
      }
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }
}
