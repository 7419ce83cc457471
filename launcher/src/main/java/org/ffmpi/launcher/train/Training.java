// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.train;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.cache.StartupCache;
import org.ffmpi.launcher.command.JavaOptions;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.command.RankCommand;
import org.ffmpi.launcher.dialect.Dialect;
import org.ffmpi.launcher.job.Debugging;
import org.ffmpi.launcher.job.JobStarter;
import org.ffmpi.launcher.job.Monitoring;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RankOptions;
import org.ffmpi.launcher.request.Recording;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.source.CompiledPrograms;
import org.ffmpi.launcher.source.CompilerProcess;
import org.ffmpi.launcher.watch.ForegroundJob;

/**
 * The making of a start-up cache (JEP 514): a JVM that records what it loads and links, and another that turns the
 * record into a cache. Both have the options of an ordinary run, since a cache made with others is not used. The record
 * is that of a job's first rank, or of the compiler.
 */
public final class Training {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Held by the launcher that makes the cache of a dialect; another one does not wait for it. */
  private static final String DIALECT_LOCK = "dialect.lock";

  /** The source file that is compiled for the compiler's record. */
  private static final String EXAMPLE =
      """
      import java.util.List;
      import org.ffmpi.*;

      public class Example {
        record Pair(int rank, double value) {}

        public static void main(String[] args) {
          Mpi.run(args, mpi -> {
            IntraComm world = mpi.world();
            int[] sum = {world.rank()};
            world.allreduce(Buf.of(sum), Op.SUM);
            double[] row = new double[16];
            for (int i = 0; i < row.length; i++) {
              row[i] = Math.sqrt(i + world.rank());
            }
            try (Requests requests = world.requests()) {
              requests.isend(row, (world.rank() + 1) % world.size(), 0);
              requests.irecv(new double[16], (world.rank() + world.size() - 1) % world.size(), 0);
              requests.await();
            }
            Pair pair = new Pair(world.rank(), row[0]);
            String text = switch (pair.rank()) {
              case 0 -> "first";
              default -> "rank " + pair.rank();
            };
            System.out.printf("%s of %d: %d %s%n", text, world.size(), sum[0], List.of(1, 2));
          });
        }
      }
      """;

  private final CacheFolder folder;
  private final Path record;

  private Training(CacheFolder folder) {
    String complaint = folder == null ? "there is no home folder" : folder.complaint();
    if (complaint != null) {
      throw new MpiException(
          ErrorClass.ERR_IO,
          "start-up caches cannot be kept (setting " + LaunchSettings.AOT_FOLDER.name() + "): " + complaint);
    }
    this.folder = folder;
    this.record = folder.aside(".conf");
    try {
      folder.make();
    } catch (IOException e) {
      throw new MpiException(
          ErrorClass.ERR_IO,
          "start-up caches cannot be kept in " + folder.path() + " (setting " + LaunchSettings.AOT_FOLDER.name() + "): "
              + e, e);
    }
  }

  /**
   * Runs a job and makes the start-up cache of its program.
   *
   * @return exit code of the job
   * @throws UsageException when no cache can be made of such a job
   */
  public static int ofProgram(JobRequest request) throws UsageException {
    if (LaunchSettings.usesMpiexec(request.settings())) {
      throw new UsageException("--train makes its cache of a run on this machine alone: leave out --engine mpi");
    }
    if (!request.rankOptions().isEmpty() || Debugging.of(request.settings(), request.ranks()) != null
        || Monitoring.of(request.settings(), request.ranks()) != null) {
      throw new UsageException(
          "--train makes its cache of a run without " + LaunchSettings.DEBUG.flag() + ", " + Monitoring.FLAG + " and "
              + RankOptions.FLAG);
    }
    Training training = new Training(CacheFolder.ofUser(request.settings()));
    JobStarter starter = training.starter(request, RecordedMain.class);
    String refusal =
        starter.hasTemporaries()
            ? "--train needs the compiled program kept, in " + LaunchSettings.AOT_FOLDER.flag() + " and without "
                + LaunchSettings.AOT.flag() + " off"
            : refusal(starter.firstCommand());
    if (refusal != null) {
      starter.discard();
      throw new UsageException(refusal);
    }
    return training.run(starter, request, starter.firstCommand().target());
  }

