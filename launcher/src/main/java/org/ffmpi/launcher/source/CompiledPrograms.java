// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.cache.Fnv;
import org.ffmpi.launcher.cache.StartupCache;
import org.ffmpi.launcher.command.JavaOptions;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.RankCommand;

/**
 * Programs that are given as a source file: compiled once, before the ranks start, and kept as a jar in the user's
 * cache folder. Left to the java command's source mode every rank would compile its own.
 *
 * <p>Two files make a kept program. One holds the facts about it, under a name made from the source's path and from all
 * options of the compiler; the other is the jar, whose name also has a hash of its content. The jar is published first,
 * so that a launcher finds all of a program or nothing.
 */
public final class CompiledPrograms {
  private static final String FACTS = ".source";
  private static final String JAR = ".jar";

  /** Beginning of the names of jars for one job; the process that made one comes next. */
  private static final String TEMPORARY = "ffmpi-program-";

  /** The time that a jar of no more use stays: another launcher may be about to start ranks from it. */
  private static final long GRACE_MILLIS = 60_000;

  private final CacheFolder users;
  private final boolean keeps;
  private final OutputStream err;
  private final List<Path> temporaries = new ArrayList<>();

  /**
   * Prepares for the programs of a job.
   *
   * @param users the user's folder for caches; null: there is none
   * @param keeps whether programs are kept there, and looked for
   * @param err where the compiler's text goes
   */
  public CompiledPrograms(CacheFolder users, boolean keeps, OutputStream err) {
    this.users = users;
    this.keeps = keeps && users != null;
    this.err = err;
  }

  /**
   * A program and its classes.
   *
   * @param about the facts about it
   * @param jar its classes; null when it has to run in the JVM's own source mode
   */
  private record Compiled(CompiledSource about, Path jar) {}

  /**
   * Turns a program given as a source file into one on the class path.
   *
   * @param program the program
   * @param command how its ranks would be started from source
   * @param vector whether the Vector API is switched on
   * @return the program to start: the same one when only the JVM's own source mode can run it
   * @throws MpiException ERR_SPAWN when it does not compile
   */
  public Program compiled(Program program, RankCommand command, boolean vector) {
    List<String> options = JavaOptions.forCompiler(command.javaOptions(vector));
    String environment = System.getenv("JDK_JAVA_OPTIONS");
    if (options == null || environment != null && environment.contains("--")) {
      return program; // it has options for the compiler that are not passed on
    }
    String classPath = command.classPath();
    options.add("-classpath");
    options.add(classPath);
    List<String> jvm = new ArrayList<>();
    for (String option : program.javaOptions()) {
      if (option.startsWith("-Dfile.encoding=") || option.startsWith("-Duser.")) {
        jvm.add(option);
      }
    }
    Path source = Path.of(program.target()).toAbsolutePath().normalize();
    long given = Fnv.START;
    for (List<String> words : List.of(options, jvm)) {
      for (String word : words) {
        given = Fnv.with(given, word);
      }
    }
    for (String entry : classPath.split(File.pathSeparator)) {
      given = entry.startsWith(File.separator) ? given : Fnv.with(given, System.getProperty("user.dir"));
    }
    String name = Long.toHexString(Fnv.of(source.toString())) + "-" + Long.toHexString(given);
    long pathState = stateOf(classPath);
    CacheFolder folder = keeps ? users.below(StartupCache.PROGRAMS) : null;
    if (folder != null && folder.complaint() != null) {
      folder = null;
    }
    Compiled compiled = folder == null ? null : find(folder, name, source, pathState);
    if (compiled == null) {
      compiled = compile(folder, program.target(), jvm, options, name, pathState);
    }
    return compiled == null || compiled.jar == null ? program : asClass(program, compiled);
  }

  private static Program asClass(Program program, Compiled compiled) {
    CompiledSource about = compiled.about;
    List<String> options = JavaOptions.withoutSource(program.javaOptions());
    options.addFirst("-Djdk.launcher.sourcefile=" + about.source()); // as the source mode does
    String path = compiled.jar.toString();
    for (String more : Arrays.asList(about.folder(), program.classPath())) {
      path = more == null || more.isEmpty() ? path : path + File.pathSeparatorChar + more;
    }
    return program.withOptions(options).asClass(path, about.mainClass());
  }

  /** Returns whether a program of this job is not kept. */
  public boolean hasTemporaries() {
    return !temporaries.isEmpty();
  }

  /** Deletes the jars of this job alone. */
  public void discard() {
    for (Path file : temporaries) {
      file.toFile().delete();
    }
  }

