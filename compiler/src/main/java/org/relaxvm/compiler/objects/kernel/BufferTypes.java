package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;

/** The types of buffers. */
final class BufferTypes {
  /** The key of the type. */
  static final String KEY = "tirx.BufferType";

  /** Bytes; all memory of devices starts at a multiple of it. */
  private static final long ALIGNMENT = 64;

  /** The only axis of memory that is linear. */
  private static final String MEMORY_AXIS = "m";

  private BufferTypes() {}

  static ObjectNode write(Buffer buffer, ScalarWriter scalars, NodeMaker nodes) {
    return nodes.make(
        KEY,
        "dtype",
        nodes.scalarType(buffer.dtype()),
        "storage_scope",
        buffer.scope().text(),
        "shape",
        scalars.writeAll(buffer.shape()),
        "strides",
        scalars.writeAll(buffer.strides()),
        "elem_offset",
        scalars.write(buffer.elemOffset()),
        "data_alignment",
        ALIGNMENT,
        "offset_factor",
        1L,
        "layout",
        null,
        "allocated_addr",
        List.of());
  }

  /**
   * The buffer of a variable; null, and problems, if there is no such buffer.
   *
   * @param variable whose type is a type of buffers
   */
  static @Nullable Buffer read(NodeAccess variable, ScalarReader scalars) {
    NodeAccess type = variable.child("ty");
    if (type == null) {
      return null;
    }
    NodeAccess element = type.child("dtype");
    MemoryScope scope = scope(type);
    List<PrimExpr> shape = scalars.readIndices(type.children("shape"));
    List<PrimExpr> strides = scalars.readIndices(type.children("strides"));
    NodeAccess start = type.child("elem_offset");
    PrimExpr offset = start == null ? null : scalars.readIndex(start);
    if (element == null || scope == null || shape == null || strides == null || offset == null) {
      return null;
    }
    boolean isLinear = checkLayout(type, shape, scalars);
    boolean isAligned = checkMemory(type);
    if (!isLinear || !isAligned) {
      return null;
    }
    DType dtype = NodeAccess.scalarType(element.node());
    if (dtype == null) {
      element.problem("", "expected a scalar type");
      return null;
    }
    String name = variable.text("name");
    return variable.make(() -> new Buffer(name, dtype, shape, strides, offset, scope));
  }

  private static @Nullable MemoryScope scope(NodeAccess type) {
    String text = type.text("storage_scope");
    Optional<MemoryScope> known =
        Arrays.stream(MemoryScope.values()).filter(scope -> scope.text().equals(text)).findFirst();
    if (known.isEmpty() && text.isEmpty()) {
      return MemoryScope.GLOBAL;
    }
    if (known.isEmpty()) {
      type.problem(
          ".storage_scope",
          "the memory scope '"
              + text
              + "' cannot be held; there are: "
              + Arrays.stream(MemoryScope.values())
                  .map(MemoryScope::text)
                  .collect(Collectors.joining(", ")));
    }
    return known.orElse(null);
  }

  private static boolean checkMemory(NodeAccess type) {
    boolean holds = true;
    if (type.integer("data_alignment") > ALIGNMENT) {
      type.problem(
          ".data_alignment",
          "an alignment of "
              + type.integer("data_alignment")
              + " bytes cannot be held; there is at most "
              + ALIGNMENT);
      holds = false;
    }
    if (!type.children("allocated_addr").isEmpty()) {
      type.problem(".allocated_addr", "an address cannot be held");
      holds = false;
    }
    return holds;
  }

  /** Whether elements are row-major: there is no layout, or the one that says so. */
  private static boolean checkLayout(NodeAccess type, List<PrimExpr> shape, ScalarReader scalars) {
    if (type.get("layout") == null) {
      return true;
    }
    NodeAccess layout = type.child("layout");
    List<PrimExpr> rowMajor = type.make(() -> Exprs.rowMajorStrides(shape));
    if (layout == null || rowMajor == null) {
      return false;
    }
    if (layout.key().equals("tirx.TileLayout")
        && layout.children("replica").isEmpty()
        && layout.get("offset") instanceof Map<?, ?> offset
        && offset.isEmpty()
        && isRowMajor(layout.children("shard"), shape, rowMajor, scalars)) {
      return true;
    }
    layout.problem("", "a layout that is not row-major cannot be held");
    return false;
  }

  private static boolean isRowMajor(
      List<NodeAccess> shards,
      List<PrimExpr> shape,
      List<PrimExpr> rowMajor,
      ScalarReader scalars) {
    List<PrimExpr> extents = new ArrayList<>();
    List<PrimExpr> strides = new ArrayList<>();
    for (NodeAccess shard : shards) {
      NodeAccess extent = shard.child("extent");
      NodeAccess stride = shard.child("stride");
      NodeAccess axis = shard.child("axis");
      if (extent == null
          || stride == null
          || axis == null
          || !axis.text("name").equals(MEMORY_AXIS)) {
        return false;
      }
      PrimExpr extentRead = scalars.readIndex(extent);
      PrimExpr strideRead = scalars.readIndex(stride);
      if (extentRead == null || strideRead == null) {
        return false;
      }
      extents.add(extentRead);
      strides.add(strideRead);
    }
    return extents.equals(shape) && strides.equals(rowMajor);
  }
}
