// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

import java.nio.ByteBuffer;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.StreamCursor;
import org.ffmpi.file.view.FilePlaces;

/**
 * Reads and writes a part of a view by this rank alone. Where the view has gaps, one of two ways is taken, whichever
 * costs less: an access for each run of bytes, or <em>sieving</em>, which reads a window of the file with its gaps,
 * takes what belongs to the view, and for a write puts the window back under the file's lock (Thakur, Gropp, Lusk,
 * "Data sieving and collective I/O in ROMIO", 1999). Any thread.
 */
public final class RankAccess {
  /** What a call of the system costs, in bytes that are copied in the same time. */
  private static final long CALL = 8192;

  /** Bytes that are packed before they are written: half of a second-level cache. */
  private static final long PIECE = 256 << 10;

  private final OpenFile file;
  private final RangeLock lock;
  private final Staging staging = new Staging();

  /** Creates the accesses of a file. */
  public RankAccess(OpenFile file, RangeLock lock) {
    this.file = file;
    this.lock = lock;
  }

  // ---- reading

  /**
   * Reads a part of a view.
   *
   * @param from its first byte in the view
   * @return bytes that were there, up to the end of the file
   */
  public long read(ElementStream into, FilePlaces view, long from, AccessSizes sizes) {
    long n = into.bytes();
    if (n == 0) {
      return 0;
    }
    if (view.isContiguous()) {
      return readRun(into, 0, n, view.place(from));
    }
    StreamCursor cursor = view.cursor();
    cursor.seek(from);
    if (cursor.left() >= n) {
      return readRun(into, 0, n, view.disp() + cursor.place());
    }
    if (view.isAscending() && sizes.sieves() && sievesRead(view, from, n)) {
      return readSieved(into, view, from, sizes.readWindow());
    }
    long done = 0;
    while (done < n) {
      long run = Math.min(n - done, cursor.left());
      long got = readRun(into, done, run, view.disp() + cursor.place());
      done += got;
      if (got < run) {
        break;
      }
      cursor.skip(run);
    }
    return done;
  }

  private static boolean sievesRead(FilePlaces view, long from, long n) {
    long span = view.place(from + n - 1) + 1 - view.place(from);
    return span - n < n / view.meanRun() * CALL;
  }

  private long readRun(ElementStream into, long at, long n, long place) {
    for (long done = 0; done < n; ) {
      long most = Math.min(n - done, Integer.MAX_VALUE & -PIECE);
      ByteBuffer direct = into.inPlace(at + done, most);
      long got;
      if (direct != null) {
        got = file.read(direct, place + done);
      } else {
        most = Math.min(most, PIECE);
        Staging.Piece piece = staging.take(PIECE);
        try {
          got = file.read(piece.buffer(0, most), place + done);
          into.copyIn(piece.address(), at + done, got);
        } finally {
          staging.give(piece);
        }
      }
      done += got;
      if (got < most) {
        return done;
      }
    }
    return n;
  }

  private long readSieved(ElementStream into, FilePlaces view, long from, long window) {
    long end = from + into.bytes();
    Staging.Piece piece = staging.take(window);
    Staging.Piece packed = into.address(0) == 0 ? staging.take(PIECE) : null;
    try {
      for (long s = from; s < end; ) {
        long first = view.place(s);
        long next = view.firstNotBefore(first + window, s, end);
        long last = view.place(next - 1) + 1;
        long got = file.read(piece.buffer(0, last - first), first);
        long there = got == last - first ? next : view.firstNotBefore(first + got, s, next);
        toStream(view, piece.address(), first, s, there, into, from, packed);
        if (there < next) {
          return there - from;
        }
        s = next;
      }
      return into.bytes();
    } finally {
      staging.give(piece);
      if (packed != null) {
        staging.give(packed);
      }
    }
  }

  private static void toStream(
      FilePlaces view, long window, long start, long from, long to, ElementStream into, long base,
      Staging.Piece packed) {
    if (packed == null) {
      view.gather(window, start, from, to - from, into.address(from - base));
      into.keep();
      return;
    }
    for (long s = from; s < to; ) {
      long n = Math.min(to - s, packed.bytes());
      view.gather(window, start, s, n, packed.address());
      into.copyIn(packed.address(), s - base, n);
      s += n;
    }
  }

  /**
   * Moves a part of a view from a window of the file to the elements.
   *
   * @param window address of the window
   * @param start the place that it begins with
   * @param from first byte in the view
   * @param to its end in the view
   * @param base the view's byte that is the first of the elements
   */
  public void gather(FilePlaces view, long window, long start, long from, long to, ElementStream into, long base) {
    Staging.Piece packed = into.address(0) == 0 ? staging.take(PIECE) : null;
    try {
      toStream(view, window, start, from, to, into, base, packed);
    } finally {
      if (packed != null) {
        staging.give(packed);
      }
    }
  }

