// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * All constants, sizes and offsets that come from the headers of Linux and its C library. {@link InC} has the form of
 * each in C; {@code NativeHeadersTest} compiles it against the headers of the machine, and {@code scripts/jextract}
 * compares it with the output of jextract.
 *
 * <p>Sizes and offsets are those of 64 bits. Every field is a constant of the compiler, so that a program does not
 * load this class.
 */
public final class LinuxNumbers {
  /** Error number: operation not permitted. */
  @InC("EPERM")
  public static final int EPERM = 1;

  /** Error number: invalid argument. */
  @InC("EINVAL")
  public static final int EINVAL = 22;

  /** Error number: the kernel has no such function. */
  @InC("ENOSYS")
  public static final int ENOSYS = 38;

  /** Bytes of {@code errno}, which the linker stores after a call. */
  @InC("sizeof (int)")
  static final int ERRNO_BYTES = 4;

  @InC("FUTEX_WAIT")
  static final int FUTEX_WAIT = 0;

  @InC("FUTEX_WAKE")
  static final int FUTEX_WAKE = 1;

  /** Bytes of the time of a wait: seconds and nanoseconds. */
  @InC("sizeof (struct timespec)")
  static final int TIMESPEC_BYTES = 16;

  @InC("offsetof (struct timespec, tv_sec)")
  static final int TIMESPEC_SECONDS = 0;

  @InC("offsetof (struct timespec, tv_nsec)")
  static final int TIMESPEC_NANOS = 8;

  /** Option of {@code prctl} of the Yama security module: the processes that may read this one's memory. */
  @InC("PR_SET_PTRACER")
  static final int PR_SET_PTRACER = 0x59616d61;

  /** Argument of {@link #PR_SET_PTRACER}: every process of the same user. */
  @InC("PR_SET_PTRACER_ANY")
  static final long PR_SET_PTRACER_ANY = -1;

  /** Bytes of a range of memory: address and length. */
  @InC("sizeof (struct iovec)")
  static final int IOVEC_BYTES = 16;

  @InC("offsetof (struct iovec, iov_base)")
  static final int IOVEC_BASE = 0;

  @InC("offsetof (struct iovec, iov_len)")
  static final int IOVEC_LENGTH = 8;

  /** Bytes of a set of cores, which has one bit for each. */
  @InC("sizeof (cpu_set_t)")
  static final int CPU_SET_BYTES = 128;

  /** Cores in a set. */
  @InC("CPU_SETSIZE")
  static final int CPU_SET_CORES = 1024;

  /** Bytes of a word of a set. */
  @InC("sizeof (unsigned long)")
  static final int CPU_WORD_BYTES = 8;

  private LinuxNumbers() {}

  /** The form of a field or a method in C: a constant expression, or a function's declaration. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.FIELD, ElementType.METHOD})
  @interface InC {
    String value();
  }

  /** Numbers of system calls on amd64. */
  static final class Amd64Calls {
    @InC("__NR_prctl")
    static final int PRCTL = 157;

    @InC("__NR_futex")
    static final int FUTEX = 202;

    @InC("__NR_sched_setaffinity")
    static final int SCHED_SETAFFINITY = 203;

    @InC("__NR_process_vm_readv")
    static final int PROCESS_VM_READV = 310;

    @InC("__NR_process_vm_writev")
    static final int PROCESS_VM_WRITEV = 311;

    private Amd64Calls() {}
  }

  /** Numbers of system calls that aarch64 and all newer architectures share. */
  static final class GenericCalls {
    @InC("__NR_futex")
    static final int FUTEX = 98;

    @InC("__NR_sched_setaffinity")
    static final int SCHED_SETAFFINITY = 122;

    @InC("__NR_prctl")
    static final int PRCTL = 167;

    @InC("__NR_process_vm_readv")
    static final int PROCESS_VM_READV = 270;

    @InC("__NR_process_vm_writev")
    static final int PROCESS_VM_WRITEV = 271;

    private GenericCalls() {}
  }
}
