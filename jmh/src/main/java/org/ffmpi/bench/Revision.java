// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Another revision of the project, built by its own scripts in a folder of its own, from which it runs.
 *
 * @param root where it lies
 * @param programs jar of its benchmark programs
 */
record Revision(Path root, String programs) {
  /** The folder of revisions, each under its commit's full name. */
  private static final String FOLDER = "jmh/target/revisions";

  /** Stands in the folder of a revision whose build has ended well. */
  private static final String BUILT = "target/built";

  private static final int BUILD_SECONDS = 1800;

  /** The time that the build's processes may take to end when it is stopped. */
  private static final int DELETE_SECONDS = 5;

  private static final int DELETE_PAUSE_MILLIS = 300;

  /** Returns the full name of a commit. */
  static String commit(Path root, String revision) throws IOException, InterruptedException {
    try {
      return git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}");
    } catch (IOException e) {
      throw new BenchOptions.UsageException("ab " + revision + ": there is no such commit in " + root);
    }
  }

  /** Returns the commit of the working tree, and whether it has changes. */
  static String describe(Path root) throws IOException, InterruptedException {
    String changes = git(root, "status", "--porcelain", "--untracked-files=no");
    return git(root, "rev-parse", "HEAD") + (changes.isEmpty() ? "" : " with changes");
  }

  /** Returns a revision, which is built unless that has been done before. */
  static Revision built(Path root, String commit) throws IOException, InterruptedException {
    Path folder = root.resolve(FOLDER).resolve(commit);
    if (!Files.exists(folder.resolve(BUILT))) {
      // A run that was stopped while it built may have left half of it.
      delete(folder);
      Thread hook = new Thread(() -> deleteUnfinished(folder));
      Runtime.getRuntime().addShutdownHook(hook);
      System.err.println("bench: building " + commit + " in " + folder + " (once)");
      build(root, commit, folder);
      Files.createDirectories(folder.resolve(BUILT).getParent());
      Files.createFile(folder.resolve(BUILT));
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    return new Revision(folder, jar(folder));
  }

  private static void build(Path root, String commit, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path archive = folder.resolve("source.tar");
    git(root, "archive", "--format=tar", "--output=" + archive, commit);
    Run.start(new ProcessBuilder("tar", "-xf", archive.toString(), "-C", folder.toString()), BUILD_SECONDS, line -> {});
    Files.delete(archive);
    Run.start(new ProcessBuilder(folder.resolve("scripts/bench").toString(), "--help"), BUILD_SECONDS, line -> {});
    Run.start(new ProcessBuilder(folder.resolve("scripts/mpirun").toString(), "--version"), BUILD_SECONDS, line -> {});
  }

  private static String jar(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("jmh/target"))) {
      return files.filter(f -> f.getFileName().toString().matches("ffmpi-jmh-.*\\.jar"))
          .max(Comparator.comparingLong(f -> f.toFile().lastModified()))
          .orElseThrow(() -> new IOException(folder + ": its scripts/bench has built no jar")).toString();
    }
  }

  /** Deletes the folder of a build that is being stopped; until the build's processes have ended, they add files. */
  private static void deleteUnfinished(Path folder) {
    long deadline = System.nanoTime() + DELETE_SECONDS * 1_000_000_000L;
    for (;;) {
      try {
        Thread.sleep(DELETE_PAUSE_MILLIS);
        delete(folder);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          System.err.println("bench: " + folder + " is incomplete and can be deleted: " + e.getMessage());
          return;
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
        Files.delete(dir);
        return FileVisitResult.CONTINUE;
      }
    });
  }

  private static String git(Path root, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    StringBuilder out = new StringBuilder();
    Run.start(new ProcessBuilder(command), BUILD_SECONDS, line -> out.append(line).append('\n'));
    return out.toString().strip();
  }
}
