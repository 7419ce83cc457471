// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * Makes method handles of C functions.
 *
 * <p>All functions have one signature here: seven arguments and a result, all of them longs; a function that has fewer
 * leaves the others alone. Linux passes ints and pointers alike, an int in the lower half of a register or of a place
 * on the stack; the other half is undefined, or holds the sign, as a Java cast leaves it. So the three ABIs need no
 * code of their own, and signatures do not slow a start: the first function of each takes the JVM 3 to 5 ms, one more
 * of the same 0.4 ms (JDK 25, two virtual cores; fifteen signatures: 50 to 90 ms, one: 6 to 11).
 */
final class Linking {
  /** The signature of all functions. */
  private static final FunctionDescriptor SIGNATURE = FunctionDescriptor.of(
      JAVA_LONG, Collections.nCopies(7, JAVA_LONG).toArray(MemoryLayout[]::new));

  private Linking() {}

  /** The form of a method handle or a number in C: a function's declaration, or a constant expression. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.FIELD)
  @interface InC {
    String value();
  }

  /** Links a function of the system's C library. */
  @SuppressWarnings("restricted") // links the C library
  static MethodHandle ofSystem(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), SIGNATURE);
  }

  /** Links a function of the library that is loaded. */
  static MethodHandle of(String name) {
    return at(MpiLibrary.current().addressOf(name));
  }

  /** Links the function at an address. */
  @SuppressWarnings("restricted") // links the library
  static MethodHandle at(long function) {
    return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(function), SIGNATURE);
  }

  /** Returns the exception of a method handle, which is never a checked one, or throws its error. */
  static RuntimeException rethrow(Throwable e) {
    if (e instanceof RuntimeException r) {
      return r;
    }
    if (e instanceof Error r) {
      throw r;
    }
    return new IllegalStateException(e);
  }
}
