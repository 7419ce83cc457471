// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * The access of generated code to the memory on one side of a copy. A position is a local variable, {@code base}, plus
 * a constant number of bytes.
 *
 * <p>Values wider than 8 bytes are vectors; their instructions are written out in the generated class, which is the
 * only one that has to be linked against the Vector API.
 */
abstract sealed class GeneratedSide {
  static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
  static final ClassDesc RAW = ClassDesc.of("org.ffmpi.base.raw.Raw");
  private static final ClassDesc ORDER = ClassDesc.of("java.nio.ByteOrder");
  private static final ClassDesc LAYOUTS = ClassDesc.of("java.lang.foreign.ValueLayout");
  private static final ClassDesc BYTE_ACCESS = inPackage("GeneratedByteAccess");
  private static final ClassDesc SPECIES = ClassDesc.of("jdk.incubator.vector.VectorSpecies");

  /** The component type, also of vectors: those of another type are not compiled to one instruction. */
  final GeneratedLane lane;

  GeneratedSide(GeneratedLane lane) {
    this.lane = lane;
  }

  /** Returns a class of this package. */
  static ClassDesc inPackage(String name) {
    return ClassDesc.of(GeneratedSide.class.getPackageName() + "." + name);
  }

  // ---- what differs

  /** Returns the type of a base variable. */
  abstract TypeKind baseKind();

  /** Returns the bytes of one step of a base variable, as a shift. */
  int unit() {
    return 0;
  }

  /** Pushes a scalar. */
  abstract void load(CodeBuilder code, GeneratedLane value, int base, long offset);

  /** Pushes the operands that lie below the value, for {@link #store}. */
  abstract void prepareStore(CodeBuilder code, GeneratedLane value, int base, long offset);

  /** Stores a scalar from the stack. */
  abstract void store(CodeBuilder code, GeneratedLane value);

  abstract void loadVector(CodeBuilder code, int bytes, int base, long offset);

  abstract void storeVector(CodeBuilder code, int base, long offset);

  /** Returns the lane that moves words of a width: the arrays' components, where they are typed. */
  GeneratedLane scalar(int width) {
    return GeneratedLane.ofWidth(width);
  }

  /** Pushes the base variable's value, advanced by some bytes. */
  final void position(CodeBuilder code, int base, long offset) {
    if (baseKind() == TypeKind.LONG) {
      code.lload(base);
      if (offset != 0) {
        code.loadConstant(offset).ladd();
      }
    } else {
      code.iload(base);
      if (offset != 0) {
        code.loadConstant((int) (offset >> unit())).iadd();
      }
    }
  }

  /** Pushes the same in the unit of {@link org.ffmpi.base.raw.Memory}, a long in bytes. */
  final void bytePosition(CodeBuilder code, int base, long offset) {
    position(code, base, offset);
    if (baseKind() == TypeKind.INT) {
      code.i2l().loadConstant(unit()).lshl();
    }
  }

  final void species(CodeBuilder code, int bytes) {
    code.getstatic(lane.vector, "SPECIES_" + 8 * bytes, SPECIES);
  }

  static void order(CodeBuilder code) {
    code.invokestatic(ORDER, "nativeOrder", MethodTypeDesc.of(ORDER));
  }

  private static MethodTypeDesc fromSegment(ClassDesc vector) {
    return MethodTypeDesc.of(vector, SPECIES, SEGMENT, ConstantDescs.CD_long, ORDER);
  }

  private static MethodTypeDesc intoSegment() {
    return MethodTypeDesc.of(ConstantDescs.CD_void, SEGMENT, ConstantDescs.CD_long, ORDER);
  }

  // ---- native memory

  /** Absolute addresses. */
  static final class Native extends GeneratedSide {
    Native(GeneratedLane lane) {
      super(lane);
    }

    @Override
    TypeKind baseKind() {
      return TypeKind.LONG;
    }

    @Override
    void load(CodeBuilder code, GeneratedLane value, int base, long offset) {
      prepareStore(code, value, base, offset);
      code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(value.type, value.layoutType, ConstantDescs.CD_long));
    }

    @Override
    void prepareStore(CodeBuilder code, GeneratedLane value, int base, long offset) {
      code.getstatic(RAW, "EVERYTHING", SEGMENT).getstatic(LAYOUTS, value.layout, value.layoutType);
      position(code, base, offset);
    }

    @Override
    void store(CodeBuilder code, GeneratedLane value) {
      code.invokeinterface(
          SEGMENT, "set",
          MethodTypeDesc.of(ConstantDescs.CD_void, value.layoutType, ConstantDescs.CD_long, value.type));
    }

    @Override
    void loadVector(CodeBuilder code, int bytes, int base, long offset) {
      species(code, bytes);
      code.getstatic(RAW, "EVERYTHING", SEGMENT);
      position(code, base, offset);
      order(code);
      code.invokestatic(lane.vector, "fromMemorySegment", fromSegment(lane.vector));
    }

