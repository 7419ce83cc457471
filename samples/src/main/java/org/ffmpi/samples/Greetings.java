// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;

/**
 * The example of the standard's section 3.1, with which its chapter on point-to-point communication begins: rank 0
 * sends a string to rank 1, which prints it.
 *
 * <p>The string travels as C keeps it: one byte per character, and a zero byte at the end that counts as data.
 */
public final class Greetings {
  private static final String TEXT = "Hello, there";
  private static final int TAG = 99;
  private static final int ROOM = 20;

  private Greetings() {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      if (mpi.world().size() == 1) {
        System.err.println("greetings: there is no other rank; start it with two ranks or more");
        mpi.abort(2);
      }
      exchange(mpi.world(), System.out);
    });
  }

  /**
   * Sends the message at rank 0, receives and prints it at rank 1, and does nothing at the others.
   *
   * @param world a communicator of at least two ranks
   * @param out where rank 1 prints
   * @return at rank 1, the status of the receive; an empty status elsewhere
   */
  static Status exchange(IntraComm world, PrintStream out) {
    byte[] message = new byte[ROOM];
    Status status = new Status();
    if (world.rank() == 0) {
      byte[] text = TEXT.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(text, 0, message, 0, text.length);
      world.send(Buf.of(message, text.length + 1, Datatype.CHAR), 1, TAG);
    } else if (world.rank() == 1) {
      world.recv(Buf.of(message, ROOM, Datatype.CHAR), 0, TAG, status);
      int length = (int) status.getCount(Datatype.CHAR) - 1;
      out.println("received :" + new String(message, 0, length, StandardCharsets.US_ASCII) + ":");
    }
    return status;
  }
}
