// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/** Wrong arguments of one call. */
final class ArgumentPrograms {
  private static final String FAMILY = "arguments";

  private ArgumentPrograms() {}

  /** One call that rank 0 makes, in a program that is right with the other one. */
  interface One {
    void call(IntraComm world);
  }

  private static final List<Judged> ALL = new ArrayList<>();

  static List<Judged> programs() {
    synchronized (ALL) {
      if (ALL.isEmpty()) {
        pointToPoint();
        collective();
        buffers();
      }
      return ALL;
    }
  }

  private static void add(String mistake, String expected, One wrong, One right) {
    ALL.addAll(Judged.pair(FAMILY, mistake, 2, expected, (mpi, world) -> wrong.call(world),
        (mpi, world) -> right.call(world)));
  }

  private static int other(IntraComm world) {
    return 1 - world.rank();
  }

  private static void pointToPoint() {
    int[] one = {1};
    int none = Constants.PROC_NULL;
    add("send to a rank that is none", "ERR_RANK: dest = 7.*ArgumentPrograms.java:\\d+",
        world -> world.send(one, 7, 0), world -> world.send(one, none, 0));
    add("send to a negative rank", "ERR_RANK: dest = -17", world -> world.send(one, -17, 0),
        world -> world.send(one, none, 0));
    add("send with a negative tag", "ERR_TAG: tag = -5", world -> world.send(one, other(world), -5),
        world -> world.send(one, none, 5));
    add("send with ANY_TAG", "ERR_TAG", world -> world.send(one, other(world), Constants.ANY_TAG),
        world -> world.send(one, none, 0));
    add("send to ANY_SOURCE", "ERR_RANK", world -> world.send(one, Constants.ANY_SOURCE, 0),
        world -> world.send(one, none, 0));
    add("isend of no buffer", "ERR_BUFFER", world -> world.isend((Buf<?>) null, other(world), 0).await(),
        world -> world.isend(Buf.of(one), none, 0).await());
    add("send of a null array", "ERR_BUFFER", world -> world.send((int[]) null, other(world), 0),
        world -> world.send(one, none, 0));
    add("receive from a rank that is none", "ERR_RANK: source = 2", world -> world.recv(new int[1], 2, 0),
        world -> world.recv(new int[1], none, 0));
    add("receive with a negative tag", "ERR_TAG: tag = -9", world -> world.recv(new int[1], other(world), -9),
        world -> world.recv(new int[1], none, 9));
    add("irecv from a rank that is none", "ERR_RANK", world -> world.irecv(new int[1], 5, 0).await(),
        world -> world.irecv(new int[1], none, 0).await());
    add("receive into no buffer", "ERR_BUFFER", world -> world.recv((Buf<?>) null, other(world), 0),
        world -> world.recv(Buf.of(new int[1]), none, 0));
    add("no status", "ERR_ARG", world -> world.recv(new int[1], none, 0, null),
        world -> world.recv(new int[1], none, 0, new Status()));
    add("probe of a rank that is none", "ERR_RANK", world -> world.probe(9, 0), world -> world.probe(none, 0));
    add("iprobe with a negative tag", "ERR_TAG", world -> world.iprobe(other(world), -3),
        world -> world.iprobe(other(world), 3));
    add("sendrecv to a rank that is none", "ERR_RANK",
        world -> world.sendrecv(Buf.of(one), 8, 0, Buf.of(new int[1]), none, 0),
        world -> world.sendrecv(Buf.of(one), none, 0, Buf.of(new int[1]), none, 0));
    add("persistent send with a wrong tag", "ERR_TAG", world -> world.sendInit(Buf.of(one), other(world), -2).close(),
        world -> world.sendInit(Buf.of(one), other(world), 2).close());
    add("persistent receive from a rank that is none", "ERR_RANK",
        world -> world.recvInit(Buf.of(new int[1]), 3, 0).close(),
        world -> world.recvInit(Buf.of(new int[1]), other(world), 0).close());
    add("negative number of partitions", "ERR_(ARG|COUNT)",
        world -> world.psendInit(Buf.of(new int[4]), -4, other(world), 0).close(),
        world -> world.psendInit(Buf.of(new int[4]), 4, none, 0).close());
    add("buffered send without a buffer", "ERR_BUFFER", world -> world.bsend(Buf.of(one), other(world), 0),
        world -> world.bsend(Buf.of(one), none, 0));
  }

