// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.trace.analysis.TraceAnalysis;

/**
 * Writes a trace as a page of HTML that needs nothing beside it. Called by the launcher when a job has ended, and by
 * test kits when a test has failed.
 */
public final class TimelinePage {
  /** The scripts in the order in which the page runs them. */
  private static final String[] SCRIPTS = {
    "format.js", "trace.js", "scene.js", "paint.js", "words.js", "tables.js", "timeline.js"
  };

  private TimelinePage() {}

  /**
   * Writes the page.
   *
   * @param analysis the analysis of the trace
   * @param file the file, which is replaced
   * @throws IOException when it cannot be written
   */
  public static void write(TraceAnalysis analysis, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(of(analysis));
    }
  }

  /**
   * Returns the page.
   *
   * @param analysis the analysis of the trace
   * @return HTML
   */
  public static String of(TraceAnalysis analysis) {
    StringBuilder scripts = new StringBuilder();
    for (String script : SCRIPTS) {
      scripts.append(resource(script));
    }
    String title = escape(analysis.job().command());
    String[] parts = resource("page.html").split("(?=@\\w+@)");
    StringBuilder page = new StringBuilder();
    for (String part : parts) {
      page.append(part.startsWith("@TITLE@") ? part.replace("@TITLE@", title)
          : part.startsWith("@STYLE@") ? part.replace("@STYLE@", resource("page.css"))
          : part.startsWith("@SCRIPT@") ? part.replace("@SCRIPT@", scripts)
          : part.startsWith("@DATA@") ? part.replace("@DATA@", PageData.of(analysis))
          : part);
    }
    return page.toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  /** Returns a resource of this package. */
  private static String resource(String name) {
    try (InputStream in = TimelinePage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing beside " + TimelinePage.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