  /** Returns a hash of the state of a class path: sizes and times of its jars, and of the classes in its folders. */
  private static long stateOf(String classPath) {
    long state = Fnv.START;
    for (String entry : classPath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        File file = new File(entry.endsWith("*") ? entry.substring(0, entry.length() - 1) + "." : entry);
        state = file.isDirectory() ? stateBelow(file, state, !entry.endsWith("*")) : with(state, file);
      }
    }
    return state;
  }

  private static long stateBelow(File folder, long seed, boolean deeper) {
    File[] entries = folder.listFiles();
    long state = seed;
    if (entries != null) {
      Arrays.sort(entries);
      for (File entry : entries) {
        String name = entry.getName();
        if (name.endsWith(".class") || name.endsWith(JAR)) {
          state = with(state, entry);
        } else if (deeper && entry.isDirectory() && !Files.isSymbolicLink(entry.toPath())) {
          state = stateBelow(entry, state, true);
        }
      }
    }
    return state;
  }

  private static long with(long state, File file) {
    return Fnv.with(state, file.getPath() + ":" + file.length() + "@" + file.lastModified());
  }

  private static String jvm() {
    return System.getProperty("java.home") + " " + System.getProperty("java.vm.version");
  }

  /** Finds a program that was kept and is that of the source as it is now; null when there is none. */
  private static Compiled find(CacheFolder folder, String name, Path source, long pathState) {
    Facts facts = Facts.read(folder, name + FACTS);
    if (facts == null || facts.pathState != pathState || !facts.isCurrent()
        || !facts.about.source().equals(source.toString())) {
      return null;
    }
    if (facts.about.mainClass().isEmpty()) {
      return new Compiled(facts.about, null);
    }
    Path jar = folder.path().resolve(facts.jar);
    return folder.holds(facts.jar) && jar.toFile().length() == facts.bytes ? new Compiled(facts.about, jar) : null;
  }

  /**
   * The facts that are kept of a program beside its classes.
   *
   * @param jvm the JVM that compiled it
   * @param pathState hash of the state of the class path
   * @param jar name of the jar
   * @param bytes length of the jar
   * @param about the facts that the compiler has found
   */
  private record Facts(String jvm, long pathState, String jar, long bytes, CompiledSource about) {
    /** Returns the facts of a file; null when there is no such file, or one of another version. */
    static Facts read(CacheFolder folder, String name) {
      File file = new File(folder.path().toString(), name);
      if (!file.isFile()) {
        return null;
      }
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file.toPath())))) {
        return new Facts(in.readUTF(), in.readLong(), in.readUTF(), in.readLong(), CompiledSource.read(in));
      } catch (IOException e) {
        return null;
      }
    }

    boolean isCurrent() {
      return jvm.equals(jvm()) && about.isCurrent();
    }

    byte[] toBytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeUTF(jvm);
      out.writeLong(pathState);
      out.writeUTF(jar);
      out.writeLong(this.bytes);
      about.write(out);
      return bytes.toByteArray();
    }
  }

  /** Compiles a program; returns null when that is better left to the source mode. */
  private Compiled compile(
      CacheFolder folder, String source, List<String> jvm, List<String> options, String name, long pathState) {
    CompilerProcess.Answer answer = CompilerProcess.compile(users, source, jvm, options);
    if (answer == null) {
      return null;
    }
    try {
      err.write(answer.text());
      err.flush();
    } catch (IOException e) {
      // A reader that is gone misses only this text.
    }
    CompiledSource about = answer.about();
    if (about == null) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "source file " + source + " does not compile; no rank is started");
    }
    Compiled kept = folder == null ? null : keep(folder, name, pathState, about, answer.jar());
    return kept != null ? kept : new Compiled(about, about.mainClass().isEmpty() ? null : temporary(answer.jar()));
  }

  /** Keeps a program; returns null when the folder does not accept it. */
  private static Compiled keep(CacheFolder folder, String name, long pathState, CompiledSource about, byte[] jar) {
    Facts facts = new Facts(jvm(), pathState, name + "-" + Long.toHexString(Fnv.of(jar)) + JAR, jar.length, about);
    try {
      Path file = jar.length == 0 ? null : folder.keep(facts.jar, jar);
      folder.keep(name + FACTS, facts.toBytes());
      deleteOutdated(folder, name, facts);
      return new Compiled(about, file);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Deletes files of no more use: jars that an earlier state of this program has left, programs of other states of this
   * source, programs whose source is gone.
   */
  private static void deleteOutdated(CacheFolder folder, String name, Facts fresh) {
    for (String other : folder.names()) {
      if (other.endsWith(FACTS) && !other.equals(name + FACTS)) {
        Facts facts = Facts.read(folder, other);
        if (facts == null || !new File(facts.about.source()).isFile()
            || facts.about.source().equals(fresh.about.source()) && !facts.isCurrent()) {
          folder.delete(other);
          folder.deleteOutdated(other.substring(0, other.length() - FACTS.length()), JAR, "", GRACE_MILLIS);
        }
      }
    }
    folder.deleteOutdated(name, JAR, fresh.jar, GRACE_MILLIS);
  }

  /** Writes a jar for this job alone. */
  private Path temporary(byte[] jar) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, TEMPORARY + "*" + JAR)) {
      for (Path file : left) {
        if (CacheFolder.isLeftover(file.getFileName().toString())) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The leftovers of others may stay.
    }
    try {
      Path file = Files.createTempFile(folder, TEMPORARY + ProcessHandle.current().pid() + "-", JAR);
      temporaries.add(file);
      Files.write(file, jar);
      return file;
    } catch (IOException e) {
      discard();
      throw new MpiException(ErrorClass.ERR_SPAWN, "the compiled program cannot be written to " + folder + ": " + e, e);
    }
  }
}
