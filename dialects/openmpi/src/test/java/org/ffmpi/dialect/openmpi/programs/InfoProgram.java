// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.util.Set;
import java.util.TreeSet;
import mpi.Info;
import mpi.MPI;
import mpi.MPIException;

/** Info objects, and what INFO_ENV says of the job. */
final class InfoProgram {
  private InfoProgram() {}

  static void run() throws MPIException {
    Info info = new Info();
    Check.equal(0, info.size(), "a new info is empty");
    info.set("colour", "green");
    info.set("size", "12");
    info.set("colour", "blue");
    Check.equal(2, info.size(), "size");
    Check.equal("blue", info.get("colour"), "the last value counts");
    Check.equal(null, info.get("taste"), "no value");
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < info.size(); i++) {
      keys.add(info.getKey(i));
    }
    Check.equal(Set.of("colour", "size"), keys, "keys");

    Info copy = info.dup();
    Info clone = info.clone();
    info.delete("size");
    Check.equal(1, info.size(), "size after delete");
    Check.equal("12", copy.get("size"), "the copy is another one");
    Check.equal("12", clone.get("size"), "the clone is another one");
    Check.that(!info.isNull(), "not null");
    info.free();
    copy.free();
    clone.free();
    Check.that(info.isNull() && copy.isNull(), "freed infos are null");
    Check.that(MPI.INFO_NULL.isNull(), "INFO_NULL");

    Info env = MPI.INFO_ENV;
    int size = MPI.COMM_WORLD.getSize();
    Check.equal(Integer.toString(size), env.get("ompi_np"), "ranks of the job");
    Check.equal("1", env.get("ompi_num_apps"), "programs of the job");
    Check.equal("0", env.get("ompi_first_rank").trim(), "first rank of each program");
    Check.that(env.size() > 0, "INFO_ENV has keys");
    hints();
  }

  private static void hints() throws MPIException {
    Info given = new Info();
    given.set("mpi_assert_no_any_tag", "true");
    mpi.Comm comm = MPI.COMM_WORLD.dupWithInfo(given);
    Info used = comm.getInfo();
    Check.that(used != null, "getInfo");
    used.free();
    comm.setInfo(given);
    comm.free();
    given.free();
  }
}
