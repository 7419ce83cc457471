// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * The folder of a user's ports and names, which no other user can enter. A port is a socket file whose name ends with
 * the process that has opened it, so that those of dead processes can be told and deleted. Any thread.
 */
final class PortFolder {
  private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
  private static final String PORT = "port-";

  private final Path path;

  private PortFolder(Path path) {
    this.path = path;
  }

  /**
   * Opens the folder, which is made if need be.
   *
   * @throws MpiException ERR_OTHER when there is none, or another user could enter it
   */
  static PortFolder of(Settings settings) {
    Path path = place(settings);
    try {
      make(path);
      refuse(path);
      return new PortFolder(path.toRealPath());
    } catch (IOException e) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "the folder for ports " + path + " (setting " + ConnectSettings.FOLDER.name() + ") cannot be used: " + e, e);
    }
  }

  private static Path place(Settings settings) {
    String chosen = ConnectSettings.FOLDER.get(settings);
    if (!chosen.isEmpty()) {
      return Path.of(chosen);
    }
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && Files.isWritable(Path.of(runtime))) {
      return Path.of(runtime, "ffmpi");
    }
    return Path.of(System.getProperty("java.io.tmpdir"), "ffmpi-" + System.getProperty("user.name"));
  }

  private static boolean hasModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void make(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(
            path, hasModes(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)} : new FileAttribute<?>[0]);
      } catch (FileAlreadyExistsException e) {
        // another process has made it meanwhile
      }
    }
  }

  /** Refuses a folder that somebody else has made, or may enter. */
  private static void refuse(Path path) throws IOException {
    if (!hasModes(path)) {
      return;
    }
    PosixFileAttributes facts = Files.readAttributes(path, PosixFileAttributes.class);
    Set<PosixFilePermission> more = EnumSet.copyOf(facts.permissions());
    more.removeAll(OWNER);
    String user = System.getProperty("user.name");
    if (!facts.isDirectory() || !more.isEmpty() || !facts.owner().getName().equals(user)) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "the folder for ports " + path + " (setting " + ConnectSettings.FOLDER.name() + ") belongs to "
              + facts.owner().getName() + " and has mode " + PosixFilePermissions.toString(facts.permissions())
              + "; it has to be a folder of " + user + " with rwx------");
    }
  }

  /** Returns the path of a new port's socket. */
  Path socketOf(String port) {
    return path.resolve(PORT + port + "-" + ProcessHandle.current().pid());
  }

  /** Finds the socket of a port that a process has open. */
  Optional<Path> find(String port) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.getFileName().toString().startsWith(PORT + port + "-")).findFirst();
    }
  }

  /** Deletes the sockets of processes that have ended without closing their ports. */
  void sweep() throws IOException {
    List<Path> dead;
    try (Stream<Path> files = Files.list(path)) {
      dead = files.filter(file -> file.getFileName().toString().startsWith(PORT) && !isAlive(file)).toList();
    }
    for (Path file : dead) {
      Files.deleteIfExists(file);
    }
  }

  private static boolean isAlive(Path socket) {
    String name = socket.getFileName().toString();
    try {
      return ProcessHandle.of(Long.parseLong(name.substring(name.lastIndexOf('-') + 1))).isPresent();
    } catch (NumberFormatException e) {
      return true; // not ours
    }
  }

  /** Returns the file of a published name. */
  Path nameFile(String digest) {
    return path.resolve("name-" + digest);
  }

  /** Makes a file of this user alone, complete from the first moment on; returns false when it is there already. */
  boolean publish(Path file, byte[] content) throws IOException {
    Path draft = Files.createTempFile(path, "draft-", "");
    try {
      Files.write(draft, content);
      Files.createLink(file, draft);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
