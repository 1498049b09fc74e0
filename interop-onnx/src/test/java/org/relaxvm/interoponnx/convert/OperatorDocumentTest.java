package org.relaxvm.interoponnx.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.relaxvm.interoponnx.StandardOperators;

/**
 * The document of operators is what the table says; {@code -Drelaxvm.updateDocuments=true} writes
 * it anew. The operators are those of ONNX, whose names and versions are in a resource.
 */
class OperatorDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "onnx-operators.md");

  private final OperatorTable table = StandardOperators.table();
  private final Map<String, Map<String, List<Integer>>> defined = definitions();

  @Test
  void theDocumentIsWhatTheTableSays() throws IOException {
    String expected = OperatorDocument.markdown(table, defined);
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(DOCUMENT).as("-Drelaxvm.updateDocuments=true writes it anew").hasContent(expected);
  }

  @Test
  void everyOperatorOfOnnxIsSupportedOrRefusedWithAReason() {
    Map<String, Set<String>> names = new TreeMap<>();
    defined.forEach((domain, operators) -> names.put(domain, new TreeSet<>(operators.keySet())));
    Map<String, Set<String>> known = new TreeMap<>();
    table.entries().forEach(entry -> add(known, entry.domain(), entry.name()));
    table.refusals().forEach(refusal -> add(known, refusal.domain(), refusal.name()));
    known.remove(OperatorTable.MICROSOFT);
    assertThat(known).isEqualTo(names);
  }

  @Test
  void operatorsExistSinceTheVersionThatDefinesThemFirst() {
    for (OperatorTable.Entry entry : table.entries()) {
      Map<String, List<Integer>> operators = defined.getOrDefault(entry.domain(), Map.of());
      List<Integer> versions = operators.getOrDefault(entry.name(), List.of(1));
      assertThat(entry.since()).as(entry.name()).isEqualTo(versions.getFirst());
    }
  }

  private static void add(Map<String, Set<String>> names, String domain, String name) {
    names.computeIfAbsent(domain, key -> new TreeSet<>()).add(name);
  }

  /** By domain and name the versions that have a definition, in ascending order. */
  private static Map<String, Map<String, List<Integer>>> definitions() {
    Map<String, Map<String, List<Integer>>> all = new TreeMap<>();
    for (String line : lines()) {
      if (!line.startsWith("#")) {
        String[] words = line.split(" ");
        String domain = words[0].equals("ai.onnx") ? "" : words[0];
        List<Integer> versions = Arrays.stream(words).skip(2).map(Integer::valueOf).toList();
        all.computeIfAbsent(domain, key -> new TreeMap<>()).put(words[1], versions);
      }
    }
    return all;
  }

  private static List<String> lines() {
    try (InputStream in =
        Objects.requireNonNull(
            OperatorDocumentTest.class.getResourceAsStream("onnx-operators.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
