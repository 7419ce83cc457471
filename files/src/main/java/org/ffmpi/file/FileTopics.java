// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.nio.file.Path;
import org.ffmpi.Buf;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.port.FileBase;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.CallObserver;

/**
 * The implementation of every {@link org.ffmpi.MpiFile}, with one object for each topic of its calls. The generated
 * subclass forwards the methods of {@code MpiFile} to these objects.
 */
abstract sealed class FileTopics implements FileBase permits ForwardingFile {
  final FileState state;
  final FileProperties properties;
  final FileExtent extent;
  final FileViews views;
  final FilePointers pointers;
  final FileAccesses offsets;
  final FileBlocks blocks;

  FileTopics(FileState state) {
    this.state = state;
    this.properties = new FileProperties(state);
    this.extent = new FileExtent(state);
    this.views = new FileViews(state);
    this.pointers = new FilePointers(state);
    this.offsets = new FileAccesses(state);
    this.blocks = new FileBlocks(state, offsets);
    state.setFile((MpiFile) this);
    if (Lifetimes.kept) {
      Lifetimes.made(this, "file");
    }
  }

  // ---- reports of the calls of observed files

  /** Reports the beginning of a call; the buffer may be null. Files have no target. */
  final long begin(String call, int target, Buf<?> buffer) {
    long bytes = buffer == null ? 0 : buffer.count() * buffer.type().size();
    return state.world.engine().observer().begin(CallObserver.Kind.FILE, call, state.channel, target, bytes);
  }

  final void end(long begun) {
    state.world.engine().observer().end(begun);
  }

  @Override
  public Path path() {
    return state.path;
  }

  @Standard({"MPI_File_close"})
  @Override
  public void close() {
    if (state.isClosed() || !state.world.isOpen()) {
      return;
    }
    state.checkUsable();
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
    // Every step is taken, also after one that has thrown: other ranks wait for this one, and the file is closed.
    MpiException failure = after(null, state.worker::close);
    failure = after(failure, state::meet);
    if (state.channel.rank() == 0 && state.isOpenAs(Constants.MODE_DELETE_ON_CLOSE)) {
      failure = after(failure, () -> MpiFile.delete(state.path));
    }
    failure = after(failure, state.file::close);
    failure = after(failure, state.words::close);
    failure = after(failure, state::meet);
    state.close();
    state.channel.close();
    if (failure != null) {
      throw state.raise(failure);
    }
  }

  private static MpiException after(MpiException failure, Runnable step) {
    try {
      step.run();
      return failure;
    } catch (RuntimeException e) {
      return failure == null ? Failures.translate(e) : failure;
    }
  }

  @Override
  public String toString() {
    return "MpiFile[" + state.path + ", rank " + state.channel.rank() + " of " + state.channel.size()
        + (state.isClosed() ? ", closed]" : "]");
  }
}
