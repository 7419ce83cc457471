// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import org.ffmpi.CallListener;

/**
 * A listener that does nothing, to measure the cost of a listener:
 * {@code scripts/bench p2p --mpirun=--profile=org.ffmpi.bench.rank.SilentListener}.
 */
public final class SilentListener implements CallListener {
  /** Makes a listener: the agent does, once in each rank. */
  public SilentListener() {}
}
