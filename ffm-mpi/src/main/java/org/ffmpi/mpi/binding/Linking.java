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
 * on the stack, and says nothing of the other half, or wants the sign there, as a Java cast leaves it. So the three
 * ABIs need no code of their own, and a start is not slowed by signatures: the first function of each takes the JVM 3
 * to 5 ms, one more of the same 0.4 ms (JDK 25, two virtual cores; fifteen signatures: 50 to 90 ms, one: 6 to 11).
 */
final class Linking {
  /** The signature of nearly all functions. */
  static final FunctionDescriptor SIGNATURE = longs(7);

  /** The signature of those that have more arguments. */
  static final FunctionDescriptor LONG_SIGNATURE = longs(9);

  private Linking() {}

  /** What a method handle or a number is in C: a function's declaration, or a constant expression. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.FIELD)
  @interface InC {
    String value();
  }

  private static FunctionDescriptor longs(int arguments) {
    return FunctionDescriptor.of(
        JAVA_LONG, Collections.nCopies(arguments, JAVA_LONG).toArray(MemoryLayout[]::new));
  }

  /** Links a function of the system's C library. */
  @SuppressWarnings("restricted") // linking the C library is what it is for
  static MethodHandle ofSystem(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), SIGNATURE);
  }

  /** Links a function of the library that is loaded. */
  static MethodHandle of(String name) {
    return link(name, SIGNATURE);
  }

  /** Links a function of the library that is loaded, with more than seven arguments. */
  static MethodHandle ofLong(String name) {
    return link(name, LONG_SIGNATURE);
  }

  private static MethodHandle link(String name, FunctionDescriptor signature) {
    return at(MpiLibrary.current().addressOf(name), signature);
  }

  /** Links the function at an address. */
  @SuppressWarnings("restricted") // linking the library is what it is for
  static MethodHandle at(long function, FunctionDescriptor signature) {
    return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(function), signature);
  }

  /** Turns what a method handle throws, which is never a checked exception, into what a method may throw. */
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
