// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.datatype.plan.pattern.RunSink;

/** Joins runs that follow one another before it passes them to a visitor. */
final class RunJoiner implements RunSink {
  private final RunVisitor visitor;
  private long start;
  private long length;

  RunJoiner(RunVisitor visitor) {
    this.visitor = visitor;
  }

  @Override
  public void run(long displacement, long bytes) {
    if (length > 0 && start + length == displacement) {
      length += bytes;
      return;
    }
    end();
    start = displacement;
    length = bytes;
  }

  /** Passes on the last run. */
  void end() {
    if (length > 0) {
      visitor.run(start, length);
      length = 0;
    }
  }
}
