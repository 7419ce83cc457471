// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;
import org.ffmpi.base.Settings;

/** The settings that the API itself reads, and that engines may have to know. */
public final class RunSettings {
  /** Value of {@link #ENGINE} that leaves the choice to the engines' priorities. */
  public static final String ANY_ENGINE = "auto";

  /** Values of {@link #CHECK}. */
  public enum Check {
    /** Only checks that cost nothing. */
    NONE,
    /** Every check that helps to find a mistake. */
    FULL,
    /** These, and those that follow the loads and stores of the program. */
    RACES;

    /**
     * Returns whether everything is checked.
     *
     * @return false for the checks without cost alone
     */
    public boolean isFull() {
      return this != NONE;
    }
  }

  /** Values of {@link #WINDOW}. */
  public enum WindowPath {
    /** By loads and stores where ranks share memory. */
    AUTO,
    /** By messages. */
    MESSAGE
  }

  /** Values of {@link #ERRORS}. */
  public enum Errors {
    /** Errors are printed and end the job. */
    FATAL,
    /** Errors are printed and end the ranks concerned, and thereby the job. */
    ABORT,
    /** Errors are only thrown. */
    RETURN
  }

  /** Values of {@link #STACKS}. */
  public enum Stacks {
    /** The calls of the program. */
    PROGRAM,
    /** All calls. */
    WHOLE
  }

  /** Values of {@link #FOREIGN}. */
  public enum Foreign {
    /** A rank that another launcher has started as one of several is an error, unless an engine can join it. */
    REFUSE,
    /** It is a world of its own. */
    ALONE
  }

  /** Values of {@link #PROGRESS}. */
  public enum Progress {
    /** Messages move while the program is in a call. */
    CALLS,
    /** A thread of each rank moves them while it computes. */
    THREAD
  }

  /** {@code ffmpi.engine}: name of the engine to use. */
  public static final Setting<String> ENGINE =
      Setting.ofString("ffmpi.engine", ANY_ENGINE, Scope.JOB, "name of the engine to use, or auto for the best");

  /**
   * Classes that provide the ports, where the launcher knows them: a search for services costs each rank tens of
   * milliseconds of processor time at its start.
   */
  public static final Setting<String> PROVIDERS =
      Setting.ofString("ffmpi.providers", "", Scope.JOB,
          "names of provider classes separated by commas, set by the launcher; empty: looked for as services");

  /** {@code ffmpi.report}: whether ranks print where they run. */
  public static final Setting<Boolean> REPORT =
      Setting.ofBoolean("ffmpi.report", false, Scope.JOB,
          "whether each rank prints when it begins where it runs, and which others it reaches by shared memory and"
              + " which by the wire");

  /** {@code ffmpi.errors}: the error handler that a run begins with. */
  public static final Setting<Errors> ERRORS =
      Setting.ofChoice("ffmpi.errors", Errors.FATAL, Scope.RANK,
          "what an error does by default: fatal and abort print it and end the job, return only throws it");

  /** {@code ffmpi.requests.grace}: how long, in µs, an abandoned operation that cannot be cancelled is waited for. */
  public static final Setting<Long> REQUESTS_GRACE =
      Setting.ofDurationMicros("ffmpi.requests.grace", 1_000_000, 0, 3_600_000_000L, Scope.RANK,
          "how long a Requests scope left without await() waits for what it cannot cancel; then the job ends");

  /** {@code ffmpi.finalize.limit}: how long finalize waits for peers. */
  public static final Setting<Integer> FINALIZE_LIMIT =
      Setting.ofInt("ffmpi.finalize.limit", 0, 0, 1_000_000_000, Scope.RANK,
          "seconds that finalize waits until peers have received what was sent to them; then that is an error; 0: no"
              + " limit");

  /** {@code ffmpi.errors.survivors}: whether consequences of an end are printed. */
  public static final Setting<Boolean> SURVIVORS =
      Setting.ofBoolean("ffmpi.errors.survivors", false, Scope.RANK,
          "whether ranks that end only because the job has ended print the exception that ends them");

  /** {@code ffmpi.errors.stacks}: which calls the stack of a printed error shows. */
  public static final Setting<Stacks> STACKS =
      Setting.ofChoice("ffmpi.errors.stacks", Stacks.PROGRAM, Scope.RANK,
          "which calls the stack of an error shows that a rank prints: program, those of the program, or whole, also"
              + " those inside ffmpi");

  /** {@code ffmpi.foreign}: what a process does that another launcher has started as one of several. */
  public static final Setting<Foreign> FOREIGN =
      Setting.ofChoice("ffmpi.foreign", Foreign.REFUSE, Scope.RANK,
          "what a process does that the mpiexec of another MPI, or srun, has started as one of several: refuse to"
              + " initialize, or be a world of one rank, alone");

