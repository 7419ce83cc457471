// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.posix.LinuxNumbers.Amd64Calls;
import org.ffmpi.shm.posix.LinuxNumbers.GenericCalls;
import org.ffmpi.shm.posix.LinuxNumbers.InC;

/**
 * The system calls that the engine makes, through the C library's {@code syscall}. Initialising this class links it,
 * which costs tens of milliseconds: only {@link PosixLoader} does so, in a thread of its own.
 *
 * <p>Calls that can fail return {@code -errno} instead of -1.
 */
public final class Posix {
  // The calls' numbers on this machine.
  private static final boolean AMD64 = System.getProperty("os.arch").equals("amd64");

  @InC("SYS_futex")
  static final long SYS_FUTEX = AMD64 ? Amd64Calls.FUTEX : GenericCalls.FUTEX;

  @InC("SYS_sched_setaffinity")
  static final long SYS_SCHED_SETAFFINITY = AMD64 ? Amd64Calls.SCHED_SETAFFINITY : GenericCalls.SCHED_SETAFFINITY;

  @InC("SYS_prctl")
  static final long SYS_PRCTL = AMD64 ? Amd64Calls.PRCTL : GenericCalls.PRCTL;

  @InC("SYS_process_vm_readv")
  static final long SYS_PROCESS_VM_READV = AMD64 ? Amd64Calls.PROCESS_VM_READV : GenericCalls.PROCESS_VM_READV;

  @InC("SYS_process_vm_writev")
  static final long SYS_PROCESS_VM_WRITEV = AMD64 ? Amd64Calls.PROCESS_VM_WRITEV : GenericCalls.PROCESS_VM_WRITEV;

  /** Bytes of a call's captured state: {@code errno}, an int. */
  private static final long STATE_BYTES = LinuxNumbers.ERRNO_BYTES;

  /** The number of the call and six arguments, of which a call may ignore some. */
  @InC("long syscall (long, ...)")
  static final FunctionDescriptor SIGNATURE = FunctionDescriptor.of(
      JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /**
   * The only function that is linked, {@code syscall} with the most arguments of any call. Each further signature or
   * option would have the JVM make some fifteen classes more, 20 ms of every start.
   */
  private static final MethodHandle SYSCALL = link();

  /** State of calls whose errors are ignored. */
  private static final MemorySegment NO_STATE = Arena.global().allocate(STATE_BYTES, 8);

  private Posix() {}

  @SuppressWarnings("restricted") // links libc
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        SIGNATURE,
        Linker.Option.captureCallState("errno"));
  }

  /** Calls the kernel with up to four arguments; returns its result, or {@code -errno}. */
  private static long call(MemorySegment state, long number, long a, long b, long c, long d) {
    return call(state, number, a, b, c, d, 0, 0);
  }

  private static long call(MemorySegment state, long number, long a, long b, long c, long d, long e, long f) {
    try {
      long r = (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
      return r == -1 ? -Raw.getInt(state.address()) : r;
    } catch (Throwable t) {
      throw rethrow(t);
    }
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
      MemorySegment block = arena.allocate(LinuxNumbers.TIMESPEC_BYTES + STATE_BYTES, 8);
      long time = block.address();
      Raw.putLong(time + LinuxNumbers.TIMESPEC_SECONDS, nanos / 1_000_000_000);
      Raw.putLong(time + LinuxNumbers.TIMESPEC_NANOS, nanos % 1_000_000_000);
      MemorySegment state = block.asSlice(LinuxNumbers.TIMESPEC_BYTES);
      return (int) call(state, SYS_FUTEX, address, LinuxNumbers.FUTEX_WAIT, expected, time);
    }
  }

  /**
   * Wakes all threads that sleep on a word. Never blocks.
   *
   * @param address absolute address of the int
   */
  public static void futexWake(long address) {
    call(NO_STATE, SYS_FUTEX, address, LinuxNumbers.FUTEX_WAKE, Integer.MAX_VALUE, 0);
  }

  /**
   * Binds a thread to some cores.
   *
   * @param thread the kernel's thread id; 0 for the caller
   * @param cores core numbers
   * @return 0, or the negative errno
   */
  @InC("int sched_setaffinity (pid_t, size_t, const cpu_set_t *)")
  public static int bind(int thread, int... cores) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(LinuxNumbers.CPU_SET_BYTES + STATE_BYTES, 8);
      long set = block.address();
      for (int core : cores) {
        if (core < 0 || core >= LinuxNumbers.CPU_SET_CORES) {
          return -LinuxNumbers.EINVAL;
        }
        long word = set + (long) core / Long.SIZE * LinuxNumbers.CPU_WORD_BYTES;
        Raw.putLong(word, Raw.getLong(word) | 1L << core % Long.SIZE);
      }
      MemorySegment state = block.asSlice(LinuxNumbers.CPU_SET_BYTES);
      return (int) call(state, SYS_SCHED_SETAFFINITY, thread, LinuxNumbers.CPU_SET_BYTES, set, 0);
    }
  }

  /**
   * Copies from another process of the same user.
   *
   * @param process the process to read from
   * @param source absolute address there
   * @param target absolute address here
   * @param bytes number of bytes
   * @return the number copied, or the negative errno
   */
  @InC("ssize_t process_vm_readv (pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,"
      + " unsigned long)")
  public static long readMemory(int process, long source, long target, long bytes) {
    return moveMemory(SYS_PROCESS_VM_READV, process, target, source, bytes);
  }

  /**
   * Copies to another process of the same user.
   *
   * @param process the process to write to
   * @param source absolute address here
   * @param target absolute address there
   * @param bytes number of bytes
   * @return the number copied, or the negative errno
   */
  @InC("ssize_t process_vm_writev (pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,"
      + " unsigned long)")
  public static long writeMemory(int process, long source, long target, long bytes) {
    return moveMemory(SYS_PROCESS_VM_WRITEV, process, source, target, bytes);
  }

  private static long moveMemory(long number, int process, long local, long remote, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(2 * LinuxNumbers.IOVEC_BYTES + STATE_BYTES, 8);
      long here = block.address();
      long there = here + LinuxNumbers.IOVEC_BYTES;
      Raw.putLong(here + LinuxNumbers.IOVEC_BASE, local);
      Raw.putLong(here + LinuxNumbers.IOVEC_LENGTH, bytes);
      Raw.putLong(there + LinuxNumbers.IOVEC_BASE, remote);
      Raw.putLong(there + LinuxNumbers.IOVEC_LENGTH, bytes);
      return call(block.asSlice(2 * LinuxNumbers.IOVEC_BYTES), number, process, here, 1, there, 1, 0);
    }
  }

  /**
   * Permits all processes of the same user to read this process's memory, where the Yama security module would permit
   * only its parents. Without that module the call fails and is not needed.
   */
  @InC("int prctl (int, ...)")
  public static void allowReads() {
    call(NO_STATE, SYS_PRCTL, LinuxNumbers.PR_SET_PTRACER, LinuxNumbers.PR_SET_PTRACER_ANY, 0, 0);
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
