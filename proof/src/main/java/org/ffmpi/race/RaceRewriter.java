// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites classes of a program so that they report their loads and stores to {@link RaceHook}, those of elements of
 * arrays of primitives, of memory segments and of NIO buffers. Called by class loaders and the agent, in any thread.
 */
public final class RaceRewriter {
  private static final ClassDesc HOOK = RaceHook.class.describeConstable().orElseThrow();
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final ClassDesc INT = ConstantDescs.CD_int;
  private static final ClassDesc LONG = ConstantDescs.CD_long;
  private static final ClassDesc VOID = ConstantDescs.CD_void;
  private static final ClassDesc LONGS = long[].class.describeConstable().orElseThrow();
  private static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
  private static final ClassDesc LAYOUT = MemoryLayout.class.describeConstable().orElseThrow();
  private static final ClassDesc BUFFER = Buffer.class.describeConstable().orElseThrow();
  private static final ClassDesc VAR_HANDLE = ConstantDescs.CD_VarHandle;
  private static final ClassDesc HANDLES = HandleHook.class.describeConstable().orElseThrow();
  private static final ClassDesc BYTE_BUFFER = ByteBuffer.class.describeConstable().orElseThrow();
  private static final ClassDesc VALUE_LAYOUT = ValueLayout.class.describeConstable().orElseThrow();
  private static final ClassDesc PATH = MemoryLayout.PathElement[].class.describeConstable().orElseThrow();
  private static final MethodTypeDesc ELEMENT = MethodTypeDesc.of(VOID, OBJECT, INT, STRING);

  private static final String OURS = "org/ffmpi/";

  /** Programs that have their places below the library's name. */
  private static final List<String> PROGRAMS = List.of("org/ffmpi/samples/", "org/ffmpi/tests/", "org/ffmpi/bench/");

  private static final String DIALECT = "mpi/";

  /** Bytes of the elements that the methods of byte buffers name. */
  private static final Map<String, Integer> NAMED = Map.of(
      "Char", Character.BYTES, "Short", Short.BYTES, "Int", Integer.BYTES, "Long", Long.BYTES, "Float", Float.BYTES,
      "Double", Double.BYTES);

  /** Methods of arrays that store to all elements; most others load them. */
  private static final Set<String> STORING = Set.of(
      "sort", "parallelSort", "setAll", "parallelSetAll", "parallelPrefix");

  private final String file;

  private RaceRewriter(String file) {
    this.file = file;
  }

  /**
   * Returns whether a class belongs to ffmpi, or to the API of other bindings above it, and not to a program.
   *
   * @param name its internal name
   * @return false for classes of programs
   */
  public static boolean isOfLibrary(String name) {
    return name.startsWith(DIALECT) || name.startsWith(OURS) && PROGRAMS.stream().noneMatch(name::startsWith);
  }

