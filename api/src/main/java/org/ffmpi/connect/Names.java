// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * The names under which processes of a user publish ports, each in a file of the {@link PortFolder}. A name lasts as
 * long as the process that has published it. Any thread.
 */
public final class Names {
  /** The entry of a published name, with its port and the process that has published it. */
  private record Entry(String service, String port, long pid, long began) {
    byte[] bytes() throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      DataOutputStream data = new DataOutputStream(out);
      data.writeUTF(service);
      data.writeUTF(port);
      data.writeLong(pid);
      data.writeLong(began);
      return out.toByteArray();
    }

    static Entry read(Path file) throws IOException {
      DataInputStream data = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)));
      return new Entry(data.readUTF(), data.readUTF(), data.readLong(), data.readLong());
    }

    boolean isAlive() {
      return ProcessHandle.of(pid).map(process -> Names.began(process) == began).orElse(false);
    }
  }

  private Names() {}

  private static long began(ProcessHandle process) {
    return process.info().startInstant().map(instant -> instant.toEpochMilli()).orElse(0L);
  }

  /**
   * Publishes a name.
   *
   * @throws MpiException ERR_SERVICE when a living process has published it, or it is null or too long
   */
  public static void publish(String service, String port, Settings settings) {
    check(service);
    if (port == null || Port.numberOf(port) < 0) {
      throw MpiException.argument(ErrorClass.ERR_PORT, "port", port, "names that openPort has returned");
    }
    PortFolder folder = PortFolder.of(settings);
    Path file = folder.nameFile(digest(service));
    ProcessHandle self = ProcessHandle.current();
    try {
      byte[] content = new Entry(service, port, self.pid(), began(self)).bytes();
      while (!folder.publish(file, content)) {
        Entry there = readOrNull(file);
        if (there != null && there.isAlive()) {
          throw new MpiException(
              ErrorClass.ERR_SERVICE,
              "process " + there.pid() + " has published the name " + service + " already, for port " + there.port());
        }
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the name " + service + " cannot be published: " + e, e);
    }
  }

  /**
   * Takes a name back.
   *
   * @throws MpiException ERR_SERVICE when it is not published for that port
   */
  public static void unpublish(String service, String port, Settings settings) {
    check(service);
    Path file = PortFolder.of(settings).nameFile(digest(service));
    try {
      Entry there = readOrNull(file);
      if (there == null || !there.port().equals(port)) {
        throw new MpiException(
            ErrorClass.ERR_SERVICE,
            "the name " + service + " is not published" + (there == null ? "" : " for port " + port));
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the name " + service + " cannot be taken back: " + e, e);
    }
  }

  /**
   * Finds the port of a name.
   *
   * @throws MpiException ERR_NAME when no living process has published it
   */
  public static String lookup(String service, Settings settings) {
    check(service);
    try {
      Path file = PortFolder.of(settings).nameFile(digest(service));
      Entry there = readOrNull(file);
      if (there != null && there.isAlive()) {
        return there.port();
      }
      throw new MpiException(ErrorClass.ERR_NAME, "no process of this user has published the name " + service);
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the name " + service + " cannot be looked up: " + e, e);
    }
  }

  private static Entry readOrNull(Path file) throws IOException {
    try {
      return Entry.read(file);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void check(String service) {
    if (service == null || service.isEmpty() || service.length() > Short.MAX_VALUE / 3) {
      throw MpiException.argument(ErrorClass.ERR_SERVICE, "service", service, "texts of 1 to "
          + Short.MAX_VALUE / 3 + " characters");
    }
  }

  private static String digest(String service) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(service.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every platform has it
    }
  }
}
