package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.cli.output.Shortened;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxFinding.Severity;
import org.relaxvm.interoponnx.options.OnnxReport;

/** What keeps an ONNX model from being loaded, and what is worth knowing, as lines and as JSON. */
public final class OnnxSupport {
  private static final int MOST_NODES = 20;

  private OnnxSupport() {}

  /** A line for each operator and problem. */
  public static List<String> lines(OnnxReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        report.isSupported()
            ? "all " + report.nodes() + " nodes are supported"
            : "problems in " + report.nodes() + " nodes:");
    report.groups(Severity.ERROR).forEach(group -> add(lines, "  ", group));
    if (!report.groups(Severity.WARNING).isEmpty()) {
      lines.add("warnings:");
      report.groups(Severity.WARNING).forEach(group -> add(lines, "  ", group));
    }
    return lines;
  }

  private static void add(List<String> lines, String indent, List<OnnxFinding> group) {
    OnnxReport.line(group).lines().forEach(line -> lines.add(indent + line));
    List<String> nodes = nodes(group);
    if (nodes.size() > 1) {
      lines.add(indent + "  nodes: " + Shortened.names(nodes, MOST_NODES));
    }
  }

  private static List<String> nodes(List<OnnxFinding> group) {
    return group.stream().map(OnnxFinding::node).filter(node -> !node.isEmpty()).toList();
  }

  /** All of it, with the names of all nodes. */
  public static Map<String, Object> json(OnnxReport report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("supported", report.isSupported());
    json.put("nodes", report.nodes());
    json.put("problems", report.groups(Severity.ERROR).stream().map(OnnxSupport::row).toList());
    json.put("warnings", report.groups(Severity.WARNING).stream().map(OnnxSupport::row).toList());
    return json;
  }

  private static Map<String, Object> row(List<OnnxFinding> group) {
    OnnxFinding first = group.getFirst();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("operator", first.operator());
    row.put("count", group.size());
    row.put("problem", first.problem());
    row.put("remedy", first.remedy());
    row.put("at", group.stream().map(OnnxFinding::node).toList());
    return row;
  }
}
