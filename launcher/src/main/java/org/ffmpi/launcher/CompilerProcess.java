// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.MpiException;

/**
 * Runs the {@link SourceCompiler}. It has a JVM of its own, with a start-up cache of its own: in the launcher's cache
 * javac's classes would cost every start, and the launcher's JIT is set for a life that is over in a moment.
 */
final class CompilerProcess {
  private static final String MODULE = "jdk.compiler";

  private CompilerProcess() {}

  /**
   * What the compiler says.
   *
   * @param said its text: errors and warnings
   * @param about what there is to know of the program; null when it does not compile
   * @param jar its classes
   */
  record Answer(byte[] said, CompiledSource about, byte[] jar) {}

  /**
   * Compiles a program.
   *
   * @param users the user's folder for caches
   * @param source the source file
   * @param jvm options of the compiling JVM
   * @param options options of javac
   * @return what the compiler says; null when it says nothing that can be understood
   * @throws MpiException ERR_SPAWN when this Java runtime has no compiler
   */
  static Answer compile(Path users, String source, List<String> jvm, List<String> options) {
    List<String> jvmOptions = jvmOptions(jvm);
    StartupCache cache = cache(users, jvmOptions);
    List<String> command =
        command(
            jvmOptions, cache != null && cache.exists() ? List.of("-XX:AOTCache=" + cache.file()) : List.of(), source,
            options);
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
        byte[] said = in.readNBytes(in.readInt());
        return in.readBoolean()
            ? new Answer(said, CompiledSource.read(in), in.readNBytes(in.readInt()))
            : new Answer(said, null, null);
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
  static List<String> jvmOptions(List<String> more) {
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
  static StartupCache cache(Path users, List<String> jvmOptions) {
    Path jar = Libraries.launcher();
    Path folder = StartupCache.libraryFolder(users);
    return jar == null || folder == null || Files.isDirectory(jar)
        ? null
        : StartupCache.named(
            folder, jvmOptions, jar.toString(), SourceCompiler.class.getName());
  }

  /**
   * Returns the command that compiles a program.
   *
   * @param jvmOptions options of the JVM
   * @param cache further ones that use or make a start-up cache; may be empty
   * @param source the source file
   * @param options options of javac
   */
  static List<String> command(
      List<String> jvmOptions, List<String> cache, String source, List<String> options) {
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
    command.add(source);
    command.addAll(options);
    return command;
  }
}