    @Override
    void storeVector(CodeBuilder code, int base, long offset) {
      code.getstatic(RAW, "EVERYTHING", SEGMENT);
      position(code, base, offset);
      order(code);
      code.invokevirtual(lane.vector, "intoMemorySegment", intoSegment());
    }
  }

  // ---- arrays

  /** An array whose accesses are all of whole components, which the JVM compiles best. */
  static final class Typed extends GeneratedSide {
    private final int array;

    Typed(GeneratedLane lane, int array) {
      super(lane);
      this.array = array;
    }

    @Override
    TypeKind baseKind() {
      return TypeKind.INT;
    }

    @Override
    int unit() {
      return lane.shift;
    }

    @Override
    GeneratedLane scalar(int width) {
      return lane;
    }

    @Override
    void load(CodeBuilder code, GeneratedLane value, int base, long offset) {
      code.aload(array);
      position(code, base, offset);
      code.arrayLoad(lane.kind);
    }

    @Override
    void prepareStore(CodeBuilder code, GeneratedLane value, int base, long offset) {
      code.aload(array);
      position(code, base, offset);
    }

    @Override
    void store(CodeBuilder code, GeneratedLane value) {
      code.arrayStore(lane.kind);
    }

    @Override
    void loadVector(CodeBuilder code, int bytes, int base, long offset) {
      loadArrayVector(code, this, array, bytes, base, offset);
    }

    @Override
    void storeVector(CodeBuilder code, int base, long offset) {
      storeArrayVector(code, this, array, base, offset);
    }
  }

  private static void loadArrayVector(
      CodeBuilder code, GeneratedSide side, int array, int bytes, int base, long offset) {
    GeneratedLane lane = side.lane;
    side.species(code, bytes);
    code.aload(array);
    side.position(code, base, offset);
    code.invokestatic(
        lane.vector, lane == GeneratedLane.CHAR ? "fromCharArray" : "fromArray",
        MethodTypeDesc.of(lane.vector, SPECIES, lane.type.arrayType(), ConstantDescs.CD_int));
  }

  private static void storeArrayVector(CodeBuilder code, GeneratedSide side, int array, int base, long offset) {
    GeneratedLane lane = side.lane;
    code.aload(array);
    side.position(code, base, offset);
    code.invokevirtual(
        lane.vector, lane == GeneratedLane.CHAR ? "intoCharArray" : "intoArray",
        MethodTypeDesc.of(ConstantDescs.CD_void, lane.type.arrayType(), ConstantDescs.CD_int));
  }

  /** A {@code byte[]}, which may be read and written by words at any index. */
  static final class Bytes extends GeneratedSide {
    private final int array;

    Bytes(int array) {
      super(GeneratedLane.BYTE);
      this.array = array;
    }

    @Override
    TypeKind baseKind() {
      return TypeKind.INT;
    }

    @Override
    void load(CodeBuilder code, GeneratedLane value, int base, long offset) {
      prepareStore(code, value, base, offset);
      if (value.width == 1) {
        code.baload();
      } else {
        code.invokevirtual(
            ConstantDescs.CD_VarHandle, "get",
            MethodTypeDesc.of(value.type, lane.type.arrayType(), ConstantDescs.CD_int));
      }
    }

    @Override
    void prepareStore(CodeBuilder code, GeneratedLane value, int base, long offset) {
      if (value.width > 1) {
        code.getstatic(BYTE_ACCESS, value.name(), ConstantDescs.CD_VarHandle);
      }
      code.aload(array);
      position(code, base, offset);
    }

    @Override
    void store(CodeBuilder code, GeneratedLane value) {
      if (value.width == 1) {
        code.bastore();
      } else {
        code.invokevirtual(
            ConstantDescs.CD_VarHandle, "set",
            MethodTypeDesc.of(ConstantDescs.CD_void, lane.type.arrayType(), ConstantDescs.CD_int, value.type));
      }
    }

    @Override
    void loadVector(CodeBuilder code, int bytes, int base, long offset) {
      loadArrayVector(code, this, array, bytes, base, offset);
    }

    @Override
    void storeVector(CodeBuilder code, int base, long offset) {
      storeArrayVector(code, this, array, base, offset);
    }
  }

  /**
   * Any array by words at any byte, through a heap segment made in the same method, where its class is known regardless
   * of other segments.
   */
  static final class Segment extends GeneratedSide {
    private final int segment;

    Segment(GeneratedLane lane, int segment) {
      super(lane);
      this.segment = segment;
    }

    @Override
    TypeKind baseKind() {
      return TypeKind.LONG;
    }


    @Override
    void load(CodeBuilder code, GeneratedLane value, int base, long offset) {
      prepareStore(code, value, base, offset);
      code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(value.type, value.layoutType, ConstantDescs.CD_long));
    }

    @Override
    void prepareStore(CodeBuilder code, GeneratedLane value, int base, long offset) {
      code.aload(segment).getstatic(LAYOUTS, value.layout, value.layoutType);
      position(code, base, offset);
    }

    @Override
    void store(CodeBuilder code, GeneratedLane value) {
      code.invokeinterface(
          SEGMENT, "set",
          MethodTypeDesc.of(ConstantDescs.CD_void, value.layoutType, ConstantDescs.CD_long, value.type));
    }

    @Override
    void loadVector(CodeBuilder code, int bytes, int base, long offset) {
      species(code, bytes);
      code.aload(segment);
      position(code, base, offset);
      order(code);
      code.invokestatic(lane.vector, "fromMemorySegment", fromSegment(lane.vector));
    }

    @Override
    void storeVector(CodeBuilder code, int base, long offset) {
      code.aload(segment);
      position(code, base, offset);
      order(code);
      code.invokevirtual(lane.vector, "intoMemorySegment", intoSegment());
    }
  }
}
