// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Types of all constructors: what they say of themselves, and what they move. */
final class DerivedTypes {
  private DerivedTypes() {}

  static void run(Check check) throws MPIException {
    shapes(check);
    moved(check, MPI.COMM_WORLD);
    matrix(check, MPI.COMM_WORLD);
    partial(check, MPI.COMM_WORLD);
    nothing(check, MPI.COMM_WORLD);
  }

  private static void shape(Check check, Datatype type, int base, int size, int lb, int ub) throws MPIException {
    check.equal("base of " + type, base, type.getType());
    check.equal("field of " + type, base, type.baseType);
    check.equal("size of " + type, size, type.Size());
    check.equal("lower bound of " + type, lb, type.Lb());
    check.equal("upper bound of " + type, ub, type.Ub());
    check.equal("extent of " + type, ub - lb, type.Extent());
  }

  private static void shapes(Check check) throws MPIException {
    int intType = MPI.INT.baseType;
    shape(check, MPI.INT, intType, 1, 0, 1);
    shape(check, MPI.DOUBLE, MPI.DOUBLE.baseType, 1, 0, 1);
    shape(check, MPI.OBJECT, MPI.OBJECT.baseType, 1, 0, 1);
    shape(check, MPI.INT2, intType, 2, 0, 2);
    shape(check, MPI.DOUBLE2, MPI.DOUBLE.baseType, 2, 0, 2);
    shape(check, MPI.LB, MPI.LB.baseType, 0, 0, 0);
    shape(check, MPI.UB, MPI.UB.baseType, 0, 0, 0);
    shape(check, Datatype.Contiguous(3, MPI.INT), intType, 3, 0, 3);
    shape(check, Datatype.Contiguous(0, MPI.INT), intType, 0, 0, 0);
    shape(check, Datatype.Vector(3, 2, 4, MPI.INT), intType, 6, 0, 10);
    shape(check, Datatype.Vector(3, 2, -4, MPI.INT), intType, 6, -8, 2);
    shape(check, Datatype.Vector(2, 1, 2, Datatype.Contiguous(3, MPI.INT)), intType, 6, 0, 9);
    shape(check, Datatype.Hvector(2, 1, 2, Datatype.Contiguous(3, MPI.INT)), intType, 6, 0, 5);
    shape(check, Datatype.Indexed(new int[] {2, 1}, new int[] {4, 1}, MPI.INT), intType, 3, 1, 6);
    Datatype two = Datatype.Contiguous(2, MPI.INT);
    shape(check, Datatype.Indexed(new int[] {1, 2}, new int[] {3, 0}, two), intType, 6, 0, 8);
    shape(check, Datatype.Hindexed(new int[] {1, 2}, new int[] {7, 0}, two), intType, 6, 0, 9);
    shape(check, Datatype.Struct(new int[] {1, 2}, new int[] {5, 1}, new Datatype[] {MPI.INT, two}), intType, 5, 1, 6);

    Datatype bounded = Datatype.Struct(
        new int[] {1, 1, 1}, new int[] {-2, 0, 6}, new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
    shape(check, bounded, intType, 1, -2, 6);
    // A bound that is set stays set in types made of the type: displacements are in extents, 8 each.
    shape(check, Datatype.Contiguous(2, bounded), intType, 2, -2, 14);
    shape(check, Datatype.Struct(
        new int[] {1, 1}, new int[] {0, 20}, new Datatype[] {bounded, MPI.INT}), intType, 2, -2, 6);
    Datatype upper = Datatype.Struct(new int[] {2, 1}, new int[] {1, 9}, new Datatype[] {MPI.INT, MPI.UB});
    shape(check, upper, intType, 2, 1, 9);

    check.fails("members of two base types", () -> Datatype.Struct(
        new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPI.INT, MPI.DOUBLE}), "types[1]", "MPI.DOUBLE");
    check.fails("a negative count", () -> Datatype.Contiguous(-1, MPI.INT), "-1");
    check.fails("no type", () -> Datatype.Vector(1, 1, 1, null), "oldtype");
    Datatype freed = Datatype.Contiguous(2, MPI.INT);
    Datatype ofFreed = Datatype.Contiguous(2, freed);
    freed.Commit();
    freed.free();
    check.fails("size of a freed type", freed::Size, "freed");
    check.equal("a type of a freed one", 4, ofFreed.Size());
    MPI.INT.free();
    check.equal("predefined types stay", 1, MPI.INT.Size());
    ofFreed.finalize();
  }

  /** Sends elements of a type and receives them side by side, and the other way round. */
  private static void moved(Check check, Intracomm world) throws MPIException {
    Datatype two = Datatype.Contiguous(2, MPI.INT);
    both(check, world, two, 3, 1, new int[] {1, 2, 3, 4, 5, 6});
    both(check, world, Datatype.Vector(2, 2, 3, MPI.INT), 2, 0, new int[] {0, 1, 3, 4, 5, 6, 8, 9});
    both(check, world, Datatype.Vector(2, 1, -3, MPI.INT), 1, 5, new int[] {5, 2});
    both(check, world, Datatype.Hvector(2, 1, 5, two), 1, 2, new int[] {2, 3, 7, 8});
    both(check, world, Datatype.Indexed(new int[] {1, 2}, new int[] {3, 0}, MPI.INT), 2, 1,
        new int[] {4, 1, 2, 8, 5, 6});
    both(check, world, Datatype.Hindexed(new int[] {1, 1}, new int[] {5, 0}, two), 1, 3, new int[] {8, 9, 3, 4});
    both(check, world, Datatype.Struct(new int[] {1, 2}, new int[] {6, 0}, new Datatype[] {MPI.INT, two}), 1, 2,
        new int[] {8, 2, 3, 4, 5});
    both(check, world, Datatype.Struct(
        new int[] {1, 1, 1}, new int[] {0, 1, 4}, new Datatype[] {MPI.LB, MPI.INT, MPI.UB}), 3, 0,
        new int[] {1, 5, 9});
    both(check, world, Datatype.Contiguous(2, Datatype.Vector(2, 1, 2, MPI.INT)), 1, 0, new int[] {0, 2, 3, 5});
    both(check, world, MPI.INT2, 2, 3, new int[] {3, 4, 5, 6});
  }

