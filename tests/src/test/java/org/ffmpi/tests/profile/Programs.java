// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Call;
import org.ffmpi.CallListener;
import org.ffmpi.Calls;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Info;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/** Programs that run in ranks started with the agent, and listeners that watch them. */
final class Programs {
  private Programs() {}

  /** Prints each call in one line when it has ended. Made by the launcher's option; not public on purpose. */
  static final class Printer implements CallListener {
    private Printer() {}

    @Override
    public void end(Call call) {
      print(call);
    }

    static void print(Call call) {
      StringBuilder text = new StringBuilder("seen: ").append(call.rank()).append(' ').append(call.name());
      text.append(' ').append(call.method()).append(' ').append(call.communicator().map(Comm::name).orElse("-"));
      text.append(' ').append(call.bytes()).append(' ').append(call.nanos() > 0 && call.start() != 0);
      call.thrown().ifPresent(e -> text.append(' ').append(e.getMessage()));
      System.out.println(text);
    }
  }

  /** A listener for other tests. */
  record Named(String name, List<String> log) implements CallListener {
    @Override
    public void begin(Call call) {
      log.add("begin " + name);
    }

    @Override
    public void end(Call call) {
      log.add("end " + name);
    }
  }

  private static void say(Object what) {
    System.out.println("says: " + what);
  }

  /** Calls of many kinds between two ranks. */
  static final class ManyCalls {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        int peer = 1 - world.rank();
        int[] data = new int[4];
        Request incoming = world.irecv(data, peer, 7);
        world.send(new int[] {1, 2, 3, 4}, peer, 7);
        incoming.await(new Status());
        world.barrier();
        Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT32_T).commit();
        world.send(Buf.of(data, 0, 4), Constants.PROC_NULL, 1);
        pair.close();
        Info info = new Info();
        info.set("key", "value");
        List<Request> none = new ArrayList<>();
        Request.waitAll(none);
        mpi.typeAttributes(Datatype.INT32_T).set(Keyval.notCopied(), "x");
        world.setErrhandler(Errhandler.RETURN);
        try {
          world.send(data, 9, 0);
        } catch (MpiException e) {
          say("caught " + e.errorClass());
        }
      });
    }
  }

  /** Several listeners at once, one of which throws, and what they see of calls inside calls. */
  static final class Several {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        List<String> log = new ArrayList<>();
        Calls first = Calls.install(new Named("a", log));
        Calls second = Calls.install(new Named("b", log));
        world.rank();
        say(log);
        second.close();
        second.close();
        log.clear();
        world.rank();
        say(log);
        first.close();
        log.clear();
        world.rank();
        say(log);

        Calls.install(new CallListener() {
          @Override
          public void begin(Call call) {
            throw new IllegalStateException("listener is broken");
          }
        });
        Calls last = Calls.install(new Named("c", log));
        int ranks = world.size();
        world.rank();
        say(ranks + " " + log);
        last.close();
      });
    }
  }

  /** Calls that the program does not make itself, or not in its own right. */
  static final class Inside {
    public static void main(String[] args) {
      List<String> log = new ArrayList<>();
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        Calls calls = Calls.install(new CallListener() {
          @Override
          public void end(Call call) {
            world.size(); // not seen: a listener's own
            log.add(call.name());
          }
        });
        Keyval<Datatype<?>, String> key = Keyval.of(
            (type, value) -> {
              world.barrier(); // belongs to the call that copies
              return Optional.of(value);
            },
            (type, value) -> {});
        Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT32_T);
        pair.attributes().set(key, "x");
        pair.dup();
        Buf.of(new int[2]);      // no call of the standard, nor are those that it makes
        String.valueOf(world);
        world.allreduce(Buf.of(new int[2]), Op.SUM);
        calls.close();
      });
      say(log);
    }
  }

  /** Calls by many threads. */
  static final class ManyThreads {
    private static final int THREADS = 8;
    private static final int EACH = 200;

    public static void main(String[] args) throws InterruptedException {
      Mpi mpi = Mpi.init(args);
      Comm world = mpi.world();
      AtomicInteger begun = new AtomicInteger();
      AtomicInteger ended = new AtomicInteger();
      Calls calls = Calls.install(new CallListener() {
        @Override
        public void begin(Call call) {
          begun.incrementAndGet();
        }

        @Override
        public void end(Call call) {
          ended.incrementAndGet();
        }
      });
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int tag = i;
        Runnable exchange = () -> {
          int[] data = new int[1];
          for (int k = 0; k < EACH; k++) {
            Request in = world.irecv(data, world.rank(), tag);
            world.send(data, 0, tag);
            in.await();
          }
        };
        threads.add(i % 2 == 0 ? Thread.ofVirtual().start(exchange) : Thread.ofPlatform().start(exchange));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      calls.close();
      say(begun.get() == THREADS * EACH * 4 && ended.get() == begun.get() ? "all" : begun + " and " + ended);
      mpi.close();
    }
  }

  /** Ranks that are threads of one JVM. */
  static final class RankThreads {
    public static void main(String[] args) {
      Mpi.runThreads(3, mpi -> mpi.world().barrier());
    }
  }

  /** Installs without an agent. */
  static final class Installs {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        try {
          Calls.install(new Named("x", new ArrayList<>()));
        } catch (MpiException e) {
          say(Calls.isPossible() + " " + e.getMessage());
        }
      });
    }
  }
}
