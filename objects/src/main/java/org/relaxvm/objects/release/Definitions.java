package org.relaxvm.objects.release;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectNode;

/**
 * What the variables of the newest release are up to 0.25, where values of a program, scalars and
 * buffers are of different types.
 */
final class Definitions {
  private final Set<Object> values = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Object, Object> memory = new IdentityHashMap<>();

  private Definitions() {}

  /** The definitions of a graph of the newest release. */
  static Definitions of(@Nullable Object root) {
    Definitions definitions = new Definitions();
    Nodes.forEach(root, definitions::visit);
    return definitions;
  }

  private void visit(ObjectNode node) {
    switch (node.type().key()) {
      case "relax.expr.Function" -> values.addAll(Nodes.list(node, "params"));
      case "relax.expr.VarBinding", "relax.expr.MatchCast" -> {
        if (Nodes.field(node, "var") instanceof ObjectNode variable) {
          values.add(variable);
        }
      }
      case "tirx.DeclBuffer" -> {
        if (Nodes.field(node, "buffer") instanceof ObjectNode buffer
            && Nodes.field(node, "data") instanceof ObjectNode data) {
          memory.put(buffer, data);
        }
      }
      default -> {}
    }
  }

  /** Whether a variable is a value of the program: a parameter or what a binding defines. */
  boolean isValue(ObjectNode variable) {
    String type = Nodes.key(Nodes.field(variable, "ty"));
    return values.contains(variable)
        || variable.type().isA("relax.expr.DataflowVar")
        || !(type.equals("ir.PrimType") || type.equals("ir.PointerType") || isBuffer(variable));
  }

  /** Whether a variable is a buffer. */
  boolean isBuffer(@Nullable Object variable) {
    return Nodes.key(variable).equals("ir.Var")
        && Nodes.key(Nodes.field(variable, "ty")).equals("tirx.BufferType");
  }

  /** The pointer that a buffer is declared with; null if it has memory of its own. */
  @Nullable Object memoryOf(ObjectNode buffer) {
    return memory.get(buffer);
  }
}
