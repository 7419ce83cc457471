// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.pointer;

import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;

/**
 * The words of a file whose ranks are on several nodes, or where the order of accesses is a choice that is recorded or
 * explored. They are two windows with memory at rank 0, one for the pointer, one whose lock is that of the file. To
 * share it would take two messages for each write, so no rank sieves here.
 */
public final class WindowWords implements SharedWords {
  private final Win pointer;
  private final Win lock;
  private final ReentrantLock threads = new ReentrantLock();

  /** Makes the windows; collective. */
  public WindowWords(IntraComm comm) {
    long bytes = comm.rank() == 0 ? Long.BYTES : 0;
    pointer = comm.winAllocate(bytes, Long.BYTES);
    lock = comm.winAllocate(bytes, Long.BYTES);
    pointer.setErrhandler(Errhandler.RETURN);
    lock.setErrhandler(Errhandler.RETURN);
  }

  @Override
  public boolean isForAllThreads() {
    return false;
  }

  @Override
  public boolean isCheap() {
    return false;
  }

  @Override
  public void share() {}

  @Override
  public void unshare() {}

  @Override
  public void lock() {
    threads.lock();
    lock.lock(LockType.EXCLUSIVE, 0);
  }

  @Override
  public void unlock() {
    lock.unlock(0);
    threads.unlock();
  }

  @Override
  public long pointer() {
    return fetch(0, Op.NO_OP);
  }

  @Override
  public long advance(long etypes) {
    return fetch(etypes, Op.SUM);
  }

  @Override
  public void move(long etypes) {
    fetch(etypes, Op.REPLACE);
  }

  private long fetch(long value, Op<?> op) {
    long[] old = new long[1];
    threads.lock();
    try (Epoch _ = pointer.lock(LockType.SHARED, 0)) {
      pointer.fetchAndOp(Buf.of(new long[] {value}), Buf.of(old), 0, 0, op);
    } finally {
      threads.unlock();
    }
    return old[0];
  }

  @Override
  public void close() {
    pointer.close();
    lock.close();
  }
}
