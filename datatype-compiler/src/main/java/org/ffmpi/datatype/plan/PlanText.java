// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.EqualRunsPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.RunsPattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/** Prints plans in words. */
final class PlanText {
  /** Of a longer list only the beginning is shown. */
  private static final int MOST_MEMBERS = 8;

  private final StringBuilder text = new StringBuilder();

  private PlanText() {}

  static String of(EndlessPattern core) {
    PlanText t = new PlanText();
    if (core.element == null) {
      t.text.append("nothing every ").append(core.extent);
    } else if (core.isContiguous()) {
      t.text.append("contiguous ").append(core.size());
      if (core.displacement != 0) {
        t.text.append(" at ").append(core.displacement);
      }
    } else {
      if (core.unit.size != core.size()) {
        t.text.append(core.size() / core.unit.size).append(" times ");
      }
      t.text.append("every ").append(core.unitStride).append(':');
      t.placed(core.displacement, core.unit, 1);
    }
    return t.text.toString();
  }

  /** Appends a pattern and its place, after a blank or, where several lines are needed, on lines of their own. */
  private void placed(long displacement, Pattern pattern, int depth) {
    switch (pattern) {
      case RunsPattern table -> {
        text.append(' ');
        runs(displacement, table);
      }
      case SequencePattern sequence -> {
        for (int i = 0; i < sequence.parts.length; i++) {
          newLine(depth);
          if (i == MOST_MEMBERS) {
            text.append(" ... (").append(sequence.parts.length).append(" parts)");
            return;
          }
          placed(displacement + sequence.displacements[i], sequence.parts[i], depth + 1);
        }
      }
      default -> {
        text.append(' ');
        body(pattern, depth);
        text.append(" at ").append(displacement);
      }
    }
  }

  /** Appends a pattern without its place. */
  private void body(Pattern pattern, int depth) {
    switch (pattern) {
      case BlockPattern block -> text.append(block.size);
      case LoopPattern loop -> {
        text.append(loop.count).append(" every ").append(loop.stride).append(" of ");
        body(loop.body, depth);
      }
      case EqualRunsPattern table -> {
        text.append(table.block).append(" at each of {");
        list(table.displacements);
        text.append('}');
      }
      case RunsPattern table -> {
        text.append('{');
        runs(0, table);
        text.append('}');
      }
      case ScatterPattern scatter -> {
        text.append("rows of {");
        list(scatter.counts);
        text.append("} every ").append(scatter.stride).append(" at each of {");
        list(scatter.displacements);
        text.append("} of ");
        body(scatter.body, depth);
      }
      case SequencePattern sequence -> {
        text.append('{');
        placed(0, sequence, depth);
        newLine(depth - 1);
        text.append(" }");
      }
    }
  }

  private void runs(long displacement, RunsPattern table) {
    int shown = Math.min(table.lengths.length, MOST_MEMBERS);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ");
      text.append(table.lengths[i]).append(" at ").append(displacement + table.displacements[i]);
    }
    more(shown, table.lengths.length);
  }

  private void list(long[] members) {
    int shown = Math.min(members.length, MOST_MEMBERS);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ").append(members[i]);
    }
    more(shown, members.length);
  }

  private void more(int shown, int all) {
    if (shown < all) {
      text.append(", ... (").append(all).append(')');
    }
  }

  private void newLine(int depth) {
    text.append('\n').repeat(' ', 2 * depth - 1);
  }
}
