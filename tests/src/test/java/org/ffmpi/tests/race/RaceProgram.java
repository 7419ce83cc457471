// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ffmpi.Buf;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/**
 * Carries out one line of {@code programs.txt} at each rank. Its loads and stores are those of a program. An error of
 * one operation is kept, and the rank continues, so that no other waits for it in vain.
 */
public final class RaceProgram implements Mpi.Body {
  private static final long BYTES = 64;

  private static final VarHandle HANDLE = ValueLayout.JAVA_LONG.varHandle();

  private static final Map<String, Op<?>> OPS =
      Map.of("sum", Op.SUM, "max", Op.MAX, "replace", Op.REPLACE, "no_op", Op.NO_OP);

  private static final Set<String> COLLECTIVE = Set.of("fence", "barrier", "bcast", "gather");

  private final String[] lines;
  private final List<MpiException> errors;

  /**
   * Creates a program.
   *
   * @param lines operations of each rank
   * @param errors gets the errors of all ranks
   */
  public RaceProgram(String[] lines, List<MpiException> errors) {
    this.lines = lines;
    this.errors = errors;
  }

  @Override
  public void run(Mpi mpi) {
    try (Win win = mpi.world().winAllocate(BYTES, 1); Win second = mpi.world().winAllocate(BYTES, 1)) {
      new Rank(mpi.world(), win, second).run(lineOf(mpi.world().rank()));
    } catch (MpiException e) {
      keep(e);
    }
  }

  /** Returns the operations of a rank: without any, it takes part in the collective calls of rank 0. */
  private String lineOf(int rank) {
    return !lines[rank].isBlank() ? lines[rank] : Arrays.stream(lines[0].split(";")).map(String::strip)
        .filter(operation -> COLLECTIVE.contains(operation.split(" ")[0])).collect(Collectors.joining(";"));
  }

  private void keep(MpiException e) {
    synchronized (errors) {
      errors.add(e);
    }
  }

  /** Returns false when a rank has an error: a put that is a finding is not made, and polling would never end. */
  private boolean hasNoErrors() {
    synchronized (errors) {
      return errors.isEmpty();
    }
  }

  /** One rank. */
  private final class Rank {
    private final IntraComm world;
    private final Win win;
    private final Win second;
    private final MemorySegment part;
    private final long[] a = {1};
    private final long[] b = {1};
    private final long[] c = {1};
    private final int[] i = {1};
    private final short[] s = {1};
    private final float[] f = {1};
    private final double[] d = {1};
    private final List<Request> requests = new ArrayList<>();
    private long sink;

    Rank(IntraComm world, Win win, Win second) {
      this.world = world;
      this.win = win;
      this.second = second;
      this.part = win.segment();
    }

    void run(String line) {
      for (String operation : line.split(";")) {
        String[] words = operation.strip().split(" ");
        try {
          if (!words[0].isEmpty() && !local(words) && !order(words) && !message(words)) {
            access(words);
          }
        } catch (MpiException e) {
          keep(e);
        }
      }
    }

    private boolean local(String[] w) {
      switch (String.join(" ", w)) {
        case "load w at 0", "load w at 8" -> sink += part.get(ValueLayout.JAVA_LONG, disp(w));
        case "volatile load w" -> sink += (long) HANDLE.getVolatile(part, 0L);
        case "volatile store w" -> HANDLE.setVolatile(part, 0L, 1L);
        case "poll w" -> {
          while (part.get(ValueLayout.JAVA_LONG, 0) == 0 && hasNoErrors()) {
            Thread.yield();
          }
        }
        case "volatile poll w" -> {
          while ((long) HANDLE.getVolatile(part, 0L) == 0 && hasNoErrors()) {
            Thread.yield();
          }
        }
        case "load a" -> sink += a[0];
        case "load b" -> sink += b[0];
        case "load c" -> sink += c[0];
        case "store a" -> a[0] = sink;
        case "store b" -> b[0] = sink;
        case "load w" -> sink += part.get(ValueLayout.JAVA_LONG, 0);
        case "load w8" -> sink += part.getAtIndex(ValueLayout.JAVA_LONG, 1);
        case "store w" -> part.setAtIndex(ValueLayout.JAVA_LONG, 0, sink);
        default -> {
          return false;
        }
      }
      return true;
    }

