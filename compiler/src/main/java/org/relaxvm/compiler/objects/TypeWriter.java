package org.relaxvm.compiler.objects;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.kernel.ScalarWriter;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;

/** Writes types. Not thread-safe. */
final class TypeWriter {
  private final NodeMaker maker;
  private final ScalarWriter scalars;
  private final VirtualDevices devices;
  private final Map<? super ShapeVar, ObjectNode> variables;

  /**
   * A writer.
   *
   * @param variables the nodes of those that are defined so far, to which the caller adds
   */
  TypeWriter(
      NodeMaker maker,
      ScalarWriter scalars,
      VirtualDevices devices,
      Map<? super ShapeVar, ObjectNode> variables) {
    this.maker = maker;
    this.scalars = scalars;
    this.devices = devices;
    this.variables = variables;
  }

  /** A type as an object. */
  ObjectNode write(Type type) {
    return switch (type) {
      case AnyType any -> maker.make("relax.AnyType");
      case PrimType(var dtype) -> maker.scalarType(dtype);
      case ShapeType shape ->
          maker.make(
              "relax.ShapeType",
              "values",
              shape.dims().map(this::scalars).orElse(null),
              "ndim",
              (long) shape.ndim());
      case TensorType tensor -> tensor(tensor);
      case TupleType(var fields) -> maker.make("ir.TupleType", "fields", all(fields));
      case FuncType function -> function(function);
    };
  }

  /** Types as objects. */
  List<ObjectNode> all(List<Type> types) {
    return types.stream().map(this::write).toList();
  }

  /** Scalars as objects. */
  List<ObjectNode> scalars(List<PrimExpr> values) {
    return values.stream().map(scalars::write).toList();
  }

  /** A shape as an expression. */
  ObjectNode shape(List<PrimExpr> dims) {
    List<ObjectNode> values = scalars(dims);
    ObjectNode type = maker.make("relax.ShapeType", "values", values, "ndim", (long) values.size());
    return maker.make("relax.expr.ShapeExpr", "ty", type, "values", values);
  }

  private ObjectNode tensor(TensorType tensor) {
    return maker.make(
        "relax.TensorType",
        "shape",
        tensor.shape().map(this::shape).orElse(null),
        "dtype",
        orNull(tensor.dtype().map(maker::scalarType)),
        "vdevice",
        orNull(tensor.vdevice().map(devices::write)),
        "ndim",
        (long) tensor.ndim());
  }

  private static @Nullable ObjectNode orNull(Optional<ObjectNode> node) {
    return node.orElse(null);
  }

  private ObjectNode shape(TensorShape shape) {
    return switch (shape) {
      case TensorShape.Known(var values) -> shape(values);
      case TensorShape.OfVar(ShapeVar variable) -> {
        ObjectNode node = variables.get(variable);
        if (node == null) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the variable "
                  + variable.name()
                  + ", which is the shape of a tensor, is not defined before");
        }
        yield node;
      }
    };
  }

  private ObjectNode function(FuncType function) {
    ObjectNode derive =
        function.derivesByTypeArgs()
            ? maker.make("ir.EnvFunc", "name", FuncType.BY_TYPE_ARGS)
            : null;
    return maker.make(
        "relax.FuncType",
        "params",
        function.params().map(this::all).orElse(null),
        "ret",
        write(function.result()),
        "derive_func",
        derive,
        "purity",
        function.isPure());
  }
}
