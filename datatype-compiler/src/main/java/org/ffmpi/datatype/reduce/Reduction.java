// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Basic;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.ReductionGroup;
import org.ffmpi.datatype.TypeTree;

/** Finds the kernel of a predefined operation for a datatype. */
public final class Reduction {
  private static final int TYPES = Basic.values().length;

  /** Filled on demand. Threads may race to create the same kernel; all such kernels are equal and immutable. */
  private static final ReduceKernel[] KERNELS = new ReduceKernel[PredefinedOp.values().length * TYPES];

  private Reduction() {}

  /**
   * Returns the kernel that applies an operation to elements of a type (MPI-4.1 §6.9.2).
   *
   * @param op the operation
   * @param type the elements' type
   * @return the kernel, the same at each call
   * @throws MpiException ERR_OP when the standard does not define the operation for the type, or Java cannot
   *     compute with the
   *     type ({@code long double}, quadruple precision, 128-bit integers)
   */
  public static ReduceKernel kernel(PredefinedOp op, Datatype<?> type) {
    if (!(type.tree() instanceof TypeTree.Named(Basic basic))) {
      throw refused(op, "not defined for datatype " + type + ", only for predefined types; use a user-defined"
          + " operation");
    }
    int slot = op.ordinal() * TYPES + basic.ordinal();
    ReduceKernel kernel = KERNELS[slot];
    if (kernel == null) {
      kernel = create(op, basic);
      KERNELS[slot] = kernel;
    }
    return kernel;
  }

  /**
   * Tells whether kernels use the Vector API: whether the JVM runs with {@code --add-modules jdk.incubator.vector}.
   *
   * @return true when vector kernels are in use
   */
  public static boolean usesVectors() {
    return VectorSupport.PRESENT;
  }

  private static ReduceKernel create(PredefinedOp op, Basic basic) {
    if (!op.isReduction()) {
      throw refused(op, "only one-sided operations take it, no reduction does");
    }
    if (!op.isValidFor(basic)) {
      String allowed = op.groups().stream().map(ReductionGroup::title).collect(Collectors.joining(", "));
      throw refused(op, "not defined for datatype " + basic.mpiName() + " (" + basic.reductionGroup().title()
          + "), only for: " + allowed);
    }
    ReduceKernel kernel = switch (basic.element()) {
      // Truth values are bytes, and bytes without a meaning are combined bit by bit.
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
      case INT128, LONG_DOUBLE, FLOAT128, COMPLEX_LONG_DOUBLE, COMPLEX_FLOAT128, LONG_DOUBLE_INT32 ->
          throw refused(op, "datatype " + basic.mpiName() + " can be sent and received but not reduced: Java has no"
              + " arithmetic for its elements; use a user-defined operation");
    };
    if (kernel == null) {
      throw new AssertionError("no kernel for " + op.mpiName() + " of " + basic.mpiName());
    }
    return kernel;
  }

  private static ReduceKernel complex(PredefinedOp op, ReduceKernel ofReals, ReduceKernel ofComplex) {
    return op == PredefinedOp.SUM ? new ComponentKernel(ofReals, 2) : ofComplex;
  }

  private static MpiException refused(PredefinedOp op, String reason) {
    return new MpiException(ErrorClass.ERR_OP, "op = " + op.mpiName() + ": " + reason);
  }
}
