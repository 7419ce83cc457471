// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Blocking sends and receives of all base types, in all modes, and probes. */
final class BlockingMessages {
  private BlockingMessages() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int size = world.Size();
    allTypes(check, world, rank, size);
    modes(check, world, rank, size);
    exchanges(check, world, rank, size);
    probes(check, world, rank, size);
    nobody(check, world);
    tagsBelowZero(check, world, rank, size);
  }

  /** The standard does not allow them, and MPJ Express carries them as any others; also the number for any tag. */
  private static void tagsBelowZero(Check check, Intracomm world, int rank, int size) throws MPIException {
    int partner = rank ^ 1;
    if (partner >= size) {
      return;
    }
    int[] got = new int[1];
    int[] tags = {-1, MPI.ANY_TAG, -3, -1024, Integer.MAX_VALUE, 0};
    if (rank % 2 == 0) {
      for (int tag : tags) {
        world.Send(new int[] {tag}, 0, 1, MPI.INT, partner, tag);
        world.Isend(new Object[] {tag, new byte[300]}, 0, 2, MPI.OBJECT, partner, tag).Wait();
      }
    } else {
      for (int tag : tags) {
        check.equal("tag probed", tag, world.Probe(partner, MPI.ANY_TAG).tag);
        check.equal("tag told", tag, world.Recv(got, 0, 1, MPI.INT, partner, MPI.ANY_TAG).tag);
        check.equal("content of tag " + tag, tag, got[0]);
        Object[] objects = new Object[2];
        Status status = world.Probe(partner, tag);
        check.equal("tag of objects", tag, status.tag);
        check.equal("number of objects", 2, status.Get_count(MPI.OBJECT));
        check.equal("tag of objects told", tag, world.Recv(objects, 0, 2, MPI.OBJECT, partner, tag).tag);
        check.equal("objects of tag " + tag, tag, objects[0]);
      }
    }
    Status status = world.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, partner, -1, got, 0, 1, MPI.INT, partner, -1);
    check.equal("exchanged", partner, got[0]);
    check.equal("tag exchanged", -1, status.tag);
    mpi.Request from = world.Irecv(got, 0, 1, MPI.INT, partner, -7);
    world.Ssend(new int[] {rank + 5}, 0, 1, MPI.INT, partner, -7);
    check.equal("tag waited for", -7, from.Wait().tag);
    check.equal("waited for", partner + 5, got[0]);
  }

  /** Each even rank sends three elements from the second one on to the odd one after it, type after type. */
  private static void allTypes(Check check, Intracomm world, int rank, int size) throws MPIException {
    int partner = rank ^ 1;
    if (partner >= size) {
      return;
    }
    Object[] arrays = {
        new byte[] {0, -1, 2, -128, 0}, new char[] {0, 'a', 'é', '￿', 0}, new short[] {0, -1, 2, -32768, 0},
        new boolean[] {false, true, false, true, false}, new int[] {0, -1, 2, Integer.MIN_VALUE, 0},
        new long[] {0, -1, 2, Long.MIN_VALUE, 0}, new float[] {0, -1.5f, 2, Float.MIN_VALUE, 0},
        new double[] {0, -1.5, 2, Double.MAX_VALUE, 0}};
    mpi.Datatype[] types = {
        MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE};
    int[] widths = {1, 2, 2, 1, 4, 8, 4, 8};
    for (int i = 0; i < arrays.length; i++) {
      check.equal("bytes of " + types[i], widths[i], types[i].getByteSize());
      if (rank % 2 == 0) {
        world.Send(arrays[i], 1, 3, types[i], partner, i);
        continue;
      }
      Object got = java.lang.reflect.Array.newInstance(arrays[i].getClass().getComponentType(), 5);
      Status status = world.Recv(got, 1, 4, types[i], MPI.ANY_SOURCE, MPI.ANY_TAG);
      check.equal(types[i] + " array", arrays[i], got);
      check.equal(types[i] + " source", partner, status.source);
      check.equal(types[i] + " tag", i, status.tag);
      check.equal(types[i] + " count", 3, status.Get_count(types[i]));
      check.equal(types[i] + " elements", 3, status.Get_elements(types[i]));
      check.that(types[i] + " not cancelled", !status.Test_cancelled());
      status.free();
    }
  }

  private static void modes(Check check, Intracomm world, int rank, int size) throws MPIException {
    int partner = rank ^ 1;
    if (partner >= size) {
      return;
    }
    double[] data = {rank, 1, 2, 3};
    double[] got = new double[4];
    MPI.Buffer_attach(new byte[1000]);
    for (int mode = 0; mode < 4; mode++) {
      if (rank % 2 == 0) {
        if (mode == 0) {
          world.Send(data, 0, 4, MPI.DOUBLE, partner, mode);
        } else if (mode == 1) {
          world.Ssend(data, 0, 4, MPI.DOUBLE, partner, mode);
        } else if (mode == 2) {
          world.Bsend(data, 0, 4, MPI.DOUBLE, partner, mode);
        } else {
          world.Recv(new byte[0], 0, 0, MPI.BYTE, partner, 99); // the receive is posted
          world.Rsend(data, 0, 4, MPI.DOUBLE, partner, mode);
        }
      } else if (mode < 3) {
        world.Recv(got, 0, 4, MPI.DOUBLE, partner, mode);
      } else {
        mpi.Request posted = world.Irecv(got, 0, 4, MPI.DOUBLE, partner, mode);
        world.Send(new byte[0], 0, 0, MPI.BYTE, partner, 99);
        posted.Wait();
      }
      check.that("data of mode " + mode, rank % 2 == 0 || got[0] == partner && got[3] == 3);
    }
    MPI.Buffer_detach();
  }

  private static void exchanges(Check check, Intracomm world, int rank, int size) throws MPIException {
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    int[] mine = {-7, rank, 10 * rank};
    int[] theirs = new int[4];
    Status status =
        world.Sendrecv(mine, 1, 2, MPI.INT, next, 3, theirs, 2, 2, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    check.equal("exchange", new int[] {0, 0, before, 10 * before}, theirs);
    check.equal("source of the exchange", before, status.source);
    check.equal("tag of the exchange", 3, status.tag);

    long[] both = {rank, -rank, 5};
    status = world.Sendrecv_replace(both, 0, 2, MPI.LONG, next, 4, before, 4);
    check.equal("replaced", new long[] {before, -before, 5}, both);
    check.equal("count replaced", 2, status.Get_count(MPI.LONG));

    // One array: first other elements of it, then the same ones, then some of the same.
    int[] halo = {rank, rank + 100, -1, -1};
    world.Sendrecv(halo, 0, 2, MPI.INT, next, 5, halo, 2, 2, MPI.INT, before, 5);
    check.equal("apart in one array", new int[] {rank, rank + 100, before, before + 100}, halo);
    world.Sendrecv(halo, 0, 2, MPI.INT, next, 5, halo, 0, 2, MPI.INT, before, 5);
    check.equal("the same elements", new int[] {before, before + 100, before, before + 100}, halo);
    int[] shifted = {rank, rank + 1000, rank + 2000};
    world.Sendrecv(shifted, 0, 2, MPI.INT, next, 5, shifted, 1, 2, MPI.INT, before, 5);
    check.equal("some of the same", new int[] {rank, before, before + 1000}, shifted);
  }

  private static void probes(Check check, Intracomm world, int rank, int size) throws MPIException {
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    check.that("nothing to find", world.Iprobe(before, 1234) == null);
    mpi.Request sent = world.Isend(new char[] {'x', 'y', 'z'}, 0, 3, MPI.CHAR, next, 6);
    Status found = world.Probe(MPI.ANY_SOURCE, 6);
    check.equal("found source", before, found.source);
    check.equal("found count", 3, found.Get_count(MPI.CHAR));
    Status again = world.Iprobe(before, MPI.ANY_TAG);
    check.that("found again", again != null && again.tag == 6 && again.Get_count(MPI.CHAR) == 3);
    char[] text = new char[found.Get_count(MPI.CHAR)];
    world.Recv(text, 0, text.length, MPI.CHAR, found.source, found.tag);
    check.equal("what was found", "xyz", new String(text));
    sent.Wait();
    world.Barrier();
  }

  private static void nobody(Check check, Intracomm world) throws MPIException {
    int[] kept = {1, 2};
    world.Send(kept, 0, 2, MPI.INT, MPI.PROC_NULL, 0);
    Status status = world.Recv(kept, 0, 2, MPI.INT, MPI.PROC_NULL, MPI.ANY_TAG);
    check.equal("source of nobody", MPI.PROC_NULL, status.source);
    check.equal("tag of nobody", MPI.ANY_TAG, status.tag);
    check.equal("count of nobody", 0, status.Get_count(MPI.INT));
    check.equal("buffer of nobody", new int[] {1, 2}, kept);
  }
}
