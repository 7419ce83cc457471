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
 * Messages of objects on a communicator: each is one message of bytes, whose length the receiver need not know. Ranks
 * are ffmpi's.
 */
final class ObjectLink {
  private static final byte[] NOTHING = {};

  private final org.ffmpi.Comm comm;
  private final ObjectStash stash = new ObjectStash();

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

  /** Returns the request of a message that does not keep its sender waiting. */
  org.ffmpi.Request sentAlready() {
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
      return sentAlready();
    }, Request.PLAIN);
  }

  // ---- receiving

  /** A receive of objects: has the bytes made when the message is matched, and puts the objects where they belong. */
  private final class Receive implements LongFunction<MemorySegment>, Request.Completion {
    private final ObjectItems items;

    /** Written by whatever thread makes progress; the completion of the request publishes it. */
    private byte[] bytes;

    private int source;
    private int tag;
    private boolean isStashed;

    Receive(ObjectItems items) {
      this.items = items;
    }

    @Override
    public MemorySegment apply(long length) {
      bytes = new byte[Math.toIntExact(length)];
      return MemorySegment.ofArray(bytes);
    }

    /** Starts it; a message that has come already needs no receive. */
    org.ffmpi.Request start(int from, int ofTag) {
      ObjectStash.Message found = stash.remove(from, ofTag);
      isStashed = found != null;
      if (found == null) {
        bytes = null;
        return comm.irecv(from, ofTag, this);
      }
      source = found.source();
      tag = found.tag();
      bytes = found.bytes();
      return sentAlready();
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
        return isStashed ? Status.of(source, tag, message) : Status.of(status, values.length);
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

  /** Returns the status of a message of objects that has been received for its number of objects; null without one. */
  Status waiting(int source, int tag) {
    ObjectStash.Message found = stash.find(source, tag);
    return found == null ? null : Status.of(found.source(), found.tag(), found.bytes());
  }

  /**
   * Returns how many objects the message has that a probe has found, where its length does not tell. Only its bytes do,
   * so it is received and kept for the receive that follows.
   *
   * @throws MpiException ERR_TYPE when it is none of objects, ERR_REQUEST when it has been received meanwhile
   */
  int count(int source, int tag) {
    synchronized (stash) {
      ObjectStash.Message found = stash.find(source, tag);
      if (found == null) {
        org.ffmpi.Message message = comm.improbe(source, tag).orElseThrow(() -> MpiException.argument(
            ErrorClass.ERR_REQUEST, "message", "received since the probe", "messages that wait for their receive"));
        byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
        message.mrecv(Buf.of(bytes));
        found = new ObjectStash.Message(source, tag, bytes);
        stash.add(found);
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
