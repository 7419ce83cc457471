// SPDX-License-Identifier: Apache-2.0

/**
 * Whole programs as users write them, which {@code scripts/bench apps} times from start to exit; each has its twin in C
 * in {@code jmh/src/main/c}, with the same algorithm, order of operations and messages.
 */
package org.ffmpi.bench.app;
