// SPDX-License-Identifier: Apache-2.0
/**
 * The derived types that both the ping-pongs and the kernel benchmarks use, named as in the C programs, and checks
 * of their effects that do not rely on the type algebra.
 */
package org.ffmpi.bench.type;
