package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/** Reads blocks. */
final class BlockReader {
  private static final int DATA_PARALLEL = 0;
  private static final int REDUCTION = 2;
  private static final int ORDERED = 3;
  private static final int OPAQUE = 4;

  private final ScalarReader scalars;
  private final StmtReader statements;

  BlockReader(ScalarReader scalars, StmtReader statements) {
    this.scalars = scalars;
    this.statements = statements;
  }

  /** A block at a point; null, and problems, if it cannot be held. */
  @Nullable Stmt read(NodeAccess realize) {
    NodeAccess given = realize.child("predicate");
    PrimExpr predicate = given == null ? null : scalars.readValue(given);
    NodeAccess block = realize.child("block");
    if (block == null) {
      return null;
    }
    List<IterVar> axes = axes(block);
    List<PrimExpr> values = axes == null ? null : values(realize.children("iter_values"), axes);
    Block read = axes == null ? null : block(block, axes);
    return predicate == null || values == null || read == null
        ? null
        : realize.make(() -> new BlockRealize(values, predicate, read));
  }

  private @Nullable List<PrimExpr> values(List<NodeAccess> given, List<IterVar> axes) {
    List<PrimExpr> values = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      PrimExpr value =
          i < axes.size()
              ? scalars.readFor(axes.get(i).var(), given.get(i))
              : scalars.readValue(given.get(i));
      if (value != null) {
        values.add(value);
      }
    }
    return values.size() == given.size() ? values : null;
  }

  private @Nullable List<IterVar> axes(NodeAccess block) {
    List<NodeAccess> given = block.children("iter_vars");
    List<IterVar> axes = new ArrayList<>();
    for (NodeAccess axis : given) {
      NodeAccess variable = axis.child("var");
      NodeAccess domain = axis.child("dom");
      IterKind kind = kind(axis);
      Var var = variable == null ? null : scalars.tryVariable(variable);
      Range range =
          var == null || domain == null
              ? null
              : range(domain, bound -> scalars.readFor(var, bound));
      if (var != null && range != null && kind != null) {
        IterVar made = axis.make(() -> new IterVar(var, range, kind));
        if (made != null) {
          axes.add(made);
        }
      }
    }
    return axes.size() == given.size() ? axes : null;
  }

  /** The number of a kind of axes. */
  static long number(IterKind kind) {
    return switch (kind) {
      case SPATIAL -> DATA_PARALLEL;
      case REDUCE -> REDUCTION;
      case OPAQUE -> OPAQUE;
    };
  }

  private static @Nullable IterKind kind(NodeAccess axis) {
    long type = axis.integer("iter_type");
    return switch (Math.clamp(type, -1, Integer.MAX_VALUE)) {
      case DATA_PARALLEL -> IterKind.SPATIAL;
      case REDUCTION -> IterKind.REDUCE;
      case ORDERED, OPAQUE -> IterKind.OPAQUE;
      default -> {
        axis.problem(".iter_type", "an axis of kind " + type + " cannot be held");
        yield null;
      }
    };
  }

  private static @Nullable Range range(
      NodeAccess node, Function<NodeAccess, @Nullable PrimExpr> reader) {
    NodeAccess first = node.child("min");
    NodeAccess count = node.child("extent");
    PrimExpr min = first == null ? null : reader.apply(first);
    PrimExpr extent = count == null ? null : reader.apply(count);
    return min == null || extent == null ? null : new Range(min, extent);
  }

  private @Nullable Block block(NodeAccess block, List<IterVar> axes) {
    List<NodeAccess> allocated = block.children("alloc_buffers");
    List<Buffer> buffers = new ArrayList<>();
    allocated.forEach(variable -> statements.define(variable, buffers));
    List<BufferRegion> reads = regions(block.children("reads"));
    List<BufferRegion> writes = regions(block.children("writes"));
    List<NodeAccess> matched = block.children("match_buffers");
    matched.forEach(this::refuse);
    Map<String, Object> annotations = Attributes.read(block, "annotations");
    boolean all = buffers.size() == allocated.size() && matched.isEmpty();
    NodeAccess start = block.get("init") == null ? null : block.child("init");
    Stmt init = start == null ? null : statements.readInside(start);
    NodeAccess inner = block.child("body");
    Stmt body = inner == null ? null : statements.readBody(inner, buffers);
    if (!all || reads == null || writes == null || body == null) {
      return null;
    }
    if (init == null && block.get("init") != null) {
      return null;
    }
    String name = block.text("name_hint");
    return block.make(
        () ->
            new Block(
                name, axes, reads, writes, buffers, Optional.ofNullable(init), body, annotations));
  }

  private void refuse(NodeAccess match) {
    match.cannotBeHeld();
    NodeAccess variable = match.child("buffer");
    if (variable != null) {
      statements.defineUnheld(variable);
    }
  }

  private @Nullable List<BufferRegion> regions(List<NodeAccess> nodes) {
    List<BufferRegion> regions = new ArrayList<>();
    for (NodeAccess node : nodes) {
      NodeAccess source = node.child("buffer");
      Buffer buffer = source == null ? null : scalars.buffer(source);
      List<NodeAccess> given = node.children("region");
      List<Range> ranges = new ArrayList<>();
      for (NodeAccess range : given) {
        Range read = range(range, scalars::readIndex);
        if (read != null) {
          ranges.add(read);
        }
      }
      if (buffer != null && ranges.size() == given.size()) {
        BufferRegion region = node.make(() -> new BufferRegion(buffer, ranges));
        if (region != null) {
          regions.add(region);
        }
      }
    }
    return regions.size() == nodes.size() ? regions : null;
  }
}
