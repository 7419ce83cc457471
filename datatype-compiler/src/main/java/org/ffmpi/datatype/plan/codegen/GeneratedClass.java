// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.codegen.ElementProgram.Loop;
import org.ffmpi.datatype.plan.codegen.ElementProgram.Part;
import org.ffmpi.datatype.plan.codegen.ElementProgram.Run;
import org.ffmpi.datatype.plan.kernel.WidestVector;
import org.ffmpi.datatype.plan.pattern.Copier.Direction;

/**
 * Writes the class file of an {@link ElementCopier} for one program and one kind of memory.
 *
 * <p>Its loops are as fast as compiled C for these reasons. Every displacement is a constant. A run is a few moves of
 * the widest words or vectors, the last one overlapping. Addresses are masked once per element, so that the JVM sees
 * that they are positive and drops the check of each access against the segment of all memory. Loops count with ints.
 * Methods stay so small that the JVM compiles them whole.
 */
final class GeneratedClass {
  /** Elements that one call of an inner method copies: its loop counts with ints and returns now and then. */
  static final int STRIP = 1 << 16;

  /** Longer runs are copied by a loop. */
  private static final int LONGEST_WRITTEN_OUT = 256;

  /**
   * Longer runs are copied by the JDK's bulk routine. Native runs of 300 to 1,000 bytes took 1.1 to 1.3 times as long
   * by it as by vectors, runs of 2,000 the same, but less than by words. With arrays it is at best 1.2 times as fast as
   * words, yet ten times slower once a program has used it with arrays of many types.
   */
  private static final int LONGEST_LOOP_OF_VECTORS = 1024;

  private static final int LONGEST_LOOP_IN_ARRAYS = 2048;

  /** Bytes that one turn of such a loop copies. */
  private static final int STEP = 128;

  /**
   * Moves in a method; longer bodies are divided into several methods. The JVM's compiler stops inlining accesses in
   * longer ones, and does not compile methods of 8,000 bytes at all; a move takes some 35.
   */
  static final int MOVES_PER_METHOD = 48;

  /** Widest vector for runs; wider ones cross cache lines more often than they save instructions. */
  static final int WIDEST_VECTOR = 32;

  private static final int MOVES_OF_A_LOOP = 2;

  /** Wide enough for any address, and small enough that adding a displacement cannot overflow. */
  private static final long ADDRESS_MASK = Long.MAX_VALUE >>> 1;

  private static final ClassDesc NAME = GeneratedSide.inPackage("GeneratedCopy");
  private static final ClassDesc MEMORY = ClassDesc.of("org.ffmpi.base.raw.Memory");

