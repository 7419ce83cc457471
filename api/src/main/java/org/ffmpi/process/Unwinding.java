// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects whether an exception unwinds the stack of the calling thread, such as in a {@code close} at the end of a
 * try-with-resources whose body has thrown, or in a {@code finally}. The JVM has no query for that, but the bytecode
 * shows it: compilers write a separate call for that path. A frame is being unwound when its call can only be reached
 * through an exception handler and only an exception leaves the method after it.
 *
 * <p>Reads the class files of the frames, which takes milliseconds, so only a rank that would have to wait otherwise
 * calls it. A frame whose class file cannot be found counts as not being unwound. Any thread may call.
 */
final class Unwinding {
  private final List<Instruction> instructions = new ArrayList<>();
  private final Map<Integer, Integer> indexes = new HashMap<>();
  private final CodeAttribute code;

  private Unwinding(CodeAttribute code) {
    this.code = code;
    int at = 0;
    for (CodeElement element : code) {
      if (element instanceof Instruction instruction) {
        indexes.put(at, instructions.size());
        instructions.add(instruction);
        at += instruction.sizeInBytes();
      }
    }
  }

  /** Returns whether an exception unwinds a method that has led to this call. */
  static boolean isInProgress() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(Unwinding::isLeftByException));
  }

  private static boolean isLeftByException(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    if (type.getClassLoader() == null || frame.isNativeMethod() || frame.getByteCodeIndex() < 0) {
      return false;
    }
    String file = type.getName().substring(type.getPackageName().isEmpty() ? 0 : type.getPackageName().length() + 1);
    try (InputStream in = type.getResourceAsStream(file + ".class")) {
      if (in == null) {
        return false;
      }
      ClassModel model = ClassFile.of().parse(in.readAllBytes());
      for (MethodModel method : model.methods()) {
        if (method.methodName().equalsString(frame.getMethodName())
            && method.methodType().equalsString(frame.getDescriptor())) {
          return method.code()
              .filter(CodeAttribute.class::isInstance)
              .map(code -> new Unwinding((CodeAttribute) code).endsByException(frame.getByteCodeIndex()))
              .orElse(false);
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return false; // then it counts as an ordinary end
    }
  }

  /** Returns whether the call at this place is reached by an exception only, and left by one only. */
  private boolean endsByException(int byteCodeIndex) {
    Integer call = indexes.get(byteCodeIndex);
    if (call == null || reachable(0).get(call)) {
      return false;
    }
    boolean throwsOne = false;
    BitSet after = reachable(call);
    for (int i = after.nextSetBit(0); i >= 0; i = after.nextSetBit(i + 1)) {
      if (instructions.get(i) instanceof ReturnInstruction) {
        return false;
      }
      throwsOne |= instructions.get(i) instanceof ThrowInstruction;
    }
    return throwsOne;
  }

  /** Returns the instructions that are reachable from one without any exception. */
  private BitSet reachable(int from) {
    BitSet found = new BitSet();
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      int at = open.pop();
      if (at < instructions.size() && !found.get(at)) {
        found.set(at);
        follow(at, open);
      }
    }
    return found;
  }

  private void follow(int at, ArrayDeque<Integer> open) {
    switch (instructions.get(at)) {
      case ReturnInstruction end -> { }
      case ThrowInstruction end -> { }
      case BranchInstruction branch -> {
        open.push(index(branch.target()));
        String name = branch.opcode().name();
        if (!name.equals("GOTO") && !name.equals("GOTO_W")) {
          open.push(at + 1);
        }
      }
      case TableSwitchInstruction choice -> follow(choice.defaultTarget(), choice.cases(), open);
      case LookupSwitchInstruction choice -> follow(choice.defaultTarget(), choice.cases(), open);
      default -> open.push(at + 1);
    }
  }

  private void follow(Label otherwise, List<SwitchCase> cases, ArrayDeque<Integer> open) {
    open.push(index(otherwise));
    for (SwitchCase choice : cases) {
      open.push(index(choice.target()));
    }
  }

  private int index(Label target) {
    return indexes.get(code.labelToBci(target));
  }
}
