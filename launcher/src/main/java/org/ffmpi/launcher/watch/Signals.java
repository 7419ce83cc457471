// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

/** Names of the signals that end processes, with the numbers they have on Linux for x86-64 and aarch64 alike. */
final class Signals {
  /** A process that a signal killed has this plus the signal's number as its exit code. */
  static final int EXIT_BASE = 128;

  /** Comes of Ctrl-C, to all processes in the foreground of a terminal. */
  static final int INT = 2;

  /** The writer of a pipe without a reader gets this one. */
  static final int PIPE = 13;

  /** Asks a process to end. */
  static final int TERM = 15;

  private Signals() {}

  /**
   * Names the signal in an exit code.
   *
   * @param exitCode exit code of a process
   * @return for example {@code SIGKILL}, or null when the code stands for no signal that ends processes
   */
  static String ofExitCode(int exitCode) {
    return switch (exitCode - EXIT_BASE) {
      case 1 -> "SIGHUP";
      case INT -> "SIGINT";
      case 3 -> "SIGQUIT";
      case 4 -> "SIGILL";
      case 5 -> "SIGTRAP";
      case 6 -> "SIGABRT";
      case 7 -> "SIGBUS";
      case 8 -> "SIGFPE";
      case 9 -> "SIGKILL";
      case 10 -> "SIGUSR1";
      case 11 -> "SIGSEGV";
      case 12 -> "SIGUSR2";
      case PIPE -> "SIGPIPE";
      case 14 -> "SIGALRM";
      case TERM -> "SIGTERM";
      case 24 -> "SIGXCPU";
      case 25 -> "SIGXFSZ";
      case 31 -> "SIGSYS";
      default -> null;
    };
  }
}
