package org.relaxvm.compiler.objects;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.objects.kernel.ScalarReader;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Reads scalar expressions, and remembers the variables in them. Not thread-safe. */
final class Scalars {
  private final ScalarReader reader;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<ObjectNode> symbols = Collections.newSetFromMap(new IdentityHashMap<>());

  Scalars(ScalarReader reader) {
    this.reader = reader;
  }

  /** A reader of kernels and their expressions, which has the same variables. */
  ScalarReader reader() {
    return reader;
  }

  /** Whether a variable is in a scalar expression. */
  boolean uses(ObjectNode variable) {
    return symbols.contains(variable);
  }

  /** Whether a value is a scalar expression and nothing else. */
  static boolean isScalar(Cursor at) {
    String key = at.key();
    return key.equals("ir.IntImm")
        || key.equals("ir.FloatImm")
        || key.startsWith("tirx.")
        || (key.equals("ir.Call") && at.get("op").key().equals("ir.Op") && isIntrinsic(at));
  }

  private static boolean isIntrinsic(Cursor call) {
    return !call.get("op").get("name").text().startsWith("relax.");
  }

  /** A scalar expression. */
  PrimExpr read(Cursor at) {
    return at.node()
        .map(
            node -> {
              remember(node);
              PrimExpr zero = IntImm.of(0);
              return at.held(() -> reader.read(node, at.path()), zero);
            })
        .orElseGet(() -> IntImm.of(0));
  }

  /** Adds the variables in an expression; each object is visited once, however often it is used. */
  private void remember(ObjectNode scalar) {
    Deque<Object> pending = new ArrayDeque<>();
    push(pending, scalar);
    while (!pending.isEmpty()) {
      Object next = pending.pop();
      if (next instanceof Iterable<?> list) {
        list.forEach(item -> push(pending, item));
      } else if (next instanceof ObjectNode node) {
        if (node.type().isA("ir.Var")) {
          symbols.add(node);
        }
        ObjectView.of(node).forEach((field, value) -> push(pending, value));
      }
    }
  }

  private void push(Deque<Object> pending, @Nullable Object value) {
    if ((value instanceof ObjectNode || value instanceof Iterable<?>) && seen.add(value)) {
      pending.push(value);
    }
  }
}
