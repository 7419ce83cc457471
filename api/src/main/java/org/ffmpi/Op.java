// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import java.util.function.BinaryOperator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.HeldMemory;
import org.ffmpi.buffer.JavaForms;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.UserFunction;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.datatype.reduce.ReduceKernels;
import org.ffmpi.datatype.reduce.ReductionLoop;
import org.ffmpi.datatype.reduce.UserOperation;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.CollectiveCall;

/**
 * A reduction operation ({@code MPI_Op}, MPI-4.1 §6.9): one of the predefined ones, or a program's own. Any thread and
 * any world may use it.
 *
 * {@snippet :
 * world.allreduce(Buf.of(mine), Buf.of(sum), Op.SUM);
 * world.allreduce(Buf.of(error), Op.MAX);               // in place
 *
 * record Complex(double re, double im) {
 *   Complex times(Complex o) { return new Complex(re * o.re - im * o.im, re * o.im + im * o.re); }
 * }
 * static final Datatype<Complex> COMPLEX = Datatype.ofRecord(Complex.class).commit();
 * static final Op<Complex> PRODUCT = Op.commutative(COMPLEX, Complex::times);
 * world.allreduce(Buf.of(segment, n, COMPLEX), PRODUCT);
 * world.allreduce(Buf.of(new Complex[] {mine}), PRODUCT);
 * }
 *
 * <p>Which predefined operations go with which types is the standard's table (MPI-4.1 §6.9.2); the others are refused
 * with ERR_OP. So are types that a program's own operation is not made for.
 *
 * <p>A program's own operation has to be associative. Results of one that is {@linkplain #ordered ordered} have the
 * operands in the order of ranks, beginning with rank 0; only how they are put in brackets is open. A commutative one
 * lets the library choose the order as well; it chooses the same in each run, regardless of arrival. The function must
 * not communicate, which is refused with ERR_OTHER; what it throws is the error of the reduction, at the rank where it
 * ran.
 *
 * @param <T> what one element is in Java; {@code Object} for the operations that serve many types
 */
@Standard({"MPI_Op"})
public final class Op<T> implements AutoCloseable {
  /** {@code MPI_MAX}: the greater one. */
  @Standard({"MPI_MAX"})
  public static final Op<Object> MAX = new Op<>(PredefinedOp.MAX);

  /** {@code MPI_MIN}: the smaller one. */
  @Standard({"MPI_MIN"})
  public static final Op<Object> MIN = new Op<>(PredefinedOp.MIN);

  /** {@code MPI_SUM}: the sum; integers wrap round. */
  @Standard({"MPI_SUM"})
  public static final Op<Object> SUM = new Op<>(PredefinedOp.SUM);

  /** {@code MPI_PROD}: the product; integers wrap round. */
  @Standard({"MPI_PROD"})
  public static final Op<Object> PROD = new Op<>(PredefinedOp.PROD);

  /** {@code MPI_LAND}: 1 when both are not 0, otherwise 0. */
  @Standard({"MPI_LAND"})
  public static final Op<Object> LAND = new Op<>(PredefinedOp.LAND);

  /** {@code MPI_LOR}: 1 when one or both are not 0, otherwise 0. */
  @Standard({"MPI_LOR"})
  public static final Op<Object> LOR = new Op<>(PredefinedOp.LOR);

  /** {@code MPI_LXOR}: 1 when exactly one is not 0, otherwise 0. */
  @Standard({"MPI_LXOR"})
  public static final Op<Object> LXOR = new Op<>(PredefinedOp.LXOR);

  /** {@code MPI_BAND}: and, bit by bit. */
  @Standard({"MPI_BAND"})
  public static final Op<Object> BAND = new Op<>(PredefinedOp.BAND);

  /** {@code MPI_BOR}: or, bit by bit. */
  @Standard({"MPI_BOR"})
  public static final Op<Object> BOR = new Op<>(PredefinedOp.BOR);

  /** {@code MPI_BXOR}: exclusive or, bit by bit. */
  @Standard({"MPI_BXOR"})
  public static final Op<Object> BXOR = new Op<>(PredefinedOp.BXOR);