  private static void both(Check check, Intracomm world, Datatype type, int count, int offset, int[] places)
      throws MPIException {
    if (places.length % 2 == 0) {
      type.Commit(); // otherwise the first use does it
    }
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    int[] data = new int[30];
    for (int i = 0; i < 30; i++) {
      data[i] = 100 * world.Rank() + i;
    }
    int[] dense = new int[places.length + 1];
    Status status =
        world.Sendrecv(data, offset, count, type, next, 1, dense, 0, dense.length, MPI.INT, before, 1);
    int[] expected = new int[places.length + 1];
    int[] spread = new int[30];
    for (int i = 0; i < places.length; i++) {
      expected[i] = 100 * before + places[i];
      spread[places[i]] = 7000 + 10 * before + i;
    }
    check.equal("out of " + type, expected, dense);
    check.equal("elements of " + type, places.length, status.Get_elements(MPI.INT));
    check.equal("count of " + type, count, status.Get_count(type));

    int[] mine = new int[places.length];
    for (int i = 0; i < mine.length; i++) {
      mine[i] = 7000 + 10 * world.Rank() + i;
    }
    int[] got = new int[30];
    status = world.Sendrecv(mine, 0, mine.length, MPI.INT, next, 2, got, offset, count, type, before, 2);
    check.equal("into " + type, spread, got);
    check.equal("count into " + type, count, status.Get_count(type));
  }

  /** A column of a matrix of doubles becomes a row of another, and all rows are dealt out by columns. */
  private static void matrix(Check check, Intracomm world) throws MPIException {
    int n = world.Size();
    double[] matrix = new double[n * n];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = i;
    }
    Datatype column = Datatype.Vector(n, 1, n, MPI.DOUBLE);
    column.Commit();
    Datatype narrow = Datatype.Struct(new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {column, MPI.UB});
    narrow.Commit();
    check.equal("extent of a column", 1, narrow.Extent());
    double[] mine = new double[n];
    world.Scatter(matrix, 0, 1, narrow, mine, 0, n, MPI.DOUBLE, 0);
    for (int i = 0; i < n; i++) {
      check.equal("column " + world.Rank(), (double) (i * n + world.Rank()), mine[i]);
    }
    double[] transposed = new double[n * n];
    world.Allgather(mine, 0, n, MPI.DOUBLE, transposed, 0, 1, narrow);
    check.equal("columns at their places", matrix, transposed);
    narrow.free();
  }

  /** A message that ends within an item. */
  private static void partial(Check check, Intracomm world) throws MPIException {
    Datatype three = Datatype.Contiguous(3, MPI.SHORT);
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    short[] got = new short[9];
    Status status = world.Sendrecv(
        new short[] {1, 2, 3, 4}, 0, 4, MPI.SHORT, next, 1, got, 0, 3, three, before, 1);
    check.equal("count of a part", MPI.UNDEFINED, status.Get_count(three));
    check.equal("elements of a part", 4, status.Get_elements(three));
    check.equal("what has come", new short[] {1, 2, 3, 4, 0, 0, 0, 0, 0}, got);
  }

  /** Messages of types that have no elements. */
  private static void nothing(Check check, Intracomm world) throws MPIException {
    Datatype none = Datatype.Struct(new int[0], new int[0], new Datatype[0]);
    shape(check, none, 0, 0, 0, 0);
    Datatype bounds = Datatype.Struct(new int[] {1, 1}, new int[] {0, 4}, new Datatype[] {MPI.LB, MPI.UB});
    Datatype beside = Datatype.Struct(new int[] {1, 2}, new int[] {0, 3}, new Datatype[] {none, MPI.INT});
    shape(check, beside, MPI.INT.baseType, 2, 3, 5);
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    for (Datatype type : new Datatype[] {none, bounds, Datatype.Contiguous(3, none), Datatype.Contiguous(0, none)}) {
      int[] data = {1, 2, 3};
      double[] got = {4, 5};
      Status status = world.Sendrecv(data, 1, 2, type, next, 1, got, 0, 2, type, before, 1);
      check.equal("elements of " + type, 0, status.Get_elements(MPI.INT));
      world.Bcast(data, 0, 3, type, 0);
      check.equal("sent as " + type, new int[] {1, 2, 3}, data);
      check.equal("received as " + type, new double[] {4, 5}, got);
    }
    int[] got = new int[6];
    world.Sendrecv(new int[] {7, 8}, 0, 2, MPI.INT, next, 2, got, 0, 1, beside, before, 2);
    check.equal("beside nothing", new int[] {0, 0, 0, 7, 8, 0}, got);
  }
}
