// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Message;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;

/** Missing and misplaced calls after which ranks wait for one another, or for a rank that has left. */
final class OrderPrograms {
  private static final String FAMILY = "order";
  private static final int LONG = 1 << 17;

  private OrderPrograms() {}

  private static void add(List<Judged> all, String mistake, int ranks, String expected, Judged.Body wrong,
      Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, ranks, expected, wrong, right));
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    messages(all);
    buffering(all);
    collectives(all);
    windows(all);
    return all;
  }

  private static void messages(List<Judged> all) {
    add(all, "both receive first", 2, "ranks 0 and 1 wait for each other.*from rank 1 with tag 3.* at OrderPrograms",
        (mpi, world) -> {
          world.recv(new int[1], 1 - world.rank(), 3);
          world.send(new int[1], 1 - world.rank(), 3);
        }, (mpi, world) ->
            world.sendrecv(Buf.of(new int[1]), 1 - world.rank(), 3, Buf.of(new int[1]), 1 - world.rank(), 3));
    add(all, "both send first, and the messages are long", 2, "ranks 0 and 1 wait for each other.*sends 1 MiB",
        (mpi, world) -> {
          world.send(new long[LONG], 1 - world.rank(), 3);
          world.recv(new long[LONG], 1 - world.rank(), 3);
        }, (mpi, world) -> {
          Request sent = world.isend(new long[LONG], 1 - world.rank(), 3);
          world.recv(new long[LONG], 1 - world.rank(), 3);
          sent.await();
        });
    add(all, "a ring of receives", 3, "ranks 0, 1 and 2|wait for each other", (mpi, world) -> {
      world.recv(new int[1], (world.rank() + 2) % 3, 0);
      world.send(new int[1], (world.rank() + 1) % 3, 0);
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.send(new int[1], 1, 0);
      }
      world.recv(new int[1], (world.rank() + 2) % 3, 0);
      if (world.rank() != 0) {
        world.send(new int[1], (world.rank() + 1) % 3, 0);
      }
    });
    add(all, "synchronous send without a receive", 2, "rank 1 has (finalized|called)|wait for each other|=> |rank 1",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.ssend(Buf.of(new int[1]), 1, 0);
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.ssend(Buf.of(new int[1]), 1, 0);
          } else {
            world.recv(new int[1], 0, 0);
          }
        });
    add(all, "missing send", 2, "rank 0 has finalized and can send nothing more at OrderPrograms", (mpi, world) -> {
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 0);
      }
    }, (mpi, world) -> {
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 0);
      } else {
        world.send(new int[1], 1, 0);
      }
    });
    add(all, "missing send of a nonblocking receive", 2, "rank 0 has finalized and can send nothing more",
        (mpi, world) -> {
          if (world.rank() == 1) {
            world.irecv(new int[1], 0, 0).await();
          }
        }, (mpi, world) -> {
          if (world.rank() == 1) {
            world.irecv(new int[1], 0, 0).await();
          } else {
            world.isend(new int[1], 1, 0).await();
          }
        });
    add(all, "missing receive", 2, "rank 0: MPI_Send at OrderPrograms.java:\\d+ to rank 1 with tag 5 was never",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.send(new int[1], 1, 5);
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.send(new int[1], 1, 5);
          } else {
            world.recv(new int[1], 0, 5);
          }
        });
    add(all, "one receive too few", 2, "rank 0: MPI_Isend at OrderPrograms.java:\\d+ to rank 1 with tag 5 was never",
        (mpi, world) -> {
          for (int i = 0; i < 3; i++) {
            if (world.rank() == 0) {
              world.isend(new int[1], 1, 5).await();
            } else if (i < 2) {
              world.recv(new int[1], 0, 5);
            }
          }
        }, (mpi, world) -> {
          for (int i = 0; i < 3; i++) {
            if (world.rank() == 0) {
              world.isend(new int[1], 1, 5).await();
            } else {
              world.recv(new int[1], 0, 5);
            }
          }
        });
    add(all, "message to itself that is not received", 1, "rank 0: MPI_Isend at .* to rank 0 with tag 1 was never",
        (mpi, world) -> world.isend(new int[1], 0, 1).await(), (mpi, world) -> {
          Request sent = world.isend(new int[1], 0, 1);
          world.recv(new int[1], 0, 1);
          sent.await();
        });
    add(all, "tags of send and receive", 2, "rank 1 receives from rank 0 with tag 8|tag 8", (mpi, world) -> {
      if (world.rank() == 0) {
        world.ssend(Buf.of(new int[1]), 1, 7);
      } else {
        world.recv(new int[1], 0, 8);
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.ssend(Buf.of(new int[1]), 1, 7);
      } else {
        world.recv(new int[1], 0, 7);
      }
    });
    add(all, "source of a receive", 3, "rank 1 receives from rank 2|rank 2 has finalized", (mpi, world) -> {
      if (world.rank() == 0) {
        world.ssend(Buf.of(new int[1]), 1, 7);
      } else if (world.rank() == 1) {
        world.recv(new int[1], 2, 7);
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.ssend(Buf.of(new int[1]), 1, 7);
      } else if (world.rank() == 1) {
        world.recv(new int[1], Constants.ANY_SOURCE, 7);
      }
    });
    add(all, "communicators of send and receive", 2, "MPI_COMM_WORLD.*other|other.*MPI_COMM_WORLD", (mpi, world) -> {
      try (var other = world.dup()) {
        other.setName("other");
        if (world.rank() == 0) {
          world.ssend(Buf.of(new int[1]), 1, 7);
        } else {
          other.recv(new int[1], 0, 7);
        }
      }
    }, (mpi, world) -> {
      try (var other = world.dup()) {
        if (world.rank() == 0) {
          other.ssend(Buf.of(new int[1]), 1, 7);
        } else {
          other.recv(new int[1], 0, 7);
        }
      }
    });
    add(all, "probe for a message that does not come", 2, "rank 0 has finalized and can send nothing more",
        (mpi, world) -> {
          if (world.rank() == 1) {
            world.probe(0, 4);
          }
        }, (mpi, world) -> {
          if (world.rank() == 1) {
            world.probe(0, 4);
            world.recv(new int[1], 0, 4);
          } else {
            world.send(new int[1], 1, 4);
          }
        });
    add(all, "probed message that is not received", 2, "rank 0: MPI_Send at .* was never received", (mpi, world) -> {
      if (world.rank() == 1) {
        world.probe(0, 4);
      } else {
        world.send(new int[1], 1, 4);
      }
    }, (mpi, world) -> {
      if (world.rank() == 1) {
        world.recv(new int[(int) world.probe(0, 4).bytes() / 4], 0, 4);
      } else {
        world.send(new int[1], 1, 4);
      }
    });
    add(all, "matched message that is not received", 2, "rank 1: the message matched by MPI_Mprobe at .* not received",
        (mpi, world) -> {
          if (world.rank() == 1) {
            world.mprobe(0, 4);
          } else {
            world.send(new int[1], 1, 4);
          }
        }, (mpi, world) -> {
          if (world.rank() == 1) {
            Message message = world.mprobe(0, 4);
            message.mrecv(Buf.of(new int[1]));
          } else {
            world.send(new int[1], 1, 4);
          }
        });
    add(all, "partition that is never ready", 2, "rank [01].*(MPI_Wait|partition|finalized)", (mpi, world) ->
        partitions(world, 0), (mpi, world) -> partitions(world, 1));
  }

  private static void partitions(IntraComm world, int last) {
    if (world.rank() == 0) {
      try (var send = world.psendInit(Buf.of(new int[4]), 2, 1, 0)) {
        send.start();
        send.preadyRange(0, last);
        send.await();
      }
    } else {
      try (var recv = world.precvInit(Buf.of(new int[4]), 2, 0, 0)) {
        recv.start();
        recv.await();
      }
    }
  }

  /** Programs that come to an end only where short messages are buffered (MPI-4.1 §3.5). */
  private static void buffering(List<Judged> all) {
    String needed = "MPI_Send at OrderPrograms.java:\\d+ to rank \\d with tag \\d needs a buffer";
    add(all, "both send first, and the messages are short", 2, needed, (mpi, world) -> {
      world.send(new int[4], 1 - world.rank(), 3);
      world.recv(new int[4], 1 - world.rank(), 3);
    }, (mpi, world) -> {
      Request received = world.irecv(new int[4], 1 - world.rank(), 3);
      world.send(new int[4], 1 - world.rank(), 3);
      received.await();
    });
    add(all, "receives in another order than the sends", 2, needed, (mpi, world) -> inOrder(world, 1, 0),
        (mpi, world) -> inOrder(world, 0, 1));
    add(all, "receive behind a barrier", 2, needed, (mpi, world) -> behindBarrier(world, true),
        (mpi, world) -> behindBarrier(world, false));
  }

  private static void inOrder(IntraComm world, int first, int second) {
    if (world.rank() == 0) {
      world.send(new int[4], 1, 0);
      world.send(new int[4], 1, 1);
    } else {
      world.recv(new int[4], 0, first);
      world.recv(new int[4], 0, second);
    }
  }

  private static void behindBarrier(IntraComm world, boolean late) {
    if (world.rank() == 0) {
      world.send(new int[4], 1, 0);
      world.barrier();
    } else {
      Request received = late ? null : world.irecv(new int[4], 0, 0);
      world.barrier();
      received = late ? world.irecv(new int[4], 0, 0) : received;
      received.await();
    }
  }

  private static void collectives(List<Judged> all) {
    add(all, "collective call that one rank does not make", 3, "rank 2 has (finalized|left)|rank 2 has not called",
        (mpi, world) -> {
          if (world.rank() != 2) {
            world.allreduce(Buf.of(new int[1]), Op.SUM);
          }
        }, (mpi, world) -> world.allreduce(Buf.of(new int[1]), Op.SUM));
    add(all, "barrier that one rank does not make", 2, "rank 1 has (finalized|left)|rank 1 has not called",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.barrier();
          }
        }, (mpi, world) -> world.barrier());
    add(all, "message inside a collective call", 2, "rank 1 has not called MPI_Barrier .*rank 0 wait", (mpi, world) -> {
      if (world.rank() == 0) {
        world.barrier();
        world.ssend(Buf.of(new int[1]), 1, 0);
      } else {
        world.recv(new int[1], 0, 0);
        world.barrier();
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.ssend(Buf.of(new int[1]), 1, 0);
        world.barrier();
      } else {
        world.recv(new int[1], 0, 0);
        world.barrier();
      }
    });
    add(all, "collective calls of two communicators in another order", 2, "rank [01].*(MPI_Barrier|barrier)",
        (mpi, world) -> {
          try (var other = world.dup()) {
            (world.rank() == 0 ? world : other).barrier();
            (world.rank() == 0 ? other : world).barrier();
          }
        }, (mpi, world) -> {
          try (var other = world.dup()) {
            world.barrier();
            other.barrier();
          }
        });
    add(all, "nonblocking call that one rank does not make", 2, "rank 1 has (finalized|left)|rank 1 has not called",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.iallreduce(Buf.of(new int[1]), Op.SUM).await();
          }
        }, (mpi, world) -> world.iallreduce(Buf.of(new int[1]), Op.SUM).await());
    add(all, "communicator that one rank does not make", 2, "rank [01].*", (mpi, world) -> {
      if (world.rank() == 0) {
        world.dup().close();
      }
    }, (mpi, world) -> world.dup().close());
  }

  private static void windows(List<Judged> all) {
    String gone = "rank [01].*(MPI_Win_fence|MPI_Win_free)|rank 1 has finalized.*takes part";
    add(all, "fence that one rank does not make", 2, gone, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.fence();
        if (world.rank() == 0) {
          win.fence();
        }
      }
    }, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.fence();
        win.fence();
      }
    });
    add(all, "start without a post", 2, "rank [01].*(post|MPI_Win)", (mpi, world) -> {
      Group group = world.group();
      try (Win win = world.winAllocate(8, 8)) {
        if (world.rank() == 0) {
          win.start(group.incl(1));
          win.put(Buf.of(new long[1]), 1, 0);
          win.complete();
        }
      }
    }, (mpi, world) -> {
      Group group = world.group();
      try (Win win = world.winAllocate(8, 8)) {
        if (world.rank() == 0) {
          win.start(group.incl(1));
          win.put(Buf.of(new long[1]), 1, 0);
          win.complete();
        } else {
          win.post(group.incl(0));
          win.await();
        }
      }
    });
    add(all, "post without a complete", 2, "rank [01].*(complete|start|MPI_Win)", (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        if (world.rank() == 1) {
          win.post(world.group().incl(0));
          win.await();
        }
      }
    }, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        if (world.rank() == 1) {
          win.post(world.group().incl(0));
          win.await();
        } else {
          win.start(world.group().incl(1));
          win.complete();
        }
      }
    });
    add(all, "locks in another order", 2, "rank [01].*lock.*rank [01]", (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.lock(LockType.EXCLUSIVE, world.rank());
        world.barrier();
        win.lock(LockType.EXCLUSIVE, 1 - world.rank());
        win.unlock(1 - world.rank());
        win.unlock(world.rank());
      }
    }, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.lock(LockType.EXCLUSIVE, 0);
        win.lock(LockType.EXCLUSIVE, 1);
        win.unlock(1);
        win.unlock(0);
      }
    });
  }
}
