// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufferPlace;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.SentRequests;
import org.ffmpi.spi.Operation;

/**
 * The buffer of a whole process, or of a session, for buffered mode. Any thread may call; errors go through the handler
 * of the process.
 */
public final class ProcessBuffer {
  private final World world;
  private final BufferPlace place;

  public ProcessBuffer(World world) {
    this.world = world;
    this.place = BufferPlace.of(world);
  }

  public void attach(Buf<?> buf) {
    try {
      place.attach(buf);
    } catch (MpiException e) {
      throw world.raise(e);
    }
  }

  public Buf<?> detach() {
    try {
      return place.detach();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  public void flush() {
    try {
      place.flush();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  public Request iflush() {
    try {
      Operation flush = place.iflush();
      return flush == world.engine().completed()
          ? SentRequests.of(world).next()
          : new RequestImpl(world, null, RequestKind.SEND, flush, null);
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }
}
