package org.relaxvm.interoponnx.operator.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType.OfTensor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Sequences: lists of operands where their length is known, else lists of the program. */
public final class Sequences {
  private Sequences() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("SequenceConstruct", 11, node -> List.of(new Operand.Sequence(node.operands())))
        .add("SequenceEmpty", 11, node -> List.of(new Operand.Sequence(List.of())))
        .add("SequenceInsert", 11, Sequences::insert)
        .add("SequenceErase", 11, Sequences::erase)
        .add("SequenceAt", 11, Sequences::at)
        .add("SequenceLength", 11, Sequences::length)
        .add("ConcatFromSequence", 11, Sequences::concat)
        .add("SplitToSequence", 11, SplitToSequence::split);
  }

  /** The sequence of an input; one that is optional and there counts as itself. */
  static Operand sequence(NodeContext node, int input) {
    Operand operand = node.operand(input);
    return operand instanceof Operand.Maybe(Optional<Operand> value) && value.isPresent()
        ? value.get()
        : operand;
  }

  /** A position among the elements of a known sequence; empty when it is computed at run time. */
  private static Optional<Integer> position(NodeContext node, int input, int size, int last) {
    Optional<Long> given =
        node.integers(input).filter(values -> values.size() == 1).map(List::getFirst);
    if (given.isPresent()) {
      long position = given.get() < 0 ? given.get() + size : given.get();
      if (position < 0 || position > last) {
        throw node.unsupported(
            "position " + given.get() + " is outside of a sequence of " + size, "");
      }
      return Optional.of((int) position);
    }
    return Optional.empty();
  }

  private static Optional<Expr> runTimePosition(NodeContext node, int input) {
    return node.has(input)
        ? Optional.of(Lists.position(node, node.operand(input)))
        : Optional.empty();
  }

  private static List<Operand> insert(NodeContext node) {
    if (sequence(node, 0) instanceof Operand.Sequence(List<Operand> elements)) {
      int size = elements.size();
      Optional<Integer> at = node.has(2) ? position(node, 2, size, size) : Optional.of(size);
      if (at.isPresent()) {
        List<Operand> longer = new ArrayList<>(elements);
        longer.add(at.get(), node.operand(1));
        return List.of(new Operand.Sequence(longer));
      }
    }
    Operand.Listed list = Lists.of(node, sequence(node, 0));
    return List.of(Lists.inserted(node, list, node.operand(1), runTimePosition(node, 2)));
  }

  private static List<Operand> erase(NodeContext node) {
    if (sequence(node, 0) instanceof Operand.Sequence(List<Operand> elements)) {
      int size = elements.size();
      Optional<Integer> at =
          node.has(1) ? position(node, 1, size, size - 1) : Optional.of(size - 1);
      if (at.isPresent()) {
        if (size == 0) {
          throw node.unsupported("an element of an empty sequence is erased", "");
        }
        List<Operand> shorter = new ArrayList<>(elements);
        shorter.remove((int) at.get());
        return List.of(new Operand.Sequence(shorter));
      }
    }
    Operand.Listed list = Lists.of(node, sequence(node, 0));
    return List.of(Lists.erased(node, list, runTimePosition(node, 1)));
  }

  private static List<Operand> at(NodeContext node) {
    if (sequence(node, 0) instanceof Operand.Sequence(List<Operand> elements)) {
      Optional<Integer> at = position(node, 1, elements.size(), elements.size() - 1);
      if (at.isPresent()) {
        return List.of(elements.get(at.get()));
      }
    }
    Operand.Listed list = Lists.of(node, sequence(node, 0));
    return List.of(Lists.at(node, list, Lists.position(node, node.operand(1))));
  }

  private static List<Operand> length(NodeContext node) {
    return List.of(Known.scalar(length(node, sequence(node, 0))));
  }

  /** The number of elements of a sequence. */
  public static PrimExpr length(NodeContext node, Operand sequence) {
    return sequence instanceof Operand.Sequence(List<Operand> elements)
        ? IntImm.of(elements.size())
        : Lists.length(node, Lists.of(node, sequence));
  }

  // ---------------------------------------------------------------- joined

  private static List<Operand> concat(NodeContext node) {
    long axis = node.attributes().requiredInteger("axis");
    boolean isNewAxis = node.attributes().flag("new_axis", false);
    if (!(sequence(node, 0) instanceof Operand.Sequence(List<Operand> elements))) {
      return concatList(node, Lists.of(node, sequence(node, 0)), axis, isNewAxis);
    }
    if (elements.isEmpty()) {
      throw node.unsupported("an empty sequence has no tensor to be joined", "");
    }
    List<Expr> parts = elements.stream().map(node::leaf).toList();
    int rank = node.rank(parts.getFirst()) + (isNewAxis ? 1 : 0);
    int along = node.axis(axis, rank);
    if (parts.size() == 1) {
      return isNewAxis
          ? node.result(Ops.expandDims(parts.getFirst(), along))
          : List.of(elements.getFirst());
    }
    return node.result(isNewAxis ? Ops.stack(parts, along) : Ops.concat(parts, along));
  }

  private static List<Operand> concatList(
      NodeContext node, Operand.Listed list, long axis, boolean isNewAxis) {
    if (!(list.element().orElse(null) instanceof OfTensor type) || type.dims().isEmpty()) {
      throw node.unsupported(
          "the elements of a sequence are no tensors with a known number of axes", "");
    }
    List<Optional<PrimExpr>> dims = new ArrayList<>(type.dims().get());
    int rank = dims.size() + (isNewAxis ? 1 : 0);
    int along = node.axis(axis, rank);
    if (isNewAxis) {
      dims.add(along, Optional.empty());
    } else if (dims.isEmpty()) {
      throw node.unsupported("tensors without axes are joined along axis " + axis, "");
    } else {
      dims.set(along, Optional.empty());
    }
    Expr joined =
        Lists.packed(
            node,
            "relaxvm.list_concat",
            List.of(list.expr(), PrimValue.of((long) along), PrimValue.of(isNewAxis)),
            TensorType.ofRank(type.dtype(), rank));
    return List.of(node.unpacked(joined, new OfTensor(type.dtype(), Optional.of(dims))));
  }
}
