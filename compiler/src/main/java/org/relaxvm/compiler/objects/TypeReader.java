package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.PrimExpr;

/** Reads types. Not thread-safe. */
final class TypeReader {
  private final Scalars scalars;
  private final Map<ObjectNode, RelaxVar> variables;

  /**
   * A reader.
   *
   * @param variables those that are defined so far, to which the caller adds
   */
  TypeReader(Scalars scalars, Map<ObjectNode, RelaxVar> variables) {
    this.scalars = scalars;
    this.variables = variables;
  }

  /** A type; empty where it is not known yet. */
  Optional<Type> known(Cursor at) {
    return at.key().equals("ir.Type") ? Optional.empty() : Optional.of(read(at));
  }

  /** A type, which must be known. */
  Type read(Cursor at) {
    return switch (at.key()) {
      case "ir.PrimType" -> new PrimType(at.get("dtype").dtype());
      case "relax.AnyType" -> AnyType.ANY;
      case "relax.PackedFuncType" -> FuncType.packed();
      case "relax.ShapeType" -> shape(at);
      case "relax.TensorType" -> tensor(at);
      case "ir.TupleType" -> new TupleType(all(at.get("fields")));
      case "relax.FuncType" -> function(at);
      case "ir.Type" -> refused(at, "the type is not known");
      default -> {
        yield at.require("ir.Type")
            ? refused(at, "the type " + at.key() + " cannot be held")
            : AnyType.ANY;
      }
    };
  }

  private static Type refused(Cursor at, String text) {
    at.problem(text);
    return AnyType.ANY;
  }

  /** Types of a list. */
  List<Type> all(Cursor at) {
    List<Type> types = new ArrayList<>();
    at.items().forEach(item -> types.add(read(item)));
    return types;
  }

  /** Scalars of a list. */
  List<PrimExpr> scalars(Cursor at) {
    List<PrimExpr> values = new ArrayList<>();
    at.items().forEach(item -> values.add(scalars.read(item)));
    return values;
  }

  private Type shape(Cursor at) {
    Cursor values = at.get("values");
    Optional<List<PrimExpr>> dims =
        values.isNull() ? Optional.empty() : Optional.of(scalars(values));
    int ndim = at.get("ndim").smallInteger();
    return at.held(() -> new ShapeType(dims, ndim), ShapeType.unknown());
  }

  private Type tensor(Cursor at) {
    Optional<TensorShape> shape = tensorShape(at.get("shape"));
    Optional<DType> dtype = elements(at.get("dtype"));
    Cursor device = at.get("vdevice");
    Optional<VDevice> vdevice =
        device.isNull() ? Optional.empty() : Optional.of(VirtualDevices.read(device));
    int ndim = at.get("ndim").smallInteger();
    return at.held(() -> new TensorType(shape, dtype, ndim, vdevice), TensorType.unknown());
  }

  private static Optional<DType> elements(Cursor at) {
    if (at.isNull() || !at.require("ir.PrimType")) {
      return Optional.empty();
    }
    DType dtype = at.get("dtype").dtype();
    return dtype.equals(DType.VOID) ? Optional.empty() : Optional.of(dtype);
  }

  private Optional<TensorShape> tensorShape(Cursor at) {
    if (at.isNull()) {
      return Optional.empty();
    }
    if (at.isA("ir.Var")) {
      RelaxVar variable = at.node().map(variables::get).orElse(null);
      if (variable == null || !(variable.type() instanceof ShapeType)) {
        at.problem("expected a variable that holds a shape and is defined before");
        return Optional.empty();
      }
      return Optional.of(new TensorShape.OfVar(variable));
    }
    if (!at.require("relax.expr.ShapeExpr")) {
      return Optional.empty();
    }
    List<PrimExpr> values = scalars(at.get("values"));
    return at.held(() -> Optional.of(new TensorShape.Known(values)), Optional.empty());
  }

  /** The type of a function; a problem for other types. */
  FuncType function(Cursor at) {
    if (!at.require("relax.FuncType")) {
      return FuncType.packed();
    }
    Cursor params = at.get("params");
    Optional<List<Type>> types = params.isNull() ? Optional.empty() : Optional.of(all(params));
    Type result = read(at.get("ret"));
    boolean isPure = at.get("purity").bool();
    Cursor derive = at.get("derive_func");
    if (!derive.isNull()
        && derive.require("ir.EnvFunc")
        && !derive.get("name").text().equals(FuncType.BY_TYPE_ARGS)) {
      derive.problem(
          "the function "
              + derive.get("name").text()
              + ", which derives types, cannot be held; expected "
              + FuncType.BY_TYPE_ARGS);
    }
    return new FuncType(types, result, isPure, !derive.isNull());
  }
}
