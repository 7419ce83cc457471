// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.connect.Link;
import org.ffmpi.connect.Port;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.job.SpawnedJobs;
import org.ffmpi.launcher.job.Universe;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.watch.JobEnd;

/** The launcher of processes that a process without a launcher spawns. It ends with the last of them. */
public final class SpawnMain {
  private SpawnMain() {}

  /**
   * Starts what the process at a port asks for, and watches it.
   *
   * @param arguments the port, then the arguments of the java command of that process
   * @throws InterruptedException when the thread is interrupted
   */
  public static void main(String[] arguments) throws InterruptedException {
    Settings settings = Settings.ofProcess();
    int code = 1;
    try (Link link = Port.connect(arguments[0], settings)) {
      JobIo io =
          new JobIo(
              new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err), false, false, false);
      Program base = CommandLine.program(1, Arrays.asList(arguments).subList(1, arguments.length));
      JobRequest request =
          new JobRequest(List.of(base), settings, Libraries.located(), io, null, 0, List.of(), null);
      SpawnedJobs jobs = new SpawnedJobs(request, List.of(base), null, new Universe(1));
      jobs.serve(link);
      JobEnd failure = jobs.awaitAll();
      code = failure == null ? 0 : failure.exitCode();
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_PORT) { // else the process has given up, or has gone
        System.err.println("ffmpi: " + e.getMessage());
      }
    } catch (UsageException e) {
      System.err.println("ffmpi: " + e.getMessage());
    }
    Runtime.getRuntime().halt(code);
  }
}
