// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.ReductionGroup;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.tree.ReductionUnit;
import org.ffmpi.datatype.tree.TypeTree;

/** The kernels of the predefined operations, by operation and datatype. */
public final class ReduceKernels {
  private static final int TYPES = Basic.values().length;

  /** Filled on demand. Threads may race to create the same kernel; all such kernels are equal and immutable. */
  private static final ReduceKernel[] KERNELS = new ReduceKernel[PredefinedOp.values().length * TYPES];

  /** Of elements in a kernel's kind: more than the operations, and without a divisor in common with 31. */
  private static final int FACTOR = 20;

  private ReduceKernels() {}

  /**
   * Returns the kernel that applies an operation to elements of a type (MPI-4.1 §6.9.2 and §6.9.4).
   *
   * <p>The standard allows predefined types only. Here a derived type is allowed, too, if all its data are of one
   * predefined type: they are combined one by one, in place, as {@code MPI_Accumulate} does.
   *
   * @param op the operation
   * @param type the elements' type
   * @return the kernel; for a predefined type with a name the same at each call
   * @throws MpiException ERR_OP when the standard does not define the operation for the type, or a derived type mixes
   *     several; ERR_TYPE when a derived type is not committed
   */
  public static ReduceKernel kernel(PredefinedOp op, Datatype<?> type) {
    TypeHandle<?> handle = TypeHandle.of(type);
    if (handle.tree() instanceof TypeTree.Named(Basic basic)) {
      return kernel(op, basic);
    }
    ReductionUnit unit = handle.reductionUnit().orElseThrow(() -> refused(op, "not defined for datatype " + type
        + ", only for predefined types and for types whose data are all of one of them; use a user-defined operation"));
    ReduceKernel ofUnits = ofUnit(op, unit);
    Bounds bounds = unit.bounds();
    boolean alike = type.size() == bounds.size() && type.extent() == bounds.extent() && type.trueLowerBound() == 0;
    return alike
        ? ofUnits
        : new PlanKernel(ofUnits, PlanCompiler.compile(unit.shape(), bounds.extent()), handle.plan());
  }

  /** Returns the kernel for elements that lie as units do. Throws ERR_OP when the operation is not defined for them. */
  static ReduceKernel ofUnit(PredefinedOp op, ReductionUnit unit) {
    return switch (unit) {
      case ReductionUnit.Single(Basic basic) -> kernel(op, basic);
      case ReductionUnit.Pair pair -> {
        checkGroup(op, ReductionGroup.PAIR,
            "pair of " + pair.value().mpiName() + " and " + pair.index().mpiName());
        yield located(op, pair);
      }
    };
  }

  private static ReduceKernel kernel(PredefinedOp op, Basic basic) {
    int slot = op.ordinal() * TYPES + basic.ordinal();
    ReduceKernel kernel = KERNELS[slot];
    if (kernel == null) {
      kernel = create(op, basic);
      KERNELS[slot] = kernel;
    }
    return kernel;
  }

  /**
   * Returns whether kernels use the Vector API: whether the JVM runs with {@code --add-modules jdk.incubator.vector}.
   *
   * @return true when vector kernels are in use
   */
  public static boolean usesVectors() {
    return VectorSupport.PRESENT;
  }

