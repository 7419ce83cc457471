// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.wire;

/**
 * The port to the carrier of bytes between nodes. It has packets into receives that are always posted, and transfers of
 * long messages to which both sides have agreed. It knows no contexts, tags of the program, or matching.
 *
 * <p>Packets from one peer to another arrive in the order in which they were sent, and so do the transfers between two
 * peers with the same tag. Any thread may call any method at any time; no method waits.
 */
public interface Wire {
  /** Receiver of packets. */
  interface Receiver {
    /**
     * Handles a packet, whose memory is reused after the method returns.
     *
     * @param peer its sender
     * @param address its address
     * @param bytes its length
     */
    void onPacket(int peer, long address, int bytes);
  }

  /** Most bytes of a packet, enough for a message of 32 KiB in chunks of 8 KiB, each with its record. */
  int PACKET_BYTES = 34 << 10;

  /** Number of tags of transfers, which begin with 0. */
  int TAGS = 1 << 14;

  /**
   * Acquires memory for a packet, for {@link #send}.
   *
   * @param urgent whether the packet carries no message but a note of the engine; some memory is reserved for those
   * @return address of {@link #PACKET_BYTES} bytes; 0 when all packets are on their way
   */
  long acquire(boolean urgent);

  /**
   * Sends a packet and releases its memory once that is done.
   *
   * @param peer a rank on another node
   * @param packet address from {@link #acquire}
   * @param bytes its used length
   */
  void send(int peer, long packet, int bytes);

  /**
   * Passes on the next packet that has arrived.
   *
   * @param to receives it, in this call
   * @return false when no packet has arrived
   */
  boolean receive(Receiver to);

  /**
   * Starts to send part of a long message, straight from memory.
   *
   * @param peer a rank on another node
   * @param tag tag of the transfer, which the receiver has chosen
   * @param address native memory, which must not change until {@link #isDone}
   * @param bytes length, at most 1 GiB
   * @return number of the request; -1 when there are too many sends, independent of the number of receives
   */
  int startSend(int peer, int tag, long address, long bytes);

  /**
   * Starts to receive part of a long message, straight into memory.
   *
   * @param peer a rank on another node
   * @param tag tag of the transfer
   * @param address native memory
   * @param bytes length, exactly that of the send
   * @return number of the request; -1 when there are too many receives
   */
  int startReceive(int peer, int tag, long address, long bytes);

  /**
   * Returns whether a request is complete, and releases it then.
   *
   * @param request number of the request
   * @return true once
   */
  boolean isDone(int request);

  /**
   * Withdraws the receive of part of a message whose sender has failed. The request is not used afterwards.
   *
   * @param request number of the request, which is not done
   * @return false when the carrier may still write to the memory
   */
  boolean withdraw(int request);
}
