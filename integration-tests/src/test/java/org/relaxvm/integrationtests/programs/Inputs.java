package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Makes the arguments of a run. The same random numbers make the same arguments.
 *
 * @param run symbols and parameters that a line of the program gives
 * @param values how the elements of a parameter are chosen, by its name
 */
record Inputs(Map<String, String> run, Map<String, String> values, SplittableRandom random) {

  /** Arguments for all parameters, as the evaluator and the VM take them. */
  List<Object> of(RelaxFunction function) {
    List<Object> args = new ArrayList<>();
    for (RelaxVar param : function.params()) {
      args.add(value(param.name(), param.type()));
    }
    return args;
  }

  private Object value(String name, Type type) {
    String given = run.get(name);
    if (given != null && given.startsWith("[")) {
      return shape(given);
    }
    if (given != null && given.endsWith("]")) {
      int bracket = given.indexOf('[');
      return tensor(
          name, DType.parse(given.substring(0, bracket)), shape(given.substring(bracket)));
    }
    return switch (type) {
      case TensorType tensor ->
          tensor(name, tensor.dtype().orElseThrow(), shape(tensor.dims().orElseThrow()));
      case ShapeType shape -> shape(shape.dims().orElseThrow());
      case TupleType(List<Type> fields) ->
          fields.stream().map(field -> value(name, field)).toList();
      case PrimType(DType dtype) -> scalar(name, dtype);
      default -> throw new AssertionError("the parameter " + name + " needs a value of " + type);
    };
  }

  private Object scalar(String name, DType dtype) {
    String given = run.get(name);
    if (given == null) {
      throw new AssertionError("the run says nothing of " + name);
    }
    if (dtype.equals(DType.BOOL)) {
      return Boolean.parseBoolean(given);
    }
    return dtype.isFloat() ? (Object) Double.parseDouble(given) : (Object) Long.parseLong(given);
  }

  private static Shape shape(String text) {
    String inside = text.substring(1, text.length() - 1);
    return inside.isBlank()
        ? Shape.scalar()
        : Shape.of(
            Arrays.stream(inside.split(",", -1))
                .map(String::strip)
                .mapToLong(Long::parseLong)
                .toArray());
  }

  private Shape shape(List<PrimExpr> dims) {
    return Shape.of(dims.stream().mapToLong(this::extent).toArray());
  }

  private long extent(PrimExpr dim) {
    Map<Var, PrimExpr> known = new HashMap<>();
    for (Var symbol : Symbols.usedBy(dim)) {
      String value = run.get(symbol.name());
      if (value == null) {
        throw new AssertionError("the run says nothing of " + symbol.name());
      }
      known.put(symbol, IntImm.of(Long.parseLong(value)));
    }
    return ((IntImm) new Analyzer().simplify(Substitution.in(dim, known))).value();
  }

  private Tensor tensor(String name, DType dtype, Shape shape) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    String[] how = values.getOrDefault(name, defaults(dtype)).split(" +", -1);
    int count = (int) shape.elementCount();
    for (int i = 0; i < count; i++) {
      Elements.put(tensor, i, element(dtype, how, i));
    }
    return tensor;
  }

  private static String defaults(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return "below 2";
    }
    boolean isUnsigned = dtype.toString().startsWith("uint");
    return dtype.isFloat() ? "from -2 to 2" : isUnsigned ? "below 10" : "from -5 to 5";
  }

  private double element(DType dtype, String[] how, int index) {
    return switch (how[0]) {
      case "of" -> number(how[1 + index % (how.length - 1)]);
      case "below" -> random.nextInt(Integer.parseInt(run.getOrDefault(how[1], how[1])));
      case "from" -> {
        double low = Double.parseDouble(how[1]);
        double high = Double.parseDouble(how[3]);
        yield dtype.isFloat()
            ? low + random.nextDouble() * (high - low)
            : low + random.nextInt((int) (high - low) + 1);
      }
      default -> throw new AssertionError("values are from, below or of, not " + how[0]);
    };
  }

  private static double number(String text) {
    return switch (text) {
      case "nan" -> Double.NaN;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
