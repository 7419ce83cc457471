// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Sends and receives objects. Each message is one of bytes, whose length the receiver need not know. Ranks are ffmpi's.
 */
final class ObjectLink {
  private static final byte[] NOTHING = {};

  private final org.ffmpi.Comm comm;
  private final UnexpectedObjects unexpected = new UnexpectedObjects();

  ObjectLink(org.ffmpi.Comm comm) {
    this.comm = comm;
  }

  private ObjectItems items(Object buf, int offset, int count, Datatype type) {
    try {
      return ObjectItems.of(buf, offset, count, type);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  private byte[] message(ObjectItems items) {
    try {
      return ObjectBytes.messageOf(items.get());
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  // ---- sending

  void send(Object buf, int offset, int count, Datatype type, int dest, int tag, boolean synchronous) {
    Buf<?> bytes = Buf.of(message(items(buf, offset, count, type)));
    try {
      if (synchronous) {
        comm.ssend(bytes, dest, tag);
      } else {
        comm.send(bytes, dest, tag);
      }
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  org.ffmpi.Request isend(
      Object buf, int offset, int count, Datatype type, int dest, int tag, boolean synchronous) {
    try {
      return start(items(buf, offset, count, type), dest, tag, synchronous);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  private org.ffmpi.Request start(ObjectItems items, int dest, int tag, boolean synchronous) {
    Buf<?> bytes = Buf.of(message(items));
    return synchronous ? comm.issend(bytes, dest, tag) : comm.isend(bytes, dest, tag);
  }

  /** Returns a completed request. */
  org.ffmpi.Request completedRequest() {
    return comm.isend(Buf.of(NOTHING), Constants.PROC_NULL, 0);
  }

  Prequest sendInit(Object buf, int offset, int count, Datatype type, int dest, int tag, boolean synchronous) {
    ObjectItems items = items(buf, offset, count, type);
    return new Prequest(() -> start(items, dest, tag, synchronous), Request.PLAIN);
  }

  Prequest bsendInit(Object buf, int offset, int count, Datatype type, int dest, int tag) {
    ObjectItems items = items(buf, offset, count, type);
    return new Prequest(() -> {
      BufferedObjects.add(start(items, dest, tag, false));
      return completedRequest();
    }, Request.PLAIN);
  }

  // ---- receiving

  /** A receive of objects: allocates the bytes when the message is matched, and stores the objects at completion. */
  private final class Receive implements LongFunction<MemorySegment>, Request.Completion {
    private final ObjectItems items;

    /** Written by any thread that makes progress; the completion of the request publishes it. */
    private byte[] bytes;

    private int source;
    private int tag;
    private boolean isUnexpected;

    Receive(ObjectItems items) {
      this.items = items;
    }

    @Override
    public MemorySegment apply(long length) {
      bytes = new byte[Math.toIntExact(length)];
      return MemorySegment.ofArray(bytes);
    }

    /** Starts the receive, or consumes an unexpected message. */
    org.ffmpi.Request start(int from, int ofTag) {
      UnexpectedObjects.Message found = unexpected.remove(from, ofTag);
      isUnexpected = found != null;
      if (found == null) {
        bytes = null;
        return comm.irecv(from, ofTag, this);
      }
      source = found.source();
      tag = found.tag();
      bytes = found.bytes();
      return completedRequest();
    }

    @Override
    public Status complete(org.ffmpi.Request request, org.ffmpi.Status status) {
      byte[] message = bytes;
      bytes = null;
      if (message == null) {
        return Status.of(status, 0);
      }
      try {
        Object[] values = ObjectBytes.read(message);
        items.set(values);
        return isUnexpected ? Status.of(source, tag, message) : Status.of(status, values.length);
      } catch (MpiException e) {
        throw Errors.raised(comm, e);
      }
    }
  }

  Status recv(Object buf, int offset, int count, Datatype type, int source, int tag) {
    return irecv(buf, offset, count, type, source, tag).Wait();
  }

  Request irecv(Object buf, int offset, int count, Datatype type, int source, int tag) {
    Receive receive = new Receive(items(buf, offset, count, type));
    try {
      return new Request(receive.start(source, tag), receive);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  Prequest recvInit(Object buf, int offset, int count, Datatype type, int source, int tag) {
    Receive receive = new Receive(items(buf, offset, count, type));
    return new Prequest(() -> receive.start(source, tag), receive);
  }

  // ---- probes

  /** Returns the status of a message that a probe has found. */
  Status probed(org.ffmpi.Status status) {
    return Status.probed(status, this);
  }

  /** Returns the status of a matching unexpected message; null without one. */
  Status waiting(int source, int tag) {
    UnexpectedObjects.Message found = unexpected.find(source, tag);
    return found == null ? null : Status.of(found.source(), found.tag(), found.bytes());
  }

  /**
   * Returns the number of objects of a probed message whose length does not determine it. Its bytes do, so the message
   * is received here and becomes an unexpected one.
   *
   * @throws MpiException ERR_TYPE if it holds no objects, ERR_REQUEST if it was received since the probe
   */
  int count(int source, int tag) {
    synchronized (unexpected) {
      UnexpectedObjects.Message found = unexpected.find(source, tag);
      if (found == null) {
        org.ffmpi.Message message = comm.improbe(source, tag).orElseThrow(() -> MpiException.argument(
            ErrorClass.ERR_REQUEST, "message", "received since the probe", "messages that wait for their receive"));
        byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
        message.mrecv(Buf.of(bytes));
        found = new UnexpectedObjects.Message(source, tag, bytes);
        unexpected.add(found);
      }
      return ObjectBytes.count(found.bytes());
    }
  }

  // ---- packing

  private byte[] packed(ObjectItems items) {
    try {
      return ObjectBytes.of(items.get());
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  int pack(Object buf, int offset, int count, Datatype type, byte[] into, int position) {
    byte[] bytes = packed(items(buf, offset, count, type));
    if (into == null || position < 0 || (long) position + Integer.BYTES + bytes.length > into.length) {
      throw Errors.raised(comm, MpiException.argument(ErrorClass.ERR_TRUNCATE, "outbuf",
          ArrayRange.describe(into) + " from " + position + " on",
          "arrays with room for " + (Integer.BYTES + bytes.length) + " bytes"));
    }
    ByteBuffer.wrap(into, position, Integer.BYTES).putInt(bytes.length);
    System.arraycopy(bytes, 0, into, position + Integer.BYTES, bytes.length);
    return position + Integer.BYTES + bytes.length;
  }

  int unpack(byte[] from, int position, Object buf, int offset, int count, Datatype type) {
    ObjectItems items = items(buf, offset, count, type);
    int start = position + Integer.BYTES;
    try {
      int length = from == null || position < 0 || start > from.length || start < 0
          ? -1 : ByteBuffer.wrap(from, position, Integer.BYTES).getInt();
      if (length < 0 || length > from.length - start) {
        throw MpiException.argument(ErrorClass.ERR_TRUNCATE, "inbuf",
            ArrayRange.describe(from) + " from " + position + " on", "arrays with packed objects there");
      }
      items.set(ObjectBytes.read(Arrays.copyOfRange(from, start, start + length)));
      return start + length;
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }
}
