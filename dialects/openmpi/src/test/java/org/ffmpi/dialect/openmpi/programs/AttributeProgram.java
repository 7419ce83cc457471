// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Attributes of communicators and datatypes: set, copied, deleted; keys that have been freed. */
final class AttributeProgram {
  private AttributeProgram() {}

  static void run() throws MPIException {
    communicators();
    datatypes();
  }

  private static void communicators() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int number = Comm.createKeyval();
    int text = Comm.createKeyval();
    Check.that(number != text && number != MPI.KEYVAL_INVALID, "keys");
    Check.equal(null, world.getAttr(number), "no value");
    world.setAttr(number, 12);
    world.setAttr(text, "some text");
    Check.equal(12, world.getAttr(number), "a number");
    Check.equal("some text", world.getAttr(text), "a text");
    world.setAttr(number, 13);
    Check.equal(13, world.getAttr(number), "a new number");

    Intracomm copy = world.dup();
    Check.equal(13, copy.getAttr(number), "a copied number");
    Check.equal("some text", copy.getAttr(text), "a copied text");
    copy.setAttr(number, 14);
    Check.equal(13, world.getAttr(number), "the original's number");
    copy.deleteAttr(number);
    Check.equal(null, copy.getAttr(number), "a deleted number");
    Intracomm part = world.split(0, 0);
    Check.equal(null, part.getAttr(text), "split copies no attributes");
    part.free();

    Comm.freeKeyval(text);
    Check.equal("some text", world.getAttr(text), "the value of a freed key");
    Check.equal("some text", copy.getAttr(text), "the copied value of a freed key");
    world.deleteAttr(text);
    Check.equal(null, world.getAttr(text), "deleted by a freed key");
    copy.free();
    world.deleteAttr(number);
    Comm.freeKeyval(number);
  }

  private static void datatypes() throws MPIException {
    int key = Datatype.createKeyval();
    Datatype type = Datatype.createContiguous(2, MPI.INT);
    Check.equal(null, type.getAttr(key), "no value");
    type.setAttr(key, "two ints");
    Check.equal("two ints", type.getAttr(key), "a value");
    Datatype copy = type.dup();
    Check.equal("two ints", copy.getAttr(key), "a copied value");
    copy.deleteAttr(key);
    Check.equal(null, copy.getAttr(key), "a deleted value");
    Datatype.freeKeyval(key);
    Check.equal("two ints", type.getAttr(key), "the value of a freed key");
    copy.free();
    type.free();
    int predefined = Datatype.createKeyval();
    MPI.INT.setAttr(predefined, 4);
    Check.equal(4, MPI.INT.getAttr(predefined), "a value of a predefined type");
    MPI.INT.deleteAttr(predefined);
    Datatype.freeKeyval(predefined);
  }
}
