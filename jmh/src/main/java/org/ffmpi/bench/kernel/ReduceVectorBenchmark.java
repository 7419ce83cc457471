// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import org.openjdk.jmh.annotations.Fork;

/** Sums doubles, with the Vector API. */
@Fork(value = 2, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector"})
public class ReduceVectorBenchmark extends ReduceBenchmark {
  /** Makes an instance; JMH does. */
  public ReduceVectorBenchmark() {}
}
