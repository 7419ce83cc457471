// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites the classes of ffmpi so that their methods report. The body of a method of the standard moves, byte for
 * byte, into a private method beside it; the method itself becomes a few instructions that check for listeners and call
 * it. In constructors, whose body cannot move, the reports are inserted.
 *
 * <p>Methods for users outside the standard that may call some inside it are rewritten too, as calls without a name,
 * whose inner calls are not reported.
 */
final class CallRewriter {
  /** Appended to the name of the method that holds the old body. */
  static final String BODY = "$call";

  private static final String STANDARD = "Lorg/ffmpi/base/Standard;";
  private static final String HOOK = "org/ffmpi/base/hook/CallHook";
  private static final String QUESTION = "isRewritten";
  private static final String OURS = "org/ffmpi/";

  /** Methods that run the program's code are neither a call nor the inside of one. */
  private static final ClassDesc PROGRAM = ClassDesc.of("org.ffmpi.Mpi$Body");

  /** Packages that programs are written against, and those with the bodies of calls that their interfaces declare. */
  private static final Set<String> FOR_USERS = Set.of(
      "org/ffmpi", "org/ffmpi/base", "org/ffmpi/datatype", "org/ffmpi/communicator", "org/ffmpi/file",
      "org/ffmpi/message", "org/ffmpi/process", "org/ffmpi/request", "org/ffmpi/window");

  /** Packages whose methods may call others that are reported. */
  private static final Set<String> CALLING = Set.of("org/ffmpi", "org/ffmpi/datatype");

  /** The classes that report calls are not reported themselves. */
  private static final Set<String> TELLING = Set.of("org/ffmpi/Call", "org/ffmpi/Calls", "org/ffmpi/CallListener");

  private CallRewriter() {}

  /**
   * Returns whether calls of a class may have to be reported.
   *
   * @param name its internal name
   */
  static boolean isOurs(String name) {
    return name.startsWith(OURS) && FOR_USERS.contains(packageOf(name)) && !TELLING.contains(name)
        || name.equals(HOOK);
  }

  /**
   * Rewrites a class.
   *
   * @param name its internal name
   * @param bytes its class file
   * @return the new class file, or null when nothing in it has to report
   */
  static byte[] rewritten(String name, byte[] bytes) {
    ClassFile files = ClassFile.of();
    ClassModel type = files.parse(bytes);
    if (name.equals(HOOK)) {
      return files.transformClass(type, CallRewriter::answerYes);
    }
    Map<MethodModel, ReportedCall> calls = calls(type);
    if (calls.isEmpty()) {
      return null;
    }
    return files.transformClass(type, (builder, element) -> {
      ReportedCall call = element instanceof MethodModel method ? calls.get(method) : null;
      if (call == null) {
        builder.with(element);
      } else {
        rewrite(builder, type, (MethodModel) element, call);
      }
    });
  }

  private static void answerYes(ClassBuilder builder, ClassElement element) {
    if (element instanceof MethodModel method && method.methodName().equalsString(QUESTION)) {
      builder.withMethodBody(
          method.methodName(), method.methodType(), method.flags().flagsMask(), code -> code.iconst_1().ireturn());
    } else {
      builder.with(element);
    }
  }

  private static void rewrite(ClassBuilder builder, ClassModel type, MethodModel method, ReportedCall call) {
    if (call.isConstructor()) {
      builder.transformMethod(method, MethodTransform.transformingCode(call.inConstructor(type)));
      return;
    }
    int flags = method.flags().flagsMask();
    int lock = flags & ClassFile.ACC_SYNCHRONIZED;
    String body = call.method() + BODY;
    builder.withMethod(method.methodName(), method.methodType(), flags & ~lock, outer -> {
      for (MethodElement element : method) {
        if (!(element instanceof CodeModel)) {
          outer.with(element);
        }
      }
      outer.withCode(code -> call.around(code, type, body));
    });
    builder.withMethod(
        body, method.methodTypeSymbol(),
        flags & ClassFile.ACC_STATIC | lock | ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC,
        inner -> inner.with(method.code().orElseThrow()));
  }

