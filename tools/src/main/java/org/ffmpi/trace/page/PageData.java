// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.trace.analysis.CallRow;
import org.ffmpi.trace.analysis.Findings;
import org.ffmpi.trace.analysis.JobLane;
import org.ffmpi.trace.analysis.JobLanes;
import org.ffmpi.trace.analysis.MatchedMessage;
import org.ffmpi.trace.analysis.RankTimes;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.analysis.WaitReason;

/** The data that the scripts of the page read, as script elements with JSON and with {@link Columns}. */
final class PageData {
  private final TraceAnalysis analysis;
  private final JobLanes lanes;
  private final JsonWriter json = new JsonWriter();
  private final StringBuilder elements = new StringBuilder();

  private PageData(TraceAnalysis analysis) {
    this.analysis = analysis;
    this.lanes = analysis.lanes();
  }

  /** Returns the elements. */
  static String of(TraceAnalysis analysis) {
    return new PageData(analysis).make();
  }

  private String make() {
    CallColumns columns = new CallColumns(lanes, analysis.waits());
    int longest = 0;
    for (int lane = 0; lane < lanes.size(); lane++) {
      Columns calls = new Columns();
      columns.write(lane, calls);
      element("calls-" + lane, calls);
      longest = Math.max(longest, lanes.get(lane).size());
    }
    int[] levels = DetailLevels.sizes(longest);
    for (int lane = 0; lane < lanes.size(); lane++) {
      Columns bins = new Columns();
      DetailLevels.write(lanes, lane, analysis.waits(), levels, bins);
      element("bins-" + lane, bins);
    }
    List<MatchedMessage> messages = new ArrayList<>(analysis.messages());
    messages.sort(Comparator.comparingInt(MatchedMessage::sender).thenComparingInt(MatchedMessage::send));
    Columns lines = new Columns();
    CallColumns.writeMessages(messages, lines);
    element("messages", lines);
    Columns bundles = new Columns();
    List<Integer> bundleSizes = MessageLevels.write(lanes, messages, analysis.waits(), bundles);
    element("bundles", bundles);
    json.object(() -> {
      json.name("command").value(analysis.job().command());
      json.name("duration").value(lanes.end() - lanes.start());
      json.name("levels").array(() -> {
        for (int size : levels) {
          json.value(size);
        }
      });
      json.name("messages").value(messages.size());
      json.name("bundles").array(() -> bundleSizes.forEach(json::value));
      writeTypes(columns.types());
      writeTexts();
      writeRanks();
      writeRows();
      writeMatrix("sentMessages", analysis.sent().messages());
      writeMatrix("sentBytes", analysis.sent().bytes());
    });
    return "<script type=\"application/json\" id=\"trace\">" + json + "</script>\n" + elements;
  }

  private void element(String id, Columns columns) {
    elements.append("<script type=\"application/octet-stream\" id=\"").append(id).append("\">")
        .append(columns.text()).append("</script>\n");
  }

  private void writeTypes(List<CallColumns.CallType> types) {
    json.name("types").array(() -> types.forEach(type -> json.array(() -> json
        .value(type.kind().name()).value(CallColor.of(type.kind()).ordinal()).value(type.name()).value(type.site())
        .value(type.how()).value(type.comm()))));
  }

  private void writeTexts() {
    json.name("colors").array(() -> {
      for (CallColor color : CallColor.values()) {
        json.value(color.label());
      }
    });
    json.name("reasons").array(() -> {
      for (WaitReason reason : WaitReason.values()) {
        json.value(reason.text());
      }
    });
    Findings findings = analysis.findings();
    json.name("findings").array(() -> json.value(findings.time()).value(findings.late()).value(findings.balance()));
    json.name("notes").array(() -> analysis.notes().forEach(json::value));
  }

  private void writeRanks() {
    json.name("ranks").array(() -> {
      for (int i = 0; i < lanes.size(); i++) {
        JobLane lane = lanes.get(i);
        RankTimes times = analysis.times().get(i);
        json.array(() -> json.value(lane.rank()).value(lane.recording().node()).value(lane.size())
            .value(times.computing()).value(times.waiting()).value(times.moving()).value(lane.recording().dropped())
            .value(lane.recording().ended() ? 1 : 0));
      }
    });
  }

  private void writeRows() {
    json.name("rows").array(() -> {
      for (CallRow row : analysis.rows()) {
        int cause = row.cause() < 0 ? -1 : lanes.get(row.cause()).rank();
        json.array(() -> json.value(CallColor.of(row.kind()).ordinal()).value(row.name()).value(row.site())
            .value(row.count()).value(row.bytes()).value(row.time()).value(row.mean()).value(row.longest())
            .value(row.waited()).value(cause));
      }
    });
  }

  /** Writes the entries that are not 0, as sender, receiver and number. */
  private void writeMatrix(String name, long[][] matrix) {
    json.name(name).array(() -> {
      for (int sender = 0; sender < matrix.length; sender++) {
        for (int receiver = 0; receiver < matrix.length; receiver++) {
          if (matrix[sender][receiver] != 0) {
            int[] pair = {sender, receiver};
            json.array(() -> json.value(pair[0]).value(pair[1]).value(matrix[pair[0]][pair[1]]));
          }
        }
      }
    });
  }
}
