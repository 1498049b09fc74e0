package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.interoponnx.value.ValueType.OfFixed;
import org.relaxvm.interoponnx.value.ValueType.OfList;
import org.relaxvm.interoponnx.value.ValueType.OfMap;
import org.relaxvm.interoponnx.value.ValueType.OfMaybe;
import org.relaxvm.interoponnx.value.ValueType.OfPossible;
import org.relaxvm.interoponnx.value.ValueType.OfStrings;
import org.relaxvm.interoponnx.value.ValueType.OfTensor;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Operands of all kinds as one expression each, and back. A sequence is a tuple of its elements, an
 * optional value itself or null, strings a tuple of a shape and of the strings, a map a tuple of
 * its keys and of its values. Not thread-safe.
 */
final class Values {
  private final ModelContext model;
  private final GraphImporter importer;

  Values(ModelContext model, GraphImporter importer) {
    this.model = model;
    this.importer = importer;
  }

  /** The type of an operand. */
  ValueType typeOf(Operand operand) {
    return switch (operand) {
      case Operand.Computed(Expr expr, Type type) -> tensorType(type);
      case Operand.Weight(var proto, var where, var dtype, Shape shape) ->
          OfTensor.of(dtype, Tensors.fixed(shape));
      case Known known -> OfTensor.of(known.dtype(), Tensors.fixed(known.shape()));
      case Operand.Strings(Shape shape, var elements) -> new OfStrings(shape.rank());
      case Operand.Text(Expr expr, List<PrimExpr> dims) -> new OfStrings(dims.size());
      case Operand.Sequence(List<Operand> elements) ->
          new OfFixed(elements.stream().map(this::typeOf).toList());
      case Operand.Listed(Expr expr, Optional<ValueType> element) -> new OfList(element);
      case Operand.Mapped(Expr expr, OfMap type) -> type;
      case Operand.Maybe(Optional<Operand> value) -> new OfMaybe(value.map(this::typeOf));
      case Operand.Possible(Expr expr, Optional<ValueType> element) -> new OfPossible(element);
      case Operand.LowBit lowBit -> ValueTypes.of(importer.tensors.typeOf(lowBit));
      case Operand.Unavailable unavailable -> throw new Tensors.Unavailable();
    };
  }

  private static ValueType tensorType(Type type) {
    if (type instanceof TensorType tensor) {
      return ValueTypes.of(tensor);
    }
    throw new InvalidProgramException(ErrorKind.TYPE, "a value of type " + type + " is no tensor");
  }

  /** A leaf with the value of an operand. */
  Expr packed(Operand operand, String hint) {
    return switch (operand) {
      case Operand.Strings(Shape shape, List<String> elements) ->
          importer.emit(strings(shape, elements), hint);
      case Operand.Text(Expr expr, var dims) -> expr;
      case Operand.Sequence(List<Operand> elements) ->
          importer.emit(
              new Tuple(elements.stream().map(each -> packed(each, hint)).toList()), hint);
      case Operand.Listed(Expr expr, var element) -> expr;
      case Operand.Maybe(Optional<Operand> value) ->
          value.isPresent() ? packed(value.get(), hint) : importer.emit(ValueOps.nullValue(), hint);
      case Operand.Possible(Expr expr, var element) -> expr;
      case Operand.Mapped(Expr expr, var type) -> expr;
      case Operand.Unavailable unavailable -> throw new Tensors.Unavailable();
      default -> importer.tensors.leaf(operand);
    };
  }

  private static Tuple strings(Shape shape, List<String> elements) {
    List<Expr> fields = new ArrayList<>();
    fields.add(new ShapeExpr(Tensors.fixed(shape)));
    elements.forEach(text -> fields.add(new StringImm(text)));
    return new Tuple(fields);
  }

  /** The operand of a value that {@link #packed} gives for operands of a type. */
  Operand unpacked(Expr leaf, ValueType type, String hint) {
    return switch (type) {
      case OfTensor tensor -> tensor(leaf, tensor, hint);
      case OfStrings(int rank) -> text(leaf, rank, hint);
      case OfFixed(List<ValueType> elements) -> fixed(leaf, elements, hint);
      case OfList(var element) -> new Operand.Listed(leaf, element);
      case OfMap map -> new Operand.Mapped(leaf, map);
      case OfMaybe(var value) ->
          new Operand.Maybe(value.map(present -> unpacked(leaf, present, hint)));
      case OfPossible(var value) -> new Operand.Possible(leaf, value);
    };
  }

  private Operand tensor(Expr leaf, OfTensor type, String hint) {
    Type known = importer.tensors.anyType(leaf);
    if (known instanceof TensorType tensor
        && ((tensor.dims().isPresent() && isAsExact(tensor, type))
            || (type.dims().isEmpty() && tensor.dtype().isPresent()))) {
      return new Operand.Computed(leaf, known);
    }
    TensorType target = target(type, hint);
    return new Operand.Computed(model.builder.emitMatchCast(leaf, target, hint), target);
  }

  private static boolean isAsExact(TensorType known, OfTensor type) {
    List<PrimExpr> dims = known.dims().orElseThrow();
    List<Optional<PrimExpr>> wanted = type.dims().orElse(List.of());
    return known.dtype().equals(Optional.of(type.dtype()))
        && dims.size() == wanted.size()
        && IntStream.range(0, dims.size())
            .allMatch(axis -> wanted.get(axis).map(dims.get(axis)::equals).orElse(true));
  }

  /** The type with a symbol for each extent that is not known. */
  TensorType target(OfTensor type, String hint) {
    if (type.dims().isEmpty()) {
      return TensorType.ofRank(type.dtype(), ValueType.UNKNOWN_RANK);
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (Optional<PrimExpr> dim : type.dims().get()) {
      dims.add(dim.orElseGet(() -> model.symbols.symbol(hint + "_" + dims.size())));
    }
    return TensorType.of(type.dtype(), dims);
  }

  private Operand fixed(Expr leaf, List<ValueType> elements, String hint) {
    boolean isTuple = importer.tensors.anyType(leaf) instanceof TupleType;
    List<Type> fields = elements.stream().map(each -> (Type) AnyType.ANY).toList();
    Expr tuple = isTuple ? leaf : model.builder.emitMatchCast(leaf, new TupleType(fields), hint);
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      Expr field = importer.emit(new TupleGetItem(tuple, i), hint);
      operands.add(unpacked(field, elements.get(i), hint));
    }
    return new Operand.Sequence(operands);
  }

  /** Strings with extents that are read at run time. */
  private Operand text(Expr leaf, int rank, String hint) {
    if (rank == ValueType.UNKNOWN_RANK) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "a tensor of strings has an unknown number of axes");
    }
    List<PrimExpr> dims =
        IntStream.range(0, rank)
            .mapToObj(axis -> (PrimExpr) model.symbols.symbol(hint + "_" + axis))
            .toList();
    return text(leaf, dims, hint);
  }

  /** Strings with extents that are compared at run time; new symbols get their numbers. */
  Operand text(Expr leaf, List<PrimExpr> dims, String hint) {
    Expr shape =
        importer.emit(
            CallOps.callPurePacked(
                "relaxvm.string_shape", List.of(leaf), ShapeType.ofRank(dims.size())),
            hint);
    model.builder.emitMatchCast(shape, ShapeType.of(dims), hint);
    return new Operand.Text(leaf, dims);
  }
}
