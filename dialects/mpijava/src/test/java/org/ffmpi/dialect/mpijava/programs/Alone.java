// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.net.URI;
import java.util.Arrays;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Whole programs, each with a start and an end of its own. */
public final class Alone {
  private Alone() {}

  /** A greeting round a ring, as programs of MPJ Express begin. */
  public static final class Ring {
    private Ring() {}

    public static void main(String[] args) throws MPIException {
      String[] own = MPI.Init(args);
      int me = MPI.COMM_WORLD.Rank();
      int size = MPI.COMM_WORLD.Size();
      char[] message = new char[20];
      if (me == 0) {
        char[] hello = "Hello".toCharArray();
        MPI.COMM_WORLD.Send(hello, 0, hello.length, MPI.CHAR, (me + 1) % size, 99);
      }
      int count =
          MPI.COMM_WORLD.Recv(message, 0, 20, MPI.CHAR, (me + size - 1) % size, 99).Get_count(MPI.CHAR);
      if (me > 0) {
        MPI.COMM_WORLD.Send(message, 0, count, MPI.CHAR, (me + 1) % size, 99);
      } else {
        System.out.println(new String(message, 0, count) + " " + String.join(" ", own));
      }
      MPI.Finalize();
    }
  }

  /** Started as MPJ Express starts: rank, number of ranks and device come first. */
  public static final class Arguments {
    private Arguments() {}

    public static void main(String[] args) throws MPIException {
      System.setProperty("ffmpi.dialect", "mpj"); // as mpirun --dialect mpj does
      String[] given = new String[args.length + 3];
      given[0] = "0";
      given[1] = "conf";
      given[2] = "dev";
      System.arraycopy(args, 0, given, 3, args.length);
      String[] own = MPI.initThread(MPI.THREAD_FUNNELED, 0, given);
      if (MPI.COMM_WORLD.Rank() == 0) {
        System.out.println(String.join(",", own) + " " + MPI.queryThread() + " " + MPI.isMainThread());
      }
      outside();
      MPI.Finalize();
    }
  }

  /** There are communicators for those who are no members; see the class NonMemberComm. */
  private static void outside() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    Intracomm first = world.Create(world.Group().Incl(new int[] {0}));
    Intracomm others = world.Split(rank == 0 ? MPI.UNDEFINED : 0, 0);
    int[] here = {first.Rank(), first.Size(), others.Rank(), others.Size()};
    int[] all = new int[4];
    world.Reduce(here, 0, all, 0, 4, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(Arrays.toString(all));
    }
    boolean member = first.Rank() == 0;
    Group passed = first.Group();
    if (passed.Size() != 1 || passed.Rank() != (member ? 0 : MPI.UNDEFINED) || first.group.Rank() != passed.Rank()
        || Group.Translate_ranks(passed, new int[] {0}, world.Group())[0] != 0) {
      System.out.println("the group of a communicator is not the one that was passed");
    }
    passed.free();
    if (others.Group().Rank() != others.Rank() || first.Group().Size() != 1) {
      System.out.println("the rank is another one in the group");
    }
    first.Free();
    others.Free();
  }

  /** Never calls {@code MPI.Finalize}: what has been sent arrives, and nobody else is ended. */
  public static final class Unfinished {
    private Unfinished() {}

    public static void main(String[] args) throws Exception {
      MPI.Init(args);
      int[] data = new int[100_000];
      if (MPI.COMM_WORLD.Rank() > 0) {
        data[99_999] = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Isend(data, 0, data.length, MPI.INT, 0, 0);
        MPI.COMM_WORLD.Isend(new Object[] {"and"}, 0, 1, MPI.OBJECT, 0, 1);
        return;
      }
      Thread.sleep(500); // the others have returned
      int sum = 0;
      Object[] word = new Object[1];
      for (int r = 1; r < MPI.COMM_WORLD.Size(); r++) {
        MPI.COMM_WORLD.Recv(data, 0, data.length, MPI.INT, r, 0);
        MPI.COMM_WORLD.Recv(word, 0, 1, MPI.OBJECT, r, 1);
        sum += data[99_999];
      }
      System.out.println(sum + " " + word[0]);
    }
  }

  /** Neither calls {@code MPI.Finalize} nor returns: that is no way to leave a job. */
  public static final class Throwing {
    private Throwing() {}

    public static void main(String[] args) throws MPIException {
      MPI.Init(args);
      if (MPI.COMM_WORLD.Rank() == 1) {
        throw new IllegalStateException("out of cheese");
      }
      MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
      System.out.println("received");
    }
  }

  /** Ends the job by its error handler. */
  public static final class Fatal {
    private Fatal() {}

    public static void main(String[] args) throws MPIException {
      MPI.Init(args);
      MPI.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
      if (MPI.COMM_WORLD.Rank() == 0) {
        try {
          MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 77, 0);
        } catch (MPIException e) {
          System.out.println("thrown");
        }
      }
      MPI.COMM_WORLD.Barrier();
      MPI.Finalize();
    }
  }

  /** Ends the job. */
  public static final class Aborting {
    private Aborting() {}

    public static void main(String[] args) throws MPIException {
      MPI.Init(args);
      if (MPI.COMM_WORLD.Rank() == 1) {
        MPI.COMM_WORLD.Abort(7);
      }
      MPI.COMM_WORLD.Barrier();
      MPI.Finalize();
    }
  }

  /** Reads a class that is not read without the setting. */
  public static final class Allowing {
    private Allowing() {}

    public static void main(String[] args) throws MPIException {
      System.setProperty("ffmpi.objects.allow", "java.net.*;!java.net.URL");
      MPI.Init(args);
      Object[] got = new Object[1];
      MPI.COMM_SELF.Sendrecv(
          new Object[] {URI.create("mpi:a")}, 0, 1, MPI.OBJECT, 0, 0, got, 0, 1, MPI.OBJECT, 0, 0);
      System.out.println(got[0]);
      MPI.Finalize();
    }
  }

  /** Calls before the start and after the end. */
  public static final class Outside {
    private Outside() {}

    public static void main(String[] args) throws MPIException {
      StringBuilder told = new StringBuilder();
      told.append(MPI.Initialized()).append(MPI.COMM_WORLD == null).append(MPI.INT.Size());
      told.append(MPI.Wtime() > 0).append(mpi.Datatype.Vector(2, 1, 3, MPI.BYTE).Extent());
      try {
        MPI.queryThread();
      } catch (MPIException e) {
        told.append(e.getMessage().contains("MPI.Init"));
      }
      MPI.Init(args);
      boolean first = MPI.COMM_WORLD.Rank() == 0;
      Object[] last = {"last"};
      MPI.COMM_WORLD.Isend(last, 0, 1, MPI.OBJECT, (MPI.COMM_WORLD.Rank() + 1) % 2, 0);
      MPI.COMM_WORLD.Recv(last, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, MPI.ANY_TAG);
      MPI.Finalize();
      told.append(MPI.Initialized());
      try {
        MPI.COMM_WORLD.Barrier();
      } catch (MPIException e) {
        told.append(" ").append(e.getMessage().startsWith("MPI_ERR_OTHER"));
      }
      if (first) {
        System.out.println(told);
      }
    }
  }
}
