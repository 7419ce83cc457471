// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Names by which two processes find out whether they are one, or on one machine. */
public final class JvmIdentity {
  /** The name of this JVM. */
  public static final String OWN = UUID.randomUUID().toString();

  private JvmIdentity() {}

  /** Returns a new random name. */
  public static String fresh() {
    return UUID.randomUUID().toString();
  }

  /** Returns a name of this machine since it was started. */
  public static String machine() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return OWN; // within one JVM at least
    }
  }
}
