package org.relaxvm.interoponnx.operator.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Sequences whose length is known at run time. */
public final class Lists {
  private Lists() {}

  /** A sequence as one of run-time length. */
  public static Operand.Listed of(NodeContext node, Operand sequence) {
    return switch (sequence) {
      case Operand.Listed list -> list;
      case Operand.Sequence known ->
          new Operand.Listed(node.packed(known), node.elementType(node.valueType(known)));
      case Operand.Maybe(Optional<Operand> value) when value.isPresent() -> of(node, value.get());
      default -> throw node.unsupported("an input is no sequence", "");
    };
  }

  /** The number of elements, as a symbol that is bound at run time. */
  public static PrimExpr length(NodeContext node, Operand.Listed list) {
    Expr shape = packed(node, "relaxvm.list_length", List.of(list.expr()), ShapeType.ofRank(1));
    Var length = node.symbol("length");
    node.matchCast(shape, ShapeType.of(List.of(length)));
    return length;
  }

  /**
   * An element.
   *
   * @param position an integer or a tensor of one
   */
  public static Operand at(NodeContext node, Operand.Listed list, Expr position) {
    ValueType type =
        list.element()
            .orElseThrow(
                () ->
                    node.unsupported("an element of a sequence is read that is always empty", ""));
    return node.unpacked(
        packed(node, "relaxvm.list_at", List.of(list.expr(), position), AnyType.ANY), type);
  }

  /** The sequence with another element, at its end where no position is given. */
  public static Operand.Listed inserted(
      NodeContext node, Operand.Listed list, Operand element, Optional<Expr> position) {
    ValueType type = node.seen(node.valueType(element));
    List<Expr> args = new ArrayList<>(List.of(list.expr(), node.packed(element)));
    position.ifPresent(args::add);
    return new Operand.Listed(
        packed(node, "relaxvm.list_insert", args, AnyType.ANY),
        Optional.of(list.element().map(old -> node.common(old, type)).orElse(type)));
  }

  /** The sequence without an element: the last one where no position is given. */
  static Operand.Listed erased(NodeContext node, Operand.Listed list, Optional<Expr> position) {
    List<Expr> args = new ArrayList<>(List.of(list.expr()));
    position.ifPresent(args::add);
    return new Operand.Listed(
        packed(node, "relaxvm.list_erase", args, AnyType.ANY), list.element());
  }

  /** A position: a number, or a tensor that is computed at run time. */
  static Expr position(NodeContext node, Operand operand) {
    Optional<List<PrimExpr>> known = node.known(operand).flatMap(Known::integers);
    return known.isPresent() && known.get().size() == 1
        ? new PrimValue(known.get().getFirst())
        : node.leaf(operand);
  }

  static Expr packed(NodeContext node, String function, List<? extends Expr> args, Type type) {
    return node.emit(CallOps.callPurePacked(function, args, type));
  }
}
