package org.relaxvm.interoponnx.operator.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.operator.text.StringMoves;
import org.relaxvm.interoponnx.operator.text.Texts;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** Values that are looked up in lists of keys. */
final class Labels {
  private static final String UNUSED = "_Unused";

  private Labels() {}

  /** The position of each element of an input among keys, or -1. */
  private static Operand positions(NodeContext node, Operand keys, boolean isRequired) {
    Operand x = node.operand(0);
    Expr required = PrimValue.of(isRequired);
    if (Texts.areStrings(keys)) {
      if (!Texts.areStrings(x)) {
        throw node.unsupported("the keys are strings, but the input is not", "");
      }
      return Texts.tensor(
          node,
          "relaxvm.host.string_lookup",
          List.of(node.packed(x), node.packed(keys), required),
          DType.INT64,
          Texts.dims(node, x));
    }
    Expr numbers = node.tensor(0);
    return Texts.tensor(
        node,
        "relaxvm.host.lookup",
        List.of(numbers, node.leaf(keys), required),
        DType.INT64,
        node.dims(numbers));
  }

  /** Values at positions, of which the first one stands for those that are not found. */
  private static List<Operand> values(NodeContext node, Operand positions, Operand withDefault) {
    Expr next = node.emit(Ops.add(node.leaf(positions), Ops.scalar(DType.INT64, 1)));
    if (Texts.areStrings(withDefault)) {
      return List.of(StringMoves.selected(node, List.of(withDefault), node.operandOf(next)));
    }
    return node.result(Ops.take(node.leaf(withDefault), next, 0));
  }

  private static Operand strings(List<String> values) {
    return new Operand.Strings(Shape.of(values.size()), values);
  }

  private static Operand strings(String first, List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.addFirst(first);
    return strings(all);
  }

  private static Operand integers(NodeContext node, long first, List<Long> others) {
    List<Long> all = new ArrayList<>(others);
    all.addFirst(first);
    return integers(node, all);
  }

  private static Operand integers(NodeContext node, List<Long> values) {
    return node.constant(
        Tensor.of(values.stream().mapToLong(Long::longValue).toArray(), Shape.of(values.size())));
  }

  // ---------------------------------------------------------------- LabelEncoder

  /** Version 1 has one list, whose positions are the integers. */
  static List<Operand> encode(NodeContext node) {
    if (node.version() < 2) {
      List<String> classes = node.attributes().strings("classes_strings").orElse(List.of());
      List<Long> numbers = new ArrayList<>();
      for (long i = 0; i < classes.size(); i++) {
        numbers.add(i);
      }
      return mapped(node, numbers, classes);
    }
    Operand keys = list(node, "keys");
    Operand values = list(node, "values");
    return values(node, positions(node, keys, false), withDefault(node, values));
  }

  /** The strings of a list for integers of another one, or the other way round. */
  private static List<Operand> mapped(NodeContext node, List<Long> numbers, List<String> words) {
    if (numbers.size() != words.size()) {
      throw node.unsupported(
          "there are " + numbers.size() + " integers for " + words.size() + " strings", "");
    }
    if (Texts.areStrings(node.operand(0))) {
      long missing = node.attributes().integer("default_int64", -1);
      return values(node, positions(node, strings(words), false), integers(node, missing, numbers));
    }
    String missing = node.attributes().string("default_string", UNUSED);
    return values(node, positions(node, integers(node, numbers), false), strings(missing, words));
  }

  /** A list of an attribute by its element type, or as a tensor. */
  private static Operand list(NodeContext node, String name) {
    Optional<List<String>> words = node.attributes().strings(name + "_strings");
    if (words.isPresent()) {
      return strings(words.get());
    }
    Optional<List<Long>> numbers = node.attributes().integers(name + "_int64s");
    if (numbers.isPresent()) {
      return integers(node, numbers.get());
    }
    Optional<List<Float>> reals = node.attributes().reals(name + "_floats");
    if (reals.isPresent()) {
      return node.constant(floats(reals.get()));
    }
    return node.attributes()
        .tensor(name + "_tensor")
        .map(node::weight)
        .orElseThrow(() -> node.unsupported("it has no " + name, ""));
  }

  private static Tensor floats(List<Float> values) {
    float[] all = new float[values.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = values.get(i);
    }
    return Tensor.of(all, Shape.of(all.length));
  }