  // ---- which methods report

  private static Map<MethodModel, ReportedCall> calls(ClassModel type) {
    Map<MethodModel, ReportedCall> calls = new HashMap<>();
    boolean mayHide = mayHide(type);
    for (MethodModel method : type.methods()) {
      if (isCallable(method)) {
        List<String> names = names(method);
        boolean reports = !names.isEmpty() && !delegates(type, method);
        if (reports || names.isEmpty() && mayHide && hides(method)) {
          calls.put(method, new ReportedCall(method, parameters(method), names));
        }
      }
    }
    return calls;
  }

  private static boolean isCallable(MethodModel method) {
    return method.flags().has(AccessFlag.PUBLIC)
        && method.code().isPresent()
        && !method.flags().has(AccessFlag.BRIDGE)
        && !method.flags().has(AccessFlag.SYNTHETIC)
        && !method.methodTypeSymbol().parameterList().contains(PROGRAM);
  }

  /**
   * Returns whether a class may hide calls: public classes, the sealed ones between them and {@code Object}, and those
   * that implement public interfaces.
   */
  private static boolean mayHide(ClassModel type) {
    boolean ofUsers = type.flags().has(AccessFlag.PUBLIC)
        || type.flags().has(AccessFlag.ABSTRACT) && type.findAttribute(Attributes.permittedSubclasses()).isPresent();
    String name = type.thisClass().asInternalName();
    return ofUsers && (CALLING.contains(packageOf(name)) || implementsCalls(name));
  }

  /** Returns whether a class has the bodies of a public interface's methods, by the rule for names of such classes. */
  private static boolean implementsCalls(String name) {
    return name.endsWith("Impl") || name.substring(name.lastIndexOf('/') + 1).startsWith("Forwarding");
  }

  private static boolean hides(MethodModel method) {
    return !method.methodName().equalsString(ConstantDescs.INIT_NAME)
        && method.code().orElseThrow().elementStream()
            .anyMatch(e -> e instanceof InvokeInstruction call && call.owner().asInternalName().startsWith(OURS));
  }

  /** Returns whether a constructor calls another of its class, which reports by itself. */
  private static boolean delegates(ClassModel type, MethodModel method) {
    return ReportedCall.isConstructor(method)
        && ReportedCall.firstOf(method)
            .filter(call -> call.owner().equals(type.thisClass()))
            .flatMap(call -> type.methods().stream()
                .filter(m -> m.methodName().equals(call.name()) && m.methodType().equals(call.type()))
                .findAny())
            .filter(target -> isCallable(target) && !names(target).isEmpty())
            .isPresent();
  }

  private static List<String> names(MethodModel method) {
    List<String> names = new ArrayList<>();
    method.findAttribute(Attributes.runtimeVisibleAnnotations()).ifPresent(all -> all.annotations().stream()
        .filter(annotation -> annotation.className().equalsString(STANDARD))
        .flatMap(annotation -> annotation.elements().stream())
        .map(AnnotationElement::value)
        .forEach(value -> collect(value, names)));
    return names;
  }

  private static void collect(AnnotationValue value, List<String> names) {
    switch (value) {
      case AnnotationValue.OfArray array -> array.values().forEach(entry -> collect(entry, names));
      case AnnotationValue.OfString name when isProcedure(name.stringValue()) -> names.add(name.stringValue());
      default -> { }
    }
  }

  /** Names of constants, handles and fields are in capitals. */
  private static boolean isProcedure(String name) {
    return name.chars().anyMatch(Character::isLowerCase);
  }

  private static List<String> parameters(MethodModel method) {
    int count = method.methodTypeSymbol().parameterCount();
    List<MethodParameterInfo> known =
        method.findAttribute(Attributes.methodParameters()).map(a -> a.parameters()).orElse(List.of());
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Optional<String> name =
          known.size() == count ? known.get(i).name().map(n -> n.stringValue()) : Optional.empty();
      names.add(name.orElse("argument" + i));
    }
    return names;
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }
}
