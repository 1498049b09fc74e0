package org.relaxvm.tir.abi;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.FloatRounding;
import org.relaxvm.tir.scalar.Scalars;

/**
 * Checks the arguments of a kernel and finds the values of its variables in them, as the reference
 * evaluator does. Immutable and thread-safe.
 */
public final class CallBinding {
  /** What of a tensor a number is: its extent, stride or offset. */
  private enum Property {
    EXTENT,
    STRIDE,
    OFFSET
  }

  /**
   * A number of an argument that the parameter says something about.
   *
   * @param variable the number of the variable that it is; negative when it is something else
   */
  private record Fact(int argument, Property property, int axis, PrimExpr expected, int variable) {}

  private final PrimFunc function;
  private final Map<Var, Integer> variables = new IdentityHashMap<>();
  private final List<Fact> facts = new ArrayList<>();
  private final Set<Integer> outputs;
  private final TensorLocation location;

  /**
   * The arguments of a kernel.
   *
   * @param variables in the order of their numbers
   * @param outputs which arguments the kernel writes
   * @param location where tensors have to be
   */
  public CallBinding(
      PrimFunc function, List<Var> variables, Set<Integer> outputs, TensorLocation location) {
    this.function = function;
    this.outputs = Set.copyOf(outputs);
    this.location = location;
    for (int i = 0; i < variables.size(); i++) {
      this.variables.put(variables.get(i), i);
    }
    List<Fact> layouts = new ArrayList<>();
    for (int i = 0; i < function.params().size(); i++) {
      if (function.params().get(i) instanceof Param.OfBuffer(Buffer buffer)) {
        for (int axis = 0; axis < buffer.rank(); axis++) {
          facts.add(fact(i, Property.EXTENT, axis, buffer.shape().get(axis)));
        }
        for (int axis = 0; axis < buffer.strides().size(); axis++) {
          layouts.add(fact(i, Property.STRIDE, axis, buffer.strides().get(axis)));
        }
        boolean any = buffer.elemOffset() instanceof IntImm zero && zero.value() == 0;
        if (!any) {
          layouts.add(fact(i, Property.OFFSET, 0, buffer.elemOffset()));
        }
      }
    }
    facts.addAll(layouts);
  }

  private Fact fact(int argument, Property property, int axis, PrimExpr expected) {
    int variable = expected instanceof Var var ? number(var) : -1;
    return new Fact(argument, property, axis, expected, variable);
  }

  /** The tensor arguments as the kernel needs them, by argument; null for scalars. */
  public @Nullable Tensor[] tensors(CallArgs args) {
    List<Param> params = function.params();
    if (args.count() != params.size()) {
      throw new CallException(
          ErrorKind.VALUE,
          "expected "
              + Count.arguments(params.size())
              + " for the parameters "
              + params.stream().map(Param::name).toList()
              + ", but got "
              + args.count());
    }
    @Nullable Tensor[] tensors = new Tensor[params.size()];
    for (int i = 0; i < tensors.length; i++) {
      if (params.get(i) instanceof Param.OfBuffer(Buffer buffer)) {
        tensors[i] = tensor(args, i, buffer);
      }
    }
    return tensors;
  }

  private Tensor tensor(CallArgs args, int index, Buffer buffer) {
    if (!(args.ref(index) instanceof Tensor tensor)) {
      throw wrong(
          index,
          ErrorKind.TYPE,
          "a tensor of " + buffer.dtype() + " with " + Count.axes(buffer.rank()),
          args.typeKeyAt(index));
    }
    if (!tensor.isLive()) {
      throw wrong(index, ErrorKind.VALUE, "a tensor that can be used", "one that is closed");
    }
    if (!location.has(tensor)) {
      throw wrong(index, ErrorKind.VALUE, location.description(), "" + tensor);
    }
    if (!tensor.dtype().equals(buffer.dtype())) {
      throw wrong(index, ErrorKind.TYPE, "elements of " + buffer.dtype(), "" + tensor.dtype());
    }
    if (tensor.shape().rank() != buffer.rank()) {
      throw wrong(
          index,
          ErrorKind.VALUE,
          Count.axes(buffer.rank()),
          tensor.shape().rank() + ", of the shape " + tensor.shape());
    }
    if (outputs.contains(index) && (tensor.isConstant() || !location.isWritable(tensor))) {
      throw wrong(
          index,
          ErrorKind.VALUE,
          "a tensor that can be written",
          tensor.isConstant() ? "a constant" : "read-only memory");
    }
    return tensor;
  }

