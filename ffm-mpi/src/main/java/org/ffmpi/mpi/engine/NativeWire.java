// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.MpiConstants;
import org.ffmpi.mpi.binding.NativeCollectives;
import org.ffmpi.mpi.binding.NativeComms;
import org.ffmpi.mpi.binding.NativeErrors;
import org.ffmpi.mpi.binding.NativeHandles;
import org.ffmpi.mpi.binding.NativeMessages;
import org.ffmpi.mpi.binding.NativeRequests;
import org.ffmpi.mpi.binding.NativeStatus;
import org.ffmpi.shm.progress.EngineLock;
import org.ffmpi.shm.wire.Wire;

/**
 * The wire over an installed MPI's messages. Packets go into persistent receives from any source, which are started
 * again as soon as they are read, one after the other, so that the packets of each peer keep their order; their number
 * does not depend on the number of peers. Transfers have a communicator of their own.
 *
 * <p>One lock guards all calls of the library, which may grant less than {@code MPI_THREAD_MULTIPLE}. Memory lives as
 * long as the process.
 */
final class NativeWire implements Wire {
  private static final int RECEIVES = 32;
  private static final int SENDS = 96;
  private static final int RESERVED_FOR_URGENT = 16;

  /** Most tests of unfinished packets in a row. */
  private static final int MOST_FRUITLESS_TESTS = 4;

  /** Most requests of sends, and of receives behind them; each kind has places of its own. */
  private static final int TRANSFERS = 64;

  private static final int PACKET_TAG = 0;
  private static final int WORD = 8;

  private final long transfers;
  private final long packets;
  private final EngineLock lock = new EngineLock();

  private final long receiveBuffers;
  private final long receiveRequests;
  private int nextReceive;

  /** The receive whose packet has been read and that is not restarted yet, or -1. */
  private int read = -1;

  private final long sendBuffers;
  private final long sendRequests;

  /** Free packets; guarded by the lock. */
  private final int[] free = new int[SENDS];

  private int freeCount;

  /** Packets that the library still sends, in any order; guarded by the lock. */
  private final ArrayDeque<Integer> underWay = new ArrayDeque<>();

  /** By peer, the number of packets sent to it, as an array for the library. Guarded by the lock, as the next two. */
  private final long sentCounts;

  private final int ranks;
  private int receivedCount;

  /** Set once this rank has stopped sending. */
  private boolean isSilent;

  private final long transferRequests;
  private final int[] freeSends = new int[TRANSFERS];
  private int freeSendCount;
  private final int[] freeReceives = new int[TRANSFERS];
  private int freeReceiveCount;

  private final long flag;
  private final long scratch;
  private final long status;

  /**
   * Creates the wire and posts its receives.
   *
   * @param packets a communicator of all ranks for packets, whose ranks are the job's
   * @param transfers another one for transfers
   * @param ranks number of their ranks
   */
  NativeWire(long packets, long transfers, int ranks) {
    this.packets = packets;
    this.transfers = transfers;
    this.ranks = ranks;
    this.sentCounts = allocate((long) ranks * Integer.BYTES);
    this.receiveBuffers = allocate((long) RECEIVES * PACKET_BYTES);
    this.sendBuffers = allocate((long) SENDS * PACKET_BYTES);
    this.receiveRequests = allocate((long) RECEIVES * WORD);
    this.sendRequests = allocate((long) SENDS * WORD);
    this.transferRequests = allocate(2L * TRANSFERS * WORD);
    this.flag = allocate(2 * WORD + MpiConstants.STATUS_BYTES);
    this.scratch = flag + WORD;
    this.status = scratch + WORD;
    for (int i = 0; i < SENDS; i++) {
      free[freeCount++] = i;
    }
    for (int i = 0; i < TRANSFERS; i++) {
      freeSends[freeSendCount++] = i;
      freeReceives[freeReceiveCount++] = TRANSFERS + i;
    }
    for (int i = 0; i < RECEIVES; i++) {
      long request = receiveRequests + (long) i * WORD;
      NativeErrors.check(
          NativeMessages.recvInit(
              receiveBuffers + (long) i * PACKET_BYTES, PACKET_BYTES, MpiConstants.BYTE, MpiConstants.ANY_SOURCE,
              PACKET_TAG, packets, request),
          "MPI_Recv_init");
      NativeErrors.check(NativeRequests.start(request), "MPI_Start");
    }
  }

  private static long allocate(long bytes) {
    return Raw.address(Arena.global().allocate(bytes, 64));
  }

  // ---------------------------------------------------------------- packets

