// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.carrier.Carrier;
import org.ffmpi.datatype.carrier.SegmentCarrier;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CountedMemory;

/**
 * Elements that are objects, in an array or a list of the program, and the native memory that stands for them in
 * messages. Engines and collectives see that memory only. Elements are written to it when an operation that reads them
 * starts, and read from it when one that has written them is complete, see {@link HeldMemory}.
 *
 * <p>The memory counts as counted memory, which keeps such buffers off the fast paths of calls, which use memory
 * directly. Any thread may start or complete an operation; those of two operations that write the same elements, or of
 * one that writes and another that reads them, must not overlap, as for any other memory.
 *
 * @param <T> class of the elements
 */
public final class ObjectElements<T> implements CountedMemory {
  /** The objects, of which those from {@code from} on are elements; an array is seen as a list. */
  private final List<T> objects;
  /** The container of the objects, for messages. */
  private final String holder;
  private final int from;
  private final Carrier<T> carrier;
  private final long extent;
  private final MemorySegment memory;

  private ObjectElements(List<T> objects, String holder, int from, long count, Datatype<T> type) {
    this.objects = objects;
    this.holder = holder;
    this.from = from;
    this.carrier = carrierOf(type);
    this.extent = type.extent();
    // Native, as most programs' own segments of records are: carriers that have seen arrays too become 30 times slower.
    this.memory = allocate(count, type);
  }

  private static MemorySegment allocate(long count, Datatype<?> type) {
    try {
      return Arena.ofAuto().allocate(Math.multiplyExact(count, type.extent()), TypeHandle.alignmentOf(type));
    } catch (ArithmeticException | OutOfMemoryError e) {
      throw new MpiException(
          ErrorClass.ERR_NO_MEM, "elements: there is no memory for " + count + " of extent " + type.extent(), e);
    }
  }

  /** Makes {@link Buf#of(Object[], int, int, Datatype)}. */
  public static <T> Buf<T> buf(T[] elements, int from, int count, Datatype<T> type) {
    BufImpl.checkType(type);
    checkRange("elements", elements.length, from, count);
    return BufImpl.ofObjects(
        new ObjectElements<>(
            Arrays.asList(elements), elements.getClass().getComponentType().getSimpleName() + "[]", from, count, type),
        count, type);
  }