  /** {@code ffmpi.check}: the checks beyond those without cost. */
  public static final Setting<Check> CHECK =
      Setting.ofChoice("ffmpi.check", Check.NONE, Scope.JOB,
          "none, or full: messages carry their type signature, and receives with another one or with entries that"
              + " overlap are errors, as are collective calls in which ranks differ, accesses to a window that"
              + " contradict each other, buffers that two calls use at a time, and what is left over at the end; or"
              + " races: all this, and loads and stores of the program that nothing orders with accesses of other"
              + " ranks, or that meet a buffer of a call that has not ended");

  /** {@code ffmpi.window}: how ranks reach one another's windows. */
  public static final Setting<WindowPath> WINDOW =
      Setting.ofChoice("ffmpi.window", WindowPath.AUTO, Scope.JOB,
          "how ranks reach one another's windows: auto, by loads and stores where they share memory, or message, as"
              + " they would reach those of another machine");

  /** {@code ffmpi.progress}: who makes progress. */
  public static final Setting<Progress> PROGRESS =
      Setting.ofChoice("ffmpi.progress", Progress.CALLS, Scope.RANK,
          "who moves messages on: calls, the program's own calls alone, or thread, also a thread that each rank"
              + " starts, which Request.toCompletableFuture needs");

  /** {@code ffmpi.jmx}: whether each rank has an MBean, and where clients connect. */
  public static final Setting<Integer> JMX =
      Setting.ofInt("ffmpi.jmx", 0, 0, 65535, Scope.JOB,
          "whether each rank registers an MBean with what it counts, and the port at which JMX clients of this machine"
              + " connect to rank 0, the ones after it for the other ranks; --jmx alone: 9010; 0: no");

  /** {@code ffmpi.parent}: where the processes wait that have spawned this one. */
  public static final Setting<String> PARENT =
      Setting.ofString("ffmpi.parent", "", Scope.JOB,
          "number of the parents and the place where they wait, set by the call that spawns");

  /** {@code ffmpi.machine}: where the machine describes itself. */
  public static final Setting<String> MACHINE =
      Setting.ofPath("ffmpi.machine", "/", Scope.JOB,
          "folder whose sys and proc describe the machine, for tests with those of other machines");

  /** {@code ffmpi.machine.processors}: where the ranks are, when another program binds them. */
  public static final Setting<String> MACHINE_PROCESSORS =
      Setting.ofString("ffmpi.machine.processors", "", Scope.JOB,
          "processor of each rank, as numbers separated by commas, for splitType and reordered topologies; empty: what"
              + " it is bound to");

  /** {@code ffmpi.record}: where a run is recorded. */
  public static final Setting<String> RECORD =
      Setting.ofPath("ffmpi.record", "", Scope.JOB,
          "folder in which each rank records what its choices gave: receives from any rank, tests and probes, first of"
              + " several requests, accesses to windows; a recording that is there is replaced; empty: none");

  /** {@code ffmpi.replay}: the recording that a run repeats. */
  public static final Setting<String> REPLAY =
      Setting.ofPath("ffmpi.replay", "", Scope.JOB,
          "folder of a recording, whose choices this run repeats; empty: none");

  /** {@code ffmpi.trace}: where the picture of a job's calls is written. */
  public static final Setting<String> TRACE =
      Setting.ofPath("ffmpi.trace", "", Scope.JOB,
          "file of a page that shows every call of the job, such as trace.html; trace.json beside it is for Perfetto;"
              + " empty: none");

  /** {@code ffmpi.trace.folder}: where ranks record their calls, when a launcher makes the page. */
  public static final Setting<String> TRACE_FOLDER =
      Setting.ofPath("ffmpi.trace.folder", "", Scope.JOB, "where ranks record their calls, set by the launcher");

  /** {@code ffmpi.jfr}: whether calls are events of flight recordings. */
  public static final Setting<String> JFR =
      Setting.ofPath("ffmpi.jfr", "", Scope.JOB,
          "folder where each rank leaves a flight recording with its calls as events; on: events only, for recordings"
              + " that users start; empty: neither");

  /** The settings that ask for an {@link EngineLayer}: where all have their defaults, no layer is looked for. */
  private static final List<Setting<?>> LAYERED = List.of(CHECK, JMX, RECORD, REPLAY, TRACE, TRACE_FOLDER, JFR);

  private RunSettings() {}

  /**
   * Returns whether a setting may ask for a layer between the program and its engine.
   *
   * @param settings the settings of a rank
   * @return false when layers need not be looked for
   */
  public static boolean wantsLayers(Settings settings) {
    for (Setting<?> setting : LAYERED) {
      if (!setting.get(settings).equals(setting.defaultValue())) {
        return true;
      }
    }
    return false;
  }
}
