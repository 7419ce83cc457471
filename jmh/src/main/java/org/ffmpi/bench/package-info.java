// SPDX-License-Identifier: Apache-2.0
/**
 * The multi-process benchmark suite behind {@code scripts/bench}.
 *
 * <p>{@link org.ffmpi.bench.Bench} picks a {@code Suite} of the table {@code Suites} by the subcommand. {@code
 * Campaign} runs each implementation once in every round, so that slow changes of the machine meet all of them, and
 * measures again the points that other work on the cores has spoilt. The programs are rank programs, in C under {@code
 * src/main/c} and in Java in {@code org.ffmpi.bench.rank}; both take the same work as arguments and answer with the
 * same lines ({@code work.h} describes them).
 *
 * <p>A new suite is a row of {@code Suites} and a rank program in each language; options, rounds, table and CSV come
 * with the frame. A suite that needs jobs of its own has a {@code Measurement} of its own.
 */
package org.ffmpi.bench;
