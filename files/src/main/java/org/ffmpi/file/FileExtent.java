// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.nio.ByteBuffer;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The size of a file, its storage, and the calls that order accesses of the ranks. */
public final class FileExtent {
  private static final int BLOCK = 1 << 20;

  private final FileState state;

  FileExtent(FileState state) {
    this.state = state;
  }

  public long size() {
    state.checkOpen();
    try {
      return state.file.size();
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public void setSize(long size) {
    change("size", size, () -> state.file.resize(size));
  }

  public void preallocate(long size) {
    change("size", size, () -> allocate(size));
  }

  /** Performs a step at rank 0, between two meetings. */
  private void change(String argument, long size, Runnable step) {
    state.checkUsable();
    try {
      state.agree(refusal(argument, size), argument, size);
      MpiException failure = null;
      if (state.channel.rank() == 0) {
        try {
          step.run();
        } catch (MpiException e) {
          failure = e;
        }
      }
      state.agree(failure, argument);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private MpiException refusal(String argument, long size) {
    if (size < 0) {
      return MpiException.argument(ErrorClass.ERR_ARG, argument, size, "0 or more");
    }
    if (state.isOpenAs(Constants.MODE_RDONLY)) {
      return new MpiException(ErrorClass.ERR_READ_ONLY, state.path + " is open for reading only");
    }
    MpiException refused = state.sequential("setSize");
    return refused != null ? refused : state.splitRefusal();
  }

  /** Writes zeros where the file has no storage, and behind its end. */
  private void allocate(long size) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    for (long at = 0; at < size; at += BLOCK) {
      int n = (int) Math.min(BLOCK, size - at);
      block.clear().limit(n);
      int there = state.file.isReadable() ? state.file.read(block, at) : 0;
      block.clear().limit(n);
      for (int i = there; i < n; i++) {
        block.put(i, (byte) 0);
      }
      if (state.file.isReadable() || at >= state.file.size()) {
        if (there < n || isZero(block)) {
          state.file.write(block, at);
        }
      }
    }
  }

  /** Returns whether a block is all zero, as those without storage are. */
  private static boolean isZero(ByteBuffer block) {
    int n = block.limit();
    int i = 0;
    for (; i + Long.BYTES <= n; i += Long.BYTES) {
      if (block.getLong(i) != 0) {
        return false;
      }
    }
    for (; i < n; i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  public void sync() {
    state.checkUsable();
    try {
      state.agree(state.splitRefusal(), "sync");
      MpiException failure = null;
      // One rank of a node brings to the device what all of them have written.
      if (!state.words.isForAllThreads() || state.channel.rank() == 0) {
        try {
          state.file.force();
        } catch (MpiException e) {
          failure = e;
        }
      }
      state.agree(failure, "sync");
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void setAtomicity(boolean atomic) {
    state.checkUsable();
    try {
      state.agree(null, "atomic", atomic ? 1 : 0);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    state.setAtomic(atomic);
  }

  public boolean atomicity() {
    state.checkOpen();
    return state.isAtomic();
  }
}