  @Override
  public long acquire(boolean urgent) {
    int reserved = urgent ? 0 : RESERVED_FOR_URGENT;
    lock.lock();
    try {
      if (freeCount <= reserved) {
        reclaim();
      }
      return freeCount > reserved ? sendBuffers + (long) free[--freeCount] * PACKET_BYTES : 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees packets that have been sent. Unfinished ones go to the end of the queue, so that a slow peer does not hold up
   * the others; each test of one polls the network.
   */
  private void reclaim() {
    int tests = MOST_FRUITLESS_TESTS;
    for (int left = underWay.size(); left > 0 && tests > 0; left--) {
      Integer i = underWay.poll();
      if (isComplete(sendRequests + (long) i * WORD)) {
        free[freeCount++] = i;
      } else {
        underWay.add(i);
        tests--;
      }
    }
  }

  private boolean isComplete(long request) {
    NativeErrors.check(NativeRequests.test(request, flag, MpiConstants.STATUS_IGNORE), "MPI_Test");
    return Raw.getInt(flag) != 0;
  }

  @Override
  public void send(int peer, long packet, int bytes) {
    int i = (int) ((packet - sendBuffers) / PACKET_BYTES);
    lock.lock();
    try {
      if (isSilent) {
        free[freeCount++] = i;
        return;
      }
      long count = sentCounts + (long) peer * Integer.BYTES;
      Raw.putInt(count, Raw.getInt(count) + 1);
      NativeErrors.check(
          NativeMessages.isend(
              packet, bytes, MpiConstants.BYTE, peer, PACKET_TAG, packets, sendRequests + (long) i * WORD),
          "MPI_Isend");
      underWay.add(i);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean receive(Receiver to) {
    long request = receiveRequests + (long) nextReceive * WORD;
    int peer;
    int bytes;
    if (!lock.tryLock()) {
      return false; // a thread that sends progresses the library, too
    }
    try {
      restart();
      NativeErrors.check(NativeRequests.test(request, flag, status), "MPI_Test");
      if (Raw.getInt(flag) == 0) {
        return false;
      }
      peer = NativeStatus.source(status);
      bytes = (int) NativeStatus.bytes(status, scratch);
      receivedCount++;
    } finally {
      lock.unlock();
    }
    read = nextReceive;
    nextReceive = (nextReceive + 1) % RECEIVES;
    to.onPacket(peer, receiveBuffers + (long) read * PACKET_BYTES, bytes);
    return true;
  }

  /** Restarts the last receive, at the next call and not while a thread waits for its packet. */
  private void restart() {
    if (read >= 0) {
      NativeErrors.check(NativeRequests.start(receiveRequests + (long) read * WORD), "MPI_Start");
      read = -1;
    }
  }

  // ---------------------------------------------------------------- transfers

  @Override
  public int startSend(int peer, int tag, long address, long bytes) {
    lock.lock();
    try {
      if (freeSendCount == 0) {
        return -1;
      }
      int i = freeSends[--freeSendCount];
      NativeErrors.check(
          NativeMessages.isend(
              address, (int) bytes, MpiConstants.BYTE, peer, tag, transfers, transferRequests + (long) i * WORD),
          "MPI_Isend");
      return i;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int startReceive(int peer, int tag, long address, long bytes) {
    lock.lock();
    try {
      if (freeReceiveCount == 0) {
        return -1;
      }
      int i = freeReceives[--freeReceiveCount];
      NativeErrors.check(
          NativeMessages.irecv(
              address, (int) bytes, MpiConstants.BYTE, peer, tag, transfers, transferRequests + (long) i * WORD),
          "MPI_Irecv");
      return i;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDone(int request) {
    lock.lock();
    try {
      boolean done = isComplete(transferRequests + (long) request * WORD);
      if (done && request < TRANSFERS) {
        freeSends[freeSendCount++] = request;
      } else if (done) {
        freeReceives[freeReceiveCount++] = request;
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  /** A receive that the library has matched already cannot be cancelled, and never ends: its place is lost. */
  @Override
  public boolean withdraw(int request) {
    long at = transferRequests + (long) request * WORD;
    lock.lock();
    try {
      NativeErrors.check(NativeRequests.cancel(at), "MPI_Cancel");
      boolean isOver = isComplete(at);
      if (isOver) {
        freeReceives[freeReceiveCount++] = request;
      }
      return isOver;
    } finally {
      lock.unlock();
    }
  }

  // ---------------------------------------------------------------- the end

  /**
   * Stops sending, and returns the number of packets that all ranks have sent to this one. All ranks call it, after the
   * barrier of {@link #startBarrier}. A packet on its way may keep the library from ending, since a rank that has ended
   * its part has stopped polling.
   *
   * @return the number, wrapping round
   */
  int stopSending() {
    lock.lock();
    try {
      isSilent = true;
      long all = allocate((long) ranks * Integer.BYTES);
      NativeErrors.check(
          NativeCollectives.allreduce(sentCounts, all, ranks, MpiConstants.INT32, MpiConstants.SUM, transfers),
          "MPI_Allreduce");
      NativeErrors.check(NativeComms.commRank(transfers, scratch), "MPI_Comm_rank");
      return Raw.getInt(all + (long) Raw.getInt(scratch) * Integer.BYTES);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of packets received, wrapping round. */
  int received() {
    lock.lock();
    try {
      return receivedCount;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels the receives, so that the library can end; all ranks have stopped sending. */
  void close() {
    lock.lock();
    try {
      restart();
      for (int i = 0; i < RECEIVES; i++) {
        long request = receiveRequests + (long) i * WORD;
        NativeErrors.check(NativeRequests.cancel(request), "MPI_Cancel");
        NativeErrors.check(NativeRequests.await(request, MpiConstants.STATUS_IGNORE), "MPI_Wait");
        NativeErrors.check(NativeRequests.requestFree(request), "MPI_Request_free");
      }
      while (!underWay.isEmpty()) {
        NativeErrors.check(
            NativeRequests.await(sendRequests + (long) underWay.poll() * WORD, MpiConstants.STATUS_IGNORE),
            "MPI_Wait");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Starts a barrier of all ranks; {@link #isDone} returns true once they have come. */
  int startBarrier() {
    lock.lock();
    try {
      int i = freeSends[--freeSendCount];
      NativeErrors.check(
          NativeCollectives.ibarrier(transfers, transferRequests + (long) i * WORD),
          "MPI_Ibarrier");
      return i;
    } finally {
      lock.unlock();
    }
  }
}
