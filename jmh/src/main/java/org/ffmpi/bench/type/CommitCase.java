// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.type;

import org.ffmpi.datatype.Datatype;

/**
 * Types to be committed. New ones differ each time, so that nothing that remembers types can shorten the work; known
 * ones are equal to the one before.
 */
public abstract class CommitCase {
  private static final int PATTERNS = 64;

  private CommitCase() {}

  /**
   * Returns a source of types.
   *
   * @param name {@code simple|new}, {@code simple|known}, {@code simple|first}, {@code blocks|new} or
   *     {@code blocks|first}
   * @param payload size of each type in bytes
   * @return the source
   */
  public static CommitCase of(String name, long payload) {
    return switch (name) {
      case "simple|new", "simple|first" -> new Vectors(payload / Double.BYTES, 1);
      case "simple|known" -> new Vectors(payload / Double.BYTES, 0);
      case "blocks|new", "blocks|first" -> new Blocks(payload / Double.BYTES);
      default -> throw new IllegalArgumentException("unknown case: " + name);
    };
  }

  /**
   * Creates the next type.
   *
   * @return a type that is not committed
   */
  public abstract Datatype<?> create();

  private static final class Vectors extends CommitCase {
    private final long count;
    private final long step;
    private long stride = 2;

    Vectors(long count, long step) {
      this.count = count;
      this.step = step;
    }

    @Override
    public Datatype<?> create() {
      stride += step;
      return Datatype.vector(count, 1, stride, Datatype.DOUBLE);
    }
  }

  private static final class Blocks extends CommitCase {
    private final IndexedBlocks[] patterns = new IndexedBlocks[PATTERNS];
    private int next;
    private long shift;

    Blocks(long doubles) {
      for (int i = 0; i < PATTERNS; i++) {
        patterns[i] = new IndexedBlocks(doubles, i + 1);
      }
    }

    @Override
    public Datatype<?> create() {
      IndexedBlocks b = patterns[next++ % PATTERNS];
      // The first block moves a little: another type, though its pattern has been there before.
      b.starts[0] = -(++shift);
      return Datatype.indexed(b.lengths, b.starts, Datatype.DOUBLE);
    }
  }
}