  /** {@code MPI_MAXLOC}: the pair with the greater value; of equal values the one with the lower index. */
  @Standard({"MPI_MAXLOC"})
  public static final Op<Object> MAXLOC = new Op<>(PredefinedOp.MAXLOC);

  /** {@code MPI_MINLOC}: the pair with the smaller value; of equal values the one with the lower index. */
  @Standard({"MPI_MINLOC"})
  public static final Op<Object> MINLOC = new Op<>(PredefinedOp.MINLOC);

  /** {@code MPI_REPLACE}: the origin's element, in place of the target's. For one-sided calls only. */
  @Standard({"MPI_REPLACE"})
  public static final Op<Object> REPLACE = new Op<>(PredefinedOp.REPLACE);

  /** {@code MPI_NO_OP}: the target's element, as it is. For one-sided calls that fetch only. */
  @Standard({"MPI_NO_OP"})
  public static final Op<Object> NO_OP = new Op<>(PredefinedOp.NO_OP);

  static {
    OpAccess.register(new Access());
  }

  private static final class Access extends OpAccess {
    @Override
    protected ReduceKernel kernelOf(Op<?> op, Datatype<?> type) {
      return op.kernel(type);
    }

    @Override
    protected boolean describeOf(Op<?> op, Datatype<?> type, CollectiveCall call) {
      Known last = op.known;
      if (last == null || last.type != type) {
        try {
          last = op.find(type);
        } catch (MpiException undefined) {
          return false;
        }
      }
      call.setKernel(last.kernel, op.commutative);
      return true;
    }

    @Override
    protected PredefinedOp predefinedOf(Op<?> op) {
      return op.predefined;
    }
  }

  /** Null for a program's own. */
  private final PredefinedOp predefined;
  /** Null for a predefined one. */
  private final UserOperation own;
  private final boolean commutative;
  private volatile boolean closed;
  /** The kernel that was found last, and the one before: the calls of a program mostly repeat. */
  private volatile Known known;
  private volatile Known knownBefore;

  private record Known(Datatype<?> type, ReduceKernel kernel) {}

  private Op(PredefinedOp predefined) {
    this.predefined = predefined;
    this.own = null;
    this.commutative = true;
  }

  private Op(UserOperation own) {
    this.predefined = null;
    this.own = own;
    this.commutative = own.commutative();
    if (Lifetimes.kept) {
      Lifetimes.made(this, "operation");
    }
  }

  /**
   * How a program combines elements of one type, several at a time.
   *
   * <p>The rules of {@link UserFunction} for the segments apply here, too.
   */
  @FunctionalInterface
  @Standard({"MPI_User_function"})
  public interface Kernel {
    /**
     * Replaces {@code inout[i]} by {@code in[i] op inout[i]} for each {@code i < len}.
     *
     * @param in left operands, from lower ranks; read-only, and not to be used after the call
     * @param inout right operands, to be replaced by the results; not to be used after the call
     * @param len number of elements, at least 1; a part of those of the reduction, or all
     */
    void apply(MemorySegment in, MemorySegment inout, long len);
  }

  // ---- a program's own

