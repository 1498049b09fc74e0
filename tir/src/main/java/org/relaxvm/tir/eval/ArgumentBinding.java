package org.relaxvm.tir.eval;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.Scalars;

/** Gives parameters and symbolic extents their values, and checks the arguments of a call. */
final class ArgumentBinding {
  /**
   * A number of an argument that the parameter says something about.
   *
   * @param counts whether it must be as expected
   */
  private record Property(
      Param.OfBuffer param, String what, PrimExpr expected, long got, boolean counts) {}

  private final PrimFunc function;
  private final Scope scope;
  private final Map<Var, String> origins = new IdentityHashMap<>();

  ArgumentBinding(PrimFunc function, Scope scope) {
    this.function = function;
    this.scope = scope;
  }

  void bind(List<?> args) {
    List<Param> params = function.params();
    if (args.size() != params.size()) {
      throw new CallException(
          ErrorKind.VALUE,
          "expected "
              + Count.arguments(params.size())
              + " for the parameters "
              + params.stream().map(Param::name).toList()
              + ", but got "
              + args.size());
    }
    List<Property> extents = new ArrayList<>();
    List<Property> layouts = new ArrayList<>();
    for (int i = 0; i < params.size(); i++) {
      switch (params.get(i)) {
        case Param.OfScalar param -> bindScalar(param, args.get(i));
        case Param.OfHandle param -> scope.bind(param.handle(), args.get(i));
        case Param.OfBuffer param -> {
          Tensor tensor = requireTensor(param, args.get(i));
          scope.define(BoundBuffer.of(param.buffer(), tensor));
          addExtents(param, tensor, extents);
          addLayout(param, tensor, layouts);
        }
      }
    }
    extents.forEach(this::define);
    // A stride that nothing steps along may be any number: better one of another axis.
    layouts.stream().filter(Property::counts).forEach(this::define);
    layouts.forEach(this::define);
    extents.forEach(this::check);
    layouts.forEach(this::check);
  }

  private void bindScalar(Param.OfScalar param, @Nullable Object arg) {
    DType dtype = param.var().dtype();
    long value;
    if (dtype.equals(DType.BOOL) && arg instanceof Boolean truth) {
      value = truth ? 1 : 0;
    } else if (dtype.isFloat() && arg instanceof Double number) {
      value = Scalars.ofDouble(dtype, number);
    } else if (dtype.isInteger() && arg instanceof Long number) {
      value = number;
      if (IntegerMath.wrap(dtype, value) != value) {
        throw wrong(param, ErrorKind.VALUE, "a value in the range of " + dtype, "" + value);
      }
    } else {
      String kind = dtype.equals(DType.BOOL) ? "Boolean" : dtype.isFloat() ? "Double" : "Long";
      throw wrong(param, ErrorKind.TYPE, "a " + kind + " for " + dtype, describe(arg));
    }
    scope.enter(param.var(), value);
    origins.put(param.var(), param.name());
  }

  private static Tensor requireTensor(Param.OfBuffer param, @Nullable Object arg) {
    Buffer buffer = param.buffer();
    if (!(arg instanceof Tensor tensor)) {
      String expected = "a tensor of " + buffer.dtype() + " with " + Count.axes(buffer.rank());
      throw wrong(param, ErrorKind.TYPE, expected, describe(arg));
    }
    if (!tensor.isLive()) {
      throw wrong(param, ErrorKind.VALUE, "a tensor that can be used", "one that is closed");
    }
    if (!tensor.device().isHost()) {
      throw wrong(
          param, ErrorKind.VALUE, "a tensor on the host, such as toHost() gives", "" + tensor);
    }
    if (!tensor.dtype().equals(buffer.dtype())) {
      throw wrong(param, ErrorKind.TYPE, "elements of " + buffer.dtype(), "" + tensor.dtype());
    }
    if (tensor.shape().rank() != buffer.rank()) {
      throw wrong(
          param,
          ErrorKind.VALUE,
          Count.axes(buffer.rank()),
          tensor.shape().rank() + ", of the shape " + tensor.shape());
    }
    return tensor;
  }

  private static void addExtents(Param.OfBuffer param, Tensor tensor, List<Property> extents) {
    for (int axis = 0; axis < param.buffer().rank(); axis++) {
      PrimExpr expected = param.buffer().shape().get(axis);
      String what = "the extent of axis " + axis;
      extents.add(new Property(param, what, expected, tensor.shape().dim(axis), true));
    }
  }

  private static void addLayout(Param.OfBuffer param, Tensor tensor, List<Property> layouts) {
    Buffer buffer = param.buffer();
    for (int axis = 0; axis < buffer.strides().size(); axis++) {
      PrimExpr expected = buffer.strides().get(axis);
      String what = "the stride of axis " + axis;
      boolean hasStep = tensor.shape().dim(axis) > 1;
      layouts.add(new Property(param, what, expected, tensor.stride(axis), hasStep));
    }
    if (buffer.elemOffset() instanceof IntImm(DType dtype, long value) && value == 0) {
      return;
    }
    int bytes = buffer.dtype().elementByteSize();
    if (tensor.byteOffset() % bytes != 0) {
      throw wrong(
          param,
          ErrorKind.VALUE,
          "an offset of whole elements of " + bytes + " bytes",
          tensor.byteOffset() + " bytes");
    }
    layouts.add(
        new Property(param, "the offset", buffer.elemOffset(), tensor.byteOffset() / bytes, true));
  }

  private void define(Property property) {
    if (property.expected() instanceof Var var && !scope.has(var)) {
      scope.enter(var, property.got());
      origins.put(var, property.param().name());
    }
  }

  private void check(Property property) {
    PrimExpr expected = property.expected();
    long value = new Expressions(scope).value(expected);
    if (value == property.got() || !property.counts()) {
      return;
    }
    String from =
        expected instanceof Var var
            ? " (" + var + " of the parameter " + origins.get(var) + ")"
            : "";
    throw wrong(
        property.param(),
        ErrorKind.VALUE,
        property.what() + " to be " + value + from,
        "" + property.got());
  }

  private static CallException wrong(Param param, ErrorKind kind, String expected, String got) {
    return new CallException(
        kind, "the parameter " + param.name() + ": expected " + expected + ", but got " + got);
  }

  private static String describe(@Nullable Object arg) {
    return arg instanceof Tensor || arg == null
        ? String.valueOf(arg)
        : "the " + arg.getClass().getSimpleName() + " " + arg;
  }
}
