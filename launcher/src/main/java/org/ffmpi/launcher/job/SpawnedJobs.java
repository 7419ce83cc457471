// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.connect.Link;
import org.ffmpi.connect.LinkStarter;
import org.ffmpi.connect.Port;
import org.ffmpi.connect.SpawnImpl;
import org.ffmpi.connect.SpawnRequest;
import org.ffmpi.launcher.command.JavaOptions;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.watch.JobEnd;
import org.ffmpi.launcher.watch.JobSupervisor;
import org.ffmpi.spi.RunSettings;

/**
 * The jobs that the ranks of one job spawn. For each a thread talks with the rank that spawns, until all new ranks have
 * joined, and another one watches the processes. Any thread.
 */
public final class SpawnedJobs implements JobSupervisor.Spawner {
  private final JobRequest request;
  private final List<Program> programs;
  private final JobSupervisor parent;
  private final Universe universe;

  /** Threads that talk or watch; guarded by this, as the next two. */
  private final List<Thread> threads = new ArrayList<>();

  private final List<JobSupervisor> jobs = new ArrayList<>();
  private JobEnd failure;

  /**
   * Begins without a job.
   *
   * @param request what the parents' job was started with
   * @param programs its programs as they are run
   * @param parent the parents' job
   * @param universe the processes of this launcher
   */
  public SpawnedJobs(JobRequest request, List<Program> programs, JobSupervisor parent, Universe universe) {
    this.request = request;
    this.programs = programs;
    this.parent = parent;
    this.universe = universe;
  }

  @Override
  public void heard(long port) {
    begin("ffmpi-spawn", () -> {
      try (Link link = Port.connect(Port.nameOf(port), request.settings())) {
        serve(link);
      } catch (MpiException e) {
        // the rank has gone; its job ends for another reason
      }
    });
  }

  private void begin(String name, Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
    synchronized (this) {
      threads.removeIf(SpawnedJobs::isOver);
      threads.add(thread);
    }
    thread.start();
  }

  /**
   * Serves a rank that spawns.
   *
   * @param link the line to it
   */
  public void serve(Link link) {
    link.send(LinkStarter.SLOTS, Integer.toString(universe.slots(request.settings())));
    SpawnRequest wanted = SpawnRequest.of(link.await(() -> { }, Long.MAX_VALUE));
    universe.add(wanted.processes());
    JobSupervisor job;
    try {
      job = new JobStarter(jobRequest(wanted), universe, parent, universe.nextJob()).start();
    } catch (MpiException | UsageException | OutOfMemoryError e) {
      universe.add(-wanted.processes());
      link.send(LinkStarter.FAILED, e instanceof MpiException said ? JobIo.textOf(said) : e.getMessage());
      return;
    }
    job.setTrial(true);
    synchronized (this) {
      jobs.add(job);
    }
    begin("ffmpi-spawned", () -> watch(job, wanted.processes()));
    try {
      link.send(LinkStarter.STARTED);
      awaitJoined(link, job);
    } catch (MpiException e) {
      job.stop(new JobEnd(1, "the processes that spawned this job have gone", -1, false));
    }
  }

  private static void awaitJoined(Link link, JobSupervisor job) {
    for (int naps = 0; link.poll() == null; naps++) {
      if (job.end() != null) {
        String sentence = job.end().sentence();
        link.send(LinkStarter.FAILED, sentence == null ? "they have ended without initializing MPI" : sentence);
        return;
      }
      Link.rest(naps);
    }
    job.setTrial(false);
  }

  private void watch(JobSupervisor job, int processes) {
    JobEnd end = job.supervise();
    universe.add(-processes);
    synchronized (this) {
      jobs.remove(job);
      if (failure == null && end.exitCode() != 0 && !job.isTrial()) {
        failure = end;
      }
    }
  }

  // ---- what is started

  private JobRequest jobRequest(SpawnRequest wanted) throws UsageException {
    Map<String, String> settings = new HashMap<>();
    settings.put(RunSettings.PARENT.name(), wanted.parents());
    settings.put("ffmpi.bind", "none"); // cores are those of the parents
    settings.put(RunSettings.ENGINE.name(), "shm"); // also where a C library has started the parents
    List<Program> started = new ArrayList<>();
    Program base = programs.get(Math.min(wanted.program(), programs.size() - 1));
    for (SpawnImpl command : wanted.commands()) {
      Map<String, String> own = new HashMap<>(command.settings());
      own.putAll(settings);
      started.add(
          program(base, command).within(command.environment(), command.directory()).withSettings(own));
    }
    return new JobRequest(
        started, request.settings(), request.libraries(), request.io(), null, request.columns(), List.of(), null);
  }

  private static Program program(Program base, SpawnImpl command) throws UsageException {
    List<String> options = new ArrayList<>(base.javaOptions());
    options.addAll(command.javaOptions());
    String path = command.classPath();
    if (path == null) {
      path = base.kind() == Program.Kind.JAR ? base.target() : base.classPath();
    }
    if (command.kind() == SpawnImpl.Kind.COMMAND) {
      return byCommand(base, command, options, path);
    }
    Program.Kind kind = Program.Kind.valueOf(command.kind().name());
    String target = command.target();
    if (kind == Program.Kind.CLASS && base.kind() == Program.Kind.MODULE && command.classPath() == null) {
      kind = Program.Kind.MODULE;
      target = base.target().split("/")[0] + "/" + target;
    }
    return new Program(
        command.processes(), options, kind == Program.Kind.MODULE ? null : path, kind, target, command.arguments(),
        base.settings(), base.environment());
  }

  /** A java command gets what it lacks; another program is run as it is. */
  private static Program byCommand(Program base, SpawnImpl command, List<String> options, String path)
      throws UsageException {
    String name = command.target().substring(command.target().lastIndexOf('/') + 1);
    if (!name.equals("java")) {
      return new Program(
          command.processes(), options, path, Program.Kind.COMMAND, command.target(), command.arguments(),
          base.settings(), base.environment());
    }
    List<String> words = new ArrayList<>(command.arguments());
    if (path != null && words.stream().noneMatch(SpawnedJobs::namesPath)) {
      words.addAll(0, List.of("-cp", path));
    }
    Program given = CommandLine.program(command.processes(), words);
    if (given == null) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "the arguments of java name nothing to run");
    }
    return given.withFurther(command.javaOptions()).within(base.environment(), null).withSettings(base.settings());
  }

  private static boolean namesPath(String word) {
    return JavaOptions.isClassPath(word) || word.startsWith("--class-path=") || word.equals("-jar")
        || word.equals("-m") || word.startsWith("--module");
  }

  // ---- the end

  @Override
  public synchronized boolean hasJobs() {
    return !threads.isEmpty() || failure != null;
  }

  private static boolean isOver(Thread thread) {
    return thread.getState() == Thread.State.TERMINATED;
  }

  @Override
  public synchronized boolean hasFailed() {
    return failure != null;
  }

  @Override
  public void stop(JobEnd reason) {
    List<JobSupervisor> all;
    synchronized (this) {
      all = List.copyOf(jobs);
    }
    all.forEach(job -> job.stop(reason));
  }

  @Override
  public JobEnd awaitAll() throws InterruptedException {
    while (true) {
      Thread next;
      synchronized (this) {
        threads.removeIf(SpawnedJobs::isOver);
        if (threads.isEmpty()) {
          return failure;
        }
        next = threads.getFirst();
      }
      next.join(Duration.ofMillis(100));
    }
  }
}
