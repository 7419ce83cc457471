// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's functions that the engine calls. Initialising this class links them, which costs tens of
 * milliseconds: only {@link PosixLoader} does, off the callers' path.
 *
 * <p>Functions that can fail return {@code -errno} instead of -1.
 */
public final class Posix {
  /** Futex operation: sleep while the word holds the expected value. */
  public static final int FUTEX_WAIT = 0;

  /** Futex operation: wake sleepers. */
  public static final int FUTEX_WAKE = 1;

  /** Error number: operation not permitted. */
  public static final int EPERM = 1;

  /** Error number: the kernel has no such function. */
  public static final int ENOSYS = 38;

  /** Option of {@code prctl} of the Yama security module: who may read this process's memory. */
  public static final int PR_SET_PTRACER = 0x59616d61;

  /** Argument of {@link #PR_SET_PTRACER}: every process of the same user. */
  public static final long PR_SET_PTRACER_ANY = -1;

  /** Bytes of a CPU set: 1,024 cores. */
  public static final int CPU_SET_BYTES = 128;

  private static final boolean X86 = System.getProperty("os.arch").equals("amd64");

  /** Number of the futex system call on this machine. */
  public static final long SYS_FUTEX = X86 ? 202 : 98;

  /** The C type {@code struct timespec}. */
  public static final StructLayout TIMESPEC =
      MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

  /** The C type {@code struct iovec}. */
  public static final StructLayout IOVEC =
      MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final FunctionDescriptor SYSCALL_6 =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle FUTEX_SLEEP = link("syscall", SYSCALL_6, Linker.Option.captureCallState("errno"));
  private static final MethodHandle FUTEX_SIGNAL = link("syscall", SYSCALL_6, Linker.Option.critical(false));
  private static final MethodHandle SCHED_SETAFFINITY =
      link(
          "sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
          Linker.Option.captureCallState("errno"));

  private static final MethodHandle PROCESS_VM_READV =
      link(
          "process_vm_readv",
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle PRCTL =
      link(
          "prctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(1));

  private Posix() {}

  @SuppressWarnings("restricted") // linking libc is what this class is for
  private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** Forces the class to be initialised, and so all functions to be linked. */
  static void linkAll() {}

  /**
   * Sleeps until another process wakes the word, the word differs, a signal arrives or the time is over. The word lies
   * in shared memory. Blocks; never call it from a virtual thread.
   *
   * @param address absolute address of the int
   * @param expected value at which to sleep
   * @param nanos longest sleep
   * @return 0 when woken, or the negative errno (-EAGAIN, -EINTR, -ETIMEDOUT)
   */
  public static int futexWait(long address, int expected, long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(TIMESPEC);
      time.set(JAVA_LONG, 0, nanos / 1_000_000_000);
      time.set(JAVA_LONG, 8, nanos % 1_000_000_000);
      MemorySegment state = arena.allocate(CAPTURE);
      long r = (long) FUTEX_SLEEP.invokeExact(
          state, SYS_FUTEX, address, (long) FUTEX_WAIT, (long) expected, time, 0L, 0L);
      return r == 0 ? 0 : -(int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Wakes all who sleep on a word. Never blocks.
   *
   * @param address absolute address of the int
   */
  public static void futexWake(long address) {
    try {
      long woken = (long) FUTEX_SIGNAL.invokeExact(
          SYS_FUTEX, address, (long) FUTEX_WAKE, (long) Integer.MAX_VALUE, MemorySegment.NULL, 0L, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Binds a thread to some cores.
   *
   * @param thread the kernel's thread id; 0 for the caller
   * @param cores core numbers
   * @return 0, or the negative errno
   */
  public static int bind(int thread, int... cores) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment set = arena.allocate(CPU_SET_BYTES, 8);
      for (int core : cores) {
        if (core < 0 || core >= CPU_SET_BYTES * 8) {
          return -22; // EINVAL
        }
        long word = core / 64 * 8L;
        set.set(JAVA_LONG, word, set.get(JAVA_LONG, word) | 1L << core % 64);
      }
      MemorySegment state = arena.allocate(CAPTURE);
      int r = (int) SCHED_SETAFFINITY.invokeExact(state, thread, (long) CPU_SET_BYTES, set);
      return r == 0 ? 0 : -(int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Copies from another process of the same user.
   *
   * @param process the process to read from
   * @param source absolute address there
   * @param target absolute address here
   * @param bytes how many
   * @return how many were copied, or the negative errno
   */
  public static long readMemory(int process, long source, long target, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(2 * IOVEC.byteSize() + CAPTURE.byteSize(), 8);
      block.set(JAVA_LONG, 0, target);
      block.set(JAVA_LONG, 8, bytes);
      block.set(JAVA_LONG, 16, source);
      block.set(JAVA_LONG, 24, bytes);
      MemorySegment state = block.asSlice(2 * IOVEC.byteSize());
      long r = (long) PROCESS_VM_READV.invokeExact(
          state, process, block, 1L, block.asSlice(IOVEC.byteSize(), IOVEC.byteSize()), 1L, 0L);
      return r >= 0 ? r : -(int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Lets all processes of the same user read this process's memory, where the Yama security module would let only its
   * parents. Without that module the call fails and is not needed.
   */
  public static void allowReads() {
    try {
      int ignored = (int) PRCTL.invokeExact(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  private static RuntimeException rethrow(Throwable e) {
    if (e instanceof RuntimeException r) {
      return r;
    }
    if (e instanceof Error r) {
      throw r;
    }
    return new IllegalStateException(e);
  }
}