  /**
   * Makes an operation of a function on two elements, which is free to take them in any order ({@code MPI_Op_create}
   * with {@code commute = true}, MPI-4.1 §6.9.5). Local; may be called at any time.
   *
   * @param <T> what one element is in Java
   * @param type what the elements are: a committed type of records, of one primitive value, or of a layout. Buffers may
   *     be of this type or of duplicates, and of types made of such elements only where it is predefined
   * @param function combines two elements; its result may be one of them, but not null
   * @return the operation
   * @throws MpiException ERR_TYPE when the type is null, not committed, freed, or has no form in Java; ERR_ARG when the
   *     function is null
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static <T> Op<T> commutative(Datatype<T> type, BinaryOperator<T> function) {
    return onElements(true, type, function);
  }

  /**
   * Makes an operation of a function on two objects, which is free to take them in any order ({@code MPI_Op_create}
   * with {@code commute = true}, MPI-4.1 §6.9.5). Local; may be called at any time.
   *
   * @param <T> what one element is in Java
   * @param form a record class, or the box of a primitive type, which stands for the type of its arrays
   * @param function combines two elements; its result may be one of them, but not null
   * @return the operation
   * @throws MpiException ERR_TYPE when the class is null or another; ERR_ARG when the function is null
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static <T> Op<T> commutative(Class<T> form, BinaryOperator<T> function) {
    return onElements(true, JavaForms.typeOf(form), function);
  }

  /**
   * Makes an operation of a function on two elements, which keeps them in the order of ranks ({@code MPI_Op_create}
   * with {@code commute = false}, MPI-4.1 §6.9.5). Local; may be called at any time.
   *
   * @param <T> what one element is in Java
   * @param type as {@link #commutative(Datatype, BinaryOperator)}
   * @param function combines two elements, the first of which is from lower ranks
   * @return the operation
   * @throws MpiException as {@link #commutative(Datatype, BinaryOperator)}
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static <T> Op<T> ordered(Datatype<T> type, BinaryOperator<T> function) {
    return onElements(false, type, function);
  }

  /**
   * Makes an operation of a function on two objects, which keeps them in the order of ranks ({@code MPI_Op_create} with
   * {@code commute = false}, MPI-4.1 §6.9.5). Local; may be called at any time.
   *
   * @param <T> what one element is in Java
   * @param form as {@link #commutative(Class, BinaryOperator)}
   * @param function combines two elements, the first of which is from lower ranks
   * @return the operation
   * @throws MpiException as {@link #commutative(Class, BinaryOperator)}
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static <T> Op<T> ordered(Class<T> form, BinaryOperator<T> function) {
    return onElements(false, JavaForms.typeOf(form), function);
  }

  /**
   * Makes an operation of a function that combines many elements of one type in a call, without an object for each
   * ({@code MPI_Op_create}, MPI-4.1 §6.9.5). Local; may be called at any time.
   *
   * @param <T> what one element is in Java
   * @param type what the elements are, a committed type. Buffers may be of this type or of duplicates, and of types
   *     made of such elements only where it is predefined; the function sees whole elements of {@code type}
   * @param commutative whether the order of the operands does not matter
   * @param function combines elements
   * @return the operation
   * @throws MpiException ERR_TYPE when the type is null, not committed or freed; ERR_ARG when the function is null
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static <T> Op<T> kernel(Datatype<T> type, boolean commutative, Kernel function) {
    Datatype<T> unit = unit(type);
    checkFunction(function);
    return new Op<>(new UserOperation(describe(commutative, type), commutative,
        (in, inout, len, _) -> function.apply(in, inout, len), unit));
  }

  /**
   * Makes an operation of a function that combines elements of any type of buffer ({@code MPI_Op_create}, MPI-4.1
   * §6.9.5). Local; may be called at any time.
   *
   * @param commutative whether the order of the operands does not matter
   * @param function combines elements; receives the type, on which its work may depend
   * @return the operation, for buffers of any committed type
   * @throws MpiException ERR_ARG when the function is null
   */
  @Standard({"MPI_Op_create", "MPI_Op_create_c"})
  public static Op<Object> kernel(boolean commutative, UserFunction function) {
    checkFunction(function);
    return new Op<>(new UserOperation(describe(commutative, "any type"), commutative, function, null));
  }

