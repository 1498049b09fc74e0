package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.cli.output.Shortened;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.vmcore.program.HostCode;

/**
 * Machine code for the host that a program brings, as its file tells: nothing of it is loaded.
 *
 * @param code the code
 * @param source where the program comes from, which need not be said again
 */
record LibraryReport(HostCode code, String source) {
  private static final int WIDTH = 80;
  private static final int MOST_NAMES = 60;

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(code.origin().equals(source) ? "Library" : "Library " + code.origin());
    TextTable table = new TextTable();
    code.facts().forEach((fact, value) -> table.paragraph(fact, value, WIDTH));
    List<String> names = names();
    table.paragraph(
        "functions",
        names.isEmpty() ? "none" : names.size() + ": " + Shortened.names(names, MOST_NAMES),
        WIDTH);
    lines.addAll(table.lines("  "));
    return lines;
  }

  Map<String, Object> json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("origin", code.origin());
    object.put("facts", code.facts());
    object.put("functions", names());
    return object;
  }

  /** A library has no order of its own: its symbols lie as a hash table has them. */
  private List<String> names() {
    return code.functionNames().stream().sorted().toList();
  }
}
