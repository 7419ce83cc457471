// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.trace.analysis.TextReport;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.page.TimelinePage;

/** Writes the page of a job, and the same calls for Perfetto. One thread. */
public final class TracePages {
  private TracePages() {}

  /**
   * Writes the page of a job, and beside it the file for Perfetto, with {@code .json} in place of {@code .html}.
   *
   * @param job the recordings
   * @param page file of the page
   * @throws IOException when a file cannot be written
   */
  public static void write(JobRecording job, Path page) throws IOException {
    if (page.getParent() != null) {
      Files.createDirectories(page.getParent());
    }
    TraceAnalysis analysis = TraceAnalysis.of(job);
    TimelinePage.write(analysis, page);
    ChromeTrace.write(analysis, json(page));
  }

  /**
   * Returns the sentences and the table of the page as text.
   *
   * @param job the recordings
   * @return whole lines
   */
  public static String table(JobRecording job) {
    return TextReport.of(TraceAnalysis.of(job));
  }

  /**
   * Returns the file for Perfetto that belongs to a page.
   *
   * @param page file of the page
   * @return the file beside it
   */
  public static Path json(Path page) {
    String name = page.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return page.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".json");
  }
}
