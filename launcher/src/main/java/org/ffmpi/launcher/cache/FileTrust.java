// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The rights that decide which files may be run. Start-up caches and compiled programs are code, and their names can be
 * guessed: one of another user would run with this user's rights. So a folder is used only if it belongs to this user
 * or to root, no other user may write to it, and none can put another one in its place.
 */
final class FileTrust {
  private static final int OTHERS_MAY_WRITE = 0022;
  private static final int OTHERS_MAY_ENTER = 0011;
  private static final int STICKY = 01000;
  private static final int ROOT = 0;

  private FileTrust() {}

  /**
   * Returns why the files of a folder must not be run.
   *
   * @param folder an absolute path; it need not exist
   * @return one sentence without its end; null when the folder can be trusted, or made
   */
  static String complaint(Path folder) {
    Path existing = folder;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    boolean replaceable = !existing.equals(folder);
    try {
      int user = user();
      for (Path path = existing.toRealPath(); path != null; path = path.getParent()) {
        int owner = owner(path);
        int mode = mode(path);
        if (owner != user && owner != ROOT) {
          return path + " belongs to another user (number " + owner + ")";
        }
        if ((mode & OTHERS_MAY_WRITE) != 0 && !(replaceable && (mode & STICKY) != 0)) {
          return "other users may write to " + path + " (mode " + Integer.toOctalString(mode & 07777) + ")";
        }
        replaceable = true;
      }
      return null;
    } catch (IOException e) {
      return "the owner of " + existing + " is not known: " + e;
    }
  }

  /**
   * Returns whether a file in a folder that can be trusted may be run.
   *
   * @param file the file
   * @param asMuchAs a file that is run anyway: users who may change that one may change this one, too; or null
   */
  static boolean mayRun(Path file, Path asMuchAs) {
    try {
      int owner = owner(file);
      int writable = mode(file) & OTHERS_MAY_WRITE;
      if (asMuchAs != null) {
        return (owner == owner(asMuchAs) || owner == user() || owner == ROOT)
            && (writable & ~(mode(asMuchAs) & mode(asMuchAs.toAbsolutePath().getParent()))) == 0;
      }
      boolean reachable = (mode(file.toAbsolutePath().getParent()) & OTHERS_MAY_ENTER) != 0;
      return (owner == user() || owner == ROOT) && (writable == 0 || !reachable);
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes a folder that only this user may enter, and the folders above it that are missing. */
  static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static int user() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self/"), "unix:uid");
  }

  private static int owner(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
  }
}
