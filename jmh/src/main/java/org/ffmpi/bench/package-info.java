// SPDX-License-Identifier: Apache-2.0
/**
 * The multi-process benchmark suite behind {@code scripts/bench}.
 *
 * <p>{@link org.ffmpi.bench.Bench} picks a {@code Suite} by the subcommand; {@code Campaign} runs it: in every round
 * each implementation once, so that a change of the machine's mood meets all of them, and again what other work on the
 * cores has spoilt. What is run are rank programs, in C under {@code src/main/c} and in Java in
 * {@code org.ffmpi.bench.rank}; both take the same work as arguments and answer with the same lines ({@code bench.h}
 * describes them).
 *
 * <p>A new suite is one class that implements {@code Suite} (for rank programs: extends {@code RankSuite}), a rank
 * program in each language, and a line in {@code Bench}; options, rounds, table and CSV come with the frame.
 */
package org.ffmpi.bench;
