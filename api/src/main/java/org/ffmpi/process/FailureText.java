// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ffmpi.base.MpiException;

/**
 * The text of a failure that a rank prints, whose stack has the frames of the program alone. Calls inside ffmpi, and
 * those of the JDK between them, are counted and left out. A stack without any frame of the program is shown as it is.
 */
final class FailureText {
  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  /** Classes of the jars or folders that ffmpi consists of are found by these. */
  private final Set<URL> own = new HashSet<>();

  private final ClassLoader loader;
  private final Map<String, Boolean> known = new HashMap<>();
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final StringBuilder text = new StringBuilder();
  private int hidden;

  private FailureText(ClassLoader loader, Object... parts) {
    this.loader = loader;
    for (Object part : parts) {
      URL place = placeOf(part.getClass());
      if (place != null) {
        own.add(place);
      }
    }
    for (Class<?> type : List.of(FailureText.class, MpiException.class)) {
      URL place = placeOf(type);
      if (place != null) {
        own.add(place);
      }
    }
  }

  /**
   * Describes a failure.
   *
   * @param failure the failure
   * @param whole whether calls inside ffmpi are shown, too
   * @param loader finds the classes of the frames
   * @param parts objects of other jars or folders of ffmpi, such as the engine
   * @return whole lines
   */
  static String of(Throwable failure, boolean whole, ClassLoader loader, Object... parts) {
    FailureText made = new FailureText(loader, parts);
    made.append(failure, "", "", whole, List.of());
    if (made.hidden > 0) {
      made.text.append("\t(").append(made.hidden)
          .append(" calls inside ffmpi are left out; --errors-stacks whole shows them)\n");
    }
    return made.text.toString();
  }

  /** Returns a hash of a failure's kind and place, the same at all ranks that fail there; not 0. */
  static int hashOf(Throwable failure) {
    int hash = failure.getClass().getName().hashCode();
    for (StackTraceElement frame : failure.getStackTrace()) {
      hash = 31 * hash + (frame.getClassName() + frame.getMethodName()).hashCode() + frame.getLineNumber();
    }
    return hash == 0 ? 1 : hash;
  }

  private void append(
      Throwable failure, String indent, String caption, boolean whole, List<StackTraceElement> enclosing) {
    text.append(indent).append(caption).append(failure).append('\n');
    if (!seen.add(failure)) {
      return;
    }
    List<StackTraceElement> frames = List.of(failure.getStackTrace());
    List<StackTraceElement> shown = whole ? frames : ofProgram(frames);
    int common = common(shown, enclosing);
    for (StackTraceElement frame : shown.subList(0, shown.size() - common)) {
      text.append(indent).append("\tat ").append(frame).append('\n');
    }
    if (common > 0) {
      text.append(indent).append("\t... ").append(common).append(" more\n");
    }
    for (Throwable other : failure.getSuppressed()) {
      append(other, indent + "\t", "Suppressed: ", whole, shown);
    }
    if (failure.getCause() != null) {
      append(failure.getCause(), indent, "Caused by: ", whole, shown);
    }
  }

  /** Returns how many frames at the end are those at the end of the stack around. */
  private static int common(List<StackTraceElement> frames, List<StackTraceElement> enclosing) {
    int n = 0;
    while (n < frames.size() && n < enclosing.size()
        && frames.get(frames.size() - 1 - n).equals(enclosing.get(enclosing.size() - 1 - n))) {
      n++;
    }
    return n;
  }

  /** Leaves out each run of frames that are not the program's, if one of them is ours. */
  private List<StackTraceElement> ofProgram(List<StackTraceElement> frames) {
    List<StackTraceElement> shown = new ArrayList<>();
    int left = 0;
    boolean hasProgram = false;
    for (int from = 0; from < frames.size();) {
      int end = from;
      boolean isOurs = false;
      while (end < frames.size() && (isOurs(frames.get(end)) || isOfJdk(frames.get(end)))) {
        isOurs |= isOurs(frames.get(end));
        end++;
      }
      if (isOurs) {
        left += end - from;
      } else {
        shown.addAll(frames.subList(from, end));
      }
      if (end < frames.size()) {
        shown.add(frames.get(end));
        hasProgram = true;
        end++;
      }
      from = end;
    }
    if (!hasProgram) {
      return frames;
    }
    hidden += left;
    return shown;
  }

  private static boolean isOfJdk(StackTraceElement frame) {
    return JDK.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private boolean isOurs(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("org.ffmpi.") && known.computeIfAbsent(name, this::isInOwnPlace);
  }

  private boolean isInOwnPlace(String name) {
    try {
      return own.contains(placeOf(Class.forName(name, false, loader)));
    } catch (ClassNotFoundException | LinkageError e) {
      return false; // a hidden class, for example: its callers decide
    }
  }

  private static URL placeOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }
}
