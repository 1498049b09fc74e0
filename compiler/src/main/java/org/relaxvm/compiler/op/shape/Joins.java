package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.rule.Axes;
import org.relaxvm.compiler.op.rule.ElementTypes;
import org.relaxvm.compiler.op.rule.Extents;
import org.relaxvm.compiler.op.rule.Operand;
import org.relaxvm.compiler.op.rule.Places;
import org.relaxvm.compiler.op.rule.Ranks;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.JoinOps;

/** One tensor of several, and grids. Source: the op set, section 2.4. */
public final class Joins {
  /** Tensors one behind the other along an axis. */
  public static final OpDef CONCAT =
      OpDef.named("concat")
          .args("tensors")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, 0L))
          .rule(Joins::concatenated)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "concatenate",
                      call,
                      KernelBody.one(
                          (k, in) -> JoinOps.concat(k, "T_concat", in.tensors(0), axis(call, 0)))))
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

  /** Each of several tensors with one axis along its own axis of a grid. */
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
                      (k, in) -> JoinOps.meshgrid(k, "T_meshgrid", in.tensors(0))))
          .build();

  private Joins() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(CONCAT, STACK, MESHGRID);
  }

  /** Tensors one behind the other along an axis; a tuple of them. */
  public static Call concat(Expr tensors, int axis) {
    return Call.of(CONCAT, List.of(tensors), Attrs.of("axis", axis));
  }

  /** Tensors one behind the other along an axis. */
  public static Call concat(List<? extends Expr> tensors, int axis) {
    return concat(new Tuple(List.copyOf(tensors)), axis);
  }

  /** Tensors of one shape along a new axis. */
  public static Call stack(List<? extends Expr> tensors, int axis) {
    return Call.of(STACK, List.of(new Tuple(List.copyOf(tensors))), Attrs.of("axis", axis));
  }

  /** As many grids as there are tensors: the places along each axis. */
  public static Call meshgrid(List<? extends Expr> tensors) {
    return Call.of(MESHGRID, new Tuple(List.copyOf(tensors)));
  }

  private static int axis(OpCall call, int added) {
    int ndim = ndim(Operand.fields(call, 0));
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), ndim + added);
  }

  private static List<Operand> parts(OpCall call) {
    List<Operand> parts = Operand.fields(call, 0);
    if (parts.isEmpty()) {
      throw call.error("expected at least one tensor, but got none");
    }
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
        .withVDevice(Places.same(call, parts));
  }

  private static Type concatenated(OpCall call) {
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
    return result.withDims(Extents.simplify(call, Extents.with(dims.get(), axis, total)));
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
        .<Type>map(dims -> result.withDims(Extents.inserted(dims, axis, IntImm.of(parts.size()))))
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

  private static Type grids(OpCall call) {
    String indexing = call.attrs().text("indexing").orElseThrow();
    if (!indexing.equals("ij")) {
      throw call.error("the indexing must be ij, but is " + indexing);
    }
    List<Operand> lines = parts(call);
    ElementTypes.same(call, lines);
    Places.same(call, lines);
    List<PrimExpr> dims = new ArrayList<>();
    for (Operand line : lines) {
      if (line.type().hasRank() && line.type().ndim() != 1) {
        throw call.wrong(0, "a tuple of tensors with 1 axis");
      }
      line.type().dims().ifPresent(dims::addAll);
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
