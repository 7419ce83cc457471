// SPDX-License-Identifier: Apache-2.0
/**
 * Finds races, which are accesses to windows that nothing orders, loads and stores of the program among them, and
 * buffers that are used while a call has them. Loaded with {@code ffmpi.check=races} only.
 *
 * <p>Each rank has a {@link org.ffmpi.race.RankClock}, a vector with a number for every rank. A {@link
 * org.ffmpi.race.RaceEngine} and {@link org.ffmpi.race.RaceCollectives} send it along with the program's messages and
 * collective calls, a {@link org.ffmpi.race.WindowRaces} with the epochs of a window. An access is a {@link
 * org.ffmpi.race.SeenAccess} with the clock of its rank, from its start to the call that completes it; a {@link
 * org.ffmpi.race.PartShadow}, one for each part of a window, compares those that meet. Loads and stores come from
 * classes that a {@link org.ffmpi.race.RaceRewriter} has rewritten, through {@link org.ffmpi.race.RaceHook} and {@link
 * org.ffmpi.race.TrackedMemory}. The order is that of MPI-4.1 §12.7, in the unified memory model.
 */
package org.ffmpi.race;