    private boolean order(String[] w) {
      switch (w[0]) {
        case "fence" -> win.fence();
        case "lock2" -> second.lock(LockType.EXCLUSIVE, rank(w[1]));
        case "unlock2" -> second.unlock(rank(w[1]));
        case "lock" -> win.lock(w[2].equals("shared") ? LockType.SHARED : LockType.EXCLUSIVE, rank(w[1]));
        case "unlock" -> win.unlock(rank(w[1]));
        case "lockall" -> win.lockAll();
        case "unlockall" -> win.unlockAll();
        case "flush" -> win.flush(rank(w[1]));
        case "flushall" -> win.flushAll();
        case "flushlocal" -> win.flushLocal(rank(w[1]));
        case "flushlocalall" -> win.flushLocalAll();
        case "start" -> win.start(group(w));
        case "complete" -> win.complete();
        case "post" -> win.post(group(w));
        case "wait" -> win.await();
        case "await" -> Request.waitAll(requests);
        default -> {
          return false;
        }
      }
      return true;
    }

    private boolean message(String[] w) {
      switch (w[0]) {
        case "barrier" -> world.barrier();
        case "bcast" -> world.bcast(new long[1], rank(w[1]));
        case "gather" -> world.gather(new long[1], rank(w[1]));
        case "send" -> world.send(new long[1], rank(w[1]), 1);
        case "recv" -> world.recv(new long[1], rank(w[1]), 1);
        case "recvw" -> world.recv(Buf.of(part, 1, Datatype.INT64_T), rank(w[1]), 1);
        case "isend" -> requests.add(world.isend(buffer(w[1]), rank(w[2]), 1));
        case "irecv" -> requests.add(world.irecv(buffer(w[1]), rank(w[2]), 1));
        default -> {
          return false;
        }
      }
      return true;
    }

    private void access(String[] w) {
      switch (w[0]) {
        case "put" -> win.put(buffer(w[1]), rank(w[2]), disp(w));
        case "get" -> win.get(buffer(w[1]), rank(w[2]), disp(w));
        case "rput" -> requests.add(win.rput(buffer(w[1]), rank(w[2]), disp(w)));
        case "rget" -> requests.add(win.rget(buffer(w[1]), rank(w[2]), disp(w)));
        case "acc" -> win.accumulate(buffer(w[2]), rank(w[3]), disp(w), OPS.get(w[1]));
        case "racc" -> requests.add(win.raccumulate(buffer(w[2]), rank(w[3]), disp(w), OPS.get(w[1])));
        case "getacc" -> win.getAccumulate(buffer(w[2]), buffer(w[3]), rank(w[4]), disp(w), OPS.get(w[1]));
        case "rgetacc" -> requests.add(
            win.rgetAccumulate(buffer(w[2]), buffer(w[3]), rank(w[4]), disp(w), OPS.get(w[1])));
        case "noop" -> win.getAccumulate(null, buffer(w[1]), rank(w[2]), disp(w), Op.NO_OP);
        case "casw" -> win.compareAndSwap(
            buffer(w[1]), Buf.of(part, 1, Datatype.INT64_T), buffer(w[2]), rank(w[3]), disp(w));
        case "fetch" -> win.fetchAndOp(buffer(w[2]), buffer(w[3]), rank(w[4]), disp(w), OPS.get(w[1]));
        case "cas" -> win.compareAndSwap(buffer(w[1]), buffer(w[2]), buffer(w[3]), rank(w[4]), disp(w));
        case "accv" -> {
          try (Datatype<Integer> pair = Datatype.vector(2, 1, 2, Datatype.INT32_T).commit()) {
            win.accumulate(Buf.of(new int[2]), rank(w[3]), disp(w), 1, pair, OPS.get(w[1]));
          }
        }
        case "until" -> {
          long[] seen = {0};
          while (seen[0] == 0) {
            win.fetchAndOp(null, Buf.of(seen), rank(w[2]), disp(w), Op.NO_OP);
            win.flush(rank(w[2]));
          }
        }
        default -> throw new IllegalArgumentException(String.join(" ", w));
      }
    }

    private int rank(String word) {
      return Integer.parseInt(word);
    }

    private long disp(String[] w) {
      return Long.parseLong(w[w.length - 1]);
    }

    private Group group(String[] w) {
      return world.group().incl(Arrays.stream(w).skip(1).mapToInt(Integer::parseInt).toArray());
    }

    private Buf<?> buffer(String name) {
      return switch (name) {
        case "a" -> Buf.of(a);
        case "b" -> Buf.of(b);
        case "c" -> Buf.of(c);
        case "i" -> Buf.of(i);
        case "s" -> Buf.of(s);
        case "f" -> Buf.of(f);
        default -> Buf.of(d);
      };
    }
  }
}
