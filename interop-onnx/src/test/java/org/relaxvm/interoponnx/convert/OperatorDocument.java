package org.relaxvm.interoponnx.convert;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The document of operators, made from the table. */
final class OperatorDocument {
  private static final String HEAD =
      """
      # ONNX operators

      The operators that [ONNX import](from-onnx.md) supports. This page is generated from the operator table of
      `relaxvm-interop-onnx`; `OperatorDocumentTest` compares it, and `-Drelaxvm.updateDocuments=true` writes it anew.

      | column | meaning |
      | --- | --- |
      | definitions | the versions of the domain that define the operator anew; a node is read by the newest definition up to the version that its model imports |
      | known | results are computed during import where the operands are known, as in arithmetic on shapes |
      | low-bit | takes float8, float4, and integers of 4 and 2 bits; other operators take them after `Cast` or `DequantizeLinear` |

      A model that imports a newer version of `ai.onnx` than %d is read as one of version %d.
      """
          .formatted(GraphImporter.NEWEST, GraphImporter.NEWEST);

  private OperatorDocument() {}

  /**
   * The text of the document.
   *
   * @param defined by domain and name the versions with a definition; 1 for operators without
   */
  static String markdown(OperatorTable table, Map<String, Map<String, List<Integer>>> defined) {
    StringBuilder text = new StringBuilder(HEAD);
    TreeSet<String> domains = new TreeSet<>();
    table.entries().forEach(entry -> domains.add(entry.domain()));
    for (String domain : domains) {
      List<OperatorTable.Entry> entries =
          table.entries().stream().filter(entry -> entry.domain().equals(domain)).toList();
      text.append("\n## ").append(title(domain)).append("\n\n");
      text.append(entries.size())
          .append(entries.size() == 1 ? " operator.\n\n" : " operators.\n\n");
      text.append("| operator | definitions | known | low-bit |\n| --- | --- | --- | --- |\n");
      Map<String, List<Integer>> versions = defined.getOrDefault(domain, Map.of());
      entries.forEach(entry -> text.append(row(entry, versions)));
    }
    return text.append(refused(table.refusals())).toString();
  }

  private static String title(String domain) {
    return domain.isEmpty() ? "ai.onnx" : domain;
  }

  private static String row(OperatorTable.Entry entry, Map<String, List<Integer>> defined) {
    String versions =
        defined.getOrDefault(entry.name(), List.of(entry.since())).stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    String known = entry.fold() != null ? " yes |" : " |";
    String lowBit = LowBits.accepts(entry) ? " yes |" : " |";
    return "| " + entry.name() + " | " + versions + " |" + known + lowBit + "\n";
  }

  private static String refused(Collection<OperatorTable.Refusal> refusals) {
    StringBuilder text = new StringBuilder("\n## Not supported\n\n");
    text.append("| domain | operator | reason |\n| --- | --- | --- |\n");
    for (OperatorTable.Refusal refusal : refusals) {
      String domain = title(refusal.domain());
      text.append("| " + domain + " | " + refusal.name() + " | " + refusal.reason() + " |\n");
    }
    return text.toString();
  }
}
