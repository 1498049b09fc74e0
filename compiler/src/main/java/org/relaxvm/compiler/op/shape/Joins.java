package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** One tensor of several, and grids. Source: docs/spec/op-set.md, section 2.4. */
public final class Joins {
  /** Tensors concatenated along an axis; with none, their elements on one axis. */
  public static final OpDef CONCAT =
      OpDef.named("concat")
          .args("tensors")
          .attrs(AttrSpec.of("axis", Kind.INTEGER_OR_NONE, 0L))
          .rule(Joins::concatenated)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "concatenate",
                      call,
                      KernelBody.one((k, in) -> concat(call, k, in.tensors(0)))))
          .build();

  /** Tensors of one shape along a new axis; {@code axis} says where it is in the result. */
  public static final OpDef STACK =
      OpDef.named("stack")
          .args("tensors")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, 0L))
          .rule(Joins::stacked)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "stack",
                      call,
                      KernelBody.one(
                          (k, in) -> JoinOps.stack(k, "T_stack", in.tensors(0), axis(call, 1)))))
          .build();

  /**
   * Each of several tensors with one axis along its own axis of a grid. The axes of the grid are
   * those of the tensors; with the indexing {@code xy} the first two are exchanged.
   */
  public static final OpDef MESHGRID =
      OpDef.named("meshgrid")
          .args("tensors")
          .attrs(AttrSpec.of("indexing", Kind.TEXT, "ij"))
          .rule(Joins::grids)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "meshgrid",
                      call,
                      (k, in) ->
                          JoinOps.meshgrid(k, "T_meshgrid", in.tensors(0), axesOfGrid(call))))
          .build();

  private Joins() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(CONCAT, STACK, MESHGRID);
  }

  /** Tensors concatenated along an axis; a tuple of them. */
  public static Call concat(Expr tensors, int axis) {
    return Call.of(CONCAT, List.of(tensors), Attrs.of("axis", axis));
  }

  /** Tensors concatenated along an axis. */
  public static Call concat(List<? extends Expr> tensors, int axis) {
    return concat(new Tuple(List.copyOf(tensors)), axis);
  }

  /** All elements of tensors in row-major order, concatenated on one axis. */
  public static Call concat(List<? extends Expr> tensors) {
    return Call.of(
        CONCAT, List.of(new Tuple(List.copyOf(tensors))), Attrs.of("axis", Attrs.Nothing.NONE));
  }

  /** Tensors of one shape along a new axis. */
  public static Call stack(List<? extends Expr> tensors, int axis) {
    return Call.of(STACK, List.of(new Tuple(List.copyOf(tensors))), Attrs.of("axis", axis));
  }

  /** As many grids as there are tensors: the places along each axis. */
  public static Call meshgrid(List<? extends Expr> tensors) {
    return Call.of(MESHGRID, new Tuple(List.copyOf(tensors)));
  }

  /** The same with another order of axes: {@code xy} exchanges the first two, {@code ij} not. */
  public static Call meshgrid(List<? extends Expr> tensors, String indexing) {
    return Call.of(
        MESHGRID, List.of(new Tuple(List.copyOf(tensors))), Attrs.of("indexing", indexing));
  }

  private static int axis(OpCall call, int added) {
    int ndim = ndim(Operand.fields(call, 0));
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), ndim + added);
  }

  private static boolean isWithoutAxis(OpCall call) {
    return call.attrs().integer("axis").isEmpty();
  }

  private static TensorExpr concat(OpCall call, KernelBuilder k, List<TensorExpr> parts) {
    if (!isWithoutAxis(call)) {
      return JoinOps.concat(k, "T_concat", parts, axis(call, 0));
    }
    List<TensorExpr> flat = new ArrayList<>();
    for (TensorExpr part : parts) {
      boolean isFlat = part.shape().size() == 1;
      flat.add(isFlat ? part : ShapeOps.flatten(k, "T_flatten" + flat.size(), part));
    }
    return JoinOps.concat(k, "T_concat", flat, 0);
  }

  private static List<Operand> someParts(OpCall call) {
    List<Operand> parts = Operand.fields(call, 0);
    if (parts.isEmpty()) {
      throw call.error("expected at least one tensor, but got none");
    }
    return parts;
  }

  private static List<Operand> parts(OpCall call) {
    List<Operand> parts = someParts(call);
    Optional<Operand> first = parts.stream().filter(part -> part.type().hasRank()).findFirst();
    first.ifPresent(known -> parts.forEach(part -> Ranks.requireSame(call, known, part)));
    return parts;
  }

  /** The number of axes of those of which it is known. */
  private static int ndim(List<Operand> parts) {
    return parts.stream().mapToInt(part -> part.type().ndim()).max().orElse(ShapeType.UNKNOWN);
  }

  private static TensorType ofRank(OpCall call, List<Operand> parts, int ndim) {
    return TensorType.ofRank(ElementTypes.same(call, parts), ndim)
        .withVDevice(CommonDevice.same(call, parts));
  }

  private static Type concatenated(OpCall call) {
    if (isWithoutAxis(call)) {
      return flattened(call);
    }
    List<Operand> parts = parts(call);
    int ndim = ndim(parts);
    TensorType result = ofRank(call, parts, ndim);
    if (ndim == ShapeType.UNKNOWN) {
      return result;
    }
    int axis = axis(call, 0);
    Optional<List<PrimExpr>> dims = common(call, parts, axis);
    if (dims.isEmpty()) {
      return result;
    }
    PrimExpr total = IntImm.of(0);
    for (Operand part : parts) {
      total = Exprs.add(total, part.type().dims().orElseThrow().get(axis));
    }
    return result.withDims(Extents.simplify(call, AxisLists.with(dims.get(), axis, total)));
  }

  private static Type flattened(OpCall call) {
    List<Operand> parts = someParts(call);
    TensorType result = ofRank(call, parts, 1);
    PrimExpr total = IntImm.of(0);
    for (Operand part : parts) {
      if (part.type().dims().isEmpty()) {
        return result;
      }
      total = Exprs.add(total, Extents.product(call, part.type().dims().get()));
    }
    return result.withDims(Extents.simplify(call, List.of(total)));
  }

  private static Type stacked(OpCall call) {
    List<Operand> parts = parts(call);
    int ndim = ndim(parts);
    if (ndim == ShapeType.UNKNOWN) {
      return ofRank(call, parts, ndim);
    }
    int axis = axis(call, 1);
    TensorType result = ofRank(call, parts, ndim + 1);
    return common(call, parts, -1)
        .<Type>map(dims -> result.withDims(AxisLists.inserted(dims, axis, IntImm.of(parts.size()))))
        .orElse(result);
  }

  /**
   * The extents that all have, constants where one has one; empty when those of one are unknown.
   */
  private static Optional<List<PrimExpr>> common(OpCall call, List<Operand> parts, int but) {
    List<PrimExpr> common = new ArrayList<>();
    boolean known = true;
    for (Operand part : parts) {
      if (part.type().dims().isEmpty()) {
        known = false;
        continue;
      }
      List<PrimExpr> dims = part.type().dims().get();
      for (int axis = 0; axis < dims.size(); axis++) {
        if (axis == common.size()) {
          common.add(dims.get(axis));
        } else if (axis != but) {
          Extents.requireSame(call, common.get(axis), dims.get(axis), "axis " + axis);
          if (dims.get(axis) instanceof IntImm) {
            common.set(axis, dims.get(axis));
          }
        }
      }
    }
    return known ? Optional.of(common) : Optional.empty();
  }

  /** For each tensor of a grid which axis is its own. */
  private static List<Integer> axesOfGrid(OpCall call) {
    String indexing = call.attrs().text("indexing").orElseThrow();
    if (!indexing.equals("ij") && !indexing.equals("xy")) {
      throw call.error("the indexing must be ij or xy, but is " + indexing);
    }
    int count = Operand.fields(call, 0).size();
    List<Integer> axes = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    if (indexing.equals("xy") && count > 1) {
      Collections.swap(axes, 0, 1);
    }
    return axes;
  }

  private static Type grids(OpCall call) {
    List<Integer> axes = axesOfGrid(call);
    List<Operand> lines = parts(call);
    ElementTypes.same(call, lines);
    CommonDevice.same(call, lines);
    List<PrimExpr> dims = new ArrayList<>();
    for (Operand line : lines) {
      if (line.type().hasRank() && line.type().ndim() != 1) {
        throw call.wrong(0, "a tuple of tensors with 1 axis");
      }
      line.type().dims().ifPresent(dims::addAll);
    }
    if (dims.size() == lines.size() && dims.size() > 1 && axes.getFirst() != 0) {
      Collections.swap(dims, 0, 1);
    }
    return new TupleType(
        lines.stream()
            .<Type>map(
                line ->
                    dims.size() == lines.size()
                        ? line.type().withDims(dims)
                        : line.type().withRank(lines.size()))
            .toList());
  }
}
