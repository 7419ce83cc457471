// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.RandomAccess;

/**
 * The types of a struct's members. A struct may have a million members of a few types, so each type is stored once, and
 * for each member the number of its type. Work that depends on types alone is then not done a million times.
 */
public final class MemberTypes extends AbstractList<TypeTree> implements RandomAccess {
  private final List<TypeTree> kinds;
  private final int[] kindOf;

  private MemberTypes(List<TypeTree> kinds, int[] kindOf) {
    this.kinds = kinds;
    this.kindOf = kindOf;
  }

  /** Returns the same types in the same order. */
  public static MemberTypes of(List<TypeTree> types) {
    Builder builder = new Builder(types.size());
    types.forEach(builder::add);
    return builder.build();
  }

  /** Collects the types of members one after the other. */
  public static final class Builder {
    /** Up to this many types a linear search is faster than a map. */
    private static final int FEW = 8;

    /** From this many types on, members have types of their own, and a search for equal ones only costs time. */
    private static final int MANY = 1024;

    private final int[] kindOf;
    private int members;
    private TypeTree[] kinds = new TypeTree[FEW];
    private int count;
    private IdentityHashMap<TypeTree, Integer> numbers;

    /** Creates a builder for so many members. */
    public Builder(int members) {
      kindOf = new int[members];
    }

    /** Adds the type of the next member. */
    public void add(TypeTree type) {
      kindOf[members++] = find(type);
    }

    private int find(TypeTree type) {
      for (int kind = 0; kind < count && kind < FEW; kind++) {
        if (kinds[kind] == type) {
          return kind;
        }
      }
      if (count > FEW && count < MANY) {
        Integer known = numbers.get(type);
        if (known != null) {
          return known;
        }
      }
      return append(type);
    }

    private int append(TypeTree type) {
      if (count == kinds.length) {
        kinds = Arrays.copyOf(kinds, 2 * count);
      }
      if (count >= FEW && count < MANY) {
        numbers = numbers == null ? new IdentityHashMap<>() : numbers;
        numbers.put(type, count);
      }
      kinds[count] = type;
      return count++;
    }

    /** Returns the types of all members. */
    public MemberTypes build() {
      return new MemberTypes(Collections.unmodifiableList(Arrays.asList(Arrays.copyOf(kinds, count))), kindOf);
    }
  }

  @Override
  public TypeTree get(int index) {
    return kinds.get(kindOf[index]);
  }

  @Override
  public int size() {
    return kindOf.length;
  }

  /** Returns each type once; where there are very many, types may repeat. */
  List<TypeTree> kinds() {
    return kinds;
  }

  /** Returns the number of each member's type in {@link #kinds}. Never written. */
  int[] kindOf() {
    return kindOf;
  }
}
