package org.relaxvm.interoponnx.operator.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Counts of sequences of tokens, which are integers or strings. */
public final class TfIdf {
  private TfIdf() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("TfIdfVectorizer", 9, TfIdf::vectorize);
  }

  private static List<Operand> vectorize(NodeContext node) {
    long[] outputs = numbers(node, "ngram_indexes");
    if (LongStream.of(outputs).anyMatch(output -> output < 0 || output == Long.MAX_VALUE)) {
      throw node.unsupported("ngram_indexes has a number that is no position", "");
    }
    int size = node.reserve(LongStream.of(outputs).max().orElse(-1) + 1, Float.BYTES);
    Optional<List<String>> words = node.attributes().strings("pool_strings");
    long[] pool;
    Operand tokens;
    if (words.isPresent()) {
      Map<String, Integer> numbers = new LinkedHashMap<>();
      words.get().forEach(word -> numbers.putIfAbsent(word, numbers.size()));
      pool = words.get().stream().mapToLong(numbers::get).toArray();
      tokens = positions(node, List.copyOf(numbers.keySet()));
    } else {
      pool = numbers(node, "pool_int64s");
      tokens = node.operand(0);
    }
    Expr x = node.leaf(tokens);
    List<PrimExpr> dims = new ArrayList<>(node.dims(x));
    if (dims.isEmpty() || dims.size() > 2) {
      throw node.unsupported("the input has " + dims.size() + " axes; expected 1 or 2", "");
    }
    dims.set(dims.size() - 1, IntImm.of(size));
    List<Expr> args = new ArrayList<>(List.of(x));
    for (long[] list : List.of(pool, numbers(node, "ngram_counts"), outputs)) {
      args.add(new Constant(Tensor.of(list, Shape.of(list.length))));
    }
    for (String name : List.of("min_gram_length", "max_gram_length", "max_skip_count")) {
      args.add(PrimValue.of(node.attributes().requiredInteger(name)));
    }
    args.add(PrimValue.of((long) size));
    Operand counts = Texts.tensor(node, "relaxvm.host.ngram_counts", args, DType.FLOAT32, dims);
    return List.of(weighted(node, counts, outputs, size));
  }

  private static long[] numbers(NodeContext node, String name) {
    return node.attributes().integers(name).orElse(List.of()).stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  private static Operand positions(NodeContext node, List<String> words) {
    Operand keys = new Operand.Strings(Shape.of(words.size()), words);
    return Texts.tensor(
        node,
        "relaxvm.host.string_lookup",
        List.of(Texts.strings(node, 0), node.packed(keys), PrimValue.of(false)),
        DType.INT64,
        Texts.dims(node, node.operand(0)));
  }

  /** Counts, weights where there is a count, or both. */
  private static Operand weighted(NodeContext node, Operand counts, long[] outputs, int size) {
    String mode = node.attributes().string("mode", "TF");
    Expr x = node.leaf(counts);
    Expr weights = weights(node, outputs, size);
    return switch (mode) {
      case "TF" -> counts;
      case "TFIDF" -> node.operandOf(Ops.multiply(x, weights));
      case "IDF" -> {
        Expr isThere = node.emit(Ops.greater(x, Ops.scalar(DType.FLOAT32, 0)));
        yield node.operandOf(Ops.where(isThere, weights, node.scalar(DType.FLOAT32, 0)));
      }
      default ->
          throw node.unsupported("the mode is '" + mode + "'; expected TF, IDF or TFIDF", "");
    };
  }

  /** The weight of each element of the result; 1 where none is given. */
  private static Expr weights(NodeContext node, long[] outputs, int size) {
    float[] weights = new float[size];
    Arrays.fill(weights, 1);
    List<Float> given = node.attributes().reals("weights").orElse(List.of());
    if (!given.isEmpty() && given.size() != outputs.length) {
      throw node.unsupported(
          "weights has " + given.size() + " numbers; expected " + outputs.length, "");
    }
    IntStream.range(0, given.size()).forEach(i -> weights[(int) outputs[i]] = given.get(i));
    return new Constant(Tensor.of(weights, Shape.of(size)));
  }
}
