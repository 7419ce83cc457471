// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import org.ffmpi.bench.type.CommitCase;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;

/**
 * Commits types. Bench {@code commit} is that alone, {@code make} is create, commit and close. Types are created in
 * batches, so that the clock is read rarely. Cases that end in {@code first} time the first
 * commit of their JVM, which cannot be repeated.
 */
final class CommitWork implements PackProgram.Measured {
  private static final int SIMPLE_BATCH = 256;
  private static final int BLOCKS_BATCH = 4;

  private final String label;
  private final boolean commitOnly;
  private final CommitCase types;
  private final Datatype<?>[] batch;
  private final boolean first;
  private final long firstNanos;

  CommitWork(String bench, String name, long bytes) {
    label = bench + "," + name + "," + bytes;
    commitOnly = bench.equals("commit");
    types = CommitCase.of(name, bytes);
    batch = new Datatype<?>[name.startsWith("blocks") ? BLOCKS_BATCH : SIMPLE_BATCH];
    first = name.endsWith("first");
    firstNanos = first ? once(1) : 0;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public double run(long iterations) {
    if (first) {
      return firstNanos * iterations * 1e-9;
    }
    long nanos = 0;
    for (long done = 0; done < iterations;) {
      int n = (int) Math.min(batch.length, iterations - done);
      nanos += once(n);
      done += n;
    }
    return nanos * 1e-9;
  }

  /** A commit of many blocks is one call of a long loop, which takes its time to be compiled. */
  @Override
  public double warmUpSeconds() {
    return first ? 0 : 2;
  }

  private long once(int n) {
    return commitOnly ? commit(n) : make(n);
  }

  private long commit(int n) {
    for (int i = 0; i < n; i++) {
      batch[i] = types.create();
    }
    long start = System.nanoTime();
    for (int i = 0; i < n; i++) {
      batch[i].commit();
    }
    long nanos = System.nanoTime() - start;
    for (int i = 0; i < n; i++) {
      batch[i].close();
    }
    return nanos;
  }

  private long make(int n) {
    long start = System.nanoTime();
    for (int i = 0; i < n; i++) {
      Datatype<?> type = types.create();
      type.commit();
      type.close();
    }
    return System.nanoTime() - start;
  }

  @Override
  public void check() {
    try (Datatype<?> type = types.create()) {
      type.commit();
      if (TypeHandle.planOf(type).size() != type.size()) {
        throw new IllegalStateException(label + ": the plan has another size than the type");
      }
    }
  }
}
