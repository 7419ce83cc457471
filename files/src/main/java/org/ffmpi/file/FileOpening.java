// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.file.access.FileErrors;
import org.ffmpi.file.access.OpenFile;
import org.ffmpi.file.access.RankAccess;
import org.ffmpi.file.phase.TwoPhases;
import org.ffmpi.file.pointer.MemoryWords;
import org.ffmpi.file.pointer.SharedWords;
import org.ffmpi.file.pointer.WindowWords;
import org.ffmpi.port.FileOperations;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * Opens files. Rank 0 makes a file that does not exist, then all ranks open it; when one of them cannot, none has it
 * open.
 */
final class FileOpening implements FileOperations {
  private static final int LINE = 64;
  private static final int ONE_OF = Constants.MODE_RDONLY | Constants.MODE_WRONLY | Constants.MODE_RDWR;
  private static final int ALL = ONE_OF | Constants.MODE_CREATE | Constants.MODE_EXCL | Constants.MODE_APPEND
      | Constants.MODE_SEQUENTIAL | Constants.MODE_UNIQUE_OPEN | Constants.MODE_DELETE_ON_CLOSE;

  private final CommState parent;
  private final World world;
  private final Engine engine;
  private final int rank;

  FileOpening(CommState parent) {
    this.parent = parent;
    this.world = parent.world;
    this.engine = parent.engine;
    this.rank = parent.channel.rank();
  }

  @Standard({"MPI_File_open"})
  @Override
  public MpiFile open(Path path, int amode, Info info) {
    parent.checkCollective();
    try {
      return opened(path, amode, info);
    } catch (RuntimeException e) {
      throw FileDefaults.of(world).raise(Failures.translate(e));
    }
  }

  private MpiFile opened(Path path, int amode, Info info) {
    FileHints hints = new FileHints();
    MpiException failure = null;
    try {
      check(path, amode);
      hints.add(InfoAccess.entries(info));
    } catch (MpiException e) {
      failure = e;
    }
    agree(failure, path, amode);
    agree(rank == 0 && has(amode, Constants.MODE_CREATE) ? made(path, amode) : null, path);
    OpenFile file = null;
    try {
      file = OpenFile.open(path, !has(amode, Constants.MODE_WRONLY), !has(amode, Constants.MODE_RDONLY));
    } catch (MpiException e) {
      failure = e;
    }
    try {
      agree(failure, path);
      return assembled(path, amode, file, hints);
    } catch (RuntimeException e) {
      if (file != null) {
        file.close();
      }
      throw e;
    }
  }

  private MpiFile assembled(Path path, int amode, OpenFile file, FileHints hints) {
    Channel channel = new Channel(engine, CommImpl.of(parent.comm()).nextContext(), parent.channel.local());
    if (engine.observer() != null) {
      engine.observer().opened(channel);
    }
    engine.opened(channel);
    SharedMemory shared = engine.sharedMemory();
    SharedMemory memory = shared != null && shared.reachesAll(parent.channel) ? shared : null;
    SharedWords words = memory == null || engine.choices() != null
        ? new WindowWords((IntraComm) parent.comm()) : words(channel, memory);
    RankAccess access = new RankAccess(file, words);
    FileState state = new FileState(world, channel, path, amode, file, words, access,
        new TwoPhases(channel, world, engine, memory, file, access, words), hints);
    if (has(amode, Constants.MODE_APPEND)) {
      long end = file.size();
      state.pointer.set(end);
      if (rank == 0) {
        words.move(end);
      }
    }
    // No rank uses the words before rank 0 has set them.
    state.phases.settle(state.view().layout(), hints.phases());
    return engine.observer() == null ? new FileImpl(state) : new ObservedFile(state);
  }

  /** Returns the words that the ranks share, in memory that rank 0 allocates. */
  private SharedWords words(Channel channel, SharedMemory memory) {
    long bytes = MemoryWords.bytes(channel.size());
    MemorySegment block = null;
    long[] place = {SharedMemory.NOT_SHARED};
    MpiException failure = null;
    if (rank == 0) {
      try {
        block = engine.allocateCollecting(bytes, LINE, null);
        block.fill((byte) 0);
        place[0] = memory.offset(Raw.address(block), bytes);
      } catch (MpiException e) {
        failure = e;
      }
    }
    Exchange.bcast(channel, world, place, 0);
    if (place[0] == SharedMemory.NOT_SHARED) {
      throw failure != null ? failure
          : new MpiException(ErrorClass.ERR_NO_MEM, "rank 0 could not allocate the " + bytes + " bytes of a file");
    }
    return new MemoryWords(world, channel, memory, rank == 0 ? block : memory.view(place[0], bytes));
  }

  /** Makes the file unless it is there; returns why it could not, or null. */
  private static MpiException made(Path path, int amode) {
    try {
      Files.createFile(path);
      return null;
    } catch (FileAlreadyExistsException e) {
      return has(amode, Constants.MODE_EXCL) ? FileErrors.of(path, "create", e) : null;
    } catch (IOException e) {
      return FileErrors.of(path, "create", e);
    } catch (RuntimeException e) {
      return FileErrors.of(path, "create", e);
    }
  }

  private static boolean has(int amode, int mode) {
    return (amode & mode) != 0;
  }

  private static void check(Path path, int amode) {
    if (path == null || path.toString() == null || path.toString().isEmpty()) {
      throw MpiException.argument(ErrorClass.ERR_BAD_FILE, "path", path, "the name of a file");
    }
    if ((amode & ~ALL) != 0 || Integer.bitCount(amode & ONE_OF) != 1) {
      throw amode(amode, "exactly one of MODE_RDONLY, MODE_WRONLY and MODE_RDWR, and others of the MODE_ constants");
    }
    if (has(amode, Constants.MODE_RDONLY) && has(amode, Constants.MODE_CREATE | Constants.MODE_EXCL)) {
      throw amode(amode, "MODE_CREATE and MODE_EXCL with MODE_WRONLY or MODE_RDWR");
    }
    if (has(amode, Constants.MODE_RDWR) && has(amode, Constants.MODE_SEQUENTIAL)) {
      throw amode(amode, "MODE_SEQUENTIAL with MODE_RDONLY or MODE_WRONLY");
    }
  }

  private static MpiException amode(int amode, String allowed) {
    return MpiException.argument(ErrorClass.ERR_AMODE, "amode", amode, allowed);
  }

  private void agree(MpiException failure, Path path, long... values) {
    FileState.agree(parent.channel, world, path, failure, "amode", values);
  }
}
