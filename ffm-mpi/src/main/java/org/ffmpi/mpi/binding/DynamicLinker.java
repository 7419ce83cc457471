// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The system's dynamic linker, and the environment that C libraries see.
 *
 * <p>{@link java.lang.foreign.SymbolLookup} loads a library with local scope. Components that Open MPI loads expect its
 * symbols in the global scope, and so do those of libfabric: hence {@code dlopen} with {@code RTLD_GLOBAL}.
 */
final class DynamicLinker {
  /** Bind all functions now. */
  @InC("RTLD_NOW")
  static final int NOW = 2;

  /** Libraries that are loaded later may use the symbols of this one. */
  @InC("RTLD_GLOBAL")
  static final int GLOBAL = 0x100;

  /** Longest text that is read from the C library. */
  private static final long LONGEST_TEXT = 8192;

  @InC("void *dlopen (const char *, int)")
  private static final MethodHandle DLOPEN = Linking.ofSystem("dlopen");

  @InC("int dlclose (void *)")
  private static final MethodHandle DLCLOSE = Linking.ofSystem("dlclose");

  @InC("void *dlsym (void *restrict, const char *restrict)")
  private static final MethodHandle DLSYM = Linking.ofSystem("dlsym");

  @InC("char *dlerror (void)")
  private static final MethodHandle DLERROR = Linking.ofSystem("dlerror");

  @InC("int setenv (const char *, const char *, int)")
  private static final MethodHandle SETENV = Linking.ofSystem("setenv");

  private DynamicLinker() {}

  /**
   * Loads a library; if it is loaded already, adds to its mode.
   *
   * @param name a path, or a name that the dynamic linker looks for
   * @param mode {@link #GLOBAL} or 0
   * @return its handle, or 0; then {@link #error} returns the reason
   */
  static long open(String name, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      long text = Raw.address(arena.allocateFrom(name));
      return (long) DLOPEN.invokeExact(text, (long) (NOW | mode), 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /** Releases a library that {@link #open} has returned. */
  static void close(long library) {
    try {
      long unused = (long) DLCLOSE.invokeExact(library, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /** Returns the address of a function or variable of a library, or 0. */
  static long find(long library, String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      long text = Raw.address(arena.allocateFrom(symbol));
      return (long) DLSYM.invokeExact(library, text, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /** Returns the reason why the last call of this thread has failed. */
  static String error() {
    try {
      long text = (long) DLERROR.invokeExact(0L, 0L, 0L, 0L, 0L, 0L, 0L);
      return text == 0 ? "unknown error" : text(text);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /** Sets a variable of the environment that C libraries read; {@link System#getenv} does not change. */
  static void setVariable(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      long n = Raw.address(arena.allocateFrom(name));
      long v = Raw.address(arena.allocateFrom(value));
      long unused = (long) SETENV.invokeExact(n, v, 1L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /** Reads a C string. */
  static String text(long address) {
    return Raw.view(address, LONGEST_TEXT).getString(0);
  }
}
