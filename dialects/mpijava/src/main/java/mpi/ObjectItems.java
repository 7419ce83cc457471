// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Items of objects in an array, as indices of its elements.
 *
 * @param array where they are
 * @param offset index that the places of the first item count from
 * @param count number of items
 * @param shape their type
 */
record ObjectItems(Object[] array, int offset, int count, TypeShape shape) {
  /**
   * Returns items in an array.
   *
   * @throws MpiException ERR_BUFFER when they are not in it, ERR_COUNT when the count is negative
   */
  static ObjectItems of(Object buf, int offset, int count, Datatype type) {
    TypeShape shape = type.shape();
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more items");
    }
    if (buf == null && count == 0) {
      return new ObjectItems(new Object[0], 0, 0, shape);
    }
    if (!(buf instanceof Object[] array)) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "buf", ArrayRange.describeValue(buf), "arrays of objects for " + type);
    }
    ObjectItems items = new ObjectItems(array, offset, count, shape);
    items.check();
    return items;
  }

  private void check() {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int place : count == 0 ? new int[0] : shape.places) {
      long first = (long) offset + place;
      long last = first + (count - 1L) * shape.extent();
      low = Math.min(low, Math.min(first, last));
      high = Math.max(high, Math.max(first, last));
    }
    if (low < 0 || high >= array.length) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "offset " + offset + ", count " + count + " of " + shape.name,
          "elements " + low + ".." + high, "0.." + (array.length - 1) + ", the elements of the array");
    }
  }

  /** Returns new items that hold values, in an array of the same class as another one where they fit. */
  static ObjectItems holding(Object[] values, int count, TypeShape shape, Class<?> component) {
    long low = 0;
    long high = 0;
    for (int place : count == 0 ? new int[0] : shape.places) {
      long last = place + (count - 1L) * shape.extent();
      low = Math.min(low, Math.min(place, last));
      high = Math.max(high, Math.max(place, last) + 1);
    }
    Object[] array = (Object[]) Array.newInstance(component, Math.toIntExact(high - low));
    ObjectItems items = new ObjectItems(array, (int) -low, count, shape);
    items.set(values);
    return items;
  }

  /** Returns the number of elements. */
  int elements() {
    return count * shape.size;
  }

  private int index(int element) {
    return offset + element / shape.size * shape.extent() + shape.places[element % shape.size];
  }

  /** Returns the elements, one after the other. */
  Object[] get() {
    Object[] values = new Object[elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array[index(i)];
    }
    return values;
  }

  /**
   * Replaces elements by others, from the first on.
   *
   * @throws MpiException ERR_TRUNCATE for more values than elements, ERR_TYPE for one that does not fit the array
   */
  void set(Object[] values) {
    if (values.length > elements()) {
      throw MpiException.argument(ErrorClass.ERR_TRUNCATE, "count", count,
          "enough items for the " + values.length + " objects that have come; there is room for " + elements());
    }
    for (int i = 0; i < values.length; i++) {
      try {
        array[index(i)] = values[i];
      } catch (ArrayStoreException e) {
        throw new MpiException(ErrorClass.ERR_TYPE, "object " + i + " that has come is a "
            + values[i].getClass().getName() + ": the array is " + array.getClass().getComponentType().getName() + "[]",
            e);
      }
    }
  }
}
