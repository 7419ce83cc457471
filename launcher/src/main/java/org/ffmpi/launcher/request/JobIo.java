// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.ffmpi.base.MpiException;

/**
 * The streams that a job's output goes to, and the source of its input.
 *
 * @param out receives standard output of all ranks
 * @param err receives standard error of all ranks and the launcher's messages
 * @param sameTarget whether both show up in one place, such as a terminal, so that their lines must not mix either
 * @param tagged whether each line begins with the rank it comes from
 * @param inheritsInput whether rank 0 reads the launcher's standard input
 * @param errorColumns width of the terminal that standard error is; 0 when it goes elsewhere
 */
public record JobIo(
    OutputStream out, OutputStream err, boolean sameTarget, boolean tagged, boolean inheritsInput, int errorColumns) {
  /** Creates streams that are no terminal. */
  public JobIo(OutputStream out, OutputStream err, boolean sameTarget, boolean tagged, boolean inheritsInput) {
    this(out, err, sameTarget, tagged, inheritsInput, 0);
  }

  /** Prints an error of the launcher, without the name of its class, which is of no use on a command line. */
  public void print(MpiException e) {
    print(textOf(e));
  }

  /** Returns the text of an error without the name of its class in front. */
  public static String textOf(MpiException e) {
    String prefix = e.errorClass().mpiName() + ": ";
    return e.getMessage().startsWith(prefix) ? e.getMessage().substring(prefix.length()) : e.getMessage();
  }

  /** Prints a message of the launcher, one line, among the errors. */
  public void print(String sentence) {
    try {
      err.write(("mpirun: " + sentence + "\n").getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // A reader that is gone misses only this text.
    }
  }
}
