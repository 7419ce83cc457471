// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.wire;

/**
 * The port to what carries bytes between nodes: packets into receives that are kept posted, and transfers of long
 * messages that both sides have agreed upon. It knows nothing of contexts, tags of the program, or matching.
 *
 * <p>Packets from one peer to another arrive in the order in which they were sent, and so do the transfers between two
 * peers with the same tag. Any thread may call any method at any time; none waits.
 */
public interface Wire {
  /** Takes what arrives. */
  interface Receiver {
    /**
     * Takes a packet, whose memory is used again when the method returns.
     *
     * @param peer its sender
     * @param address where it lies
     * @param bytes its length
     */
    void onPacket(int peer, long address, int bytes);
  }

  /** Most bytes of a packet: a message of 32 KiB in chunks of 8 KiB, each with its record. */
  int PACKET_BYTES = 34 << 10;

  /** Tags of transfers are 0 and more, below this one. */
  int TAGS = 1 << 14;

  /**
   * Acquires memory for a packet, for {@link #send}.
   *
   * @param urgent whether the packet is part of how the engine works, and carries no message; some memory is kept for
   *     those
   * @return address of {@link #PACKET_BYTES} bytes; 0 when all are on their way
   */
  long acquire(boolean urgent);

  /**
   * Sends a packet and releases its memory once that is done.
   *
   * @param peer a rank on another node
   * @param packet what {@link #acquire} has returned
   * @param bytes how much of it
   */
  void send(int peer, long packet, int bytes);

  /**
   * Hands on the next packet that has arrived.
   *
   * @param to gets it, in this call
   * @return false when none has
   */
  boolean receive(Receiver to);

  /**
   * Starts to send part of a long message, straight from memory.
   *
   * @param peer a rank on another node
   * @param tag tag of the transfer, which the receiver has chosen
   * @param address native memory, which has to stay as it is until {@link #isDone}
   * @param bytes how many, at most 1 GiB
   * @return number of the request; -1 when there are too many sends just now, however many receives there are
   */
  int startSend(int peer, int tag, long address, long bytes);

  /**
   * Starts to receive part of a long message, straight into memory.
   *
   * @param peer a rank on another node
   * @param tag tag of the transfer
   * @param address native memory
   * @param bytes exactly as many as are sent
   * @return number of the request; -1 when there are too many receives just now
   */
  int startReceive(int peer, int tag, long address, long bytes);

  /**
   * Returns whether a request is complete, and releases it then.
   *
   * @param request what a start has returned
   * @return true once
   */
  boolean isDone(int request);
}