  /** A list of values with the default in front. */
  private static Operand withDefault(NodeContext node, Operand values) {
    Optional<TensorProto> given = node.attributes().tensor("default_tensor");
    if (values instanceof Operand.Strings(Shape shape, List<String> words)) {
      boolean isGiven =
          given.isPresent() && ElementType.of(given.get().dataType()) == ElementType.STRING;
      String missing =
          isGiven
              ? ((Operand.Strings) node.weight(given.get())).elements().getFirst()
              : node.attributes().string("default_string", UNUSED);
      return strings(missing, words);
    }
    Expr numbers = node.leaf(values);
    DType dtype = node.dtype(numbers);
    Expr missing = given.map(proto -> first(node, proto)).orElseGet(() -> missing(node, dtype));
    Expr flat = node.emit(Ops.reshape(numbers, -1));
    return node.operandOf(Ops.concat(List.of(Numbers.as(node, missing, dtype), flat), 0));
  }

  private static Expr first(NodeContext node, TensorProto proto) {
    return new Constant(Numbers.tensor(node, proto).reshape(Shape.of(1)));
  }

  private static Expr missing(NodeContext node, DType dtype) {
    return dtype.isFloat()
        ? Numbers.reals(
            DType.FLOAT32, new double[] {node.attributes().real("default_float", -0.0f)}, 1)
        : Numbers.integers(new long[] {node.attributes().integer("default_int64", -1)}, 1);
  }

  // ---------------------------------------------------------------- categories

  static List<Operand> categories(NodeContext node) {
    return mapped(
        node,
        node.attributes().integers("cats_int64s").orElse(List.of()),
        node.attributes().strings("cats_strings").orElse(List.of()));
  }

  /** A new last axis with a 1 at the category; numbers are cut to integers. */
  static List<Operand> oneHot(NodeContext node) {
    boolean allowsOthers = node.attributes().flag("zeros", true);
    Optional<List<String>> words = node.attributes().strings("cats_strings");
    List<Long> numbers = node.attributes().integers("cats_int64s").orElse(List.of());
    int count = words.map(List::size).orElse(numbers.size());
    Operand positions =
        words.isPresent()
            ? positions(node, strings(words.get()), !allowsOthers)
            : numberPositions(node, numbers, !allowsOthers);
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      all[i] = i;
    }
    Expr at = node.leaf(positions);
    Expr expanded = node.emit(Ops.expandDims(at, node.rank(at)));
    Expr isOne = node.emit(Ops.equal(expanded, Numbers.integers(all, count)));
    return node.result(Ops.astype(isOne, DType.FLOAT32));
  }

  private static Operand numberPositions(NodeContext node, List<Long> keys, boolean isRequired) {
    if (Texts.areStrings(node.operand(0))) {
      throw node.unsupported("the categories are integers, but the input is strings", "");
    }
    Expr x = Numbers.as(node, node.tensor(0), DType.INT64);
    List<PrimExpr> dims = node.dims(x);
    return Texts.tensor(
        node,
        "relaxvm.host.lookup",
        List.of(x, node.leaf(integers(node, keys)), PrimValue.of(isRequired)),
        DType.INT64,
        dims);
  }

  // ---------------------------------------------------------------- classes

  /** The labels of a classifier, which are integers or strings. */
  static Operand classes(NodeContext node, String integersName) {
    Optional<List<String>> words = node.attributes().strings("classlabels_strings");
    if (words.isPresent() && !words.get().isEmpty()) {
      return strings(words.get());
    }
    List<Long> numbers = node.attributes().integers(integersName).orElse(List.of());
    if (numbers.isEmpty()) {
      throw node.unsupported(
          "it has no labels of classes; expected classlabels_strings or "
              + integersName.toLowerCase(Locale.ROOT),
          "");
    }
    return integers(node, numbers);
  }

  /** The number of labels. */
  static int count(NodeContext node, Operand classes) {
    return classes instanceof Operand.Strings(Shape shape, List<String> words)
        ? words.size()
        : Numbers.columns(node, node.leaf(classes));
  }

  /** The labels at positions. */
  static Operand at(NodeContext node, Operand classes, Expr positions) {
    if (Texts.areStrings(classes)) {
      Expr wide = Numbers.as(node, positions, DType.INT64);
      return StringMoves.selected(node, List.of(classes), node.operandOf(wide));
    }
    return node.operandOf(Ops.take(node.leaf(classes), positions, 0));
  }
}
