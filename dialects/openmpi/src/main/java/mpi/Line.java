// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.IntraComm;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/** A communicator of the whole job that programs do not see. */
final class Line {
  private static IntraComm line;

  private Line() {}

  /** Makes the communicator; collective over the job. */
  static void begin() {
    line = Job.mpi().world().dup();
  }

  /** Returns the communicator. */
  static IntraComm line() {
    return line;
  }

  /** Prints an error and ends the job. */
  static void endJob(MpiException error) {
    line.setErrhandler(org.ffmpi.Errhandler.FATAL);
    throw line.callErrhandler(error);
  }

  /** Frees the communicator; collective over the job. */
  static void end() {
    line.barrier();
    line.close();
  }
}