  /**
   * Rewrites a class.
   *
   * @param bytes its class file
   * @param loader finds the classes that it names
   * @return the new class file
   */
  public static byte[] rewritten(byte[] bytes, ClassLoader loader) {
    ClassFile files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
        ClassHierarchyResolver.ofResourceParsing(loader).orElse(ClassHierarchyResolver.defaultResolver())));
    ClassModel type = files.parse(bytes);
    String source = type.findAttribute(java.lang.classfile.Attributes.sourceFile())
        .map(SourceFileAttribute::sourceFile).map(Object::toString).orElse(type.thisClass().asInternalName());
    RaceRewriter rewriter = new RaceRewriter(source);
    return files.transformClass(
        type, ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(() -> rewriter.new Body())));
  }

  /** One method. */
  private final class Body implements CodeTransform {
    private String line = "";

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case LineNumber number -> {
          line = ":" + number.line();
          code.with(element);
        }
        case ArrayLoadInstruction load when load.typeKind() != TypeKind.REFERENCE -> {
          code.dup2().loadConstant(site("load")).invokestatic(HOOK, "load", ELEMENT).with(element);
        }
        case ArrayStoreInstruction store when store.typeKind() != TypeKind.REFERENCE -> {
          TypeKind kind = store.typeKind().asLoadable();
          int value = code.allocateLocal(kind);
          code.storeLocal(kind, value).dup2().loadConstant(site("store"))
              .invokestatic(HOOK, "store", ELEMENT).loadLocal(kind, value).with(element);
        }
        case InvokeInstruction call -> rewrite(code, call);
        default -> code.with(element);
      }
    }

    private String site(String what) {
      return "a " + what + " at " + file + line;
    }

    private void rewrite(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      switch (owner) {
        case "java/lang/System" -> ofSystem(code, call);
        case "java/util/Arrays" -> ofArrays(code, call);
        case "java/lang/foreign/MemorySegment" -> ofSegment(code, call);
        case "java/lang/invoke/VarHandle" -> ofVarHandle(code, call);
        case "java/lang/invoke/MethodHandles" -> ofMethodHandles(code, call);
        default -> {
          if (owner.startsWith("java/lang/foreign/") && owner.contains("Layout")) {
            ofLayout(code, call);
          } else if (owner.startsWith("java/nio/") && owner.endsWith("Buffer")) {
            ofBuffer(code, call, owner);
          } else if (owner.length() == 2 && owner.startsWith("[") && call.name().equalsString("clone")) {
            code.dup().loadConstant(site("load"))
                .invokestatic(HOOK, "loadAll", MethodTypeDesc.of(VOID, OBJECT, STRING)).with(call);
          } else {
            code.with(call);
          }
        }
      }
    }

    private void ofSystem(CodeBuilder code, InvokeInstruction call) {
      if (call.name().equalsString("arraycopy")) {
        new Arguments(code, call).hook("copy", site("copy"), 0, 1, 2, 3, 4);
      } else {
        code.with(call);
      }
    }

    private void ofArrays(CodeBuilder code, InvokeInstruction call) {
      MethodTypeDesc type = call.typeSymbol();
      boolean ofPrimitives = type.parameterCount() > 0 && type.parameterType(0).isArray()
          && type.parameterType(0).componentType().isPrimitive();
      if (!ofPrimitives) {
        code.with(call);
      } else if (call.name().equalsString("fill") && type.parameterCount() == 4) {
        new Arguments(code, call).hook("fill", site("store"), 0, 1, 2);
      } else {
        boolean stores = call.name().equalsString("fill") || STORING.contains(call.name().stringValue());
        new Arguments(code, call).hook(stores ? "storeAll" : "loadAll", site(stores ? "store" : "load"), 0);
      }
    }

    private void ofSegment(CodeBuilder code, InvokeInstruction call) {
      int count = call.typeSymbol().parameterCount();
      switch (call.name().stringValue()) {
        case "get" -> new Arguments(code, call).hook("loadAt", site("load"), 0, 1, 2);
        case "set" -> new Arguments(code, call).hook("storeAt", site("store"), 0, 1, 2);
        case "getAtIndex" -> new Arguments(code, call).hook("loadIndex", site("load"), 0, 1, 2);
        case "setAtIndex" -> new Arguments(code, call).hook("storeIndex", site("store"), 0, 1, 2);
        case "fill" -> new Arguments(code, call).hook("storeSegment", site("store"), 0);
        case "toArray" -> new Arguments(code, call).hook("loadSegment", site("load"), 0);
        case "copyFrom" -> new Arguments(code, call).hook("copyFrom", site("copy"), 0, 1);
        case "copy" -> {
          boolean fromSegment = call.typeSymbol().parameterType(0).equals(SEGMENT);
          if (count == 5) {
            new Arguments(code, call).hook("copyBytes", site("copy"), 0, 1, 2, 3, 4);
          } else if (count == 7) {
            new Arguments(code, call).hook("copyElements", site("copy"), 0, 1, 2, 3, 4, 5, 6);
          } else {
            new Arguments(code, call).hook(
                fromSegment ? "copyToArray" : "copyToSegment", site("copy"), 0, 1, 2, 3, 4, 5);
          }
        }
        default -> code.with(call);
      }
    }

    /** An access through a handle: the hook knows which bytes that of a layout reads. */
    private void ofVarHandle(CodeBuilder code, InvokeInstruction call) {
      MethodTypeDesc type = call.typeSymbol();
      String name = call.name().stringValue();
      if (name.equals("withInvokeExactBehavior") || name.equals("withInvokeBehavior")) {
        code.dup().with(call).swap()
            .invokestatic(HANDLES, "same", MethodTypeDesc.of(VAR_HANDLE, VAR_HANDLE, VAR_HANDLE));
      } else if (type.parameterCount() > 0 && isMemory(type.parameterType(0)) && isAccess(name)) {
        new Arguments(code, call).handle(name, site(loads(name) ? "load" : "store"));
      } else {
        code.with(call);
      }
    }

    private static boolean isMemory(ClassDesc type) {
      return type.equals(SEGMENT) || type.equals(BYTE_BUFFER) || type.isArray() && type.componentType().isPrimitive();
    }

    private static boolean isAccess(String name) {
      return name.startsWith("get") || name.startsWith("set") || name.startsWith("compareAnd")
          || name.startsWith("weakCompareAnd");
    }

    /** Calls that make handles are followed by one of the hook, which notes them. */
    private void ofLayout(CodeBuilder code, InvokeInstruction call) {
      MethodTypeDesc type = call.typeSymbol();
      boolean hasPath = type.parameterCount() == 1 && type.parameterType(0).equals(PATH);
      if (call.name().equalsString("varHandle") && type.parameterCount() == 0) {
        new Arguments(code, call).made("ofValue", VALUE_LAYOUT);
      } else if (call.name().equalsString("varHandle") && hasPath) {
        new Arguments(code, call).made("ofPath", LAYOUT, PATH);
      } else if (call.name().equalsString("arrayElementVarHandle") && hasPath) {
        new Arguments(code, call).made("ofElements", LAYOUT, PATH);
      } else {
        code.with(call);
      }
    }

    private void ofMethodHandles(CodeBuilder code, InvokeInstruction call) {
      if (call.name().equalsString("insertCoordinates")) {
        code.invokestatic(HANDLES, "bound", call.typeSymbol());
      } else {
        code.with(call);
      }
    }

    private void ofBuffer(CodeBuilder code, InvokeInstruction call, String owner) {
      String name = call.name().stringValue();
      boolean stores = name.startsWith("put");
      if (!stores && !name.startsWith("get")) {
        code.with(call);
        return;
      }
      MethodTypeDesc type = call.typeSymbol();
      Integer named = NAMED.get(name.substring(3));
      int parameters = type.parameterCount();
      boolean bulk = parameters == 1 && type.parameterType(0).isArray();
      boolean isElement = named != null && owner.equals("java/nio/ByteBuffer") || name.length() == 3;
      boolean isSimple = parameters == (stores ? 1 : 0) && (!stores || type.parameterType(0).isPrimitive());
      boolean isIndexed = parameters == (stores ? 2 : 1) && type.parameterType(0).equals(INT)
          && (!stores || type.parameterType(1).isPrimitive());
      Arguments arguments = isElement && (bulk || isSimple || isIndexed) ? new Arguments(code, call) : null;
      if (arguments == null) {
        code.with(call);
      } else if (bulk) {
        arguments.hook(stores ? "arrayToBuffer" : "bufferToArray", site("copy"), 0, 1);
      } else {
        arguments.buffer(
            stores ? "storeBuffer" : "loadBuffer", isIndexed, named == null ? 0 : named,
            site(stores ? "store" : "load"));
      }
    }
  }

  /** The arguments of a call, its receiver first, taken from the stack into locals and put back. */
  private static final class Arguments {
    private final CodeBuilder code;
    private final InvokeInstruction call;
    private final List<TypeKind> kinds = new ArrayList<>();
    private final List<Integer> locals = new ArrayList<>();

    Arguments(CodeBuilder code, InvokeInstruction call) {
      this.code = code;
      this.call = call;
      if (call.opcode() != Opcode.INVOKESTATIC) {
        kinds.add(TypeKind.REFERENCE);
      }
      call.typeSymbol().parameterList().forEach(type -> kinds.add(TypeKind.from(type).asLoadable()));
      for (TypeKind kind : kinds) {
        locals.add(code.allocateLocal(kind));
      }
      for (int i = kinds.size() - 1; i >= 0; i--) {
        code.storeLocal(kinds.get(i), locals.get(i));
      }
    }

    private void load(int argument) {
      code.loadLocal(kinds.get(argument), locals.get(argument));
    }

    private void makeCall() {
      for (int i = 0; i < kinds.size(); i++) {
        load(i);
      }
      code.with(call);
    }

    /** Calls a method of the hook with some of the arguments and the place, then makes the call. */
    void hook(String method, String site, int... arguments) {
      List<ClassDesc> types = new ArrayList<>();
      for (int argument : arguments) {
        load(argument);
        types.add(hookType(method, argument));
      }
      types.add(STRING);
      code.loadConstant(site).invokestatic(HOOK, method, MethodTypeDesc.of(VOID, types));
      makeCall();
    }

    /** Returns the type of a parameter of the hook's method: its parameters are the call's first arguments. */
    private ClassDesc hookType(String method, int argument) {
      boolean hasReceiver = call.opcode() != Opcode.INVOKESTATIC;
      if (hasReceiver && argument == 0) {
        return method.contains("uffer") ? BUFFER : SEGMENT;
      }
      ClassDesc type = call.typeSymbol().parameterType(hasReceiver ? argument - 1 : argument);
      if (type.isPrimitive() || type.equals(SEGMENT)) {
        return type;
      }
      return type.descriptorString().startsWith("Ljava/lang/foreign/") ? LAYOUT : OBJECT;
    }

    /** Calls a method of the hook for an element of a buffer, then makes the call. */
    void buffer(String method, boolean isIndexed, int bytes, String site) {
      load(0);
      if (isIndexed) {
        load(1);
      } else {
        code.loadConstant(-1);
      }
      code.loadConstant(bytes).loadConstant(site)
          .invokestatic(HOOK, method, MethodTypeDesc.of(VOID, BUFFER, INT, INT, STRING));
      makeCall();
    }

    /** Makes the call, and has the hook note the handle that it returns, with the arguments. */
    void made(String method, ClassDesc... arguments) {
      makeCall();
      List<ClassDesc> types = new ArrayList<>(List.of(VAR_HANDLE));
      for (int i = 0; i < arguments.length; i++) {
        load(i);
        types.add(arguments[i]);
      }
      code.invokestatic(HANDLES, method, MethodTypeDesc.of(VAR_HANDLE, types));
    }

    /** Reports an access through a handle before it is made, and one with an order that loads after it, too. */
    void handle(String name, String site) {
      load(0);
      load(1);
      int numbers = 2;
      while (numbers < kinds.size() && (kinds.get(numbers) == TypeKind.LONG || kinds.get(numbers) == TypeKind.INT)) {
        numbers++;
      }
      code.loadConstant(numbers - 2).newarray(TypeKind.LONG);
      for (int i = 2; i < numbers; i++) {
        code.dup().loadConstant(i - 2);
        load(i);
        if (kinds.get(i) == TypeKind.INT) {
          code.i2l();
        }
        code.lastore();
      }
      int mode = name.equals("get") || name.equals("set") ? HandleHook.PLAIN
          : name.endsWith("Opaque") ? HandleHook.OPAQUE : HandleHook.ORDERED;
      code.loadConstant(mode).loadConstant(stores(name) ? 1 : 0).loadConstant(site).invokestatic(
          HANDLES, "before", MethodTypeDesc.of(VOID, VAR_HANDLE, OBJECT, LONGS, INT, ConstantDescs.CD_boolean, STRING));
      makeCall();
      if (mode == HandleHook.ORDERED && loads(name)) {
        load(1);
        code.invokestatic(HANDLES, "after", MethodTypeDesc.of(VOID, OBJECT));
      }
    }
  }

  /** Returns whether an access of a handle loads; some of those do that store. */
  private static boolean loads(String name) {
    return !name.startsWith("set");
  }

  private static boolean stores(String name) {
    return name.startsWith("set") || name.contains("And");
  }
}
