package org.relaxvm.objects.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/** The table of operators is that of Apache TVM, with attributes of calls where it has none. */
class OperatorTableTest {
  private static final TvmSchema SCHEMA = TvmSchema.of(TvmRelease.V0_26);

  /** Operators that declare no attributes and have some in no golden graph, as in section 5.4. */
  private static final Set<String> SPECIFIED =
      Set.of("relax.median", "relax.sum", "relax.variance");

  private static Map<String, String> declared() throws IOException {
    Map<String, String> declared = new LinkedHashMap<>();
    Map<String, Object> schema = GoldenJson.object("schema.json");
    for (Object operator : (List<?>) Objects.requireNonNull(schema.get("operators"))) {
      Map<?, ?> entry = (Map<?, ?>) operator;
      declared.put(entry.get("name") + "", entry.get("attrs") + "");
    }
    return declared;
  }

  /** The keys of attributes of calls in golden modules, by operator. */
  private static Map<String, String> used() throws IOException {
    ObjectTypes types = ObjectTypes.discover();
    Map<String, String> used = new TreeMap<>();
    for (String json : GoldenJson.modules().values()) {
      addCalls(Objects.requireNonNull(ObjectGraph.parse(json, types).root()), used);
    }
    return used;
  }

  private static void addCalls(Object root, Map<String, String> used) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      Object next = pending.pop();
      if (!seen.add(next)) {
        continue;
      }
      switch (next) {
        case ObjectNode node -> {
          ObjectView view = ObjectView.of(node);
          if (node.type().key().equals("ir.Call")
              && view.get("op") instanceof ObjectNode op
              && op.type().key().equals("ir.Op")
              && view.get("attrs") instanceof ObjectNode attrs) {
            used.put(ObjectView.of(op).get("name") + "", attrs.type().key());
          }
          view.forEach((field, value) -> push(pending, value));
        }
        case List<?> list -> list.forEach(item -> push(pending, item));
        case Map<?, ?> map -> map.values().forEach(item -> push(pending, item));
        default -> {}
      }
    }
  }

  private static void push(Deque<Object> pending, @Nullable Object value) {
    if (value != null) {
      pending.push(value);
    }
  }

  @Test
  void theTableHasTheOperatorsOfTheSchema() throws IOException {
    Map<String, String> declared = declared();
    assertThat(SCHEMA.names().get("ir.Op")).isEqualTo(declared.keySet());
    declared.forEach(
        (name, key) -> {
          if (!key.isEmpty()) {
            assertThat(SCHEMA.attributesOf(name)).as(name).isEqualTo(key);
          }
        });
  }

  @Test
  void theTableHasTheAttributesOfCalls() throws IOException {
    Map<String, String> used = used();
    assertThat(used).hasSizeGreaterThan(80);
    used.forEach((name, key) -> assertThat(SCHEMA.attributesOf(name)).as(name).isEqualTo(key));
    Map<String, String> declared = declared();
    for (String name : declared.keySet()) {
      boolean isKnown =
          !Objects.requireNonNull(declared.get(name)).isEmpty()
              || used.containsKey(name)
              || SPECIFIED.contains(name);
      assertThat(SCHEMA.attributesOf(name).isEmpty() || isKnown).as(name).isTrue();
    }
    SPECIFIED.forEach(
        name -> assertThat(SCHEMA.attributesOf(name)).isEqualTo("relax.attrs.StatisticalAttrs"));
  }

  @Test
  void allKeysAreTypes() throws IOException {
    Set<String> types =
        SCHEMA.types().stream().map(ObjectDeclaration::key).collect(Collectors.toSet());
    declared().keySet().stream()
        .map(SCHEMA::attributesOf)
        .filter(key -> !key.isEmpty())
        .forEach(key -> assertThat(types).contains(key));
  }
}
