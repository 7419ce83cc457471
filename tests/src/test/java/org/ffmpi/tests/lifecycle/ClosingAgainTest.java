// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.ffmpi.tests.support.Errors.assertError;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Grequest;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Session;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Closing again does nothing, and nor does closing after finalize, with all that can be closed. */
class ClosingAgainTest {
  /** A generalized request of the program's that needs nothing. */
  private static final class Nothing implements Grequest.Callbacks {
    @Override
    public void query(Status status) {}

    @Override
    public void free() {}

    @Override
    public void cancel(boolean complete) {}
  }

  private static Map<String, AutoCloseable> everything(Mpi mpi) {
    IntraComm world = mpi.world();
    Map<String, AutoCloseable> all = new LinkedHashMap<>();
    all.put("communicator", world.dup());
    all.put("group", world.group()::close);
    all.put("window", world.winAllocate(16, 1));
    all.put("datatype", Datatype.vector(2, 1, 3, Datatype.INT).commit());
    all.put("operation", Op.commutative(Datatype.INT, Integer::sum));
    all.put("error handler", Errhandler.of((Comm comm, MpiException e) -> { }));
    all.put("info", new Info());
    all.put("key", Keyval.<Comm, String>notCopied());
    all.put("request", world.irecv(new int[1], Mpi.PROC_NULL, 0)::close);
    all.put("send request", world.isend(new int[1], world.rank(), 7)::close);
    all.put("receive request", world.irecv(new int[1], world.rank(), 7)::close);
    all.put("persistent request", world.sendInit(Buf.of(new int[1]), Mpi.PROC_NULL, 0));
    all.put("persistent collective", world.barrierInit(null));
    all.put("partitioned send", world.psendInit(Buf.of(new int[2]), 2, world.rank(), 8));
    all.put("partitioned receive", world.precvInit(Buf.of(new int[2]), 2, world.rank(), 8));
    all.put("scope of requests", world.requests());
    Grequest own = Grequest.start(mpi, new Nothing());
    own.complete();
    all.put("generalized request", own::close);
    all.put("session", Session.init());
    return all;
  }

  private static void close(Map<String, AutoCloseable> all) {
    all.forEach((name, one) -> {
      try {
        one.close();
      } catch (Exception e) {
        throw new AssertionError(name + " cannot be closed", e);
      }
    });
  }

  @MpiTest(ranks = 2)
  void closingAgainDoesNothing(Mpi mpi) {
    Map<String, AutoCloseable> all = everything(mpi);
    close(all);
    close(all);
    mpi.world().barrier();
    Map<String, AutoCloseable> late = everything(mpi);
    mpi.close();
    close(late);
    close(late);
    close(all);
    mpi.close();
  }

  @MpiTest(ranks = 2)
  void predefinedObjectsAreNotClosed(Mpi mpi) {
    assertError(ErrorClass.ERR_COMM, mpi.world()::close, "communicator");
    assertError(ErrorClass.ERR_GROUP, Group.EMPTY::close, "predefined");
    assertError(ErrorClass.ERR_TYPE, Datatype.INT::close, "predefined");
    assertError(ErrorClass.ERR_OP, Op.SUM::close, "predefined");
    Errhandler.RETURN.close();
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  void refusedCallsAfterFinalizeAreNamed(Mpi mpi) {
    IntraComm world = mpi.world();
    Group group = world.group();
    Session session = Session.init();
    Group ofSession = session.group(Session.SELF);
    mpi.close();
    assertError(ErrorClass.ERR_OTHER, () -> world.send(new int[1], 0, 0),
        "MPI_Send was called after MPI had been finalized");
    assertError(ErrorClass.ERR_OTHER, world::barrier, "MPI_Barrier was called after MPI had been finalized");
    assertError(ErrorClass.ERR_OTHER, () -> group.incl(0), "MPI_Group_incl was called after MPI had been finalized");
    assertError(ErrorClass.ERR_OTHER, () -> world.sendObject("x", 0, 0), "called after MPI had been finalized");
    session.close();
    assertError(ErrorClass.ERR_SESSION, ofSession::size, "MPI_Group_size was called after the session had been");
  }
}