  /** Array, origin, elements, other side. */
  private static final MethodTypeDesc STRIP_TYPE = MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_int, CD_long);

  private final ElementProgram program;
  private final int kind;
  private final GeneratedLane lane;
  private final boolean typed;
  private final int[] widths;
  private final int longestLoop;

  /** Methods still to be written, which earlier ones call. */
  private final Deque<Consumer<ClassBuilder>> pending = new ArrayDeque<>();

  private int groups;

  private GeneratedClass(ElementProgram program, int kind) {
    this.program = program;
    this.kind = kind;
    this.lane = GeneratedLane.ofKind(kind);
    this.typed = isTyped(program, kind);
    this.widths = widths(lane, typed);
    this.longestLoop = kind != Memory.NATIVE ? LONGEST_LOOP_IN_ARRAYS
        : widths[widths.length - 1] > Long.BYTES ? LONGEST_LOOP_OF_VECTORS
        : LONGEST_WRITTEN_OUT;
  }

  /** Returns whether a class can be made for a kind of memory. */
  static boolean supports(ElementProgram program, int kind) {
    if (kind == Memory.NATIVE) {
      return true;
    }
    // Positions in arrays are ints.
    return GeneratedLane.ofKind(kind) != null
        && program.high() - program.low() <= Integer.MAX_VALUE
        && Math.abs(program.stride()) <= Integer.MAX_VALUE;
  }

  /**
   * Returns whether the class accesses an array by its components only, and so needs an origin that is a multiple of
   * their size.
   */
  static boolean isTyped(ElementProgram program, int kind) {
    GeneratedLane lane = GeneratedLane.ofKind(kind);
    return lane.width > 1
        && program.isMultipleOf(lane.width)
        && 2 * moves(program.parts(), widths(lane, true)) <= 3 * moves(program.parts(), widths(lane, false));
  }

  private static int[] widths(GeneratedLane lane, boolean typed) {
    int widestVector = Math.min(WIDEST_VECTOR, WidestVector.BYTES);
    IntStream scalars = typed ? IntStream.of(lane.width) : IntStream.of(1, 2, 4, 8);
    IntStream vectors = IntStream.of(16, 32, 64).filter(width -> width <= widestVector);
    return IntStream.concat(scalars, vectors).toArray();
  }

  private static int moves(List<Part> parts, int[] widths) {
    int sum = 0;
    for (Part part : parts) {
      sum += moves(part, widths);
    }
    return sum;
  }

  /** Returns about how many moves an element needs, all iterations of loops included. */
  static long work(ElementProgram program, int kind) {
    return work(program.parts(), widths(GeneratedLane.ofKind(kind), isTyped(program, kind)));
  }

  /** Returns about how many moves are written for an operation. */
  static int moves(ElementProgram program, int kind) {
    return moves(program.parts(), widths(GeneratedLane.ofKind(kind), isTyped(program, kind)));
  }

  private static long work(List<Part> parts, int[] widths) {
    long sum = 0;
    for (Part part : parts) {
      sum += switch (part) {
        case Run(long displacement, long bytes) ->
            bytes > LONGEST_WRITTEN_OUT
                ? bytes / Long.BYTES
                : GeneratedMoves.cover((int) bytes, 0, widths).size();
        case Loop(long displacement, int count, long stride, List<Part> body) ->
            count * (work(body, widths) + MOVES_OF_A_LOOP);
      };
    }
    return sum;
  }

  private static String method(Direction operation) {
    return switch (operation) {
      case PACK -> "pack";
      case UNPACK -> "unpack";
      case COPY -> "copy";
    };
  }

  private static int moves(Part part, int[] widths) {
    return switch (part) {
      case Run(long displacement, long bytes) ->
          bytes > LONGEST_WRITTEN_OUT
              ? MOVES_OF_A_LOOP + STEP / widths[widths.length - 1]
              : GeneratedMoves.cover((int) bytes, 0, widths).size();
      case Loop(long displacement, int count, long stride, List<Part> parts) ->
          MOVES_OF_A_LOOP + Math.min(MOVES_PER_METHOD, moves(parts, widths));
    };
  }

  /**
   * Writes the class.
   *
   * @param program the program that it copies
   * @param kind the kind of memory, one that is served
   * @return a class file
   */
  static byte[] write(ElementProgram program, int kind) {
    return new GeneratedClass(program, kind).write();
  }

  private byte[] write() {
    return ClassFile.of().build(NAME, type -> {
      type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
          .withInterfaceSymbols(GeneratedSide.inPackage("ElementCopier"))
          .withMethodBody(ConstantDescs.INIT_NAME, ConstantDescs.MTD_void, 0, code -> code
              .aload(0).invokespecial(CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void).return_());
      for (Direction operation : Direction.values()) {
        entry(type, operation);
        strip(type, operation);
      }
      while (!pending.isEmpty()) {
        pending.remove().accept(type);
      }
    });
  }

  // ---- whole calls

  /** Writes the method of the interface, which calls the inner one for strips of elements. */
  private void entry(ClassBuilder type, Direction operation) {
    boolean reads = operation == Direction.PACK;
    MethodTypeDesc descriptor = reads
        ? MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_long, CD_long)
        : MethodTypeDesc.of(CD_void, CD_long, CD_Object, CD_long, CD_long);
    long otherStride = operation == Direction.COPY ? program.stride() : program.size();
    type.withMethodBody(method(operation), descriptor, ClassFile.ACC_PUBLIC, code -> {
      int array = code.parameterSlot(reads ? 0 : 1);
      int at = code.parameterSlot(reads ? 1 : 2);
      int left = code.parameterSlot(reads ? 2 : 3);
      int other = code.parameterSlot(reads ? 3 : 0);
      int now = code.allocateLocal(TypeKind.INT);
      Label top = code.newBoundLabel();
      Label end = code.newLabel();
      code.lload(left).lconst_0().lcmp().ifle(end);
      code.lload(left).loadConstant((long) STRIP)
          .invokestatic(ClassDesc.of("java.lang.Math"), "min", MethodTypeDesc.of(CD_long, CD_long, CD_long))
          .l2i().istore(now);
      code.aload(array).lload(at).iload(now).lload(other).invokestatic(NAME, method(operation) + "Strip", STRIP_TYPE);
      advance(code, at, now, program.stride());
      advance(code, other, now, otherStride);
      code.lload(left).iload(now).i2l().lsub().lstore(left);
      code.goto_(top).labelBinding(end).return_();
    });
  }

  private static void advance(CodeBuilder code, int position, int count, long stride) {
    code.lload(position).iload(count).i2l().loadConstant(stride).lmul().ladd().lstore(position);
  }

  private void strip(ClassBuilder type, Direction operation) {
    type.withMethodBody(method(operation) + "Strip", STRIP_TYPE, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, code -> {
      int array = array(code, 0);
      Method method = new Method(code, operation, array, memory(code, array));
      int base = code.allocateLocal(method.memory.baseKind());
      code.lload(1);
      add(code, program.low());
      if (method.memory.baseKind() == TypeKind.INT) {
        code.loadConstant(method.memory.unit()).lshr().l2i().istore(base);
      } else {
        code.lstore(base);
      }
      int other = 4;
      if (operation == Direction.COPY) {
        code.lload(other);
        add(code, program.low());
        code.lstore(other);
      }
      method.loop(program.parts(), program.stride(), base, other, () -> code.iload(3));
      code.return_();
    });
  }

  private static void add(CodeBuilder code, long constant) {
    if (constant != 0) {
      code.loadConstant(constant).ladd();
    }
  }

  private ClassDesc arrayType() {
    return kind == Memory.NATIVE ? CD_Object : lane.type.arrayType();
  }

  /** Casts the array of a parameter to its class. */
  private int array(CodeBuilder code, int parameter) {
    if (kind == Memory.NATIVE) {
      return parameter;
    }
    int array = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(parameter).checkcast(arrayType()).astore(array);
    return array;
  }

  private GeneratedSide memory(CodeBuilder code, int array) {
    if (kind == Memory.NATIVE) {
      return new GeneratedSide.Native(lane);
    }
    if (kind == Memory.BYTES) {
      return new GeneratedSide.Bytes(array);
    }
    if (typed) {
      return new GeneratedSide.Typed(lane, array);
    }
    int segment = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(array)
        .invokestatic(
            GeneratedSide.SEGMENT, "ofArray", MethodTypeDesc.of(GeneratedSide.SEGMENT, arrayType()), true)
        .astore(segment);
    return new GeneratedSide.Segment(lane, segment);
  }

  // ---- bodies

  /** The span of the parts of one body, which limits how far a move may reach beyond its run. */
  private record Span(long low, long high, long size) {
    static Span of(List<Part> parts) {
      return new Span(ElementProgram.low(parts), ElementProgram.high(parts), ElementProgram.size(parts));
    }
  }

  /** One method that is being written. */
  private final class Method {
    private final CodeBuilder code;
    private final Direction operation;
    private final int array;
    private final GeneratedSide memory;
    private final GeneratedSide other;

    Method(CodeBuilder code, Direction operation, int array, GeneratedSide memory) {
      this.code = code;
      this.operation = operation;
      this.array = array;
      this.memory = memory;
      this.other = new GeneratedSide.Native(lane);
    }

    /** Writes a loop over bodies; moves the two bases, which hold the lowest bytes of the first body. */
    void loop(List<Part> parts, long stride, int base, int otherBase, Runnable limit) {
      int i = code.allocateLocal(TypeKind.INT);
      Label top = code.newLabel();
      Label end = code.newLabel();
      code.iconst_0().istore(i).labelBinding(top).iload(i);
      limit.run();
      code.if_icmpge(end);
      body(parts, masked(memory, base), masked(other, otherBase));
      step(memory, base, stride);
      step(other, otherBase, operation == Direction.COPY ? stride : ElementProgram.size(parts));
      code.iinc(i, 1).goto_(top).labelBinding(end);
    }

    /** Masks an address, so that the JVM sees that it is positive; returns the variable to use instead. */
    private int masked(GeneratedSide side, int base) {
      if (!(side instanceof GeneratedSide.Native)) {
        return base;
      }
      int at = code.allocateLocal(TypeKind.LONG);
      code.lload(base).loadConstant(ADDRESS_MASK).land().lstore(at);
      return at;
    }

    private void step(GeneratedSide side, int base, long bytes) {
      side.position(code, base, bytes);
      if (side.baseKind() == TypeKind.INT) {
        code.istore(base);
      } else {
        code.lstore(base);
      }
    }

    /** Writes the parts of one body, divided into methods when they are many. */
    private void body(List<Part> parts, int at, int otherAt) {
      Span span = Span.of(parts);
      if (moves(parts, widths) <= MOVES_PER_METHOD) {
        parts(parts, span, 0, at, otherAt);
        return;
      }
      long dense = 0;
      for (List<Part> group : groups(parts)) {
        group(group, span, dense, at, otherAt);
        dense += ElementProgram.size(group);
      }
    }

    private List<List<Part>> groups(List<Part> parts) {
      List<List<Part>> all = new ArrayList<>();
      List<Part> group = new ArrayList<>();
      int sum = 0;
      for (Part part : parts) {
        int more = moves(part, widths);
        if (sum + more > MOVES_PER_METHOD && !group.isEmpty()) {
          all.add(group);
          group = new ArrayList<>();
          sum = 0;
        }
        group.add(part);
        sum += more;
      }
      all.add(group);
      return all;
    }

    private void group(List<Part> parts, Span span, long dense, int at, int otherAt) {
      ClassDesc baseType = memory.baseKind() == TypeKind.INT ? CD_int : CD_long;
      MethodTypeDesc descriptor = MethodTypeDesc.of(CD_void, arrayType(), baseType, CD_long);
      String name = method(operation) + "Part" + groups++;
      code.aload(array).loadLocal(memory.baseKind(), at).lload(otherAt).invokestatic(NAME, name, descriptor);
      // Written after this method: builders do not nest.
      pending.add(type -> type.withMethodBody(name, descriptor, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, inner -> {
        Method method = new Method(inner, operation, 0, memory(inner, 0));
        int base = inner.parameterSlot(1);
        int otherBase = inner.parameterSlot(2);
        method.parts(
            parts, span, dense, method.masked(method.memory, base), method.masked(method.other, otherBase));
        inner.return_();
      }));
    }

    private void parts(List<Part> parts, Span span, long before, int at, int otherAt) {
      long dense = before;
      for (Part part : parts) {
        switch (part) {
          case Run run -> run(run, span, dense, at, otherAt);
          case Loop loop -> innerLoop(loop, span, dense, at, otherAt);
        }
        dense += part.size();
      }
    }

    private long otherOffset(long displacement, Span span, long dense) {
      return operation == Direction.COPY ? displacement - span.low() : dense;
    }

    private void innerLoop(Loop loop, Span span, long dense, int at, int otherAt) {
      long first = loop.displacement() + ElementProgram.low(loop.parts());
      int base = code.allocateLocal(memory.baseKind());
      int otherBase = code.allocateLocal(TypeKind.LONG);
      memory.position(code, at, first - span.low());
      code.storeLocal(memory.baseKind(), base);
      other.position(code, otherAt, otherOffset(first, span, dense));
      code.lstore(otherBase);
      loop(loop.parts(), loop.stride(), base, otherBase, () -> code.loadConstant(loop.count()));
    }

    private void run(Run run, Span span, long dense, int at, int otherAt) {
      long offset = run.displacement() - span.low();
      long otherOffset = otherOffset(run.displacement(), span, dense);
      if (run.bytes() > longestLoop) {
        bulk(run.bytes(), offset, otherOffset, at, otherAt);
        return;
      }
      if (run.bytes() > LONGEST_WRITTEN_OUT) {
        int steps = (int) (run.bytes() / STEP);
        long done = (long) steps * STEP;
        Part step = new Run(0, STEP);
        innerLoop(new Loop(run.displacement(), steps, STEP, List.of(step)), span, dense, at, otherAt);
        if (run.bytes() > done) {
          run(new Run(run.displacement() + done, run.bytes() - done), span, dense + done, at, otherAt);
        }
        return;
      }
      // Packing may copy bytes behind a run inside the element, since the next run's bytes replace them.
      long room = operation == Direction.PACK
          ? Math.min(span.high() - run.high(), span.size() - dense - run.bytes())
          : 0;
      for (GeneratedMoves.Move move : GeneratedMoves.cover((int) run.bytes(), room, widths)) {
        move(move.width(), offset + move.at(), otherOffset + move.at(), at, otherAt);
      }
    }

    private void move(int width, long offset, long otherOffset, int at, int otherAt) {
      boolean reads = operation == Direction.PACK;
      GeneratedSide from = reads ? memory : other;
      GeneratedSide to = reads ? other : memory;
      int fromAt = reads ? at : otherAt;
      int toAt = reads ? otherAt : at;
      long fromOffset = reads ? offset : otherOffset;
      long toOffset = reads ? otherOffset : offset;
      if (width > Long.BYTES) {
        from.loadVector(code, width, fromAt, fromOffset);
        to.storeVector(code, toAt, toOffset);
      } else {
        GeneratedLane value = memory.scalar(width);
        to.prepareStore(code, value, toAt, toOffset);
        from.load(code, value, fromAt, fromOffset);
        to.store(code, value);
      }
    }

    private void bulk(long bytes, long offset, long otherOffset, int at, int otherAt) {
      boolean reads = operation == Direction.PACK;
      if (kind == Memory.NATIVE) {
        (reads ? memory : other).position(code, reads ? at : otherAt, reads ? offset : otherOffset);
        (reads ? other : memory).position(code, reads ? otherAt : at, reads ? otherOffset : offset);
        code.loadConstant(bytes)
            .invokestatic(GeneratedSide.RAW, "copy", MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long));
        return;
      }
      code.loadConstant(kind).aload(array);
      memory.bytePosition(code, at, offset);
      other.position(code, otherAt, otherOffset);
      code.loadConstant(bytes).invokestatic(
          MEMORY, reads ? "read" : "write",
          MethodTypeDesc.of(CD_void, CD_int, CD_Object, CD_long, CD_long, CD_long));
    }
  }
}
