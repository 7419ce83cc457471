// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** How windows are made, what they say of themselves, and where displacements lead. */
final class WinProgram {
  private WinProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;
  private static int next;
  private static int previous;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    kinds();
    units();
    properties();
    attributes();
    allocated();
    dynamic();
    nothing();
    errors();
  }

  private static void kinds() throws MPIException {
    Buffer[] memories = {MPI.newIntBuffer(4), IntBuffer.allocate(4), MPI.slice(new int[6], 2),
        ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer(), MPI.slice(MPI.newIntBuffer(6), 2)};
    for (Buffer memory : memories) {
      IntBuffer ints = (IntBuffer) memory;
      Win win = new Win(ints, 4, 1, MPI.INFO_NULL, world);
      IntBuffer mine = MPI.newIntBuffer(2).put(0, rank + 1).put(1, -rank);
      win.fence(MPI.MODE_NOPRECEDE);
      win.put(mine, 2, MPI.INT, next, 1, 2, MPI.INT);
      win.fence(0);
      Check.equal(0, ints.get(0), "before what was put");
      Check.equal(previous + 1, ints.get(1), "what was put");
      Check.equal(-previous, ints.get(2), "what was put");
      IntBuffer got = IntBuffer.allocate(2);
      win.get(got, 2, MPI.INT, next, 1, 2, MPI.INT);
      win.fence(MPI.MODE_NOSUCCEED);
      Check.ints("what was got", got.array(), rank + 1, -rank);
      win.free();
    }
  }

  /** Displacements are multiplied by the unit of the target, which counts elements of its buffer. */
  private static void units() throws MPIException {
    DoubleBuffer memory = MPI.newDoubleBuffer(10);
    int unit = rank % 2 == 0 ? 1 : 2;
    Win win = new Win(memory, 10, unit, MPI.INFO_NULL, world);
    DoubleBuffer mine = MPI.newDoubleBuffer(1).put(0, rank + 0.5);
    win.fence(0);
    win.put(mine, 1, MPI.DOUBLE, next, 3, 1, MPI.DOUBLE);
    win.fence(0);
    Check.equal(previous + 0.5, memory.get(3 * unit), "an element at displacement 3");
    Datatype spread = Datatype.createVector(2, 1, 2, MPI.DOUBLE);
    spread.commit();
    DoubleBuffer two = MPI.newDoubleBuffer(2).put(0, rank).put(1, rank + 1);
    win.put(two, 2, MPI.DOUBLE, next, 0, 1, spread);
    win.fence(0);
    Check.that(memory.get(0) == previous && memory.get(2) == previous + 1, "a derived type at the target");
    win.get(MPI.slice(memory, 7), 1, spread, rank, 0, 1, spread);
    win.fence(0);
    Check.that(memory.get(7) == previous && memory.get(9) == previous + 1, "a derived type at both ends");
    Datatype backwards = Datatype.createVector(2, 1, -1, MPI.DOUBLE);
    backwards.commit();
    win.fence(0);
    win.put(MPI.slice(two, 1), 1, backwards, next, 1, 2, MPI.DOUBLE);
    win.fence(0);
    Check.that(memory.get(unit) == previous + 1 && memory.get(unit + 1) == previous, "elements below a slice");
    win.free();
    spread.free();
    backwards.free();
  }

  private static void properties() throws MPIException {
    Info hints = new Info();
    hints.set("no_locks", "true");
    Win win = new Win(MPI.newByteBuffer(8), 8, 1, hints, world);
    Check.equal("", win.getName(), "name of a new window");
    win.setName("the window");
    Check.equal("the window", win.getName(), "getName");
    Group group = win.getGroup();
    Check.equal(MPI.IDENT, Group.compare(group, world.getGroup()), "getGroup");
    group.free();
    Info used = win.getInfo();
    Check.equal("true", used.get("no_locks"), "getInfo");
    used.free();
    win.setInfo(hints);
    hints.free();
    Check.that(win.getErrhandler() == MPI.ERRORS_ARE_FATAL, "errors are fatal to begin with");
    win.setErrhandler(MPI.ERRORS_RETURN);
    Check.that(win.getErrhandler() == MPI.ERRORS_RETURN, "getErrhandler");
    win.callErrhandler(MPI.ERR_OTHER);
    win.free();
  }

  private static void attributes() throws MPIException {
    IntBuffer memory = MPI.newIntBuffer(8);
    Win win = new Win(memory, 6, 2, MPI.INFO_NULL, world);
    Check.equal(24, win.getAttr(MPI.WIN_SIZE), "WIN_SIZE counts bytes");
    Check.equal(8, win.getAttr(MPI.WIN_DISP_UNIT), "WIN_DISP_UNIT counts bytes");
    Check.that((Long) win.getAttr(MPI.WIN_BASE) != 0, "WIN_BASE");
    int key = Win.createKeyval();
    int other = Win.createKeyval();
    Check.that(key != other && key != MPI.KEYVAL_INVALID, "keys");
    Check.equal(null, win.getAttr(key), "no value");
    win.setAttr(key, "text");
    win.setAttr(other, 5L);
    Check.equal("text", win.getAttr(key), "a value");
    Check.equal(5L, win.getAttr(other), "another value");
    win.setAttr(key, "more");
    Check.equal("more", win.getAttr(key), "a new value");
    Win.freeKeyval(key);
    Check.equal("more", win.getAttr(key), "the value of a freed key");
    win.deleteAttr(key);
    Check.equal(null, win.getAttr(key), "deleted by a freed key");
    win.deleteAttr(other);
    Win.freeKeyval(other);
    win.setErrhandler(MPI.ERRORS_RETURN);
    Check.fails(MPI.ERR_KEYVAL, "a freed key", () -> win.setAttr(key, 1));
    Check.fails(MPI.ERR_KEYVAL, "a predefined key", () -> win.setAttr(MPI.WIN_SIZE, 1));
    Check.fails(MPI.ERR_KEYVAL, "no key", () -> win.getAttr(MPI.KEYVAL_INVALID));
    win.free();
  }

  private static void allocated() throws MPIException {
    int[] flavors = {Win.FLAVOR_PRIVATE, Win.FLAVOR_SHARED};
    for (int flavor : flavors) {
      DoubleBuffer memory = MPI.newDoubleBuffer(4);
      Win win = new Win(4, 1, MPI.INFO_NULL, world, memory, flavor);
      win.fence(0);
      win.put(MPI.newDoubleBuffer(1).put(0, rank + 1), 1, MPI.DOUBLE, next, 2, 1, MPI.DOUBLE);
      win.fence(0);
      Check.equal(previous + 1.0, memory.get(2), "the buffer is the window's memory");
      win.free();
      // A buffer that is too small says in what sizes count, and the window has other memory.
      Win large = new Win(1000, 1, MPI.INFO_NULL, world, MPI.newIntBuffer(1), flavor);
      Check.equal(4000, large.getAttr(MPI.WIN_SIZE), "bytes of new memory");
      large.fence(0);
      large.put(MPI.newIntBuffer(1).put(0, rank), 1, MPI.INT, next, 999, 1, MPI.INT);
      large.fence(0);
      IntBuffer got = MPI.newIntBuffer(1);
      large.get(got, 1, MPI.INT, rank, 999, 1, MPI.INT);
      large.fence(0);
      Check.equal(previous, got.get(0), "new memory");
      large.free();
    }
  }

  private static void dynamic() throws MPIException {
    Win win = new Win(MPI.INFO_NULL, world);
    Check.equal(0, win.getAttr(MPI.WIN_SIZE), "size of a dynamic window");
    ByteBuffer memory = MPI.newByteBuffer(64);
    DoubleBuffer other = MPI.newDoubleBuffer(8);
    win.attach(memory, 64);
    win.attach(other, 8);
    win.fence(0);
    win.fence(0);
    win.detach(memory);
    win.detach(other);
    win.attach(memory, 32);
    win.detach(memory);
    win.setErrhandler(MPI.ERRORS_RETURN);
    Check.that(isFailure(() -> win.detach(other)), "detach of what is not attached");
    Check.that(isFailure(() -> win.attach(ByteBuffer.allocate(8), 8)), "memory of the Java heap has no address");
    win.free();
  }

  private static boolean isFailure(Check.Call call) {
    try {
      call.run();
      return false;
    } catch (MPIException _) {
      return true;
    }
  }

  private static void nothing() throws MPIException {
    Win win = new Win(rank == 0 ? MPI.newLongBuffer(2) : null, rank == 0 ? 2 : 0, rank == 0 ? 1 : 8, MPI.INFO_NULL,
        world);
    win.fence(0);
    win.put(MPI.newLongBuffer(1).put(0, 5L), 1, MPI.LONG, 0, 1, 1, MPI.LONG);
    win.put(MPI.newLongBuffer(1), 1, MPI.LONG, MPI.PROC_NULL, 1, 1, MPI.LONG);
    win.fence(0);
    win.free();
  }

  private static void errors() throws MPIException {
    Win win = new Win(MPI.newIntBuffer(4), 4, 1, MPI.INFO_NULL, world);
    win.setErrhandler(MPI.ERRORS_RETURN);
    IntBuffer one = MPI.newIntBuffer(1);
    Check.fails(MPI.ERR_RMA_SYNC, "an access without an epoch", () -> win.put(one, 1, MPI.INT, 0, 0, 1, MPI.INT));
    win.fence(0);
    Check.fails(MPI.ERR_RMA_SYNC, "a request access between fences",
        () -> win.rPut(one, 1, MPI.INT, 0, 0, 1, MPI.INT));
    Check.fails(MPI.ERR_RANK, "no such target", () -> win.put(one, 1, MPI.INT, size, 0, 1, MPI.INT));
    Check.fails(MPI.ERR_DISP, "a negative displacement", () -> win.put(one, 1, MPI.INT, 0, -1, 1, MPI.INT));
    Check.fails(MPI.ERR_COUNT, "a negative count", () -> win.put(one, -1, MPI.INT, 0, 0, 1, MPI.INT));
    Check.that(isFailure(() -> win.put(one, 1, MPI.INT, 0, 4, 1, MPI.INT)), "outside the target's memory");
    win.fence(0);
    Check.fails(MPI.ERR_LOCKTYPE, "no such lock", () -> win.lock(99, 0, 0));
    win.free();
    world.setErrhandler(MPI.ERRORS_RETURN);
    Check.fails(MPI.ERR_WIN, "a freed window", () -> win.fence(0));
    Check.fails(MPI.ERR_COMM, "no communicator", () -> new Win(MPI.INFO_NULL, null));
    Check.fails(MPI.ERR_ARG, "no such flavor", () -> new Win(1, 1, MPI.INFO_NULL, world, one, 7));
    Check.fails(MPI.ERR_SIZE, "more than the buffer holds", () -> new Win(one, 2, 1, MPI.INFO_NULL, world));
    world.setErrhandler(MPI.ERRORS_ARE_FATAL);
  }
}
