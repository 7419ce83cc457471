// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The two file pointers of a rank, its own and the one that all share. */
public final class FilePointers {
  private final FileState state;

  FilePointers(FileState state) {
    this.state = state;
  }

  public void seek(long offset, int whence) {
    state.checkOpen();
    try {
      state.pointer.set(target("seek", offset, whence, state.pointer.get()));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public long position() {
    state.checkOpen();
    MpiException refused = state.sequential("position");
    if (refused != null) {
      throw state.raise(refused);
    }
    return state.pointer.get();
  }

  public void seekShared(long offset, int whence) {
    state.checkUsable();
    try {
      MpiException failure = null;
      long to = 0;
      try {
        to = target("seekShared", offset, whence, state.words.pointer());
      } catch (MpiException e) {
        failure = e;
      }
      state.agree(failure, "offset and whence", offset, whence);
      if (state.channel.rank() == 0) {
        state.words.move(to);
      }
      state.meet();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public long positionShared() {
    state.checkUsable();
    MpiException refused = state.sequential("positionShared");
    if (refused != null) {
      throw state.raise(refused);
    }
    try {
      return state.words.pointer();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private long target(String call, long offset, int whence, long current) {
    MpiException refused = state.sequential(call);
    if (refused != null) {
      throw refused;
    }
    long base = switch (whence) {
      case Constants.SEEK_SET -> 0;
      case Constants.SEEK_CUR -> current;
      case Constants.SEEK_END -> state.view().etypesBefore(state.file.size());
      default -> throw MpiException.argument(ErrorClass.ERR_ARG, "whence", whence, "SEEK_SET, SEEK_CUR and SEEK_END");
    };
    if (offset < -base || offset > Long.MAX_VALUE - base) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "offset", offset,
          -base + " or more: the pointer would lie before the beginning of the view");
    }
    return base + offset;
  }
}
