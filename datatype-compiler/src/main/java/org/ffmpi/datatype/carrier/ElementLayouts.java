// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ffmpi.datatype.basic.Element;

/**
 * The layouts of predefined types. Complex numbers are structs of two reals, pairs structs of value and index, numbers
 * that Java has no type for sequences of words or bytes.
 */
final class ElementLayouts {
  private final boolean aligned;

  /**
   * Chooses between natural alignment and none.
   *
   * @param aligned whether values get their natural alignment; 1 otherwise
   */
  ElementLayouts(boolean aligned) {
    this.aligned = aligned;
  }

  /** Returns the data of an element, with the padding that belongs to it. */
  LayoutPiece piece(Element element) {
    return switch (element) {
      case FLOAT32_INT32 -> pair(Element.FLOAT32, Element.INT32, element);
      case FLOAT64_INT32 -> pair(Element.FLOAT64, Element.INT32, element);
      case INT64_INT32 -> pair(Element.INT64, Element.INT32, element);
      case INT32_INT32 -> pair(Element.INT32, Element.INT32, element);
      case INT16_INT32 -> pair(Element.INT16, Element.INT32, element);
      case LONG_DOUBLE_INT32 -> pair(Element.LONG_DOUBLE, Element.INT32, element);
      case FLOAT32_FLOAT32 -> pair(Element.FLOAT32, Element.FLOAT32, element);
      case FLOAT64_FLOAT64 -> pair(Element.FLOAT64, Element.FLOAT64, element);
      default -> LayoutPiece.of(simple(element), simple(element));
    };
  }

  private MemoryLayout simple(Element element) {
    return switch (element) {
      case OCTET, INT8, UINT8 -> value(ValueLayout.JAVA_BYTE);
      case BOOL -> value(ValueLayout.JAVA_BOOLEAN);
      case UINT16 -> value(ValueLayout.JAVA_CHAR);
      case INT16, FLOAT16 -> value(ValueLayout.JAVA_SHORT);
      case INT32, UINT32 -> value(ValueLayout.JAVA_INT);
      case INT64, UINT64 -> value(ValueLayout.JAVA_LONG);
      case FLOAT32 -> value(ValueLayout.JAVA_FLOAT);
      case FLOAT64 -> value(ValueLayout.JAVA_DOUBLE);
      case INT128 -> wide(MemoryLayout.sequenceLayout(2, value(ValueLayout.JAVA_LONG)));
      case LONG_DOUBLE, FLOAT128 -> wide(MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_BYTE));
      case COMPLEX_FLOAT16 -> complex(Element.FLOAT16);
      case COMPLEX_FLOAT32 -> complex(Element.FLOAT32);
      case COMPLEX_FLOAT64 -> complex(Element.FLOAT64);
      case COMPLEX_LONG_DOUBLE -> complex(Element.LONG_DOUBLE);
      case COMPLEX_FLOAT128 -> complex(Element.FLOAT128);
      default -> throw new AssertionError(element);
    };
  }

  private MemoryLayout value(ValueLayout layout) {
    return aligned ? layout : layout.withByteAlignment(1);
  }

  private MemoryLayout wide(SequenceLayout words) {
    return aligned ? words.withByteAlignment(words.byteSize()) : words;
  }

  private MemoryLayout complex(Element real) {
    return MemoryLayout.structLayout(simple(real).withName("re"), simple(real).withName("im"));
  }

  private LayoutPiece pair(Element value, Element index, Element pair) {
    Element.Part second = pair.parts().get(1);
    try {
      LayoutPiece piece = LayoutPiece.sequence(List.of(
          piece(value).named("value"), piece(index).named("index").shifted(second.displacement())));
      return LayoutPiece.of(piece.exact(), piece.fill(0, pair.bounds().extent()));
    } catch (LayoutPiece.Unsuitable e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a layout as it is or, where alignment is given up, with alignment 1 throughout. */
  MemoryLayout withAlignment(MemoryLayout layout) {
    return aligned ? layout : packed(layout);
  }

  private static MemoryLayout packed(MemoryLayout layout) {
    MemoryLayout packed = switch (layout) {
      case ValueLayout value -> value.withByteAlignment(1);
      case PaddingLayout padding -> padding.withByteAlignment(1);
      case SequenceLayout sequence ->
          MemoryLayout.sequenceLayout(sequence.elementCount(), packed(sequence.elementLayout()));
      case StructLayout struct -> MemoryLayout.structLayout(packedMembers(struct));
      case UnionLayout union -> MemoryLayout.unionLayout(packedMembers(union));
    };
    return layout.name().map(packed::withName).orElse(packed);
  }

  private static MemoryLayout[] packedMembers(GroupLayout group) {
    return group.memberLayouts().stream().map(ElementLayouts::packed).toArray(MemoryLayout[]::new);
  }
}
