// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.CartComm;
import mpi.Comm;
import mpi.Datatype;
import mpi.Errhandler;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;

/** Errors that are thrown: their classes, and communicators that stay usable. */
final class ErrorProgram {
  private ErrorProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    Check.that(world.getErrhandler() == MPI.ERRORS_ARE_FATAL, "errors are fatal to begin with");
    world.setErrhandler(MPI.ERRORS_RETURN);
    Errhandler handler = world.getErrhandler();
    Check.that(handler == MPI.ERRORS_RETURN, "getErrhandler");
    Intracomm comm = world.dup();
    Check.that(comm.getErrhandler() == MPI.ERRORS_RETURN, "a copy has the error handler");
    arguments(comm);
    truncated(comm);
    withoutCommunicator();
    spawn(comm);
    buffered(comm);
    world.setErrhandler(MPI.ERRORS_ARE_FATAL);
    ofTheCommunicator(comm);
    world.setErrhandler(MPI.ERRORS_RETURN);
    comm.callErrhandler(MPI.ERR_OTHER);
    int[] sum = {1};
    comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
    Check.equal(comm.getSize(), sum[0], "a communicator after errors");
    comm.free();
    Check.fails(MPI.ERR_COMM, "a freed communicator", () -> comm.barrier());
    world.setErrhandler(MPI.ERRORS_ARE_FATAL);