  private static ReduceKernel create(PredefinedOp op, Basic basic) {
    checkGroup(op, basic.reductionGroup(), basic.mpiName());
    ReduceKernel kernel = switch (basic.element()) {
      // Truth values are bytes; uninterpreted bytes are combined bit by bit.
      case INT8, BOOL, OCTET -> Int8Kernels.of(op);
      case UINT8 -> UInt8Kernels.of(op);
      case INT16 -> Int16Kernels.of(op);
      case UINT16 -> UInt16Kernels.of(op);
      case INT32 -> Int32Kernels.of(op);
      case UINT32 -> UInt32Kernels.of(op);
      case INT64 -> Int64Kernels.of(op);
      case UINT64 -> UInt64Kernels.of(op);
      case FLOAT16 -> Float16Kernels.of(op);
      case FLOAT32 -> Float32Kernels.of(op);
      case FLOAT64 -> Float64Kernels.of(op);
      case COMPLEX_FLOAT16 -> complex(op, Float16Kernels.of(op), ComplexFloat16Kernels.of(op));
      case COMPLEX_FLOAT32 -> complex(op, Float32Kernels.of(op), ComplexFloat32Kernels.of(op));
      case COMPLEX_FLOAT64 -> complex(op, Float64Kernels.of(op), ComplexFloat64Kernels.of(op));
      case FLOAT32_INT32 -> Float32Int32Kernels.of(op);
      case FLOAT64_INT32 -> Float64Int32Kernels.of(op);
      case INT64_INT32 -> Int64Int32Kernels.of(op);
      case INT32_INT32 -> Int32Int32Kernels.of(op);
      case INT16_INT32 -> Int16Int32Kernels.of(op);
      case FLOAT32_FLOAT32 -> Float32Float32Kernels.of(op);
      case FLOAT64_FLOAT64 -> Float64Float64Kernels.of(op);
      case INT128 -> int128(op);
      case LONG_DOUBLE -> wide(op, StoredNumber.LONG_DOUBLE, WideFormat.LONG_DOUBLE);
      case FLOAT128 -> wide(op, StoredNumber.FLOAT128, WideFormat.QUADRUPLE);
      case COMPLEX_LONG_DOUBLE -> wideComplex(op, WideFormat.LONG_DOUBLE);
      case COMPLEX_FLOAT128 -> wideComplex(op, WideFormat.QUADRUPLE);
      case LONG_DOUBLE_INT32 -> located(op, new ReductionUnit.Pair(Basic.LONG_DOUBLE, Basic.INT));
    };
    if (kernel == null) {
      throw new AssertionError("no kernel for " + op.mpiName() + " of " + basic.mpiName());
    }
    if (kernel instanceof ElementKernel numbers && basic.reductionGroup() != ReductionGroup.PAIR) {
      numbers.kind(1 + op.ordinal() + FACTOR * basic.element().ordinal());
    }
    return kernel;
  }

  private static void checkGroup(PredefinedOp op, ReductionGroup group, String type) {
    if (!op.isReduction()) {
      throw refused(op, "defined for one-sided operations only, not for reductions");
    }
    if (!op.groups().contains(group)) {
      String allowed = op.groups().stream().map(ReductionGroup::title).collect(Collectors.joining(", "));
      throw refused(op, "not defined for datatype " + type + " (" + group.title() + "), only for: " + allowed);
    }
  }

  private static ReduceKernel located(PredefinedOp op, ReductionUnit.Pair pair) {
    return new ValueIndexKernel(op, pair.value().element(), pair.index().element(), pair.indexDisplacement(),
        (int) pair.bounds().extent());
  }

  private static ReduceKernel complex(PredefinedOp op, ReduceKernel ofReals, ReduceKernel ofComplex) {
    return op == PredefinedOp.SUM ? new ComponentKernel(ofReals, 2) : ofComplex;
  }

  private static ReduceKernel wide(PredefinedOp op, StoredNumber number, WideFormat format) {
    return switch (op) {
      case SUM -> new WideArithmeticKernel(WideArithmeticKernel.Operation.SUM, format);
      case PROD -> new WideArithmeticKernel(WideArithmeticKernel.Operation.PRODUCT, format);
      case MAX, MIN -> new WideExtremeKernel(op, number);
      default -> null;
    };
  }

  private static ReduceKernel wideComplex(PredefinedOp op, WideFormat format) {
    return switch (op) {
      case SUM -> new ComponentKernel(new WideArithmeticKernel(WideArithmeticKernel.Operation.SUM, format), 2);
      case PROD -> new WideArithmeticKernel(WideArithmeticKernel.Operation.COMPLEX_PRODUCT, format);
      default -> null;
    };
  }

  /** For bitwise operations an integer of two words is two integers. */
  private static ReduceKernel int128(PredefinedOp op) {
    return switch (op) {
      case BAND, BOR, BXOR -> new ComponentKernel(Int64Kernels.of(op), 2);
      default -> Int128Kernels.of(op);
    };
  }

  private static MpiException refused(PredefinedOp op, String reason) {
    return new MpiException(ErrorClass.ERR_OP, "op = " + op.mpiName() + ": " + reason);
  }
}
