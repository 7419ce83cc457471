// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a job's input comes from and its output goes.
 *
 * @param out receives standard output of all ranks
 * @param err receives standard error of all ranks and the launcher's messages
 * @param sameTarget whether both show up in one place, such as a terminal, so that their lines must not mix either
 * @param tagged whether each line begins with the rank it comes from
 * @param inheritsInput whether rank 0 reads the launcher's standard input
 */
record JobIo(OutputStream out, OutputStream err, boolean sameTarget, boolean tagged, boolean inheritsInput) {
  /** Says something to the user, in one line. */
  void say(String sentence) {
    try {
      err.write(("mpirun: " + sentence + "\n").getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // Who does not listen misses only this text.
    }
  }
}
