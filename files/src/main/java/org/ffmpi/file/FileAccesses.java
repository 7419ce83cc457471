// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.file.access.AccessSizes;
import org.ffmpi.file.access.ElementStream;
import org.ffmpi.file.view.FilePlaces;
import org.ffmpi.process.Failures;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.CountedMemory;

/** The accesses of a file. Each checks its arguments, finds where it begins, and moves the elements. */
public final class FileAccesses {
  private static final int ALIGNMENT = 64;

  private final FileState state;

  FileAccesses(FileState state) {
    this.state = state;
  }

  /** The beginning of an access, which may move a pointer. */
  interface Start {
    /**
     * Returns the offset in etypes.
     *
     * @param etypes how many are accessed
     */
    long advance(long etypes);
  }

  // ---- explicit offsets

  public Status readAt(long offset, Buf<?> data) {
    return alone(true, data, at("readAt", offset));
  }

  public Status writeAt(long offset, Buf<?> data) {
    return alone(false, data, at("writeAt", offset));
  }

  public Request ireadAt(long offset, Buf<?> data) {
    return started(true, data, at("ireadAt", offset));
  }

  public Request iwriteAt(long offset, Buf<?> data) {
    return started(false, data, at("iwriteAt", offset));
  }

  public Status readAtAll(long offset, Buf<?> data) {
    return together(true, data, at("readAtAll", offset));
  }

  public Status writeAtAll(long offset, Buf<?> data) {
    return together(false, data, at("writeAtAll", offset));
  }

  public Request ireadAtAll(long offset, Buf<?> data) {
    return started(true, data, at("ireadAtAll", offset));
  }

  public Request iwriteAtAll(long offset, Buf<?> data) {
    return started(false, data, at("iwriteAtAll", offset));
  }

  public void readAtAllBegin(long offset, Buf<?> data) {
    begin("readAtAllBegin", true, data, at("readAtAllBegin", offset));
  }

  public Status readAtAllEnd() {
    return end("readAtAllBegin");
  }

  public void writeAtAllBegin(long offset, Buf<?> data) {
    begin("writeAtAllBegin", false, data, at("writeAtAllBegin", offset));
  }

  public Status writeAtAllEnd() {
    return end("writeAtAllBegin");
  }

  // ---- this rank's pointer

  public Status read(Buf<?> data) {
    return alone(true, data, own("read"));
  }

  public Status write(Buf<?> data) {
    return alone(false, data, own("write"));
  }

  public Request iread(Buf<?> data) {
    return started(true, data, own("iread"));
  }

  public Request iwrite(Buf<?> data) {
    return started(false, data, own("iwrite"));
  }

  public Status readAll(Buf<?> data) {
    return together(true, data, own("readAll"));
  }

  public Status writeAll(Buf<?> data) {
    return together(false, data, own("writeAll"));
  }

  public Request ireadAll(Buf<?> data) {
    return started(true, data, own("ireadAll"));
  }

  public Request iwriteAll(Buf<?> data) {
    return started(false, data, own("iwriteAll"));
  }

  public void readAllBegin(Buf<?> data) {
    begin("readAllBegin", true, data, own("readAllBegin"));
  }

  public Status readAllEnd() {
    return end("readAllBegin");
  }

  public void writeAllBegin(Buf<?> data) {
    begin("writeAllBegin", false, data, own("writeAllBegin"));
  }

  public Status writeAllEnd() {
    return end("writeAllBegin");
  }

  // ---- the shared pointer

  public Status readShared(Buf<?> data) {
    return alone(true, data, state.words::advance);
  }

  public Status writeShared(Buf<?> data) {
    return alone(false, data, state.words::advance);
  }

  public Request ireadShared(Buf<?> data) {
    return started(true, data, state.words::advance);
  }

  public Request iwriteShared(Buf<?> data) {
    return started(false, data, state.words::advance);
  }

  public Status readOrdered(Buf<?> data) {
    return together(true, data, this::ordered);
  }

  public Status writeOrdered(Buf<?> data) {
    return together(false, data, this::ordered);
  }

  public void readOrderedBegin(Buf<?> data) {
    begin("readOrderedBegin", true, data, this::ordered);
  }

  public Status readOrderedEnd() {
    return end("readOrderedBegin");
  }

