package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;

/** Copies kernels with int64 indices, extents and counters instead of int32. */
final class WideIndices {
  /** Fields of indices, extents and counters; in kernels they are nothing else. */
  private static final Set<String> FIELDS =
      Set.of(
          "dom",
          "elem_offset",
          "extent",
          "indices",
          "iter_values",
          "iter_vars",
          "loop_var",
          "min",
          "region",
          "shape",
          "strides");

  private final boolean everywhere;
  private final Map<ObjectNode, ObjectNode> copies = new IdentityHashMap<>();

  /**
   * A copier of one kernel.
   *
   * @param everywhere whether all that is int32 becomes int64, data too
   */
  WideIndices(boolean everywhere) {
    this.everywhere = everywhere;
  }

  /** The copy of a kernel. */
  ObjectNode copy(ObjectNode kernel) {
    return copy(kernel, everywhere);
  }

  private @Nullable Object copyValue(@Nullable Object value, boolean wide) {
    return switch (value) {
      case ObjectNode node -> copy(node, wide);
      case List<?> list -> {
        List<@Nullable Object> elements = new ArrayList<>();
        list.forEach(element -> elements.add(copyValue(element, wide)));
        yield elements;
      }
      case Map<?, ?> map -> {
        Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
        map.forEach((key, entry) -> entries.put(copyValue(key, wide), copyValue(entry, wide)));
        yield entries;
      }
      case DType dtype when wide && dtype.equals(DType.INT32) -> DType.INT64;
      case null, default -> value;
    };
  }

  private ObjectNode copy(ObjectNode node, boolean wide) {
    ObjectNode known = copies.get(node);
    if (known != null) {
      return known;
    }
    ObjectType type = node.type();
    @Nullable Object[] values = new Object[type.fields().size()];
    for (int i = 0; i < values.length; i++) {
      boolean isIndex = FIELDS.contains(type.fields().get(i).name());
      // Buffers that are indexed keep the dtype of their elements.
      boolean isElement = type.key().equals("tirx.BufferType") && !isIndex;
      values[i] = copyValue(type.get(node, i), everywhere || isIndex || (wide && !isElement));
    }
    ObjectNode copy = (ObjectNode) type.create(values);
    // Data and indices may share types; what is shared of a variable is the variable.
    if (type.key().equals("ir.Var")) {
      copies.put(node, copy);
    }
    return copy;
  }
}
