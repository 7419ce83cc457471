// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.ArrayList;
import java.util.List;

/** All algorithms, by operation and name. */
final class Algorithms {
  private static final Algorithm[] ALL = {
    new DisseminationBarrier(),
    new BinomialBcast(), new ChainBcast(),
    new LinearGather(), new BinomialGather(),
    new LinearAllgather(), new RingAllgather(),
    new BinomialReduce(),
    new RecursiveDoublingAllreduce(), new HalvingAllreduce(), new RingAllreduce(),
  };

  private Algorithms() {}

  /** Returns the algorithm with that name, or null. */
  static Algorithm find(Collective collective, String name) {
    for (Algorithm algorithm : ALL) {
      if (algorithm.collective() == collective && algorithm.name().equals(name)) {
        return algorithm;
      }
    }
    return null;
  }

  /** Returns the algorithms of an operation. */
  static List<Algorithm> of(Collective collective) {
    List<Algorithm> found = new ArrayList<>();
    for (Algorithm algorithm : ALL) {
      if (algorithm.collective() == collective) {
        found.add(algorithm);
      }
    }
    return found;
  }
}
