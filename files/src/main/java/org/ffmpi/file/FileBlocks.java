// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;

/** Blocks of arrays that the ranks of a file share, written and read without a view of the program's own. */
public final class FileBlocks {
  private final FileState state;
  private final FileAccesses accesses;

  FileBlocks(FileState state, FileAccesses accesses) {
    this.state = state;
    this.accesses = accesses;
  }

  public Status writeBlock(long disp, Buf<?> data, long[] shape, long[] block, long[] start) {
    return move(false, disp, data, shape, block, start);
  }

  public Status readBlock(long disp, Buf<?> data, long[] shape, long[] block, long[] start) {
    return move(true, disp, data, shape, block, start);
  }

  private Status move(boolean reads, long disp, Buf<?> data, long[] shape, long[] block, long[] start) {
    state.checkUsable();
    try {
      MpiException wrong = null;
      FileView view = FileView.ofBytes();
      Buf<?> moved = data;
      try {
        check(disp, data, shape, block, start);
        boolean none = Arrays.stream(block).anyMatch(n -> n == 0);
        if (none) {
          moved = BufImpl.of(data).firstBytes(0, Datatype.BYTE);
        } else {
          Datatype<?> type = data.type();
          try (Datatype<?> part = Datatype.subarray(shape, block, start, Datatype.Order.C, type).commit()) {
            view = FileView.of(disp, type, part, FileDefaults.NATIVE, null);
          }
        }
      } catch (MpiException e) {
        wrong = e;
      }
      long bytes = accesses.moveTogether(wrong, reads, moved, view, etypes -> 0);
      return FileAccesses.status(bytes);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private static void check(long disp, Buf<?> data, long[] shape, long[] block, long[] start) {
    if (disp < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "disp", disp, "0 or more");
    }
    if (data == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "data", null, "a Buf or an array");
    }
    if (shape == null || block == null || start == null || shape.length == 0 || block.length != shape.length
        || start.length != shape.length) {
      throw new MpiException(ErrorClass.ERR_ARG, "shape = " + Arrays.toString(shape) + ", block = "
          + Arrays.toString(block) + ", start = " + Arrays.toString(start) + ": allowed are as many numbers in each");
    }
    long elements = 1;
    for (int i = 0; i < shape.length; i++) {
      if (block[i] < 0 || start[i] < 0 || start[i] > shape[i] - block[i]) {
        throw new MpiException(ErrorClass.ERR_ARG, "block = " + block[i] + " from start = " + start[i]
            + " along dimension " + i + ": allowed is what lies in the array's " + shape[i] + " elements");
      }
      elements = Math.multiplyExact(elements, block[i]);
    }
    if (data.count() != elements) {
      throw new MpiException(ErrorClass.ERR_BUFFER, "data = " + data + ": allowed are the " + elements
          + " elements of a block of " + Arrays.toString(block));
    }
  }
}
