package org.relaxvm.interoponnx.operator.shape;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Constants, shapes as values, and tensors filled with one value. */
public final class Shapes {
  private Shapes() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Constant", 1, Shapes::constant)
        .add("Shape", 1, Shapes::shape)
        .add("Size", 1, node -> List.of(Known.scalar(size(node))))
        .add("ConstantOfShape", 9, Shapes::constantOfShape, Shapes::knownConstantOfShape);
  }

  // ---------------------------------------------------------------- constants

  private static List<Operand> constant(NodeContext node) {
    for (String name :
        List.of(
            "value",
            "sparse_value",
            "value_float",
            "value_floats",
            "value_int",
            "value_ints",
            "value_string",
            "value_strings")) {
      Optional<AttributeValue> value = node.attributes().value(name);
      if (value.isPresent()) {
        return List.of(constant(node, value.get()));
      }
    }
    throw node.unsupported("it has no value", "");
  }

  private static Operand constant(NodeContext node, AttributeValue value) {
    return switch (value) {
      case AttributeValue.OfTensor(var tensor) -> node.weight(tensor);
      case AttributeValue.OfSparseTensor(var tensor) -> node.sparse(tensor);
      case AttributeValue.Real(float number) ->
          new Known(DType.FLOAT32, Shape.of(), List.of(new Element.Real(number)));
      case AttributeValue.Reals(List<Float> numbers) -> node.constant(floats(numbers));
      case AttributeValue.Int(long number) -> Known.scalar(IntImm.of(number));
      case AttributeValue.Ints(List<Long> numbers) ->
          node.constant(
              Tensor.of(
                  numbers.stream().mapToLong(Long::longValue).toArray(), Shape.of(numbers.size())));
      case AttributeValue.OfString(String text) -> new Operand.Strings(Shape.of(), List.of(text));
      case AttributeValue.Strings(List<String> strings) ->
          new Operand.Strings(Shape.of(strings.size()), strings);
      default -> throw node.unsupported("its value is of a kind that is not supported", "");
    };
  }

  private static Tensor floats(List<Float> numbers) {
    float[] values = new float[numbers.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = numbers.get(i);
    }
    return Tensor.of(values, Shape.of(values.length));
  }

  // ---------------------------------------------------------------- shapes

  private static List<PrimExpr> dims(NodeContext node) {
    Operand x = node.operand(0);
    if (x instanceof Operand.Strings strings) {
      return LongStream.of(strings.shape().toArray())
          .mapToObj(n -> (PrimExpr) IntImm.of(n))
          .toList();
    }
    TensorType type = node.typeOf(x);
    return type.dims()
        .orElseThrow(
            () ->
                node.unsupported(
                    "the number of axes of its input is unknown",
                    "give the inputs of the model shapes (--shape)"));
  }

  private static List<Operand> shape(NodeContext node) {
    List<PrimExpr> dims = dims(node);
    int start = bound(node.attributes().integer("start", 0), dims.size());
    int end = bound(node.attributes().integer("end", dims.size()), dims.size());
    return List.of(Known.vector(dims.subList(start, Math.max(start, end))));
  }

  private static int bound(long axis, int rank) {
    return Math.clamp(axis < 0 ? axis + rank : axis, 0, rank);
  }

  private static PrimExpr size(NodeContext node) {
    return node.analyzer().simplify(Exprs.product(dims(node)));
  }

  // ---------------------------------------------------------------- fills

  private static Tensor fill(NodeContext node) {
    return node.attributes()
        .tensor("value")
        .map(proto -> ((Constant) node.leaf(node.weight(proto))).data().reshape(Shape.of()))
        .orElseGet(() -> Tensor.of(new float[] {0}, Shape.of()));
  }

  /** Large ones are made by a kernel: they need no memory in the program. */
  private static List<Operand> constantOfShape(NodeContext node) {
    ShapeExpr shape = new ShapeExpr(node.extents(0));
    Optional<Operand> given = node.attributes().tensor("value").map(node::weight);
    Optional<DType> lowBit = given.flatMap(node::lowBit);
    if (given.isPresent() && lowBit.isPresent()) {
      Expr bytes = node.emit(Ops.reshape(node.bytes(given.get()), new ShapeExpr(List.of())));
      return List.of(node.operandOf(Ops.full(shape, bytes), lowBit.get()));
    }
    return node.result(Ops.full(shape, new Constant(fill(node))));
  }

  private static Optional<Operand> knownConstantOfShape(NodeContext node) {
    Optional<List<Long>> dims = node.integers(0);
    if (dims.isEmpty()) {
      return Optional.empty();
    }
    long[] extents = dims.get().stream().mapToLong(Long::longValue).toArray();
    Tensor fill = fill(node);
    boolean isSmall =
        Arrays.stream(extents).allMatch(n -> n >= 0 && n <= Known.LIMIT)
            && extents.length <= 4
            && Known.admits(fill.dtype(), Shape.of(extents));
    if (!isSmall) {
      return Optional.empty();
    }
    Element element = Known.of(fill).elements().getFirst();
    Shape shape = Shape.of(extents);
    Element[] elements = new Element[(int) shape.elementCount()];
    Arrays.fill(elements, element);
    return Optional.of(new Known(fill.dtype(), shape, List.of(elements)));
  }
}
