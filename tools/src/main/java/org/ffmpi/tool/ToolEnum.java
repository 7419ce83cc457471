// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Standard;

/**
 * Names for the values of a variable, or for the elements of an event (MPI-4.1 section 15.3.5). Immutable; any thread.
 * No call blocks.
 */
public final class ToolEnum {
  private final String name;
  private final List<Item> items;

  /**
   * One named value.
   *
   * @param value the value
   * @param name its name
   */
  public record Item(int value, String name) {}

  ToolEnum(String name, List<String> names) {
    this.name = name;
    List<Item> all = new ArrayList<>();
    for (String one : names) {
      all.add(new Item(all.size(), one));
    }
    this.items = List.copyOf(all);
  }

  /**
   * Returns the name of the enumeration ({@code MPI_T_enum_get_info}, MPI-4.1 section 15.3.5).
   *
   * @return its name
   */
  @Standard("MPI_T_enum_get_info")
  public String name() {
    return name;
  }

  /**
   * Returns the number of items ({@code MPI_T_enum_get_info}, MPI-4.1 section 15.3.5).
   *
   * @return their number
   */
  @Standard("MPI_T_enum_get_info")
  public int size() {
    return items.size();
  }

  /**
   * Returns one item ({@code MPI_T_enum_get_item}, MPI-4.1 section 15.3.5).
   *
   * @param index from 0 to {@link #size} - 1
   * @return value and name
   * @throws ToolException T_ERR_INVALID_ITEM for any other index
   */
  @Standard("MPI_T_enum_get_item")
  public Item item(int index) {
    if (index < 0 || index >= items.size()) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID_ITEM, "index", index, "0.." + (items.size() - 1));
    }
    return items.get(index);
  }

  /**
   * Returns all items.
   *
   * @return the items in the order of their indices
   */
  public List<Item> items() {
    return items;
  }

  @Override
  public String toString() {
    return name + " " + items.stream().map(Item::name).toList();
  }
}
