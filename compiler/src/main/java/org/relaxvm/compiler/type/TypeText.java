package org.relaxvm.compiler.type;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Types as text, such as {@code R.Tensor((n, 4), dtype="float32")}. Source: docs/spec/relax-ir.md,
 * section 12.
 *
 * @param vars names of the symbolic variables
 * @param shapeVars names of the variables that hold shapes
 */
public record TypeText(Function<Var, String> vars, Function<ShapeVar, String> shapeVars) {
  private static final TypeText BY_OWN_NAMES = new TypeText(Var::name, ShapeVar::name);

  /** A type, variables by their own names. */
  public static String print(Type type) {
    return BY_OWN_NAMES.text(type);
  }

  /** A type. */
  public String text(Type type) {
    return switch (type) {
      case AnyType any -> "R.Any";
      case PrimType(var dtype) -> "R.Prim(\"" + dtype + "\")";
      case ShapeType shape -> text(shape);
      case TensorType tensor -> text(tensor);
      case TupleType(var fields) ->
          "R.Tuple"
              + (fields.isEmpty()
                  ? ""
                  : fields.stream().map(this::text).collect(Collectors.joining(", ", "(", ")")));
      case FuncType function -> text(function);
    };
  }

  /** Extents, separated by commas. */
  public String text(List<PrimExpr> dims) {
    return dims.stream().map(dim -> PrimText.print(dim, vars)).collect(Collectors.joining(", "));
  }

  private String text(ShapeType shape) {
    return shape
        .dims()
        .map(dims -> "R.Shape([" + text(dims) + "])")
        .orElse(
            shape.ndim() == ShapeType.UNKNOWN ? "R.Shape" : "R.Shape(ndim=" + shape.ndim() + ")");
  }

  private String text(TensorType tensor) {
    List<String> parts = new ArrayList<>();
    tensor
        .shape()
        .ifPresent(
            shape ->
                parts.add(
                    switch (shape) {
                      case TensorShape.Known(var dims) -> PrimText.printTuple(dims, vars);
                      case TensorShape.OfVar(ShapeVar var) -> shapeVars.apply(var);
                    }));
    tensor.dtype().ifPresent(dtype -> parts.add("dtype=\"" + dtype + "\""));
    if (tensor.shape().isEmpty() && tensor.hasRank()) {
      parts.add("ndim=" + tensor.ndim());
    }
    tensor.vdevice().ifPresent(vdevice -> parts.add("vdevice=\"" + vdevice + "\""));
    return "R.Tensor" + (parts.isEmpty() ? "" : "(" + String.join(", ", parts) + ")");
  }

  private String text(FuncType function) {
    if (function.derivesByTypeArgs()) {
      String purity = function.isPure() ? ", purity=True" : "";
      return "R.Callable(derive_func=\"" + FuncType.BY_TYPE_ARGS + "\"" + purity + ")";
    }
    if (function.isOpaque() && !function.isPure() && function.result().equals(AnyType.ANY)) {
      return "R.Callable";
    }
    String params =
        function
            .params()
            .map(
                types ->
                    "("
                        + types.stream().map(this::text).collect(Collectors.joining(", "))
                        + (types.size() == 1 ? ",)" : ")"))
            .orElse("...");
    String pure = function.isPure() ? "True" : "False";
    return "R.Callable(" + params + ", " + text(function.result()) + ", " + pure + ")";
  }
}
