// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/** Makes carriers out of method handles. */
final class HandleCarriers {
  /** The erased type of {@link Carrier#read}. */
  static final MethodType READ = MethodType.methodType(Object.class, MemorySegment.class, long.class);

  /** The erased type of {@link Carrier#write}. */
  static final MethodType WRITE = MethodType.methodType(void.class, MemorySegment.class, long.class, Object.class);

  private HandleCarriers() {}

  /**
   * Makes a carrier of its own class, so that the handles are constants and inline into compiled code.
   *
   * @param reader (segment, offset) to object
   * @param writer (segment, offset, object) to nothing
   */
  static Carrier<?> spin(MethodHandle reader, MethodHandle writer) {
    try {
      MethodHandles.Lookup carrier = MethodHandles.lookup().defineHiddenClassWithClassData(
          Template.BYTES, List.of(reader.asType(READ), writer.asType(WRITE)), true);
      return (Carrier<?>) carrier
          .findConstructor(carrier.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The class file that all carriers are made from; the handles are its constants. */
  private static final class Template {
    static final byte[] BYTES = build();

    private static byte[] build() {
      MethodTypeDesc read = READ.describeConstable().orElseThrow();
      MethodTypeDesc write = WRITE.describeConstable().orElseThrow();
      ClassDesc name = ClassDesc.of(HandleCarriers.class.getPackageName(), "HandleCarrier");
      return ClassFile.of().build(name, type -> type
          .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
          .withInterfaceSymbols(Carrier.class.describeConstable().orElseThrow())
          .withMethodBody(INIT_NAME, MTD_void, 0, code ->
              code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
          .withMethodBody("read", read, ClassFile.ACC_PUBLIC, code -> code
              .ldc(handle(0)).aload(1).lload(2)
              .invokevirtual(CD_MethodHandle, "invokeExact", read).areturn())
          .withMethodBody("write", write, ClassFile.ACC_PUBLIC, code -> code
              .ldc(handle(1)).aload(1).lload(2).aload(4)
              .invokevirtual(CD_MethodHandle, "invokeExact", write).return_()));
    }

    private static DynamicConstantDesc<MethodHandle> handle(int index) {
      return DynamicConstantDesc.ofNamed(
          ConstantDescs.ofConstantBootstrap(
              MethodHandles.class.describeConstable().orElseThrow(), "classDataAt", CD_Object, CD_int),
          ConstantDescs.DEFAULT_NAME, CD_MethodHandle, index);
    }
  }
}
