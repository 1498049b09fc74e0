package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.layout.IndexMap;

/**
 * Index maps as attributes: a map with {@code axes}, the number of axes of the index, and {@code
 * places}, a list of expressions. An expression is a number, the name {@code i0}, {@code i1} and so
 * on of an axis, or a list of {@code +}, {@code -}, {@code *}, {@code //} or {@code %} and two
 * expressions.
 */
public final class IndexMapAttr {
  private static final List<BinaryOp> OPERATIONS =
      List.of(BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD);

  private IndexMapAttr() {}

  /**
   * A map as an attribute.
   *
   * @throws InvalidProgramException when it uses other operations or variables
   */
  public static Map<String, Object> encode(IndexMap map) {
    Map<String, Object> attr = new LinkedHashMap<>();
    attr.put("axes", map.axes().size());
    attr.put(
        "places", map.finalIndices().stream().map(index -> encode(map.axes(), index)).toList());
    return attr;
  }

  private static Object encode(List<Var> axes, PrimExpr expr) {
    return switch (expr) {
      case IntImm number -> number.value();
      case Var var when axes.contains(var) -> "i" + axes.indexOf(var);
      case Binary binary when OPERATIONS.contains(binary.op()) ->
          List.of(binary.op().text(), encode(axes, binary.a()), encode(axes, binary.b()));
      default ->
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "layout_transform: an output index of an index map is made of the index, numbers and"
                  + " + - * // %, but is "
                  + PrimText.print(expr));
    };
  }

  /**
   * The map that an attribute is.
   *
   * @throws InvalidProgramException a {@code TypeError} for an attribute that is none
   */
  public static IndexMap decode(Map<?, ?> attr) {
    if (!(attr.get("axes") instanceof Long count)
        || !(attr.get("places") instanceof List<?> places)) {
      throw typeError(
          "the index_map must be a map with the entries axes and places, but is " + attr);
    }
    return IndexMap.of(
        Math.toIntExact(count),
        axes -> {
          List<PrimExpr> decoded = new ArrayList<>();
          places.forEach(place -> decoded.add(decode(axes, place)));
          return decoded;
        });
  }

  private static PrimExpr decode(List<PrimExpr> axes, Object place) {
    if (place instanceof Long number) {
      return IntImm.of(number);
    }
    if (place instanceof String name) {
      for (int axis = 0; axis < axes.size(); axis++) {
        if (name.equals("i" + axis)) {
          return axes.get(axis);
        }
      }
    }
    if (place instanceof List<?> parts && parts.size() == 3) {
      for (BinaryOp op : OPERATIONS) {
        if (op.text().equals(parts.get(0))) {
          return Exprs.binary(op, decode(axes, parts.get(1)), decode(axes, parts.get(2)));
        }
      }
    }
    throw typeError(
        "an output index of an index map must be a number, an axis from i0 to i"
            + (axes.size() - 1)
            + ", or a list of + - * // or % and two of these, but is "
            + place);
  }

  private static InvalidProgramException typeError(String message) {
    return new InvalidProgramException(ErrorKind.TYPE, "layout_transform: " + message);
  }
}