  /**
   * The values of the variables by their numbers, after all else that the parameters say was
   * checked. A float is its bits in its dtype's own width, one of 16 bits those as float32.
   *
   * @param tensors what {@link #tensors} gave, or others of the same shapes
   */
  public long[] bind(CallArgs args, @Nullable Tensor[] tensors) {
    long[] values = new long[variables.size()];
    boolean[] set = new boolean[variables.size()];
    for (int i = 0; i < tensors.length; i++) {
      if (function.params().get(i) instanceof Param.OfScalar(Var var)) {
        int number = number(var);
        values[number] = scalar(args, i, var.dtype());
        set[number] = true;
      }
    }
    // A stride that nothing steps along may be any number: better one of another axis.
    define(tensors, values, set, false);
    define(tensors, values, set, true);
    for (Fact fact : facts) {
      check(fact, tensors, values);
    }
    return values;
  }

  private void define(@Nullable Tensor[] tensors, long[] values, boolean[] set, boolean all) {
    for (Fact fact : facts) {
      int number = fact.variable();
      if (number >= 0) {
        if (!set[number] && (all || counts(fact, tensors))) {
          values[number] = actual(fact, tensors);
          set[number] = true;
        }
      }
    }
  }

  private int number(Var var) {
    Integer number = variables.get(var);
    if (number == null) {
      throw new IllegalStateException("the variable " + var + " has no number");
    }
    return number;
  }

  private static boolean counts(Fact fact, @Nullable Tensor[] tensors) {
    return fact.property() != Property.STRIDE
        || tensorOf(fact, tensors).shape().dim(fact.axis()) > 1;
  }

  private static Tensor tensorOf(Fact fact, @Nullable Tensor[] tensors) {
    Tensor tensor = tensors[fact.argument()];
    if (tensor == null) {
      throw new IllegalStateException("argument " + fact.argument() + " is no tensor");
    }
    return tensor;
  }

  private long actual(Fact fact, @Nullable Tensor[] tensors) {
    Tensor tensor = tensorOf(fact, tensors);
    return switch (fact.property()) {
      case EXTENT -> tensor.shape().dim(fact.axis());
      case STRIDE -> tensor.stride(fact.axis());
      case OFFSET -> {
        int bytes = tensor.dtype().elementByteSize();
        if (tensor.byteOffset() % bytes != 0) {
          throw wrong(
              fact.argument(),
              ErrorKind.VALUE,
              "an offset of whole elements of " + bytes + " bytes",
              tensor.byteOffset() + " bytes");
        }
        yield tensor.byteOffset() / bytes;
      }
    };
  }

  private void check(Fact fact, @Nullable Tensor[] tensors, long[] values) {
    if (!counts(fact, tensors)) {
      return;
    }
    long got = actual(fact, tensors);
    long expected = fact.variable() >= 0 ? values[fact.variable()] : value(fact.expected(), values);
    if (got == expected) {
      return;
    }
    String what =
        switch (fact.property()) {
          case EXTENT -> "the extent of axis " + fact.axis();
          case STRIDE -> "the stride of axis " + fact.axis();
          case OFFSET -> "the offset";
        };
    String from = fact.expected() instanceof Var var ? " (" + var + ")" : "";
    throw wrong(
        fact.argument(), ErrorKind.VALUE, what + " to be " + expected + from, Long.toString(got));
  }

  private long value(PrimExpr expr, long[] values) {
    return switch (expr) {
      case IntImm constant -> constant.value();
      case Var var -> values[number(var)];
      case Binary(var op, PrimExpr a, PrimExpr b) ->
          IntegerMath.apply(op, a.dtype(), value(a, values), value(b, values));
      case Cast(DType to, PrimExpr inner) -> Scalars.cast(inner.dtype(), to, value(inner, values));
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          value(value(condition, values) != 0 ? a : b, values);
      case Not(PrimExpr a) -> 1 - value(a, values);
      default -> throw new IllegalStateException("an extent cannot be computed: " + expr);
    };
  }

  private long scalar(CallArgs args, int index, DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return args.booleanAt(index) ? 1 : 0;
    }
    if (!dtype.isFloat()) {
      long value = args.longAt(index);
      if (IntegerMath.wrap(dtype, value) != value) {
        throw wrong(
            index, ErrorKind.VALUE, "a value in the range of " + dtype, Long.toString(value));
      }
      return value;
    }
    double value = FloatRounding.round(dtype, args.doubleAt(index));
    return dtype.equals(DType.FLOAT64)
        ? Double.doubleToRawLongBits(value)
        : Float.floatToRawIntBits((float) value);
  }

  private CallException wrong(int index, ErrorKind kind, String expected, String got) {
    return new CallException(
        kind,
        "the parameter "
            + function.params().get(index).name()
            + ": expected "
            + expected
            + ", but got "
            + got);
  }

  /** Whether the kernel writes an argument. */
  public boolean writes(int index) {
    return outputs.contains(index);
  }
}