  public void writeOrderedBegin(Buf<?> data) {
    begin("writeOrderedBegin", false, data, this::ordered);
  }

  public Status writeOrderedEnd() {
    return end("writeOrderedBegin");
  }

  // ---- where accesses begin

  private Start at(String call, long offset) {
    return etypes -> {
      refuseSequential(call);
      if (offset < 0) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "offset", offset, "0 or more");
      }
      return offset;
    };
  }

  private Start own(String call) {
    return etypes -> {
      refuseSequential(call);
      return state.pointer.getAndAdd(etypes);
    };
  }

  private void refuseSequential(String call) {
    MpiException refused = state.sequential(call);
    if (refused != null) {
      throw refused;
    }
  }

  /** The ranks follow one another from the shared pointer on; collective, a negative number is that of no access. */
  private long ordered(long etypes) {
    long[] all = Exchange.allgather(state.channel, state.world, Math.max(0, etypes));
    long before = 0;
    long sum = 0;
    for (int r = 0; r < all.length; r++) {
      before += r < state.channel.rank() ? all[r] : 0;
      sum += all[r];
    }
    long[] first = {state.channel.rank() == 0 ? state.words.advance(sum) : 0};
    Exchange.bcast(state.channel, state.world, first, 0);
    return first[0] + before;
  }

  // ---- checks

  /** Returns the number of etypes of an access. Throws without calling the error handler. */
  private long checked(boolean reads, Buf<?> data, FileView view) {
    if (data == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "data", null, "a Buf");
    }
    BufImpl<?> buf = BufImpl.of(data);
    MpiException wrong = buf.unusable("data", reads);
    if (wrong != null) {
      throw wrong;
    }
    if (buf.isOfObjects()) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "data", data, "memory: objects have no form in files");
    }
    if (reads && state.isOpenAs(Constants.MODE_WRONLY)) {
      throw new MpiException(ErrorClass.ERR_ACCESS, state.path + " is open for writing only");
    }
    if (!reads && state.isOpenAs(Constants.MODE_RDONLY)) {
      throw new MpiException(ErrorClass.ERR_READ_ONLY, state.path + " is open for reading only");
    }
    long bytes = view.form() == null ? buf.packedBytes() : view.form().bytes(buf);
    if (bytes % view.etypeBytes() != 0) {
      throw new MpiException(ErrorClass.ERR_IO, "data = " + data + " has " + bytes + " bytes in " + state.path
          + ": allowed are whole numbers of the etype " + view.shown().etype() + " of " + view.etypeBytes() + " bytes");
    }
    if (bytes > 0 && view.layout().size() == 0) {
      throw new MpiException(ErrorClass.ERR_IO, "the view of this rank leaves no place in " + state.path);
    }
    return bytes / view.etypeBytes();
  }

  // ---- forms

  private Status alone(boolean reads, Buf<?> data, Start start) {
    state.checkUsable();
    try {
      FileView view = state.view();
      long from = view.bytesOf(start.advance(checked(reads, data, view)));
      return status(moveAlone(reads, BufImpl.of(data), view, from));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private Request started(boolean reads, Buf<?> data, Start start) {
    state.checkUsable();
    try {
      FileView view = state.view();
      long from = view.bytesOf(start.advance(checked(reads, data, view)));
      BufImpl<?> buf = BufImpl.of(data);
      boolean here = buf.memoryKind() == Memory.CONFINED
          || state.isAtomic() && !state.words.isForAllThreads();
      FileOperation.Access access = () -> moveAlone(reads, buf, view, from);
      return here ? FileOperation.now(state, access) : FileOperation.start(state, access);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private Status together(boolean reads, Buf<?> data, Start start) {
    state.checkUsable();
    try {
      refuseSplit();
      return status(moveTogether(null, reads, data, state.view(), start));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private void begin(String name, boolean reads, Buf<?> data, Start start) {
    state.checkUsable();
    try {
      refuseSplit();
      long bytes = 0;
      MpiException failure = null;
      try {
        bytes = moveTogether(null, reads, data, state.view(), start);
      } catch (MpiException e) {
        if (e.errorClass() != ErrorClass.ERR_IO && e.errorClass() != ErrorClass.ERR_NO_SPACE
            && e.errorClass() != ErrorClass.ERR_QUOTA) {
          throw e;
        }
        failure = e;
      }
      state.split = new SplitCall(name, bytes, failure);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private void refuseSplit() {
    MpiException refused = state.splitRefusal();
    if (refused != null) {
      throw refused;
    }
  }

  private Status end(String name) {
    state.checkUsable();
    SplitCall split = state.split;
    if (split == null || !split.name().equals(name)) {
      throw state.raise(new MpiException(ErrorClass.ERR_IO, "on " + state.path + " "
          + (split == null ? "no split call has begun" : "a call of " + split.name() + " has begun, none of " + name)));
    }
    state.split = null;
    if (split.failure() != null) {
      throw state.raise(split.failure());
    }
    return status(split.bytes());
  }

  static Status status(long bytes) {
    Status status = new Status();
    return StatusAccess.set(status, status.source(), status.tag(), bytes, false);
  }

  // ---- moving

  private long moveAlone(boolean reads, BufImpl<?> buf, FileView view, long from) {
    AccessSizes sizes = state.hints.sizes();
    return moved(reads, buf, view, stream -> {
      if (!state.isAtomic()) {
        return accessAlone(reads, stream, view.layout(), from, sizes, false);
      }
      state.words.lock();
      try {
        return accessAlone(reads, stream, view.layout(), from, sizes, true);
      } finally {
        state.words.unlock();
      }
    });
  }

  private long accessAlone(
      boolean reads, ElementStream stream, FilePlaces layout, long from, AccessSizes sizes, boolean locked) {
    if (reads) {
      return state.access.read(stream, layout, from, sizes);
    }
    state.access.write(stream, layout, from, sizes, locked);
    return stream.bytes();
  }

  /**
   * Takes part in a collective access; with nothing when the arguments are wrong, which is thrown afterwards.
   *
   * @param known an error that has been found before, or null
   */
  long moveTogether(MpiException known, boolean reads, Buf<?> data, FileView view, Start start) {
    MpiException wrong = known;
    long from = 0;
    long etypes = -1;
    try {
      etypes = wrong == null ? checked(reads, data, view) : -1;
    } catch (RuntimeException e) {
      wrong = Failures.translate(e);
    }
    try {
      from = view.bytesOf(start.advance(etypes));
    } catch (MpiException e) {
      wrong = wrong == null ? e : wrong;
    }
    if (wrong != null) {
      takePartWithNothing(reads, view);
      throw wrong;
    }
    long first = from;
    boolean[] took = new boolean[1];
    try {
      return moved(reads, BufImpl.of(data), view, stream -> {
        took[0] = true;
        return accessTogether(reads, stream, view.layout(), first);
      });
    } catch (RuntimeException e) {
      if (!took[0]) { // elements that cannot be converted: the others wait all the same
        takePartWithNothing(reads, view);
      }
      throw e;
    }
  }

  private void takePartWithNothing(boolean reads, FileView view) {
    accessTogether(reads, ElementStream.of(MemorySegment.NULL, 0), view.layout(), 0);
  }

  private long accessTogether(boolean reads, ElementStream stream, FilePlaces layout, long from) {
    if (reads) {
      return state.phases.read(stream, layout, from, state.hints.phases(), state.hints.sizes(), state.isAtomic());
    }
    state.phases.write(stream, layout, from, state.hints.phases(), state.hints.sizes(), state.isAtomic());
    return stream.bytes();
  }

  /** Moves the bytes of a stream. */
  private interface Move {
    /** Returns how many were there. */
    long run(ElementStream stream);
  }

  /** Moves elements in the view's representation; returns their bytes in memory, packed. */
  private static long moved(boolean reads, BufImpl<?> buf, FileView view, Move move) {
    try (CountedMemory.Lease _ = buf.lease()) {
      if (view.form() == null) {
        return move.run(ElementStream.of(buf));
      }
      try (Arena arena = Arena.ofConfined()) {
        long bytes = view.form().bytes(buf);
        MemorySegment converted = arena.allocate(Math.max(1, bytes), ALIGNMENT);
        ElementStream stream = ElementStream.of(converted, bytes);
        if (reads) {
          return view.form().read(converted, move.run(stream), buf);
        }
        view.form().write(buf, converted);
        move.run(stream);
        return buf.packedBytes();
      }
    }
  }
}
