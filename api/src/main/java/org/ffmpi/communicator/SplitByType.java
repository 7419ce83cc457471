// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.ffmpi.IntraComm;
import org.ffmpi.SplitType;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.World;
import org.ffmpi.topology.Machine;
import org.ffmpi.topology.Resource;

/**
 * The groups of {@link IntraComm#splitType}. Each rank encodes its request and its place as numbers; from those of all
 * ranks, each computes the same groups. Pure, except that {@link #encode} reads the machine.
 */
public final class SplitByType {
  /** Info key: kind of hardware to split by, or that was split by. */
  static final String RESOURCE_KEY = "mpi_hw_resource_type";

  /** Info key: process set to split by. */
  static final String PSET_KEY = "mpi_pset_name";

  /** The value of {@link #RESOURCE_KEY} that the standard itself defines. */
  private static final String SHARED_MEMORY = "mpi_shared_memory";

  // Indices of a rank's numbers; from PLACE on, its place.
  private static final int TYPE = 0;
  private static final int KEY = 1;
  private static final int SELECTOR = 2;
  private static final int INSTANCE = 3;
  private static final int PLACE = 4;

  /** Type of ranks that take part for the sake of others only. */
  private static final long UNDEFINED = -1;

  /** The selector of ranks that are grouped regardless of hardware; other selectors are kinds of hardware. */
  private static final long ALL = -1;

  private SplitByType() {}

  /** Encodes the request of a rank that wants no communicator. */
  static long[] encodeAbsence() {
    long[] said = new long[PLACE + Resource.values().length];
    Arrays.fill(said, Machine.NONE);
    return said;
  }

  /**
   * Encodes the request of a rank.
   *
   * @param info entries of the call's info
   * @param psets returns, for the name of a process set, the number of the set with this process, or NONE
   */
  static long[] encode(
      World world, SplitType type, int key, Map<String, String> info, Function<String, Integer> psets) {
    long[] said = encodeAbsence();
    said[TYPE] = type.code();
    said[KEY] = key;
    long[] place = Hardware.place(world);
    System.arraycopy(place, 0, said, PLACE, place.length);
    String wanted = info.get(RESOURCE_KEY);
    String pset = type == SplitType.RESOURCE_GUIDED ? info.get(PSET_KEY) : null;
    boolean guided = type == SplitType.HW_GUIDED || type == SplitType.RESOURCE_GUIDED;
    if (type == SplitType.SHARED || guided && SHARED_MEMORY.equals(wanted) && pset == null) {
      said[SELECTOR] = ALL;
      said[INSTANCE] = world.engine().node(world.engine().self());
    } else if (guided && wanted != null && pset == null) {
      Optional<Resource> resource = Resource.named(wanted);
      said[SELECTOR] = resource.map(Resource::ordinal).orElse(0);
      said[INSTANCE] = resource.map(r -> place[r.ordinal()]).orElse((long) Machine.NONE);
    } else if (pset != null && wanted == null) {
      said[SELECTOR] = Long.MIN_VALUE | Integer.toUnsignedLong(pset.hashCode());
      said[INSTANCE] = psets.apply(pset);
    }
    return said;
  }

  /**
   * The result of a split: the kind of hardware, where the library has chosen it, and the ranks of this rank's group.
   */
  record Result(Optional<Resource> chosen, int[] ranks) {}

  /**
   * Computes the group of a rank.
   *
   * @param all the encoded requests of all ranks, one after the other
   * @param rank this rank
   * @return the ranks in their new order; empty when this one gets no communicator
   * @throws MpiException ERR_ARG when ranks want different types
   */
  static Result result(long[] all, int rank) {
    int length = encodeAbsence().length;
    long[][] said = new long[all.length / length][];
    long type = UNDEFINED;
    for (int r = 0; r < said.length; r++) {
      said[r] = Arrays.copyOfRange(all, r * length, (r + 1) * length);
      if (type != UNDEFINED && said[r][TYPE] != UNDEFINED && said[r][TYPE] != type) {
        throw new MpiException(
            ErrorClass.ERR_ARG, "type: rank " + r + " gives another one than those before it: allowed is one for all");
      }
      type = said[r][TYPE] == UNDEFINED ? type : said[r][TYPE];
    }
    Optional<Resource> chosen = type == SplitType.HW_UNGUIDED.code() ? choose(said) : Optional.empty();
    chosen.ifPresent(resource -> {
      for (long[] one : said) {
        one[SELECTOR] = resource.ordinal();
        one[INSTANCE] = one[TYPE] == UNDEFINED ? Machine.NONE : one[PLACE + resource.ordinal()];
      }
    });
    long[] mine = said[rank];
    if (mine[INSTANCE] == Machine.NONE) {
      return new Result(Optional.empty(), new int[0]);
    }
    int[] ranks = IntStream.range(0, said.length)
        .filter(r -> said[r][SELECTOR] == mine[SELECTOR] && said[r][INSTANCE] == mine[INSTANCE])
        .boxed()
        .sorted(Comparator.comparingLong((Integer r) -> said[r][KEY])) // stable: equal keys stay in order
        .mapToInt(r -> r)
        .toArray();
    return new Result(chosen, ranks);
  }

  /**
   * Chooses the kind of hardware that splits the ranks into real parts, with as many of them as possible in one, and
   * then into as few parts as possible; of several such kinds the largest.
   */
  private static Optional<Resource> choose(long[][] said) {
    Resource best = null;
    long bestMembers = 0;
    long bestParts = 0;
    for (Resource resource : Resource.values()) {
      long[] instances = Arrays.stream(said)
          .filter(one -> one[TYPE] != UNDEFINED && one[PLACE + resource.ordinal()] != Machine.NONE)
          .mapToLong(one -> one[PLACE + resource.ordinal()])
          .toArray();
      long parts = Arrays.stream(instances).distinct().count();
      boolean real = parts > 1 || parts == 1 && instances.length < said.length;
      if (real
          && (instances.length > bestMembers || instances.length == bestMembers && parts < bestParts)) {
        best = resource;
        bestMembers = instances.length;
        bestParts = parts;
      }
    }
    return Optional.ofNullable(best);
  }
}
