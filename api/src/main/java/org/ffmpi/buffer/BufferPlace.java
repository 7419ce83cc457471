// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.World;
import org.ffmpi.spi.Operation;

/**
 * An attachment point for a buffer of buffered mode, which is the process or a communicator. Any thread may call;
 * errors are thrown for the caller to pass to its handler.
 */
public final class BufferPlace {
  private final World world;
  private volatile AttachedBuffer buffer;
  /** A thread waits for the messages in the buffer, which stays attached until then; guarded by this. */
  private boolean leaving;

  public BufferPlace(World world) {
    this.world = world;
  }

  /** Returns the attachment point of a whole process, or of a session. */
  public static BufferPlace of(World world) {
    BufferPlace known = world.companion(BufferPlace.class);
    return known == null ? world.companion(BufferPlace.class, new BufferPlace(world)) : known;
  }

  /** Returns the buffer for communicators that have none of their own: that of the session, or of the process. */
  public static AttachedBuffer sharedBuffer(World world) {
    AttachedBuffer own = of(world).buffer;
    World model = own == null && world.isOfSession() ? world.membership().worldModel() : null;
    return model != null && model.isOpen() ? of(model).buffer : own;
  }

  /** Returns the attached buffer, or null. */
  public AttachedBuffer buffer() {
    return buffer;
  }

  public void attach(Buf<?> buf) {
    world.checkOpen();
    MpiException refusal = AttachedBuffer.refusal(buf);
    if (refusal != null) {
      throw refusal;
    }
    synchronized (this) {
      if (buffer != null) {
        throw MpiException.argument(
            ErrorClass.ERR_BUFFER, "buffer", buf,
            "one at a time, and " + buffer.attached() + (leaving ? " is being detached" : " is attached"));
      }
      buffer = new AttachedBuffer(world, buf);
      world.add(buffer);
    }
  }

  /** Blocks until the buffer is empty. Another one can be attached after that. */
  public Buf<?> detach() {
    world.checkCommunication();
    AttachedBuffer detached;
    synchronized (this) {
      if (buffer == null || leaving) {
        throw new MpiException(ErrorClass.ERR_BUFFER, "buffer: none is attached that could be detached");
      }
      detached = buffer;
      leaving = true;
    }
    detached.close();
    try {
      detached.awaitFlush();
    } finally {
      world.remove(detached);
      detached.release();
      synchronized (this) {
        buffer = null;
        leaving = false;
      }
    }
    return detached.attached();
  }

  /** Blocks until the messages in the buffer have left. */
  public void flush() {
    world.checkCommunication();
    AttachedBuffer attached = buffer;
    if (attached != null) {
      attached.awaitFlush();
    }
  }

  /** Returns an operation that is complete when the messages in the buffer have left. */
  public Operation iflush() {
    world.checkCommunication();
    AttachedBuffer attached = buffer;
    return attached == null ? world.engine().completed() : attached.flush();
  }
}
