// SPDX-License-Identifier: Apache-2.0
/**
 * The programs that ranks run, Java counterparts of the C programs under {@code src/main/c}, written against the public
 * API as a user would write them. They take the same arguments and answer with the same lines.
 *
 * <p>Unless {@code --profile isolated} is given, a program first goes through all of its cases for a while, and some
 * that are never measured, so that the library's methods have met every kind of memory before the first figure is
 * taken: the profile of a long-lived application, not that of a benchmark.
 */
package org.ffmpi.bench.rank;