  /**
   * Makes the start-up caches of the library, which serves programs that have none of their own, and of the compiler.
   *
   * @return exit code of the library's training
   */
  public static int ofLibrary() {
    Settings settings = Settings.of(Map.of(LaunchSettings.VECTOR.name(), "off"));
    CacheFolder users = CacheFolder.ofUser(settings);
    Training training = new Training(CacheFolder.ofLibrary(users));
    List<String> libraries = Libraries.ofMpirun();
    JobRequest request =
        request(String.join(File.pathSeparator, libraries), TrainingProgram.class.getName(), settings, libraries,
            System.err);
    try {
      training.ofCompiler(users);
    } catch (MpiException e) {
      request.io().print(e); // a runtime without compiler, perhaps; ranks are more important
    }
    return training.run(training.starter(request, null), request, "");
  }

  /**
   * Makes the start-up cache of a job's dialect before the first program of that dialect runs, where the library has a
   * cache: the dialect's classes take four ranks a quarter of their start otherwise. No job depends on it.
   */
  public static void ofDialect(JobRequest request) {
    Dialect dialect = Dialect.of(request.settings());
    CacheFolder folder = CacheFolder.ofLibrary(CacheFolder.ofUser(request.settings()));
    List<String> libraries = request.libraries();
    List<String> path = dialect.classPathAfter(libraries);
    if (path.size() == libraries.size() || libraries.isEmpty() || folder == null || !Files.isWritable(folder.path())
        || LaunchSettings.AOT.get(request.settings()).equals("off")) {
      return;
    }
    Settings settings = Settings.of(Map.of(
        LaunchSettings.VECTOR.name(), "off", LaunchSettings.DIALECT.name(), LaunchSettings.NO_DIALECT,
        LaunchSettings.AOT_FOLDER.name(), LaunchSettings.AOT_FOLDER.get(request.settings())));
    JobRequest training = request(
        String.join(File.pathSeparator, path), dialect.trainingProgram(), settings, libraries,
        OutputStream.nullOutputStream());
    Program program = training.programs().getFirst();
    List<String> options = new RankCommand(program, libraries, true, false).javaOptions(false);
    StartupCache cache = StartupCache.named(folder, options, program.classPath(), "");
    StartupCache ofLibrary = StartupCache.named(folder, options, String.join(File.pathSeparator, libraries), "");
    if (cache.exists() || !ofLibrary.exists() || cache.isRefused()) {
      return;
    }
    try (FileChannel channel =
            FileChannel.open(
                folder.path().resolve(DIALECT_LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null && !cache.exists()) {
        request.io().print("preparing the start-up cache of this dialect (once after each build)");
        String reason = tryToMake(folder, training, cache);
        if (reason != null) {
          cache.refuse();
          request.io().print("no start-up cache for this dialect, ranks will start more slowly: " + reason);
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another launcher makes it, or the folder is read-only: this job does without.
    }
  }

  /** Makes the cache of a dialect; returns why that is not possible, or null. */
  private static String tryToMake(CacheFolder folder, JobRequest request, StartupCache cache) {
    try {
      Training training = new Training(folder);
      int code = training.run(training.starter(request, RecordedMain.class), false, cache);
      return code == 0 ? null : "its training program has ended with code " + code;
    } catch (MpiException e) {
      return JobIo.textOf(e);
    }
  }

  /**
   * Compiles an example and makes the compiler's start-up cache of it. Then this JVM has the example compiled as a job
   * would, and finds it in the cache folder: its own cache, should it be making one, is to hold that too.
   */
  private void ofCompiler(CacheFolder users) {
    List<String> jvm = CompilerProcess.jvmOptions(List.of());
    StartupCache cache = CompilerProcess.cache(users, jvm);
    if (cache == null) {
      return;
    }
    CacheFolder own = CacheFolder.at(folder.aside("-compiler"));
    try {
      own.make();
      try {
        String source = Files.writeString(own.path().resolve("Example.java"), EXAMPLE).toString();
        String libraries = String.join(File.pathSeparator, Libraries.ofMpirun());
        List<String> compile = CompilerProcess.command(jvm, new Recording(record, null).options());
        compile.addAll(List.of(source, "-classpath", libraries));
        runJava(compile);
        assemble(options -> CompilerProcess.command(jvm, options), cache);
        Program program = Program.of(Program.Kind.SOURCE, 1, libraries, source);
        RankCommand command = new RankCommand(program, Libraries.ofMpirun(), true, false);
        for (int i = 0; i < 2; i++) {
          new CompiledPrograms(own, true, OutputStream.nullOutputStream()).compiled(program, command, false);
        }
      } finally {
        forget();
        deleteAll(own.path());
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Returns why no cache can be made for a program; null when one can. All inputs of a cache must be part of its
   * name, or a later run would get classes that have been changed since.
   *
   * @param command how the program is started
   */
  static String refusal(RankCommand command) {
    if (command.isFromSource()) {
      return "--train cannot keep what each rank compiles by itself: " + command.target()
          + " uses modules, or finds other source files by name";
    }
    if (command.classPath().isEmpty()) {
      return "--train needs a class path; this program comes from a module path";
    }
    for (String option : command.javaOptions(false)) {
      if (JavaOptions.bringsCode(option)) {
        return "--train knows code on the class path only: " + option + " brings more";
      }
    }
    for (String entry : command.classPath().split(File.pathSeparator)) {
      File file = new File(entry.isEmpty() ? "." : entry);
      if (!file.isFile()) {
        String what = file.isDirectory() ? " is a folder" : " does not exist";
        return "--train needs a class path of jars: " + file + what;
      }
      if (ProgramCheck.addsUnlistedFiles(file, command.classPath())) {
        return "--train needs every jar on the class path: the manifest of " + entry + " names others (Class-Path);"
            + " start it with -jar, or name them";
      }
    }
    return null;
  }

  /** Returns a job of two ranks that make calls for a record. */
  private static JobRequest request(
      String classPath, String main, Settings settings, List<String> libraries, OutputStream errors) {
    JobIo io = new JobIo(OutputStream.nullOutputStream(), errors, false, false, false);
    Program program = Program.of(Program.Kind.CLASS, 2, classPath, main);
    return new JobRequest(List.of(program), settings, libraries, io, LIMIT, 0, List.of(), null);
  }

  private JobStarter starter(JobRequest request, Class<?> main) {
    return new JobStarter(request.recorded(new Recording(record, main)));
  }

  /**
   * Runs a job and makes a cache of its record.
   *
   * @param program the program of the cache; empty for all programs whose class path begins with this one
   */
  private int run(JobStarter starter, JobRequest request, String program) {
    RankCommand command = starter.firstCommand();
    boolean vector = LaunchSettings.VECTOR.get(request.settings()).equals("on");
    StartupCache cache = StartupCache.named(folder, command.javaOptions(vector), command.classPath(), program);
    int code = run(starter, vector, cache);
    request.io().print(
        code == 0
            ? "start-up cache: " + cache.file() + " (" + (cache.file().toFile().length() >> 20) + " MB)"
            : "no start-up cache is made of a job that fails");
    return code;
  }

  private int run(JobStarter starter, boolean vector, StartupCache cache) {
    RankCommand command = starter.firstCommand();
    int code = ForegroundJob.run(starter.start(), Settings.of(Map.of()));
    if (code == 0) {
      assemble(options -> command.start(options, vector), cache);
    } else {
      forget();
    }
    return code;
  }

  /** Turns the record into a cache, with a JVM whose command is made from its options for that. */
  private void assemble(UnaryOperator<List<String>> command, StartupCache cache) {
    Path made = folder.aside(".aot");
    try {
      String text =
          runJava(command.apply(
              List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + record, "-XX:AOTCache=" + made)));
      if (!Files.exists(made)) {
        throw failure("exit code 0", text);
      }
      cache.keep(made);
    } catch (IOException e) {
      throw unwritable(e);
    } finally {
      forget();
      made.toFile().delete();
    }
  }

  /** Runs a JVM to its end; returns its output. */
  private static String runJava(List<String> command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null")).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw failure("exit code " + code, text);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(ErrorClass.ERR_OTHER, "interrupted while java made the start-up cache", e);
    }
  }

  private static MpiException failure(String end, String text) {
    return new MpiException(ErrorClass.ERR_OTHER, "java made no start-up cache (" + end + "): " + text.strip());
  }

  private MpiException unwritable(IOException e) {
    return new MpiException(
        ErrorClass.ERR_IO, "the start-up cache cannot be written to " + folder.path() + ": " + e, e);
  }

  private void forget() {
    record.toFile().delete();
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
