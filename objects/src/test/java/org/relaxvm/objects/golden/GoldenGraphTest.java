package org.relaxvm.objects.golden;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.Mismatch;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.compare.StructuralHash;
import org.relaxvm.objects.graph.ObjectGraph;

/** Graphs of the original are read, written again as the same bytes, and compared as it does. */
class GoldenGraphTest {
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  /** Refused by a reader that does not rename variables of earlier releases, as ours does. */
  private static final Set<String> RENAMED =
      Set.of("read-old-var FromJSONGraphString", "read-old-relax-var FromJSONGraphString");

  /** Variables that nothing defines, whose hash is their address in the original. */
  private static final Set<String> UNDEFINED = Set.of("globalvars");

  private static void comesBack(String name, String json) {
    assertThat(ObjectGraph.parse(json, TYPES).toJson(TYPES)).as(name).isEqualTo(json);
  }

  @Test
  void valuesComeBackAsTheSameBytes() throws IOException {
    List<Map<String, Object>> lines = GoldenJson.lines("values.jsonl");
    assertThat(lines).isNotEmpty();
    for (Map<String, Object> line : lines) {
      comesBack(line.get("name") + "", line.get("json") + "");
      comesBack(line.get("name") + "", line.get("graph") + "");
    }
  }

  @Test
  void expressionsComeBackAsTheSameBytes() throws IOException {
    for (Map<String, Object> line : GoldenJson.lines("exprs.jsonl")) {
      comesBack(line.get("name") + "", line.get("json") + "");
    }
  }

  @Test
  void modulesComeBackAsTheSameBytes() throws IOException {
    Map<String, String> modules = GoldenJson.modules();
    assertThat(modules).isNotEmpty();
    modules.forEach(
        (name, json) -> {
          comesBack(name, json);
          Object first = ObjectGraph.parse(json, TYPES).root();
          Object second = ObjectGraph.parse(json, TYPES).root();
          assertThat(StructuralEquality.firstMismatch(first, second, TYPES, CompareOptions.DEFAULT))
              .as(name)
              .isEmpty();
          assertThat(StructuralHash.of(first, TYPES, CompareOptions.DEFAULT))
              .as(name)
              .isEqualTo(StructuralHash.of(second, TYPES, CompareOptions.DEFAULT));
        });
  }

  @Test
  void whatTheOriginalRefusesIsRefused() throws IOException {
    for (Map<String, Object> line : GoldenJson.lines("refusals.jsonl")) {
      String name = line.get("name") + " " + line.get("by");
      if (line.get("json") == null) {
        continue;
      }
      String json = line.get("json").toString();
      if (line.get("again") != null) {
        Object root = ObjectGraph.parse(json, TYPES).root();
        assertThat(new ObjectGraph(root).toJson(TYPES)).as(name).isEqualTo(line.get("again"));
      } else if (!RENAMED.contains(name)) {
        assertThatThrownBy(() -> ObjectGraph.parse(json, TYPES))
            .as(name)
            .isInstanceOf(MalformedFileException.class);
      }
    }
  }

  @Test
  void comparisonsAreThoseOfTheOriginal() throws IOException {
    for (Map<String, Object> line : GoldenJson.lines("equal.jsonl")) {
      String name = line.get("name") + "";
      List<?> both =
          (List<?>) requireNonNull(ObjectGraph.parse(line.get("graph_of_both") + "", TYPES).root());
      CompareOptions options =
          new CompareOptions(
              Boolean.TRUE.equals(line.get("map_free_vars")),
              Boolean.TRUE.equals(line.get("skip_tensor_content")));
      Mismatch mismatch =
          StructuralEquality.firstMismatch(both.get(0), both.get(1), TYPES, options).orElse(null);
      assertThat(mismatch == null).as(name).isEqualTo(line.get("equal"));
      List<?> paths = (List<?>) line.get("mismatch");
      if (paths != null && mismatch != null) {
        assertThat(List.of(mismatch.leftPath().toString(), mismatch.rightPath().toString()))
            .as(name)
            .isEqualTo(paths);
        assertThat(mismatch.describe(TYPES)).contains("left: ", "right: ");
      }
      long left = StructuralHash.of(both.get(0), TYPES, options);
      long right = StructuralHash.of(both.get(1), TYPES, options);
      if (!UNDEFINED.contains(name)) {
        assertThat(left == right).as("hash of " + name).isEqualTo(line.get("hashes_equal"));
      }
    }
  }
}
