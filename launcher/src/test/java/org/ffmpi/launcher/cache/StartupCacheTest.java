// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of start-up caches. */
class StartupCacheTest {
  @TempDir private Path folder;

  private String cache(List<String> options, String classPath, String program) {
    return StartupCache.named(CacheFolder.at(folder), options, classPath, program).file().getFileName().toString();
  }

  @Test
  void aCacheIsFoundForTheSameOptionsClassPathAndJarsOnly() throws IOException {
    Path jar = folder.resolve("app.jar");
    Files.writeString(jar, "1");
    String name = cache(List.of("-XX:+UseSerialGC", "-Dx=1"), jar.toString(), "Main");
    assertEquals(name, cache(List.of("-XX:+UseG1GC", "-Dy=2", "-Xmx2g"), jar.toString(), "Main"));
    assertEquals(name, cache(List.of("-XX:TieredStopAtLevel=1"), jar.toString(), "Main"));
    assertNotEquals(name, cache(List.of("-Xmx40g"), jar.toString(), "Main"), "uncompressed pointers");
    assertNotEquals(name, cache(List.of("-XX:+UseZGC"), jar.toString(), "Main"));
    assertNotEquals(name, cache(List.of("--add-modules=java.sql"), jar.toString(), "Main"));
    assertNotEquals(name, cache(List.of(), jar.toString(), "Other"));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
    String later = cache(List.of(), jar.toString(), "Main");
    assertNotEquals(name, later);
    assertEquals(name.substring(0, name.indexOf('-')), later.substring(0, later.indexOf('-')), "the same purpose");
  }

  @Test
  void aNewCacheReplacesItsPredecessor() throws IOException {
    Path jar = folder.resolve("app.jar");
    Files.writeString(jar, "1");
    StartupCache old = StartupCache.named(CacheFolder.at(folder), List.of(), jar.toString(), "Main");
    StartupCache other = StartupCache.named(CacheFolder.at(folder), List.of(), jar.toString(), "Other");
    Files.writeString(old.file(), "");
    Files.writeString(other.file(), "");
    assertTrue(old.exists());
    Files.writeString(jar, "12");
    StartupCache renewed = StartupCache.named(CacheFolder.at(folder), List.of(), jar.toString(), "Main");
    assertFalse(renewed.exists());
    renewed.keep(Files.writeString(folder.resolve("made"), ""));
    assertFalse(old.exists());
    assertTrue(renewed.exists());
    assertTrue(other.exists());
  }

  @Test
  void aCacheThatCannotBeMadeIsNotTriedAgain() throws IOException {
    StartupCache cache = StartupCache.named(CacheFolder.at(folder), List.of(), "app.jar", "Main");
    assertFalse(cache.isRefused());
    cache.refuse();
    cache.refuse();
    assertTrue(cache.isRefused());
    assertFalse(cache.exists());
  }
}