  // ---- writing

  /**
   * Writes a part of a view.
   *
   * @param from its first byte in the view
   * @param locked whether this rank has the file's lock for itself
   */
  public void write(ElementStream data, FilePlaces view, long from, AccessSizes sizes, boolean locked) {
    long n = data.bytes();
    if (n == 0) {
      return;
    }
    StreamCursor cursor = null;
    if (!view.isContiguous()) {
      cursor = view.cursor();
      cursor.seek(from);
      if (cursor.left() < n && view.isAscending() && sizes.sieves() && lock.isCheap() && file.isReadable()
          && sievesWrite(view, from, n)) {
        writeSieved(data, view, from, sizes.writeWindow(), locked);
        return;
      }
    }
    if (!locked) {
      lock.share();
    }
    try {
      if (cursor == null) {
        writeRun(data, 0, n, view.place(from));
      } else {
        writeRuns(data, view, cursor, n);
      }
    } finally {
      if (!locked) {
        lock.unshare();
      }
    }
  }

  private static boolean sievesWrite(FilePlaces view, long from, long n) {
    long span = view.place(from + n - 1) + 1 - view.place(from);
    return span + (span - n) < n / view.meanRun() * CALL;
  }

  private void writeRun(ElementStream data, long at, long n, long place) {
    for (long done = 0; done < n; ) {
      long most = Math.min(n - done, Integer.MAX_VALUE & -PIECE);
      ByteBuffer direct = data.inPlace(at + done, most);
      if (direct != null) {
        file.write(direct, place + done);
      } else {
        most = Math.min(most, PIECE);
        Staging.Piece piece = staging.take(PIECE);
        try {
          data.copyOut(at + done, most, piece.address());
          file.write(piece.buffer(0, most), place + done);
        } finally {
          staging.give(piece);
        }
      }
      done += most;
    }
  }

  private void writeRuns(ElementStream data, FilePlaces view, StreamCursor cursor, long n) {
    if (data.inPlace(0, 0) != null) {
      for (long done = 0; done < n; ) {
        long run = Math.min(n - done, cursor.left());
        writeRun(data, done, run, view.disp() + cursor.place());
        done += run;
        cursor.skip(run);
      }
      return;
    }
    Staging.Piece piece = staging.take(PIECE);
    try {
      for (long done = 0; done < n; ) {
        long packed = Math.min(PIECE, n - done);
        data.copyOut(done, packed, piece.address());
        for (long at = 0; at < packed; ) {
          long run = Math.min(packed - at, cursor.left());
          file.write(piece.buffer(at, run), view.disp() + cursor.place());
          at += run;
          cursor.skip(run);
        }
        done += packed;
      }
    } finally {
      staging.give(piece);
    }
  }

  private void writeSieved(ElementStream data, FilePlaces view, long from, long window, boolean locked) {
    long end = from + data.bytes();
    Staging.Piece piece = staging.take(window);
    try {
      for (long s = from; s < end; ) {
        long first = view.place(s);
        long next = view.firstNotBefore(first + window, s, end);
        long last = view.place(next - 1) + 1;
        boolean gaps = last - first > next - s;
        if (gaps && !locked) {
          lock.lock();
        }
        try {
          if (gaps) {
            fill(piece, first, last - first);
          }
          scatter(data, from, view, s, next, piece.address(), first);
          file.write(piece.buffer(0, last - first), first);
        } finally {
          if (gaps && !locked) {
            lock.unlock();
          }
        }
        s = next;
      }
    } finally {
      staging.give(piece);
    }
  }

  private void fill(Staging.Piece piece, long place, long n) {
    long got = file.read(piece.buffer(0, n), place);
    Raw.fill(piece.address() + got, n - got, (byte) 0);
  }

  /**
   * Moves elements to a part of a view in a window of the file.
   *
   * @param base the view's byte that is the first of the elements
   * @param from first byte in the view
   * @param to its end in the view
   * @param window address of the window
   * @param start the place that it begins with
   */
  public void scatter(ElementStream data, long base, FilePlaces view, long from, long to, long window, long start) {
    long address = data.address(from - base);
    if (address != 0) {
      view.scatter(address, window, start, from, to - from);
      data.keep();
      return;
    }
    Staging.Piece packed = staging.take(PIECE);
    try {
      for (long s = from; s < to; ) {
        long n = Math.min(to - s, PIECE);
        data.copyOut(s - base, n, packed.address());
        view.scatter(packed.address(), window, start, s, n);
        s += n;
      }
    } finally {
      staging.give(packed);
    }
  }
}
