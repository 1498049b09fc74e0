package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;

/** Nested statements from sequences, as up to 0.23. Not thread-safe. */
final class NestedBody {
  private static final String SEQUENCE = "tirx.SeqStmt";
  private static final Set<String> DEFINITIONS =
      Set.of("tirx.Bind", "tirx.AllocBuffer", "tirx.DeclBuffer", "tirx.AssertStmt");

  private final Downgrade downgrade;
  private final Target target;

  NestedBody(Downgrade downgrade) {
    this.downgrade = downgrade;
    this.target = downgrade.target;
  }

  /**
   * A sequence, or a statement that contains those after it. What such a statement is alone, with
   * nothing after it, is not used where it is in a sequence.
   */
  @Nullable Object make(ObjectNode node) {
    if (!node.type().key().equals(SEQUENCE)) {
      requireHeld(node);
      return around(node, nothing());
    }
    // The statements that follow, the last one first.
    List<@Nullable Object> after = new ArrayList<>();
    boolean isNested = false;
    for (Object item : Nodes.list(node, "seq").reversed()) {
      if (item instanceof ObjectNode statement && DEFINITIONS.contains(statement.type().key())) {
        Object body = after.isEmpty() ? nothing() : body(node, after);
        after = new ArrayList<>();
        after.add(around(statement, body));
        isNested = true;
      } else {
        after.add(downgrade.of(item));
      }
    }
    return isNested ? body(node, after) : sequence(node, after);
  }

  private @Nullable Object body(ObjectNode node, List<@Nullable Object> reversed) {
    return reversed.size() == 1 ? reversed.getFirst() : sequence(node, reversed);
  }

  private ObjectNode sequence(ObjectNode node, List<@Nullable Object> reversed) {
    return make(
        node, "SeqStmt", "seq", Collections.unmodifiableList(new ArrayList<>(reversed.reversed())));
  }

  private ObjectNode nothing() {
    return target.make(
        target.kernel("Evaluate"), "span", null, "value", target.integer(DType.INT32, 0));
  }

  /** A statement of a type with the position of another one. */
  private ObjectNode make(ObjectNode node, String name, @Nullable Object... fields) {
    List<@Nullable Object> all = new ArrayList<>();
    Collections.addAll(all, fields);
    Collections.addAll(all, "span", part(node, "span"));
    return target.make(target.kernel(name), all.toArray());
  }

  private @Nullable Object part(ObjectNode node, String field) {
    return downgrade.of(Nodes.field(node, field));
  }

  private ObjectNode around(ObjectNode node, @Nullable Object body) {
    return switch (node.type().key()) {
      case "tirx.Bind" ->
          make(
              node,
              "LetStmt",
              "var",
              part(node, "var"),
              "value",
              part(node, "value"),
              "body",
              body);
      case "tirx.AllocBuffer" -> allocation(node, body);
      case "tirx.DeclBuffer" ->
          make(node, "DeclBuffer", "buffer", part(node, "buffer"), "body", body);
      default ->
          make(
              node,
              "AssertStmt",
              "condition",
              part(node, "condition"),
              "message",
              message(node),
              "body",
              body);
    };
  }

  /** Memory, and the buffer in it. */
  private ObjectNode allocation(ObjectNode node, @Nullable Object body) {
    Object buffer = part(node, "buffer");
    return make(
        node,
        "Allocate",
        "buffer_var",
        Nodes.field(buffer, "data"),
        "dtype",
        Coercion.dtypeOf(buffer),
        "extents",
        Nodes.field(buffer, "shape"),
        "condition",
        target.integer(DType.BOOL, 1),
        "body",
        make(node, "DeclBuffer", "buffer", buffer, "body", body),
        "annotations",
        part(node, "annotations"));
  }

  private ObjectNode message(ObjectNode node) {
    String text =
        Nodes.list(node, "message_parts").stream()
            .map(each -> Nodes.text(each, "value"))
            .collect(Collectors.joining());
    return target.make(target.kernel("StringImm"), "dtype", Names.HANDLE, "value", text);
  }

  private void requireHeld(ObjectNode node) {
    String kind = Nodes.text(Nodes.field(node, "error_kind"), "value");
    if (node.type().key().equals("tirx.AssertStmt") && !kind.equals(Names.DEFAULT_ERROR)) {
      downgrade.refuse(
          ".error_kind", "a check that raises " + kind + " instead of " + Names.DEFAULT_ERROR);
    }
  }
}
