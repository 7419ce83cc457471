// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks of the parts of a message, ring, copying and reducing. Each runs with a clean profile and with a
 * polluted one, where the same methods have met every kind of memory before: a kernel that takes {@code MemorySegment}s
 * can be many times slower then, and a benchmark that does not look would never know. {@code scripts/bench kernels}
 * starts them and passes its arguments on to JMH.
 */
package org.ffmpi.bench.kernel;
