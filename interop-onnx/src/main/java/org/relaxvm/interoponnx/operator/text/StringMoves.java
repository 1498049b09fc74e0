package org.relaxvm.interoponnx.operator.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Operators that move elements, on strings: the positions of the strings are moved as integers, and
 * the result is the strings at these positions.
 */
public final class StringMoves {
  /** The inputs of which elements are moved; empty for all. */
  private static final Map<String, List<Integer>> OPERATORS =
      Map.ofEntries(
          Map.entry("Compress", List.of(0)),
          Map.entry("Concat", List.of()),
          Map.entry("DepthToSpace", List.of(0)),
          Map.entry("Expand", List.of(0)),
          Map.entry("Flatten", List.of(0)),
          Map.entry("Gather", List.of(0)),
          Map.entry("GatherElements", List.of(0)),
          Map.entry("GatherND", List.of(0)),
          Map.entry("Reshape", List.of(0)),
          Map.entry("ReverseSequence", List.of(0)),
          Map.entry("ScatterElements", List.of(0, 2)),
          Map.entry("ScatterND", List.of(0, 2)),
          Map.entry("Slice", List.of(0)),
          Map.entry("SpaceToDepth", List.of(0)),
          Map.entry("Split", List.of(0)),
          Map.entry("Squeeze", List.of(0)),
          Map.entry("Tile", List.of(0)),
          Map.entry("Transpose", List.of(0)),
          Map.entry("Unsqueeze", List.of(0)),
          Map.entry("Where", List.of(1, 2)));

  private StringMoves() {}

  /** Extends operators that are in a table. */
  public static void addTo(OperatorTable.Builder table) {
    OPERATORS.forEach(
        (name, inputs) -> {
          if (table.has("", name)) {
            table.extend(name, converter -> extended(inputs, converter));
          }
        });
  }

  private static Converter extended(List<Integer> inputs, Converter converter) {
    return node -> {
      List<Integer> moved =
          inputs.isEmpty() ? IntStream.range(0, node.inputs()).boxed().toList() : inputs;
      boolean isOfStrings =
          moved.stream().anyMatch(i -> node.has(i) && Texts.areStrings(node.operand(i)));
      return isOfStrings ? moved(node, moved, converter) : converter.convert(node);
    };
  }

  /**
   * What a rule gives for strings.
   *
   * @param inputs whose elements it moves
   */
  public static List<Operand> moved(NodeContext node, List<Integer> inputs, Converter converter) {
    Map<Integer, Operand> positions = new HashMap<>();
    List<Operand> strings = new ArrayList<>();
    PrimExpr from = IntImm.of(0);
    for (int input : inputs) {
      if (node.has(input)) {
        List<PrimExpr> dims = Texts.dims(node, node.operand(input));
        positions.put(input, Texts.positions(node, dims, from));
        strings.add(node.operand(input));
        from = node.analyzer().simplify(Exprs.add(from, Exprs.product(dims)));
      }
    }
    return node.translated(positions, converter).stream()
        .map(result -> selected(node, strings, result))
        .toList();
  }

  /** The strings at positions in all operands. */
  public static Operand selected(NodeContext node, List<Operand> strings, Operand positions) {
    Optional<Operand> known = selectedKnown(node, strings, positions);
    if (known.isPresent()) {
      return known.get();
    }
    Expr at = node.leaf(positions);
    if (!node.dtype(at).equals(DType.INT64)) {
      throw node.unsupported("the result on strings is no tensor of strings", "");
    }
    List<Expr> args = new ArrayList<>();
    args.add(at);
    strings.forEach(each -> args.add(node.packed(each)));
    return new Operand.Text(Texts.packed(node, "relaxvm.string_select", args), node.dims(at));
  }

  private static Optional<Operand> selectedKnown(
      NodeContext node, List<Operand> strings, Operand positions) {
    Optional<Known> known = node.known(positions);
    Optional<List<Long>> numbers = known.flatMap(Known::longs);
    if (numbers.isEmpty() || !strings.stream().allMatch(Operand.Strings.class::isInstance)) {
      return Optional.empty();
    }
    List<String> all = new ArrayList<>();
    strings.forEach(each -> all.addAll(((Operand.Strings) each).elements()));
    return Optional.of(
        new Operand.Strings(
            known.get().shape(),
            numbers.get().stream()
                .map(at -> at < 0 || at >= all.size() ? "" : all.get(at.intValue()))
                .toList()));
  }
}