  private static void collective() {
    add("root that is no rank", "ERR_ROOT.*root = 2", world -> world.bcast(Buf.of(new int[1]), 2),
        world -> world.bcast(Buf.of(new int[1]), 1));
    add("negative root", "ERR_ROOT", world -> world.reduce(Buf.of(new int[1]), Buf.of(new int[1]), Op.SUM, -1),
        world -> world.reduce(Buf.of(new int[1]), Buf.of(new int[1]), Op.SUM, 0));
    add("no operation", "ERR_OP", world -> world.allreduce(Buf.of(new int[1]), (Op<Object>) null),
        world -> world.allreduce(Buf.of(new int[1]), Op.SUM));
    add("operation that the type does not have", "ERR_OP",
        world -> world.allreduce(Buf.of(new double[1]), Op.BAND),
        world -> world.allreduce(Buf.of(new int[1]), Op.BAND));
    add("freed operation", "ERR_OP", world -> {
      Op<Integer> last = Op.commutative(Datatype.INT, (a, b) -> b);
      last.close();
      world.allreduce(Buf.of(new int[1]), last);
    }, world -> {
      try (Op<Integer> last = Op.commutative(Datatype.INT, (a, b) -> b)) {
        world.allreduce(Buf.of(new int[1]), last);
      }
    });
    add("buffers of different lengths in a reduction", "ERR_(COUNT|ARG|TRUNCATE|BUFFER)",
        world -> world.allreduce(Buf.of(new int[2]), Buf.of(new int[1]), Op.SUM),
        world -> world.allreduce(Buf.of(new int[2]), Buf.of(new int[2]), Op.SUM));
    add("gather into too small a buffer", "ERR_(COUNT|ARG|TRUNCATE|BUFFER)",
        world -> world.allgather(Buf.of(new int[2]), Buf.of(new int[3])),
        world -> world.allgather(Buf.of(new int[2]), Buf.of(new int[4])));
    add("negative count of a block", "ERR_COUNT",
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {-1, 1}, new int[] {0, 1}),
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {1, 1}, new int[] {0, 1}));
    add("too few counts", "ERR_(ARG|COUNT)",
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {1}, new int[] {0, 1}),
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {1, 1}, new int[] {0, 1}));
    add("block behind the end of the buffer", "ERR_(ARG|BUFFER|COUNT|DISP)",
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {1, 1}, new int[] {0, 4}),
        world -> world.allgatherv(Buf.of(new int[1]), Buf.of(new int[4]), new int[] {1, 1}, new int[] {0, 3}));
    add("blocks that are received overlap", "ERR_(ARG|BUFFER|COUNT|DISP)",
        world -> world.allgatherv(Buf.of(new int[2]), Buf.of(new int[4]), new int[] {2, 2}, new int[] {0, 1}),
        world -> world.allgatherv(Buf.of(new int[2]), Buf.of(new int[4]), new int[] {2, 2}, new int[] {0, 2}));
    add("no buffer in a nonblocking collective", "ERR_BUFFER", world -> world.ibcast(null, 0).await(),
        world -> world.ibcast(Buf.of(new int[1]), 0).await());
    add("receive buffer is the send buffer", "ERR_(BUFFER|ARG)", world -> {
      Buf<Integer> both = Buf.of(new int[2]);
      world.allreduce(both, both, Op.SUM);
    }, world -> world.allreduce(Buf.of(new int[2]), Op.SUM));
  }

  private static void buffers() {
    add("count behind the end of the array", "ERR_(COUNT|ARG|BUFFER)",
        world -> world.send(Buf.of(new int[2], 0, 3), Constants.PROC_NULL, 0),
        world -> world.send(Buf.of(new int[3], 0, 3), Constants.PROC_NULL, 0));
    add("negative count", "ERR_COUNT", world -> world.send(Buf.of(new int[2], 0, -1), Constants.PROC_NULL, 0),
        world -> world.send(Buf.of(new int[2], 0, 0), Constants.PROC_NULL, 0));
    add("no datatype", "ERR_TYPE",
        world -> world.send(Buf.of(new int[2], 2, (Datatype<?>) null), Constants.PROC_NULL, 0),
        world -> world.send(Buf.of(new int[2], 2, Datatype.INT), Constants.PROC_NULL, 0));
  }
}
