// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

/**
 * The header of a stream.
 *
 * @param rank the rank
 * @param ranks the number of ranks of the job
 * @param window number of the window whose messages it is about; 0 for a thread of the program
 * @param program what the rank runs; empty when it is not known
 * @param thread name of the thread; empty for the rank's own, and for windows
 */
record StreamHeader(int rank, int ranks, int window, String program, String thread) {
  /** Makes the header's record; its first byte is that of the magic word. */
  RecordBytes write(RecordBytes bytes) {
    bytes.begin(RecordingFormat.MAGIC.charAt(0));
    for (int i = 1; i < RecordingFormat.MAGIC.length(); i++) {
      bytes.add(RecordingFormat.MAGIC.charAt(i));
    }
    return bytes.add(RecordingFormat.VERSION).add(rank).add(ranks).add(window).addString(program).addString(thread);
  }
}
