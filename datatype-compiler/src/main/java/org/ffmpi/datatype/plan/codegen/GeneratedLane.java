// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import org.ffmpi.base.raw.Memory;

/** A primitive type as generated classes use it, for moves of its width or as the component of an array. */
enum GeneratedLane {
  BYTE(1, TypeKind.BYTE, ConstantDescs.CD_byte, "Byte", "Byte"),
  SHORT(2, TypeKind.SHORT, ConstantDescs.CD_short, "Short", "Short"),
  CHAR(2, TypeKind.CHAR, ConstantDescs.CD_char, "Char", "Short"),
  INT(4, TypeKind.INT, ConstantDescs.CD_int, "Int", "Int"),
  FLOAT(4, TypeKind.FLOAT, ConstantDescs.CD_float, "Float", "Float"),
  LONG(8, TypeKind.LONG, ConstantDescs.CD_long, "Long", "Long"),
  DOUBLE(8, TypeKind.DOUBLE, ConstantDescs.CD_double, "Double", "Double");

  final int width;
  final int shift;
  final TypeKind kind;
  final ClassDesc type;

  /** Its name in the methods of {@link org.ffmpi.base.raw.Raw}. */
  final String word;

  /** The vector class; named, not linked. */
  final ClassDesc vector;

  /** The class of memory layouts and the constant for any alignment. */
  final ClassDesc layoutType;

  final String layout;

  GeneratedLane(int width, TypeKind kind, ClassDesc type, String word, String vector) {
    this.width = width;
    this.shift = Integer.numberOfTrailingZeros(width);
    this.kind = kind;
    this.type = type;
    this.word = word;
    this.vector = ClassDesc.of("jdk.incubator.vector." + vector + "Vector");
    this.layoutType = ClassDesc.of("java.lang.foreign.ValueLayout$Of" + word);
    this.layout = "JAVA_" + word.toUpperCase(java.util.Locale.ROOT) + (width == 1 ? "" : "_UNALIGNED");
  }

  /** Returns the lane that moves words of some bytes through integer registers. */
  static GeneratedLane ofWidth(int width) {
    return switch (width) {
      case 1 -> BYTE;
      case 2 -> SHORT;
      case 4 -> INT;
      case 8 -> LONG;
      default -> throw new IllegalArgumentException("width = " + width + ": allowed are 1, 2, 4, 8");
    };
  }

  /** Returns the component type of a kind of array; bytes for native memory; null for arrays without typed loops. */
  static GeneratedLane ofKind(int kind) {
    return switch (kind) {
      case Memory.NATIVE, Memory.BYTES -> BYTE;
      case Memory.CHARS -> CHAR;
      case Memory.SHORTS -> SHORT;
      case Memory.INTS -> INT;
      case Memory.LONGS -> LONG;
      case Memory.FLOATS -> FLOAT;
      case Memory.DOUBLES -> DOUBLE;
      default -> null;
    };
  }
}
