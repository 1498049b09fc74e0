package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.interoponnx.value.ValueType.OfFixed;
import org.relaxvm.interoponnx.value.ValueType.OfList;
import org.relaxvm.interoponnx.value.ValueType.OfMap;
import org.relaxvm.interoponnx.value.ValueType.OfMaybe;
import org.relaxvm.interoponnx.value.ValueType.OfPossible;
import org.relaxvm.interoponnx.value.ValueType.OfStrings;
import org.relaxvm.interoponnx.value.ValueType.OfTensor;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * What values of two types have in common, as seen where only some symbols are defined.
 *
 * @param visible the symbols; an extent with others is unknown
 */
record ValueTypes(Analyzer analyzer, Set<Var> visible) {
  /**
   * The type of values of either type.
   *
   * @throws InvalidProgramException when one type does not fit the other: another dtype, or another
   *     kind of value
   */
  ValueType join(ValueType a, ValueType b) {
    if (a instanceof OfTensor x && b instanceof OfTensor y) {
      return join(x, y);
    }
    if (a instanceof OfMap && a.equals(b)) {
      return a;
    }
    if (a instanceof OfStrings(int x) && b instanceof OfStrings(int y)) {
      return new OfStrings(x == y ? x : ValueType.UNKNOWN_RANK);
    }
    if (a instanceof OfFixed(var x) && b instanceof OfFixed(var y) && x.size() == y.size()) {
      List<ValueType> elements = new ArrayList<>();
      for (int i = 0; i < x.size(); i++) {
        elements.add(join(x.get(i), y.get(i)));
      }
      return new OfFixed(elements);
    }
    if (isSequence(a) && isSequence(b)) {
      return new OfList(either(elementOf(a), elementOf(b)));
    }
    if (a instanceof OfMaybe(var x) && b instanceof OfMaybe(var y)) {
      return x.isPresent() == y.isPresent()
          ? new OfMaybe(either(x, y))
          : new OfPossible(either(x, y));
    }
    if (isOptional(a) && isOptional(b)) {
      return new OfPossible(either(valueOf(a), valueOf(b)));
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE, "a value is " + describe(a) + " in one case, and " + describe(b) + " else");
  }

  private Optional<ValueType> either(Optional<ValueType> a, Optional<ValueType> b) {
    return a.isPresent() && b.isPresent()
        ? Optional.of(join(a.get(), b.get()))
        : a.or(() -> b).map(this::seen);
  }

  private OfTensor join(OfTensor a, OfTensor b) {
    if (!a.dtype().equals(b.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "a value is of " + a.dtype() + " in one case, and of " + b.dtype() + " else");
    }
    if (a.dims().isEmpty() || b.dims().isEmpty() || a.rank() != b.rank()) {
      return new OfTensor(a.dtype(), Optional.empty());
    }
    List<Optional<PrimExpr>> dims = new ArrayList<>();
    for (int axis = 0; axis < a.rank(); axis++) {
      Optional<PrimExpr> x = a.dims().get().get(axis);
      Optional<PrimExpr> y = b.dims().get().get(axis);
      boolean isSame =
          x.isPresent() && y.isPresent() && areEqual(x.get(), y.get()) && isVisible(x.get());
      dims.add(isSame ? x : Optional.empty());
    }
    return new OfTensor(a.dtype(), Optional.of(dims));
  }

  private boolean areEqual(PrimExpr a, PrimExpr b) {
    return a.equals(b) || analyzer.canProveEqual(a, b);
  }

  private boolean isVisible(PrimExpr extent) {
    return visible.containsAll(Symbols.usedBy(extent));
  }

  /** The same type without extents that are not visible. */
  ValueType seen(ValueType type) {
    return switch (type) {
      case OfTensor tensor ->
          new OfTensor(
              tensor.dtype(),
              tensor
                  .dims()
                  .map(dims -> dims.stream().map(dim -> dim.filter(this::isVisible)).toList()));
      case OfStrings strings -> strings;
      case OfMap map -> map;
      case OfFixed(var elements) -> new OfFixed(elements.stream().map(this::seen).toList());
      case OfList(var element) -> new OfList(element.map(this::seen));
      case OfMaybe(var value) -> new OfMaybe(value.map(this::seen));
      case OfPossible(var value) -> new OfPossible(value.map(this::seen));
    };
  }

  /** The type of a variable that holds values of a type and others of its kind in turn. */
  ValueType changing(ValueType type) {
    return switch (type) {
      case OfFixed fixed -> new OfList(elementOf(fixed));
      case OfMaybe(var value) -> new OfPossible(value);
      default -> type;
    };
  }

  private static boolean isSequence(ValueType type) {
    return type instanceof OfFixed || type instanceof OfList;
  }

  private static boolean isOptional(ValueType type) {
    return type instanceof OfMaybe || type instanceof OfPossible;
  }

  /** What the elements of a sequence have in common. */
  Optional<ValueType> elementOf(ValueType sequence) {
    return switch (sequence) {
      case OfFixed(var elements) -> elements.stream().map(this::seen).reduce(this::join);
      case OfList(var element) -> element;
      default -> throw new IllegalArgumentException(describe(sequence));
    };
  }

  private static Optional<ValueType> valueOf(ValueType optional) {
    return switch (optional) {
      case OfMaybe(var value) -> value;
      case OfPossible(var value) -> value;
      default -> throw new IllegalArgumentException(describe(optional));
    };
  }

  /** Whether some tensor in a value has an unknown number of axes. */
  static boolean lacksRank(ValueType type) {
    return switch (type) {
      case OfTensor tensor -> tensor.dims().isEmpty();
      case OfFixed(var elements) -> elements.stream().anyMatch(ValueTypes::lacksRank);
      case OfMaybe(var value) -> value.stream().anyMatch(ValueTypes::lacksRank);
      case OfPossible(var value) -> value.stream().anyMatch(ValueTypes::lacksRank);
      case OfStrings(int rank) -> rank == ValueType.UNKNOWN_RANK;
      case OfList list -> false;
      case OfMap map -> false;
    };
  }

  /** A type in messages. */
  static String describe(ValueType type) {
    return switch (type) {
      case OfTensor tensor -> "a tensor of " + tensor.dtype();
      case OfStrings strings -> "a tensor of strings";
      case OfFixed fixed -> "a sequence";
      case OfList list -> "a sequence";
      case OfMap map -> "a map";
      case OfMaybe maybe -> "an optional value";
      case OfPossible possible -> "an optional value";
    };
  }

  /** The type of tensors of a Relax type. */
  static OfTensor of(TensorType type) {
    return new OfTensor(
        type.dtype()
            .orElseThrow(
                () ->
                    new InvalidProgramException(ErrorKind.TYPE, "the dtype of a value is unknown")),
        type.dims()
            .map(dims -> dims.stream().map(Optional::of).toList())
            .or(() -> unknownDims(type)));
  }

  private static Optional<List<Optional<PrimExpr>>> unknownDims(TensorType type) {
    if (!type.hasRank()) {
      return Optional.empty();
    }
    List<Optional<PrimExpr>> dims = new ArrayList<>();
    for (int axis = 0; axis < type.ndim(); axis++) {
      dims.add(Optional.empty());
    }
    return Optional.of(dims);
  }
}
