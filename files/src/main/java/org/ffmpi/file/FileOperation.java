// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.RequestTraits;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.Operation;

/** A nonblocking access of a file, and its request. */
final class FileOperation implements RequestTraits {
  /** The access itself. */
  interface Access {
    /** Performs it; returns its bytes. */
    long run();
  }

  /** The operation that threads wait for. */
  private static final class Work extends Operation {
    void finish() {
      complete();
    }
  }

  private final FileState state;
  private final Work work = new Work();
  private final RequestImpl request;
  private long bytes;
  private MpiException failure;

  private FileOperation(FileState state) {
    this.state = state;
    this.request = new RequestImpl(state.world, null, RequestKind.FILE, work, this);
  }

  /** Starts an access in the file's thread. */
  static Request start(FileState state, Access access) {
    FileOperation operation = new FileOperation(state);
    state.worker.start(() -> {
      operation.run(access);
      state.world.engine().wakeWaiters();
    });
    return operation.request;
  }

  /** Performs an access at once, for memory that no other thread may touch. */
  static Request now(FileState state, Access access) {
    FileOperation operation = new FileOperation(state);
    operation.run(access);
    return operation.request;
  }

  private void run(Access access) {
    try {
      bytes = access.run();
    } catch (RuntimeException e) {
      failure = Failures.translate(e);
    } finally {
      work.finish();
    }
  }

  @Override
  public RequestImpl request() {
    return request;
  }

  @Override
  public MpiException raise(World world, MpiException reason) {
    return state.raise(reason);
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public MpiException peek(Status into) {
    StatusAccess.setEmpty(into);
    StatusAccess.set(into, into.source(), into.tag(), bytes, false);
    if (failure != null) {
      into.setError(failure.errorClass());
    }
    return failure;
  }

  @Override
  public MpiException finish(Status into) {
    return peek(into);
  }
}
