package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.operator.known.KnownArithmetic;
import org.relaxvm.interoponnx.operator.quantized.DTypeCasts;
import org.relaxvm.interoponnx.value.Operand;

/** Conversions of dtypes, and values as they are. */
public final class Casts {
  private Casts() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Cast", 1, Casts::cast, Casts::knownCast)
        .add("CastLike", 15, Casts::castLike, Casts::knownCastLike)
        .add("Identity", 1, node -> List.of(node.operand(0)));
  }

  private static DType target(NodeContext node) {
    String name = node.version() < 6 ? node.attributes().string("to", "") : "";
    ElementType type =
        node.version() < 6
            ? ElementType.of(name)
            : ElementType.of(node.attributes().requiredInteger("to"));
    DType dtype = type.dtype();
    if (dtype == null) {
      String to = name.isEmpty() ? type.string() : "'" + name + "'";
      throw node.unsupported("a cast to " + to + " is not supported", "");
    }
    return dtype;
  }

  private static List<Operand> cast(NodeContext node) {
    return cast(node, target(node));
  }

  private static List<Operand> castLike(NodeContext node) {
    return cast(node, Dtypes.of(node, node.operand(1)));
  }

  private static List<Operand> cast(NodeContext node, DType dtype) {
    return List.of(DTypeCasts.cast(node, node.operand(0), dtype, DTypeCasts.Options.of(node)));
  }

  private static Optional<Operand> knownCast(NodeContext node) {
    boolean isToStrings =
        node.version() >= 6
            && ElementType.of(node.attributes().requiredInteger("to")) == ElementType.STRING;
    return isToStrings ? Optional.empty() : KnownArithmetic.cast(node, target(node));
  }

  private static Optional<Operand> knownCastLike(NodeContext node) {
    return node.typeOf(node.operand(1)).dtype().flatMap(to -> KnownArithmetic.cast(node, to));
  }
}
