package org.relaxvm.interoponnx.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All findings about a model. Immutable.
 *
 * @param model the name of the model, for messages
 * @param nodes how many nodes the model has
 */
public record OnnxReport(String model, long nodes, List<OnnxFinding> findings) {
  /** Copies the list. */
  public OnnxReport {
    findings = List.copyOf(findings);
  }

  /** Whether the model can be imported. */
  public boolean isSupported() {
    return findings.stream().noneMatch(f -> f.severity() == OnnxFinding.Severity.ERROR);
  }

  /** The findings of a severity. */
  public List<OnnxFinding> of(OnnxFinding.Severity severity) {
    return findings.stream().filter(f -> f.severity() == severity).toList();
  }

  /** The errors as a message: one line for each operator and problem, with counts. */
  public String message() {
    List<OnnxFinding> errors = of(OnnxFinding.Severity.ERROR);
    StringBuilder text = new StringBuilder(model + " cannot be imported: ");
    text.append(errors.size() == 1 ? "1 problem" : errors.size() + " problems");
    text.append(nodes == 1 ? " in 1 node" : " in " + nodes + " nodes");
    grouped(errors).forEach((key, group) -> text.append("\n  ").append(line(group)));
    return text.toString();
  }

  /** The findings of a severity, grouped by operator and problem, in order. */
  public List<List<OnnxFinding>> groups(OnnxFinding.Severity severity) {
    return List.copyOf(grouped(of(severity)).values());
  }

  /** A group of {@link #groups} as a line, with the count and the first node. */
  public static String line(List<OnnxFinding> group) {
    OnnxFinding first = group.getFirst();
    StringBuilder line = new StringBuilder();
    if (!first.operator().isEmpty()) {
      line.append(group.size()).append(" x ").append(first.operator()).append(", ");
    }
    if (!first.node().isEmpty()) {
      line.append(group.size() == 1 ? "at " : "first at ").append(first.node()).append(": ");
    }
    line.append(first.problem());
    if (!first.remedy().isEmpty()) {
      line.append("\n    what to do: ").append(first.remedy());
    }
    return line.toString();
  }

  private static Map<List<String>, List<OnnxFinding>> grouped(List<OnnxFinding> findings) {
    Map<List<String>, List<OnnxFinding>> groups = new LinkedHashMap<>();
    for (OnnxFinding finding : findings) {
      groups
          .computeIfAbsent(List.of(finding.operator(), finding.problem()), key -> new ArrayList<>())
          .add(finding);
    }
    return groups;
  }
}
