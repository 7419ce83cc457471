// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Objects in all modes of messages, with parts of arrays and with types made of them. */
final class ObjectMessages {
  private static final int TAG = 50;

  private ObjectMessages() {}

  /** A program's own class. */
  static final class Point implements Serializable {
    private static final long serialVersionUID = 1;

    final int x;
    final double[] history;

    Point(int x, double... history) {
      this.x = x;
      this.history = history;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Point p && p.x == x && Arrays.equals(p.history, history);
    }

    @Override
    public int hashCode() {
      return x;
    }

    @Override
    public String toString() {
      return "Point " + x;
    }
  }

  private record Named(String name, List<Integer> numbers) implements Serializable {}

  private static final class NotSerializable {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int next = (rank + 1) % world.Size();
    int before = (rank + world.Size() - 1) % world.Size();
    kinds(check, world, next, before);
    modes(check, world, next, before);
    lists(check, world, next, before);
    persistent(check, world, next, before);
    types(check, world, next, before);
    probes(check, world, next, before);
    order(check, world, next, before);
    wrong(check, world, next, before);
  }

  private static Object[] values(int rank) {
    List<Object> list = new ArrayList<>(List.of("a", rank, 2.5));
    Map<String, int[]> map = new HashMap<>();
    map.put("key", new int[] {rank, 1});
    return new Object[] {
        "text " + rank, rank, null, list, new Point(rank, 1, 2, 3), new Named("n", List.of(rank, 7)), new long[3000],
        new int[][] {{rank}, {1, 2}}, Thread.State.NEW, true};
  }

  private static void kinds(Check check, Intracomm world, int next, int before) throws MPIException {
    Object[] mine = values(world.Rank());
    Object[] got = new Object[12];
    got[0] = "kept";
    got[11] = "kept too";
    Status status = world.Sendrecv(mine, 0, 10, MPI.OBJECT, next, TAG, got, 1, 11, MPI.OBJECT, before, MPI.ANY_TAG);
    Object[] expected = values(before);
    for (int i = 0; i < 10; i++) {
      check.equal("object " + i, expected[i], got[i + 1]);
    }
    check.that("kept", got[0].equals("kept") && got[11].equals("kept too"));
    check.equal("objects", 10, status.Get_count(MPI.OBJECT));
    check.equal("elements", 10, status.Get_elements(MPI.OBJECT));
    check.that("source and tag", status.source == before && status.tag == TAG);

    Object[] one = {new HashMap<>(Map.of("k", new ArrayList<>(List.of(1, 2))))};
    world.Sendrecv_replace(one, 0, 1, MPI.OBJECT, next, TAG, before, TAG);
    check.equal("replaced", Map.of("k", List.of(1, 2)), one[0]);

    // Rows of a matrix are objects.
    double[][] rows = {{world.Rank(), 1}, {2, 3}, {4, 5}};
    double[][] other = new double[3][];
    world.Sendrecv(rows, 1, 2, MPI.OBJECT, next, TAG, other, 0, 2, MPI.OBJECT, before, TAG);
    check.equal("rows", new double[][] {{2, 3}, {4, 5}, null}, other);
  }

