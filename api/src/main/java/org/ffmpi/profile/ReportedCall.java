// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Optional;

/** Writes the instructions by which one method reports. */
final class ReportedCall {
  private static final ClassDesc HOOK = ClassDesc.of("org.ffmpi.base.hook.CallHook");
  private static final ClassDesc POINT = ClassDesc.of("org.ffmpi.base.hook.CallPoint");
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc TEXT = ConstantDescs.CD_String;
  private static final DirectMethodHandleDesc MAKE_POINT =
      ConstantDescs.ofConstantBootstrap(POINT, "of", POINT, TEXT, TEXT, TEXT);
  private static final MethodTypeDesc BEGIN =
      MethodTypeDesc.of(OBJECT, POINT, OBJECT, OBJECT.arrayType());
  private static final MethodTypeDesc END =
      MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT, OBJECT, ConstantDescs.CD_Throwable);
  private static final String SEPARATOR = ",";

  private final String method;
  private final MethodTypeDesc type;
  private final boolean isStatic;
  private final DynamicConstantDesc<?> point;

  ReportedCall(MethodModel method, List<String> parameters, List<String> names) {
    this.method = method.methodName().stringValue();
    this.type = method.methodTypeSymbol();
    this.isStatic = method.flags().has(AccessFlag.STATIC);
    this.point = DynamicConstantDesc.ofNamed(
        MAKE_POINT, "point", POINT, this.method, String.join(SEPARATOR, parameters), String.join(SEPARATOR, names));
  }

  String method() {
    return method;
  }

  boolean isConstructor() {
    return method.equals(ConstantDescs.INIT_NAME);
  }

  static boolean isConstructor(MethodModel method) {
    return method.methodName().equalsString(ConstantDescs.INIT_NAME);
  }

  /** Writes a method that calls its old body, and reports that when there are listeners. */
  void around(CodeBuilder code, ClassModel owner, String body) {
    Label seen = code.newLabel();
    Label failed = code.newLabel();
    Label from = code.newLabel();
    Label to = code.newLabel();
    TypeKind returned = TypeKind.from(type.returnType());
    code.getstatic(HOOK, "listening", ConstantDescs.CD_boolean).ifne(seen);
    callBody(code, owner, body);
    code.return_(returned);

    code.labelBinding(seen);
    int begun = begin(code, isStatic);
    code.labelBinding(from);
    callBody(code, owner, body);
    code.labelBinding(to);
    int result = code.allocateLocal(returned == TypeKind.VOID ? TypeKind.REFERENCE : returned);
    if (returned == TypeKind.VOID) {
      code.aconst_null();
      code.astore(result);
    } else {
      code.storeLocal(returned, result);
    }
    code.aload(begun);
    code.loadLocal(returned == TypeKind.VOID ? TypeKind.REFERENCE : returned, result);
    box(code, returned);
    code.aconst_null().invokestatic(HOOK, "end", END);
    if (returned != TypeKind.VOID) {
      code.loadLocal(returned, result);
    }
    code.return_(returned);

    endFailed(code, failed, begun);
    code.exceptionCatchAll(from, to, failed);
  }

  private void callBody(CodeBuilder code, ClassModel owner, String body) {
    ClassDesc self = owner.thisClass().asSymbol();
    boolean ofInterface = owner.flags().has(AccessFlag.INTERFACE);
    if (!isStatic) {
      code.aload(code.receiverSlot());
    }
    for (int i = 0; i < type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
    }
    if (isStatic) {
      code.invokestatic(self, body, type, ofInterface);
    } else {
      code.invokespecial(self, body, type, ofInterface);
    }
  }

  /** Writes the report of the beginning; returns the variable with the token for the end. */
  private int begin(CodeBuilder code, boolean nobody) {
    code.loadConstant(point);
    if (nobody) {
      code.aconst_null();
    } else {
      code.aload(code.receiverSlot());
    }
    code.loadConstant(type.parameterCount()).anewarray(OBJECT);
    for (int i = 0; i < type.parameterCount(); i++) {
      TypeKind kind = TypeKind.from(type.parameterType(i));
      code.dup().loadConstant(i).loadLocal(kind, code.parameterSlot(i));
      box(code, kind);
      code.aastore();
    }
    int begun = code.allocateLocal(TypeKind.REFERENCE);
    code.invokestatic(HOOK, "begin", BEGIN).astore(begun);
    return begun;
  }

  private static void endFailed(CodeBuilder code, Label failed, int begun) {
    int thrown = code.allocateLocal(TypeKind.REFERENCE);
    code.labelBinding(failed).astore(thrown)
        .aload(begun).aconst_null().aload(thrown).invokestatic(HOOK, "end", END)
        .aload(thrown).athrow();
  }

  private static void box(CodeBuilder code, TypeKind kind) {
    ClassDesc box = switch (kind) {
      case BOOLEAN -> ConstantDescs.CD_Boolean;
      case BYTE -> ConstantDescs.CD_Byte;
      case CHAR -> ConstantDescs.CD_Character;
      case SHORT -> ConstantDescs.CD_Short;
      case INT -> ConstantDescs.CD_Integer;
      case LONG -> ConstantDescs.CD_Long;
      case FLOAT -> ConstantDescs.CD_Float;
      case DOUBLE -> ConstantDescs.CD_Double;
      default -> null;
    };
    if (box != null) {
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, kind.upperBound()));
    }
  }

  // ---- constructors

  /** Returns the call of another constructor by which each constructor begins, empty only for {@code Object}. */
  static Optional<InvokeInstruction> firstOf(MethodModel constructor) {
    FirstCall first = new FirstCall();
    return constructor.code().orElseThrow().elementStream()
        .filter(first::isReached)
        .map(InvokeInstruction.class::cast)
        .findFirst();
  }

  /** Distinguishes a constructor's call of another one from those that make objects for its arguments. */
  private static final class FirstCall {
    private int made;

    boolean isReached(CodeElement element) {
      if (element instanceof NewObjectInstruction) {
        made++;
      } else if (element instanceof InvokeInstruction call && call.opcode() == Opcode.INVOKESPECIAL
          && call.name().equalsString(ConstantDescs.INIT_NAME)) {
        return made-- == 0;
      }
      return false;
    }
  }

  /** Puts the reports into a constructor: the object can be named only once that of its superclass has run. */
  CodeTransform inConstructor(ClassModel owner) {
    return CodeTransform.ofStateful(InConstructor::new);
  }

  private final class InConstructor implements CodeTransform {
    private final FirstCall first = new FirstCall();
    private Label from;
    private int begun;

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (from != null && element instanceof ReturnInstruction) {
        code.aload(begun).aload(code.receiverSlot()).aconst_null().invokestatic(HOOK, "end", END);
      }
      code.with(element);
      if (from == null && first.isReached(element)) {
        begun = begin(code, true);
        from = code.newBoundLabel();
      }
    }

    @Override
    public void atEnd(CodeBuilder code) {
      if (from != null) {
        Label to = code.newBoundLabel();
        Label failed = code.newLabel();
        endFailed(code, failed, begun);
        code.exceptionCatchAll(from, to, failed);
      }
    }
  }
}