    numbers();
    MPIException own = new MPIException("of the program");
    Check.equal("of the program", own.getMessage(), "message of a program's own error");
    Check.equal(own, new MPIException(own).getCause(), "cause");
  }

  /** The numbers are those of Open MPI, which scripts find in exit codes. */
  private static void numbers() {
    Check.ints("numbers of classes", new int[] {MPI.SUCCESS, MPI.ERR_BUFFER, MPI.ERR_OTHER, MPI.ERR_IN_STATUS,
        MPI.ERR_PENDING, MPI.ERR_READ_ONLY, MPI.ERR_RMA_CONFLICT, MPI.ERR_RMA_SYNC, MPI.ERR_UNSUPPORTED_OPERATION,
        MPI.ERR_WIN, MPI.ERR_LASTCODE, MPI.ERR_SYSRESOURCE}, 0, 1, 16, 18, 19, 45, 46, 47, 52, 53, 92, -2);
  }

  private static void arguments(Intracomm comm) throws MPIException {
    int size = comm.getSize();
    int[] one = {1};
    Check.fails(MPI.ERR_RANK, "send to no rank", () -> comm.send(one, 1, MPI.INT, size, 0));
    Check.fails(MPI.ERR_RANK, "recv from no rank", () -> comm.recv(one, 1, MPI.INT, size, 0));
    Check.fails(MPI.ERR_TAG, "negative tag", () -> comm.send(one, 1, MPI.INT, 0, -5));
    Check.fails(MPI.ERR_COUNT, "negative count", () -> comm.send(one, -1, MPI.INT, 0, 0));
    Check.fails(MPI.ERR_ROOT, "no such root", () -> comm.bcast(one, 1, MPI.INT, size));
    Datatype open = Datatype.createContiguous(1, MPI.INT);
    Check.fails(MPI.ERR_TYPE, "a type that is not committed", () -> comm.send(one, 1, open, 0, 0));
    open.free();
    Check.fails(MPI.ERR_TYPE, "DATATYPE_NULL", () -> comm.send(one, 1, MPI.DATATYPE_NULL, 0, 0));
    MPIException small = Check.fails(MPI.ERR_BUFFER, "a small array", () -> comm.send(one, 2, MPI.INT, 0, 0));
    Check.that(small.getMessage().contains("2") || small.getMessage().contains("4"), small.getMessage());
    Check.fails(MPI.ERR_BUFFER, "no array", () -> comm.send(null, 1, MPI.INT, 0, 0));
    MPIException other = Check.fails(MPI.ERR_TYPE, "another array", () -> comm.send(one, 1, MPI.DOUBLE, 0, 0));
    Check.that(other.getMessage().startsWith("MPI_ERR_TYPE: type = MPI.DOUBLE:"), other.getMessage());
    Check.fails(MPI.ERR_BUFFER, "more bytes than an array has", () -> comm.send(one, 5, MPI.BYTE, 0, 0));
    Check.fails(MPI.ERR_TYPE, "bytes of truth values", () -> comm.send(new boolean[1], 1, MPI.CHAR, 0, 0));
    Check.fails(MPI.ERR_OP, "an operation that doubles have not",
        () -> Comm.reduceLocal(new double[1], new double[1], 1, MPI.DOUBLE, MPI.BAND));
    Op freed = new Op(new mpi.UserFunction() {}, true);
    freed.free();
    Check.fails(MPI.ERR_OP, "a freed operation",
        () -> Comm.reduceLocal(new int[1], new int[1], 1, MPI.INT, freed));
    Check.fails(MPI.ERR_KEYVAL, "no such key", () -> comm.getAttr(MPI.KEYVAL_INVALID));
    Check.fails(MPI.ERR_RANK, "a rank that the group has not", () -> comm.getGroup().incl(new int[] {size}));
  }

  private static void truncated(Intracomm comm) throws MPIException {
    int rank = comm.getRank();
    comm.bSend(new int[] {1, 2, 3}, 3, MPI.INT, rank, 1);
    int[] two = new int[2];
    Check.fails(MPI.ERR_TRUNCATE, "a message longer than the buffer", () -> comm.recv(two, 2, MPI.INT, rank, 1));
    mpi.Request request = comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, rank, 2);
    comm.bSend(new int[] {1, 2}, 2, MPI.INT, rank, 2);
    Check.fails(MPI.ERR_TRUNCATE, "a request that ends with an error", request::waitFor);
  }

  private static void buffered(Intracomm comm) throws MPIException {
    byte[] small = new byte[16 + MPI.BSEND_OVERHEAD];
    MPI.attachBuffer(small);
    Check.fails(MPI.ERR_BUFFER, "a message that the buffer has no room for",
        () -> comm.bSend(new int[1000], 1000, MPI.INT, comm.getRank(), 1));
    Check.fails(MPI.ERR_BUFFER, "a second buffer", () -> MPI.attachBuffer(new byte[8]));
    Check.that(MPI.detachBuffer() == small, "detachBuffer");
    Check.fails(MPI.ERR_BUFFER, "no buffer to detach", MPI::detachBuffer);
  }

  /** Where the communicator returns errors, it does not matter that the world does not. */
  private static void ofTheCommunicator(Intracomm comm) throws MPIException {
    Prequest receive = comm.recvInit(MPI.newIntBuffer(1), 1, MPI.INT, comm.getRank(), 1);
    receive.start();
    Check.fails(MPI.ERR_REQUEST, "a start of an active request", receive::start);
    Check.fails(MPI.ERR_REQUEST, "a start of active requests", () -> Prequest.startAll(new Prequest[] {receive}));
    comm.send(new int[1], 1, MPI.INT, comm.getRank(), 1);
    receive.waitFor();
    receive.free();
    Check.fails(MPI.ERR_RANK, "no such rank", () -> comm.send(new int[1], 1, MPI.INT, -9, 1));
    Check.fails(MPI.ERR_BUFFER, "a small array", () -> comm.send(new int[1], 9, MPI.INT, 0, 1));
    Check.fails(MPI.ERR_TOPOLOGY, "neighbours without a topology",
        () -> comm.neighborAllGather(new int[1], 1, MPI.INT, new int[9], 1, MPI.INT));
    Check.fails(MPI.ERR_KEYVAL, "no such key", () -> comm.getAttr(-4));
    Check.fails(MPI.ERR_ARG, "a short array of counts",
        () -> comm.allGatherv(new int[1], 1, MPI.INT, new int[9], new int[0], new int[9], MPI.INT));
    Check.fails(MPI.ERR_TRUNCATE, "unpacking more than there is",
        () -> comm.unpack(new byte[4], 0, new int[2], 2, MPI.INT));
    CartComm line = comm.createCart(new int[] {comm.getSize()}, new boolean[1], false);
    Check.fails(MPI.ERR_RANK, "coordinates of no rank", () -> line.getCoords(comm.getSize()));
    line.free();
  }

  /** Errors without a communicator go to the world's error handler. */
  private static void withoutCommunicator() throws MPIException {
    Info info = new Info();
    Check.fails(MPI.ERR_INFO_NOKEY, "a key that the info has not", () -> info.delete("nothing"));
    info.free();
    Check.fails(MPI.ERR_INFO, "a freed info", () -> info.set("a", "b"));
    Check.fails(MPI.ERR_TYPE, "DATATYPE_NULL", () -> Datatype.createContiguous(1, MPI.DATATYPE_NULL));
    Check.fails(MPI.ERR_NAME, "a name that nobody has published", () -> Intracomm.lookupName("nobody"));
  }

  private static void spawn(Intracomm comm) {
    Check.fails(MPI.ERR_SPAWN, "spawn",
        () -> comm.spawn("/no/such/program", new String[0], 1, MPI.INFO_NULL, 0, new int[1]));
    Check.fails(MPI.ERR_SPAWN, "spawnMultiple", () -> comm.spawnMultiple(new String[] {"/no/such/program"},
        new String[][] {{}}, new int[] {1}, new Info[] {MPI.INFO_NULL}, 0, new int[1]));
  }
}
