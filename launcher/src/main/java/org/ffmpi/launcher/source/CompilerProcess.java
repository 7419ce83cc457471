// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.source;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.cache.StartupCache;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.command.RankCommand;

/**
 * The process of the {@link SourceCompiler}. It has a JVM of its own, with a start-up cache of its own: in the
 * launcher's cache javac's classes would cost every start, and the launcher's JIT is set for a life that is over in a
 * moment.
 */
public final class CompilerProcess {
  private static final String MODULE = "jdk.compiler";

  private CompilerProcess() {}

  /**
   * The answer of the compiler.
   *
   * @param text errors and warnings
   * @param about the facts about the program; null when it does not compile
   * @param jar its classes
   */
  record Answer(byte[] text, CompiledSource about, byte[] jar) {}

  /**
   * Compiles a program.
   *
   * @param users the user's folder for caches
   * @param source the source file
   * @param jvm options of the compiling JVM
   * @param options options of javac
   * @return the answer; null when there is none that can be read
   * @throws MpiException ERR_SPAWN when this Java runtime has no compiler
   */
  static Answer compile(CacheFolder users, String source, List<String> jvm, List<String> options) {
    List<String> jvmOptions = jvmOptions(jvm);
    StartupCache cache = cache(users, jvmOptions);
    List<String> command = command(jvmOptions, cache == null ? List.of() : cache.options());
    command.add(source);
    command.addAll(options);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectInput(new File("/dev/null"))
              .start();
      try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
        if (in.readInt() != SourceCompiler.ANSWER) {
          throw new IOException("something else writes to the compiler's standard output");
        }
        byte[] text = in.readNBytes(in.readInt());
        return in.readBoolean()
            ? new Answer(text, CompiledSource.read(in), in.readNBytes(in.readInt()))
            : new Answer(text, null, null);
      } finally {
        process.destroyForcibly(); // it has answered, or never will
      }
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns the options of the compiling JVM, which start-up caches depend on.
   *
   * @param more further ones
   */
  public static List<String> jvmOptions(List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-XX:-UsePerfData", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0",
                "-XX:TieredStopAtLevel=1", "-Xlog:aot*=off"));
    if (!RankCommand.environmentChoosesCollector()) {
      options.add("-XX:+UseSerialGC");
    }
    options.addAll(more);
    return options;
  }

  /** Names the compiler's start-up cache; null where it can have none: in a run-time image, in a folder of classes. */
  public static StartupCache cache(CacheFolder users, List<String> jvmOptions) {
    Path jar = Libraries.launcher();
    CacheFolder folder = CacheFolder.ofLibrary(users);
    return jar == null || folder == null || Files.isDirectory(jar)
        ? null
        : StartupCache.named(folder, jvmOptions, jar.toString(), SourceCompiler.class.getName());
  }

  /**
   * Returns the command of the compiler, to which the source file and options of javac are added.
   *
   * @param jvmOptions options of the JVM
   * @param cache further ones that use or make a start-up cache; may be empty
   */
  public static List<String> command(List<String> jvmOptions, List<String> cache) {
    ProgramCheck.checkRuntime("a program given as a source file", MODULE);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(cache);
    Path jar = Libraries.launcher();
    String main = SourceCompiler.class.getName();
    if (jar == null) {
      command.addAll(List.of("--add-modules", MODULE, "-m", CompilerProcess.class.getModule().getName() + "/" + main));
    } else {
      command.addAll(List.of("-cp", jar.toString(), main));
    }
    return command;
  }
}
