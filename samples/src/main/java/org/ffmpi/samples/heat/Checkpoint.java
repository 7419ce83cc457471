// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.ffmpi.base.Constants.MODE_CREATE;
import static org.ffmpi.base.Constants.MODE_RDONLY;
import static org.ffmpi.base.Constants.MODE_WRONLY;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiFile;
import org.ffmpi.samples.show.NpyHeader;

/**
 * Saves the field in a file, and restores it. The file is a matrix that NumPy loads, with the number of the step behind
 * it. Each rank writes and reads its own block, so that another number of ranks may restore it.
 */
final class Checkpoint {
  private final IntraComm comm;
  private final Field field;

  Checkpoint(IntraComm comm, Field field) {
    this.comm = comm;
    this.field = field;
  }

  /** Saves a step. The file has either this one or the one before, also when the run is killed meanwhile. */
  void save(Path path, int step) throws IOException {
    Block block = field.block();
    double[] cells = new double[block.rows() * block.columns()];
    double[] row = new double[block.columns()];
    for (int i = 0; i < block.rows(); i++) {
      field.read(i + 1, row);
      System.arraycopy(row, 0, cells, i * row.length, row.length);
    }
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try (MpiFile file = comm.open(fresh, MODE_CREATE | MODE_WRONLY)) {
      file.setSize(0);
      if (comm.rank() == 0) {
        file.writeAt(0, NpyHeader.of(block.size(), block.size()));
        file.writeAt(end(block), new long[] {step});
      }
      file.writeBlock(NpyHeader.BYTES, cells, shape(block), part(block), start(block));
      file.sync();
    }
    if (comm.rank() == 0) {
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Reads the field; returns the step that was saved. */
  int restore(Path path) {
    Block block = field.block();
    long[] step = new long[1];
    double[] cells = new double[block.rows() * block.columns()];
    try (MpiFile file = comm.open(path, MODE_RDONLY)) {
      byte[] header = new byte[NpyHeader.BYTES];
      file.readAtAll(0, header);
      if (!Arrays.equals(shape(block), NpyHeader.shape(header)) || file.readAtAll(end(block), step).bytes() == 0) {
        throw new IllegalArgumentException(
            "--restart " + path + ": it is no checkpoint of a plate of " + block.size() + " x " + block.size());
      }
      file.readBlock(NpyHeader.BYTES, cells, shape(block), part(block), start(block));
    }
    for (int i = 0; i < block.rows(); i++) {
      field.write(i + 1, Arrays.copyOfRange(cells, i * block.columns(), (i + 1) * block.columns()));
    }
    return (int) step[0];
  }

  private static long end(Block block) {
    return NpyHeader.BYTES + (long) block.size() * block.size() * Double.BYTES;
  }

  private static long[] shape(Block block) {
    return new long[] {block.size(), block.size()};
  }

  private static long[] part(Block block) {
    return new long[] {block.rows(), block.columns()};
  }

  private static long[] start(Block block) {
    return new long[] {block.first(), block.firstColumn()};
  }
}
