// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.watch.JobEnd;
import org.ffmpi.spi.WorldStarter;

/** Starts worlds of processes for the test kit and other tools; found by {@link java.util.ServiceLoader}. */
public final class ProcessWorldStarter implements WorldStarter {
  /** Creates the starter; for {@link java.util.ServiceLoader}. */
  public ProcessWorldStarter() {}

  @Override
  public Outcome run(Spec spec) {
    List<String> words = new ArrayList<>(spec.jvmOptions());
    words.addAll(spec.mainAndArguments());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Launcher launcher = Launcher.of(spec.ranks()).command(words).timeout(spec.timeout()).output(out).errors(err);
    for (Map.Entry<String, String> setting : spec.settings().entrySet()) {
      launcher.setting(setting.getKey(), setting.getValue());
    }
    try (Job job = launcher.start()) {
      job.await();
      JobEnd end = job.end();
      return new Outcome(
          end.exitCode(), end.timedOut(), out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(ErrorClass.ERR_PENDING, "interrupted while the job was running; it has been ended", e);
    }
  }
}
