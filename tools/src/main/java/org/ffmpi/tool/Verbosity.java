// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.Measure;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Standard;

/** For whom a variable or an event is, and how detailed it is (MPI-4.1 section 15.3.1). */
public enum Verbosity {
  /** For users, the most important ones. */
  @Standard("MPI_T_VERBOSITY_USER_BASIC")
  USER_BASIC(0x09),

  /** For users, in detail. */
  @Standard("MPI_T_VERBOSITY_USER_DETAIL")
  USER_DETAIL(0x0a),

  /** For users, all the rest. */
  @Standard("MPI_T_VERBOSITY_USER_ALL")
  USER_ALL(0x0c),

  /** For those who tune programs, the most important ones. */
  @Standard("MPI_T_VERBOSITY_TUNER_BASIC")
  TUNER_BASIC(0x11),

  /** For those who tune programs, in detail. */
  @Standard("MPI_T_VERBOSITY_TUNER_DETAIL")
  TUNER_DETAIL(0x12),

  /** For those who tune programs, all the rest. */
  @Standard("MPI_T_VERBOSITY_TUNER_ALL")
  TUNER_ALL(0x14),

  /** For developers of the library, the most important ones. */
  @Standard("MPI_T_VERBOSITY_MPIDEV_BASIC")
  MPIDEV_BASIC(0x21),

  /** For developers of the library, in detail. */
  @Standard("MPI_T_VERBOSITY_MPIDEV_DETAIL")
  MPIDEV_DETAIL(0x22),

  /** For developers of the library, all the rest. */
  @Standard("MPI_T_VERBOSITY_MPIDEV_ALL")
  MPIDEV_ALL(0x24);

  private final int code;

  Verbosity(int code) {
    this.code = code;
  }

  /** Returns the verbosity of the variables and events of a topic. */
  static Verbosity of(Measure.Topic topic) {
    return switch (topic) {
      case MESSAGES, WAITING -> USER_BASIC;
      case MEMORY -> USER_DETAIL;
      case QUEUES, COLLECTIVES -> TUNER_BASIC;
      case PROTOCOLS, DATATYPES -> TUNER_DETAIL;
    };
  }

  /** Returns the verbosity of a setting. */
  static Verbosity of(Setting<?> setting, boolean isForUsers) {
    if (!isForUsers) {
      return MPIDEV_ALL;
    }
    return switch (setting.scope()) {
      case LAUNCHER -> USER_BASIC;
      case RANK -> USER_DETAIL;
      case JOB -> TUNER_BASIC;
    };
  }

  /**
   * Returns the integer that stands for this level in the MPI-5 binary interface.
   *
   * @return the value of the constant of the standard
   */
  public int code() {
    return code;
  }
}