  private static <T> Op<T> onElements(boolean commutative, Datatype<T> type, BinaryOperator<T> function) {
    Datatype<T> unit = unit(type);
    if (!unit.hasJavaForm()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type,
          "types of one primitive value, of records and of layouts; kernel() takes all");
    }
    checkFunction(function);
    return new Op<>(UserOperation.onElements(describe(commutative, type), commutative, function, unit));
  }

  /** Returns a type of the operation's own, which stays open when the program frees the given one. */
  private static <T> Datatype<T> unit(Datatype<T> type) {
    if (type == null || type.isClosed() || !type.isCommitted()) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", type, "committed datatypes that have not been freed");
    }
    return type.isPredefined() ? type : TypeHandle.of(type).bare();
  }

  private static void checkFunction(Object function) {
    if (function == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "function", null, "functions");
    }
  }

  private static String describe(boolean commutative, Object type) {
    return (commutative ? "commutative" : "ordered") + " user-defined operation on " + type;
  }

  /**
   * Frees a program's own operation ({@code MPI_Op_free}, MPI-4.1 §6.9.5). Local. What was started with it completes,
   * persistent operations included, which can be started again. Closing again does nothing.
   *
   * @throws MpiException ERR_OP when the operation is predefined
   */
  @Override
  @Standard({"MPI_Op_free"})
  public void close() {
    if (predefined != null) {
      throw MpiException.argument(ErrorClass.ERR_OP, "op", this, "operations that are not predefined");
    }
    closed = true;
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
    known = null;
    knownBefore = null;
  }

  private void checkOpen() {
    if (closed) {
      throw MpiException.argument(ErrorClass.ERR_OP, "op", this, "operations that have not been freed");
    }
  }

  // ---- its use

  /** See {@link OpAccess#kernel}. */
  ReduceKernel kernel(Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    Known last = known;
    if (last == null || last.type != type) {
      last = find(type);
    }
    return last.kernel;
  }

  private Known find(Datatype<?> type) {
    Known before = knownBefore;
    if (before != null && before.type == type && !closed) {
      return before;
    }
    if (predefined == null) {
      checkOpen();
    }
    Known found =
        new Known(type, predefined != null ? ReduceKernels.kernel(predefined, type) : own.kernel(type));
    if (predefined == null || type.isPredefined()) { // predefined operations outlive other types
      knownBefore = known;
      known = found;
    }
    return found;
  }

  /**
   * Combines the elements of two local buffers ({@code MPI_Reduce_local}, MPI-4.1 §6.9.8): each element of
   * {@code inout} becomes the result for it and the element of {@code in} in the same place, which is the left operand.
   * Local and never blocking; the buffers may lie in memory of any kind.
   *
   * @param <E> what one element is in Java
   * @param in left operands; not changed
   * @param inout right operands and results, as many and of the same type; must not overlap {@code in}
   * @throws MpiException ERR_OP when the operation is not defined for the type or has been freed, ERR_OTHER when its
   *     function has thrown; ERR_COUNT or ERR_TYPE when counts or types differ; ERR_BUFFER when a buffer is null, the
   *     in-place marker or cannot be used, {@code inout} is read-only, or the two overlap; ERR_TYPE when the type is
   *     not committed or freed
   */
  @Standard({"MPI_Reduce_local", "MPI_Reduce_local_c"})
  public <E extends T> void reduceLocal(Buf<E> in, Buf<E> inout) {
    MpiException wrong = in != null && in.isInPlace()
        ? BufImpl.of(in).unusable("in", false)
        : CollectiveChecks.operands(null, "in", in, "inout", inout, this);
    if (wrong != null) {
      throw wrong;
    }
    try (HeldMemory held = new BufUses().reads(in).updates(inout).hold()) {
      ReductionLoop.reduce(
          kernel(inout.type()), BufImpl.of(inout).plan(), BufImpl.of(in).memoryKind(), BufImpl.of(in).memoryOwner(),
          BufImpl.of(in).memoryOffset(),
          BufImpl.of(inout).memoryKind(), BufImpl.of(inout).memoryOwner(), BufImpl.of(inout).memoryOffset(),
          inout.count());
      held.deliver(null);
    } catch (IllegalStateException | WrongThreadException e) { // an arena was closed in between
      throw Failures.translate(e);
    }
  }

  /**
   * Returns whether the order of the operands does not matter ({@code MPI_Op_commutative}, MPI-4.1 §6.9.7).
   *
   * @return true when commutative, as all predefined operations are; results are combined in rank order otherwise
   * @throws MpiException ERR_OP when the operation has been freed
   */
  @Standard({"MPI_Op_commutative"})
  public boolean isCommutative() {
    checkOpen();
    return commutative;
  }

  /**
   * Returns the operation's name.
   *
   * @return the standard's name, for example {@code MPI_SUM}; for a program's own a description
   */
  public String name() {
    return predefined != null ? predefined.mpiName() : own.name();
  }

  /**
   * Returns the name, for messages.
   *
   * @return the operation's name
   */
  @Override
  public String toString() {
    return name() + (closed ? " (freed)" : "");
  }
}
