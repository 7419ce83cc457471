// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose files the launcher runs. */
class FileTrustTest {
  @TempDir private Path temporary;

  private static void chmod(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private static void assertRefused(String what, Path folder) {
    String complaint = FileTrust.complaint(folder);
    assertTrue(complaint != null && complaint.contains(what), "said: " + complaint);
  }

  @Test
  void foldersOfThisUserAreTrusted() throws IOException {
    Path folder = temporary.toRealPath().resolve("caches").resolve("ffmpi");
    assertNull(FileTrust.complaint(folder)); // it can be made
    FileTrust.makeFolder(folder);
    assertNull(FileTrust.complaint(folder));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.getParent())));
  }

  @Test
  void foldersOthersMayWriteToAreNot() throws IOException {
    Path folder = Files.createDirectory(temporary.toRealPath().resolve("caches"));
    for (String permissions : new String[] {"rwxrwx---", "rwxr-xrwx", "rwx-w----"}) {
      chmod(folder, permissions);
      assertRefused("other users may write to " + folder + " (mode ", folder);
      assertRefused("other users may write to " + folder + " (mode ", folder.resolve("below"));
      assertRefused("other users may write to " + folder, Files.createDirectories(folder.resolve("made")));
    }
  }

  /** In a folder that all may write to, nobody can replace what belongs to somebody else, if it is sticky. */
  @Test
  void stickyFoldersMayBeAbove() throws IOException {
    Path shared = Files.createDirectory(temporary.toRealPath().resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    Path own = shared.resolve("own");
    FileTrust.makeFolder(own);
    assertNull(FileTrust.complaint(own));
    assertRefused("(mode 1777)", shared);
  }

  @Test
  void linksLeadToWhatIsJudged() throws IOException {
    Path open = Files.createDirectory(temporary.toRealPath().resolve("open"));
    chmod(open, "rwxrwxrwx");
    Path link = Files.createSymbolicLink(temporary.toRealPath().resolve("link"), open);
    assertRefused("other users may write to " + open, link);
  }

  @Test
  void filesOthersMayWriteToAreNotRun() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("caches"));
    chmod(folder, "rwxr-xr-x");
    Path file = Files.createFile(folder.resolve("x.aot"));
    chmod(file, "rw-r--r--");
    assertTrue(FileTrust.mayRun(file, null));
    chmod(file, "rw-rw-r--");
    assertFalse(FileTrust.mayRun(file, null));
    chmod(folder, "rwx------");
    assertTrue(FileTrust.mayRun(file, null)); // nobody gets there
    chmod(folder, "rwxr-xr-x");
    Path jar = Files.createFile(folder.resolve("x.jar"));
    chmod(jar, "rw-rw-r--");
    assertFalse(FileTrust.mayRun(file, jar));
    chmod(folder, "rwxrwxr-x");
    assertTrue(FileTrust.mayRun(file, jar)); // the jar may be changed as well
    assertFalse(FileTrust.mayRun(folder.resolve("missing"), null));
  }
}
