// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files in a cache folder. */
class CacheFolderTest {
  private static final String DEAD = "999999999";

  @TempDir private Path temporary;

  private CacheFolder folder() {
    return CacheFolder.at(temporary.resolve("caches"));
  }

  @Test
  void aKeptFileIsWholeAndNothingIsLeftBesideIt() throws IOException {
    CacheFolder folder = folder();
    folder.keep("1a-2b.jar", new byte[] {1});
    folder.keep("1a-2b.jar", new byte[] {2, 3});
    assertArrayEquals(new byte[] {2, 3}, Files.readAllBytes(folder.path().resolve("1a-2b.jar")));
    assertEquals(List.of("1a-2b.jar"), folder.names());
    assertTrue(folder.holds("1a-2b.jar"));
    assertFalse(folder.holds("1a-3c.jar"));
    Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        folder.path().resolve("1a-2b.jar"), PosixFilePermissions.fromString("rw-rw-rw-"));
    assertFalse(folder.holds("1a-2b.jar"), "another user may have changed it");
  }

  @Test
  void outdatedFilesOfOnePurposeGo() throws IOException {
    CacheFolder folder = folder();
    for (String name : List.of("1a-2b.jar", "1a-3c.jar", "1a-4d.jar", "1a-2b.aot", "1ab-2b.jar")) {
      folder.keep(name, new byte[0]);
      Files.setLastModifiedTime(folder.path().resolve(name), FileTime.fromMillis(1));
    }
    Files.setLastModifiedTime(
        folder.path().resolve("1a-4d.jar"), FileTime.fromMillis(System.currentTimeMillis()));
    folder.deleteOutdated("1a", ".jar", "1a-3c.jar", 60_000);
    assertEquals(
        List.of("1a-2b.aot", "1a-3c.jar", "1a-4d.jar", "1ab-2b.jar"), folder.names().stream().sorted().toList());
  }

  /** The last three are names of earlier versions. */
  @Test
  void leftoversOfDeadLaunchersGo() throws IOException {
    CacheFolder folder = folder();
    folder.make();
    String own = Long.toString(ProcessHandle.current().pid());
    List<String> dead =
        List.of(
            "making-" + DEAD + "-5.conf", "making-" + DEAD + ".aot", "making-" + DEAD + "-7",
            "recording-" + DEAD + ".conf");
    List<String> others = List.of("making-" + own + "-5.aot", "recording-" + own + ".conf", "making-x.aot", "state");
    for (String name : dead) {
      Files.createFile(folder.path().resolve(name));
    }
    for (String name : others) {
      Files.createFile(folder.path().resolve(name));
    }
    folder.deleteOutdated("1a", ".aot", "1a-2b.aot", 0);
    assertEquals(others.stream().sorted().toList(), folder.names().stream().sorted().toList());
  }
}