  private static void modes(Check check, Intracomm world, int next, int before) throws MPIException {
    MPI.Buffer_attach(new byte[100]); // objects need none of it
    for (int mode = 0; mode < 8; mode++) {
      String[] got = new String[3];
      Request receive = world.Irecv(got, 0, 3, MPI.OBJECT, before, TAG);
      world.Barrier();
      Object[] mine = {"mode " + mode, "from " + world.Rank()};
      Request send = null;
      switch (mode) {
        case 0 -> world.Send(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 1 -> world.Ssend(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 2 -> world.Bsend(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 3 -> world.Rsend(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 4 -> send = world.Isend(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 5 -> send = world.Issend(mine, 0, 2, MPI.OBJECT, next, TAG);
        case 6 -> send = world.Ibsend(mine, 0, 2, MPI.OBJECT, next, TAG);
        default -> send = world.Irsend(mine, 0, 2, MPI.OBJECT, next, TAG);
      }
      mine[0] = "changed"; // objects were written when the send was started
      Status status = null;
      while (status == null) {
        status = mode % 2 == 0 ? receive.Wait() : receive.Test();
      }
      if (send != null) {
        send.Wait();
      }
      check.equal("mode " + mode, new String[] {"mode " + mode, "from " + before, null}, got);
      check.equal("count of mode " + mode, 2, status.Get_count(MPI.OBJECT));
    }
    MPI.Buffer_detach();
  }

  /** Objects and arrays in one list of requests; messages keep their order. */
  private static void lists(Check check, Intracomm world, int next, int before) throws MPIException {
    Object[] objects = new Object[4];
    int[] ints = new int[2];
    Request[] requests = new Request[8];
    for (int i = 0; i < 3; i++) {
      requests[i] = world.Irecv(objects, i, 1, MPI.OBJECT, before, TAG);
    }
    requests[3] = world.Irecv(ints, 0, 2, MPI.INT, before, TAG + 1);
    for (int i = 0; i < 3; i++) {
      requests[4 + i] = world.Isend(new Object[] {"n" + i, "x"}, 0, 1, MPI.OBJECT, next, TAG);
    }
    requests[7] = world.Isend(new int[] {8, 9}, 0, 2, MPI.INT, next, TAG + 1);
    Status any = Request.Waitany(requests);
    Status[] some = Request.Waitsome(requests);
    Status[] rest = Request.Waitall(requests);
    check.that("all", any != null && some.length > 0 && rest.length == 8);
    check.equal("in order", new Object[] {"n0", "n1", "n2", null}, objects);
    check.equal("ints", new int[] {8, 9}, ints);

    Request never = world.Irecv(objects, 0, 1, MPI.OBJECT, before, 4713);
    never.Cancel();
    Status status = never.Wait();
    check.that("cancelled", status.Test_cancelled() && status.Get_count(MPI.OBJECT) == 0);
    check.equal("kept", "n0", objects[0]);
    Status nobody = world.Recv(objects, 0, 1, MPI.OBJECT, MPI.PROC_NULL, TAG);
    check.that("of nobody", nobody.source == MPI.PROC_NULL && nobody.Get_count(MPI.OBJECT) == 0);
    world.Send(objects, 0, 1, MPI.OBJECT, MPI.PROC_NULL, TAG);
    world.Barrier();
  }

  private static void persistent(Check check, Intracomm world, int next, int before) throws MPIException {
    Object[] out = new Object[2];
    Object[][] in = new Object[4][2];
    Prequest[] all = {
        world.Recv_init(in[0], 0, 2, MPI.OBJECT, before, TAG),
        world.Recv_init(in[1], 0, 2, MPI.OBJECT, before, TAG + 1),
        world.Recv_init(in[2], 0, 2, MPI.OBJECT, before, TAG + 2),
        world.Recv_init(in[3], 0, 2, MPI.OBJECT, before, TAG + 3), world.Send_init(out, 0, 2, MPI.OBJECT, next, TAG),
        world.Ssend_init(out, 0, 2, MPI.OBJECT, next, TAG + 1), world.Bsend_init(out, 0, 2, MPI.OBJECT, next, TAG + 2),
        world.Rsend_init(out, 0, 2, MPI.OBJECT, next, TAG + 3)};
    for (int round = 0; round < 3; round++) {
      out[0] = "round " + round;
      out[1] = world.Rank();
      for (int i = 0; i < 7; i++) {
        all[i].Start();
      }
      world.Barrier();
      all[7].Start();
      Status[] statuses = Request.Waitall(all);
      for (int i = 0; i < 4; i++) {
        check.equal("round " + round + " of " + i, new Object[] {"round " + round, before}, in[i]);
        check.equal("count", 2, statuses[i].Get_count(MPI.OBJECT));
      }
    }
  }

  private static void types(Check check, Intracomm world, int next, int before) throws MPIException {
    Object[] letters = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    Datatype vector = Datatype.Vector(2, 2, 3, MPI.OBJECT); // places 0 1 3 4, extent 5
    vector.Commit();
    check.that("vector", vector.Size() == 4 && vector.Extent() == 5 && vector.baseType == MPI.OBJECT.baseType);
    Object[] got = new Object[9];
    Status status = world.Sendrecv(letters, 0, 2, vector, next, TAG, got, 0, 9, MPI.OBJECT, before, TAG);
    check.equal("vector", new Object[] {"a", "b", "d", "e", "f", "g", "i", "j", null}, got);
    check.equal("items", 2, status.Get_count(vector));
    check.equal("elements", 8, status.Get_elements(vector));

    Datatype indexed = Datatype.Indexed(new int[] {1, 2}, new int[] {3, 0}, MPI.OBJECT);
    got = new Object[6];
    status = world.Sendrecv(letters, 1, 3, MPI.OBJECT, next, TAG, got, 2, 1, indexed, before, TAG);
    check.equal("indexed", new Object[] {null, null, "c", "d", null, "b"}, got);
    Datatype three = Datatype.Contiguous(3, MPI.OBJECT);
    status = world.Sendrecv(letters, 0, 4, MPI.OBJECT, next, TAG, got, 0, 2, three, before, TAG);
    check.equal("part of an item", MPI.UNDEFINED, status.Get_count(three));
    check.equal("elements of a part", 4, status.Get_elements(three));
    Datatype bounded = Datatype.Struct(new int[] {1, 1}, new int[] {0, 2}, new Datatype[] {MPI.OBJECT, MPI.UB});
    got = new Object[5];
    world.Sendrecv(letters, 0, 3, bounded, next, TAG, got, 0, 3, MPI.OBJECT, before, TAG);
    check.equal("bounded", new Object[] {"a", "c", "e", null, null}, got);
    Datatype hindexed = Datatype.Hindexed(new int[] {1, 1}, new int[] {4, 1}, Datatype.Hvector(2, 1, 2, MPI.OBJECT));
    world.Sendrecv(letters, 0, 1, hindexed, next, TAG, got, 0, 4, MPI.OBJECT, before, TAG);
    check.equal("hindexed", new Object[] {"e", "g", "b", "d", null}, got);
    three.free();
  }

  /** The number of objects of a message that waits. */
  private static void probes(Check check, Intracomm world, int next, int before) throws MPIException {
    Request first = world.Isend(new Object[] {"x", "y", "z"}, 0, 3, MPI.OBJECT, next, TAG);
    Request second = world.Isend(new Object[] {"last"}, 0, 1, MPI.OBJECT, next, TAG);
    Status found = world.Probe(before, TAG);
    check.equal("waiting", 3, found.Get_count(MPI.OBJECT));
    check.equal("waiting still", 3, found.Get_count(MPI.OBJECT));
    Status again = world.Iprobe(MPI.ANY_SOURCE, TAG);
    check.that("found again", again != null && again.source == before && again.Get_count(MPI.OBJECT) == 3);
    Object[] got = new Object[found.Get_count(MPI.OBJECT)];
    Status status = world.Recv(got, 0, got.length, MPI.OBJECT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    check.equal("what waited", new Object[] {"x", "y", "z"}, got);
    check.that("status", status.source == before && status.tag == TAG && status.Get_count(MPI.OBJECT) == 3);
    Status last = world.Probe(before, TAG);
    check.equal("the last", 1, last.Get_count(MPI.OBJECT));
    Request receive = world.Irecv(got, 1, 2, MPI.OBJECT, before, TAG);
    status = receive.Wait();
    check.equal("the last one", new Object[] {"x", "last", "z"}, got);
    check.equal("count of the last", 1, status.Get_count(MPI.OBJECT));
    first.Wait();
    second.Wait();
    for (int count : new int[] {0, 2, 254, 300}) { // the length of a message tells small numbers only
      Request sent = world.Isend(new Object[count], 0, count, MPI.OBJECT, next, TAG);
      Status many = world.Probe(before, TAG);
      check.equal("that many", count, many.Get_count(MPI.OBJECT));
      check.equal("that many elements", count, many.Get_elements(MPI.OBJECT));
      world.Recv(new Object[count], 0, count, MPI.OBJECT, before, TAG);
      sent.Wait();
    }
    world.Barrier();
  }

  /** To ask for the number of objects receives nothing: what was sent first is what any receive gets first. */
  private static void order(Check check, Intracomm world, int next, int before) throws MPIException {
    Request first = world.Isend(new Object[] {"first"}, 0, 1, MPI.OBJECT, next, TAG);
    Request second = world.Isend(new Object[] {"second", 2}, 0, 2, MPI.OBJECT, next, TAG + 1);
    check.equal("objects of the second", 2, world.Probe(before, TAG + 1).Get_count(MPI.OBJECT));
    Object[] got = new Object[2];
    Status status = world.Recv(got, 0, 2, MPI.OBJECT, before, MPI.ANY_TAG);
    check.that("the first comes first", status.tag == TAG && "first".equals(got[0]));
    status = world.Recv(got, 0, 2, MPI.OBJECT, before, MPI.ANY_TAG);
    check.that("the second comes then", status.tag == TAG + 1 && "second".equals(got[0]));
    first.Wait();
    second.Wait();
  }

  private static void wrong(Check check, Intracomm world, int next, int before) throws MPIException {
    check.fails("not serializable", () -> world.Send(
        new Object[] {new NotSerializable()}, 0, 1, MPI.OBJECT, next, TAG), "NotSerializable");
    check.fails("primitives as objects", () -> world.Send(new int[1], 0, 1, MPI.OBJECT, next, TAG), "int[1]");
    check.fails("objects as primitives", () -> world.Send(new Object[1], 0, 1, MPI.INT, next, TAG));
    check.fails("beyond the array", () -> world.Send(new Object[2], 1, 2, MPI.OBJECT, next, TAG), "1..2");

    Request sent = world.Isend(new Object[] {"a", "b"}, 0, 2, MPI.OBJECT, next, TAG);
    Object[] one = {"kept"};
    check.fails("too many", () -> world.Recv(one, 0, 1, MPI.OBJECT, before, TAG), "2 objects", "room for 1");
    check.equal("kept", "kept", one[0]);
    sent.Wait();
    sent = world.Isend(new Object[] {"a"}, 0, 1, MPI.OBJECT, next, TAG);
    check.fails("of another class", () -> world.Recv(new Integer[1], 0, 1, MPI.OBJECT, before, TAG), "String");
    sent.Wait();
    sent = world.Isend(new byte[] {1, 2}, 0, 2, MPI.BYTE, next, TAG);
    check.fails("no objects", () -> world.Recv(one, 0, 1, MPI.OBJECT, before, TAG), "no objects");
    sent.Wait();
    // The JDK has classes that do more than hold a value; they are not read.
    sent = world.Isend(new Object[] {new javax.swing.event.EventListenerList()}, 0, 1, MPI.OBJECT, next, TAG);
    check.fails("a class that is not read", () -> world.Recv(one, 0, 1, MPI.OBJECT, before, TAG),
        "javax.swing.event.EventListenerList", "ffmpi.objects.allow");
    sent.Wait();
    world.Barrier();
  }
}