  /** Makes {@link Buf#of(List, int, int, Datatype)}. */
  public static <T> Buf<T> buf(List<T> elements, int from, int count, Datatype<T> type) {
    BufImpl.checkType(type);
    if (elements == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "elements", null, "a list");
    }
    checkRange("elements", elements.size(), from, count);
    return BufImpl.ofObjects(new ObjectElements<>(elements, "list", from, count, type), count, type);
  }

  private static void checkRange(String argument, int size, int from, int count) {
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements");
    }
    if (from < 0 || from > size - count) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "from", from,
          "0.." + (size - count) + " for " + count + " of the " + size + " " + argument);
    }
  }

  private static <T> Carrier<T> carrierOf(Datatype<T> type) {
    Carrier<T> carrier = type.hasJavaForm() ? TypeHandle.of(type).carrier() : null;
    boolean apart = type.size() > 0 && type.trueLowerBound() >= 0
        && type.extent() >= type.trueLowerBound() + type.trueExtent();
    if (carrier == null || carrier instanceof SegmentCarrier || !apart) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type,
          "types of one object: records (Datatype.ofRecord) and single primitive values, with elements side by side");
    }
    return carrier;
  }

  // ---- the memory, as the rest of the library sees it

  @Override
  public MemorySegment segment() {
    return memory;
  }

  @Override
  public String missing() {
    return null;
  }

  @Override
  public Lease lease() {
    throw new AssertionError("elements are held by HeldMemory");
  }

  /** Returns how far apart elements lie in memory. */
  long extent() {
    return extent;
  }

  /**
   * Returns why elements cannot be received. Whether a list can be written shows only in a write, so an element is set
   * to itself.
   *
   * @param first number of an element, from this buffer's first one
   * @return the requirement that is not met, or null
   */
  String readOnly(long first) {
    int index = from + (int) first;
    if (index >= objects.size()) {
      return null; // the operation finds it
    }
    try {
      objects.set(index, objects.get(index));
      return null;
    } catch (UnsupportedOperationException e) {
      return "lists whose elements can be set, which List.of and unmodifiable lists do not allow; an array or"
          + " new ArrayList<>(list)";
    }
  }

  // ---- between objects and memory

  /**
   * Writes elements to memory.
   *
   * @throws MpiException ERR_BUFFER when one is null or the list has become too short, ERR_ARG when it has a part that
   *     is null or an array of another length
   */
  void encode(long first, long n) {
    int index = from + (int) first;
    int end = checkEnd(index, n);
    if (objects instanceof RandomAccess) {
      for (; index < end; index++) {
        write(index, objects.get(index));
      }
    } else {
      for (ListIterator<T> each = objects.listIterator(index); index < end; index++) {
        write(index, each.next());
      }
    }
  }

  private void write(int index, T element) {
    if (element == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, name(index), null, "objects, of which messages are made");
    }
    try {
      carrier.write(memory, (index - from) * extent, element);
    } catch (RuntimeException e) {
      throw failed(index, e);
    }
  }

  /**
   * Reads received elements from memory, and replaces those of the program by them.
   *
   * @param plan of the type
   * @param bytes the received bytes, as in the message; the last element may be incomplete, and its other parts stay
   */
  void decode(long first, Plan plan, long bytes) {
    long rest = bytes % plan.size();
    int index = from + (int) first;
    int end = checkEnd(index, (bytes + plan.size() - 1) / plan.size());
    int whole = rest > 0 ? end - 1 : end;
    if (objects instanceof RandomAccess) {
      for (; index < whole; index++) {
        objects.set(index, read(index));
      }
    } else {
      for (ListIterator<T> each = objects.listIterator(index); index < whole; index++) {
        each.next();
        each.set(read(index));
      }
    }
    if (rest > 0) {
      objects.set(index, partial(index, plan, rest));
    }
  }

  private T read(int index) {
    try {
      return carrier.read(memory, (index - from) * extent);
    } catch (RuntimeException e) {
      throw failed(index, e);
    }
  }

  /** Returns an element of which only the first bytes were received; the other parts are the old element's, or 0. */
  private T partial(int index, Plan plan, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment element = arena.allocate(extent, 16);
      MemorySegment packed = arena.allocate(bytes);
      T old = objects.get(index);
      if (old != null) {
        carrier.write(element, 0, old);
      }
      long place = Memory.offsetOf(memory) + (index - from) * extent;
      plan.pack(Memory.kindOf(memory), Memory.ownerOf(memory), place, 1, 0, bytes, Raw.address(packed));
      plan.unpack(Raw.address(packed), Memory.NATIVE, element, Raw.address(element), 1, 0, bytes);
      return carrier.read(element, 0);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  private int checkEnd(int index, long n) {
    if (n > objects.size() - index) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "size of " + holder, objects.size(),
          (index + n) + " and more, as when the Buf was made");
    }
    return index + (int) n;
  }

  private String name(int index) {
    return "element " + index + " of " + holder;
  }

  /** Returns the error of an accessor, a constructor or an element that does not fit, with the element's name. */
  private MpiException failed(int index, RuntimeException e) {
    return switch (e) {
      case MpiException known -> new MpiException(
          known.errorClass(), name(index) + ": "
              + known.getMessage().substring(known.errorClass().mpiName().length() + 2), known);
      case ClassCastException other ->
          new MpiException(ErrorClass.ERR_TYPE, name(index) + ": is not what the type is made for", other);
      default -> new MpiException(ErrorClass.ERR_OTHER, name(index) + ": the record has thrown " + e, e);
    };
  }

  /** Names the objects for messages. */
  @Override
  public String toString() {
    return holder;
  }
}
