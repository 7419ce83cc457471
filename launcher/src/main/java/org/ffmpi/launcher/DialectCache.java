// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * The start-up cache of a dialect: what the library's holds, and the dialect's classes, which take four ranks a quarter
 * of their start otherwise. It is made before the first program of a dialect runs, where the library has a cache. No
 * job depends on it.
 */
final class DialectCache {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Held by the launcher that makes a cache; another one does not wait for it. */
  private static final String LOCK = "dialect.lock";

  private final JobRequest asked;
  private final Dialect dialect;
  private final Path folder;

  DialectCache(JobRequest asked) {
    this.asked = asked;
    this.dialect = Dialect.of(asked.settings());
    this.folder = StartupCache.libraryFolder(StartupCache.folder(LaunchSettings.AOT_FOLDER.get(asked.settings())));
  }

  /** Makes the cache if it is missing and can be made. */
  void prepare() {
    List<String> libraries = asked.libraries();
    List<String> path = dialect.behind(libraries);
    if (path.size() == libraries.size() || libraries.isEmpty() || folder == null || !Files.isWritable(folder)
        || LaunchSettings.AOT.get(asked.settings()).equals("off")) {
      return;
    }
    Program program = new Program(
        2, List.of(), String.join(File.pathSeparator, path), Program.Kind.CLASS, dialect.trainingProgram(), List.of(),
        Map.of(), Map.of());
    List<String> options = new RankCommand(program, libraries, true, false).javaOptions(false);
    StartupCache cache = StartupCache.named(folder, options, program.classPath(), "");
    StartupCache ofLibrary =
        StartupCache.named(folder, options, String.join(File.pathSeparator, libraries), "");
    if (cache.exists() || !ofLibrary.exists() || cache.isRefused()) {
      return;
    }
    try (FileChannel channel =
            FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null && !cache.exists()) {
        make(program, cache);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another launcher makes it, or nobody can: this job does without.
    }
  }

  private void make(Program program, StartupCache cache) throws IOException {
    asked.io().say("preparing the start-up cache of this dialect (once after each build)");
    JobIo io = new JobIo(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false, false, false);
    Settings settings = Settings.of(Map.of(
        LaunchSettings.VECTOR.name(), "off", LaunchSettings.DIALECT.name(), Dialect.NONE,
        LaunchSettings.AOT_FOLDER.name(), LaunchSettings.AOT_FOLDER.get(asked.settings())));
    JobRequest request =
        new JobRequest(List.of(program), settings, asked.libraries(), io, LIMIT, 0, List.of(), null);
    String reason;
    try {
      Training training = new Training(settings, true);
      JobStarter starter = new JobStarter(request.recordedIn(training.recording()));
      int code = MpirunMain.supervised(starter.start());
      if (code == 0) {
        training.assemble(starter.firstCommand(), "");
        return;
      }
      training.forget();
      reason = "its training program has ended with code " + code;
    } catch (MpiException e) {
      reason = MpirunMain.withoutClass(e);
    }
    cache.refuse();
    asked.io().say("no start-up cache for this dialect, ranks will start more slowly: " + reason);
  }
}
