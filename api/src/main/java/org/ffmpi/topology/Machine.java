// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The resources that processors of a machine share. Read by {@link MachineReader}; immutable. An instance of a resource
 * is named by the lowest number of its processors, which is the same at all ranks of a machine.
 */
public final class Machine {
  /** Stands for no instance, or more than one. */
  public static final int NONE = -1;

  /** For each kind that the machine has: the instance of each processor, by its number; NONE where there is none. */
  private final Map<Resource, int[]> instances;

  private Machine(Map<Resource, int[]> instances) {
    this.instances = instances;
  }

  /** Collects the instances of resources. */
  static final class Builder {
    private final Map<Resource, Map<Integer, Integer>> found = new EnumMap<>(Resource.class);
    private final Set<Integer> processors;

    Builder(List<Integer> processors) {
      this.processors = Set.copyOf(processors);
      add(Resource.MACHINE, processors);
      for (int processor : processors) {
        add(Resource.PU, List.of(processor));
      }
    }

    /** Returns whether the instance of a processor is known. */
    boolean isKnown(Resource resource, int processor) {
      Map<Integer, Integer> known = found.get(resource);
      return known != null && known.containsKey(processor);
    }

    /** Adds an instance; processors that are not online are left out. */
    void add(Resource resource, List<Integer> sharing) {
      List<Integer> online = sharing.stream().filter(processors::contains).sorted().toList();
      Map<Integer, Integer> known = found.computeIfAbsent(resource, r -> new TreeMap<>());
      online.forEach(processor -> known.putIfAbsent(processor, online.getFirst()));
    }

    Machine build() {
      int most = processors.stream().mapToInt(p -> p).max().orElse(0);
      Map<Resource, int[]> instances = new EnumMap<>(Resource.class);
      found.forEach((resource, known) -> {
        int[] table = new int[most + 1];
        Arrays.fill(table, NONE);
        known.forEach((processor, instance) -> table[processor] = instance);
        instances.put(resource, table);
      });
      return new Machine(instances);
    }
  }

  /**
   * Returns the kinds of resources that this machine has.
   *
   * @return from the whole to the smallest
   */
  public List<Resource> resources() {
    return List.copyOf(instances.keySet());
  }

  /**
   * Returns how many instances of a kind there are.
   *
   * @param resource a kind
   * @return 0 or more
   */
  public int count(Resource resource) {
    int[] table = instances.get(resource);
    return table == null ? 0 : (int) Arrays.stream(table).filter(instance -> instance != NONE).distinct().count();
  }

  /**
   * Returns the instance that some processors all belong to.
   *
   * @param resource a kind
   * @param processors numbers of processors, as the kernel counts
   * @return the lowest processor of the instance; {@link #NONE} when they belong to several, or one to none
   */
  public int instance(Resource resource, int... processors) {
    int[] table = instances.get(resource);
    int common = NONE;
    if (table != null) {
      for (int processor : processors) {
        int instance = processor < 0 || processor >= table.length ? NONE : table[processor];
        if (instance == NONE || common != NONE && instance != common) {
          return NONE;
        }
        common = instance;
      }
    }
    return common;
  }

  /**
   * Returns the place of a set of processors.
   *
   * @param processors numbers of processors, as the kernel counts
   * @return for each {@link Resource}, by its ordinal, the instance that it cannot leave, or {@link #NONE}
   */
  public long[] place(int... processors) {
    long[] place = new long[Resource.values().length];
    for (Resource resource : Resource.values()) {
      place[resource.ordinal()] = instance(resource, processors);
    }
    return place;
  }

  /**
   * Describes the machine for messages.
   *
   * @return how many instances there are of each kind
   */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    for (Resource resource : resources()) {
      parts.add(count(resource) + " " + resource.uri());
    }
    return String.join(", ", parts);
  }
}
