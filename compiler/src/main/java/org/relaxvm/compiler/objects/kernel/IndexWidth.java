package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.tir.expr.Var;

/**
 * Which variables of a kernel become int64. Here indices and extents are int64; the original also
 * has kernels with int32 indices. In those, counters of loops, axes of blocks and extents that are
 * variables are int64 here, as long as they are no parameters.
 */
final class IndexWidth {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> pending = new ArrayDeque<>();
  private final List<ObjectNode> candidates = new ArrayList<>();
  private boolean isNarrow;

  private IndexWidth() {}

  /** Binds the variables that become int64; none of a kernel whose indices all are int64. */
  static List<ObjectNode> widen(ObjectNode primFunc, ScalarReader scalars) {
    IndexWidth width = new IndexWidth();
    width.walk(primFunc);
    List<ObjectNode> widened = new ArrayList<>();
    if (width.isNarrow && ObjectView.of(primFunc).get("params") instanceof List<?> params) {
      Set<Object> fixed = Collections.newSetFromMap(new IdentityHashMap<>());
      fixed.addAll(params);
      for (ObjectNode variable : width.candidates) {
        if (fixed.add(variable) && isInt32(variable)) {
          Object name = ObjectView.of(variable).get("name");
          scalars.bind(variable, Var.index(name instanceof String text ? text : "v"));
          widened.add(variable);
        }
      }
    }
    return widened;
  }

  private void walk(ObjectNode root) {
    push(root);
    while (!pending.isEmpty()) {
      switch (pending.pop()) {
        case ObjectNode node -> visit(node);
        case Collection<?> elements -> elements.forEach(this::push);
        case Map<?, ?> entries -> entries.values().forEach(this::push);
        default -> {}
      }
    }
  }

  private void push(@Nullable Object value) {
    boolean hasParts =
        value instanceof ObjectNode || value instanceof Collection || value instanceof Map;
    if (value != null && hasParts && seen.add(value)) {
      pending.push(value);
    }
  }

  private void visit(ObjectNode node) {
    ObjectView view = ObjectView.of(node);
    switch (node.type().key()) {
      case BufferTypes.KEY -> {
        extents(view.get("shape"));
        extents(view.get("strides"));
        extents(List.of(orNothing(view.get("elem_offset"))));
      }
      case "tirx.BufferLoad", "tirx.BufferStore" -> indices(view.get("indices"));
      case "ir.Range" -> indices(List.of(orNothing(view.get("min"))));
      case "tirx.For" -> candidate(view.get("loop_var"));
      case "tirx.IterVar" -> candidate(view.get("var"));
      default -> {}
    }
    view.forEach((field, value) -> push(value));
  }

  private static Object orNothing(@Nullable Object value) {
    return value == null ? List.of() : value;
  }

  private void candidate(@Nullable Object variable) {
    if (variable instanceof ObjectNode node && node.type().key().equals("ir.Var")) {
      candidates.add(node);
    }
  }

  private void extents(@Nullable Object exprs) {
    indices(exprs);
    if (exprs instanceof List<?> list) {
      list.forEach(this::candidate);
    }
  }

  private void indices(@Nullable Object exprs) {
    if (exprs instanceof List<?> list) {
      isNarrow |= list.stream().anyMatch(IndexWidth::isInt32);
    }
  }

  private static boolean isInt32(@Nullable Object expr) {
    return expr instanceof ObjectNode node
        && node.type().fieldNumber("ty") >= 0
        && NodeAccess.scalarType(ObjectView.of(node).get("ty")) instanceof DType dtype
        && dtype.equals(DType.INT32);
  }
}
