package org.relaxvm.compiler.pass.lower;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.lower.ShapeMatching.Todo;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.tir.expr.IntImm;

/**
 * Emits checks that a value is of a type, but for its extents, which are left to {@link
 * ShapeMatching}. Source: docs/spec/passes.md, section 13.3.
 */
final class TypeChecks {
  private final BlockBuilder builder;
  private final StringImm context;
  private final boolean always;
  private final boolean dynamicOnly;
  private final List<Todo> todos = new ArrayList<>();

  /**
   * Checks of one value.
   *
   * @param context says which part of the program is violated
   * @param always whether to check also what is known; for what comes from outside
   * @param dynamicOnly whether to leave out tensors of constant extents; for weights
   */
  TypeChecks(BlockBuilder builder, String context, boolean always, boolean dynamicOnly) {
    this.builder = builder;
    this.context = new StringImm(context);
    this.always = always;
    this.dynamicOnly = dynamicOnly;
  }

  /** Emits the checks, and gives the extents that are still to be compared. */
  List<Todo> check(Type type, Expr value) {
    visit(type, value);
    return List.copyOf(todos);
  }

  private void visit(Type type, Expr value) {
    if (!always && BaseCheck.isBaseOf(type, value.type(), builder.analyzer())) {
      return;
    }
    switch (type) {
      case AnyType any -> {}
      case PrimType(var dtype) -> emit("check_prim_value_info", value, new DataTypeImm(dtype));
      case ShapeType shape -> visit(shape, value);
      case TensorType tensor -> visit(tensor, value);
      case TupleType tuple -> visit(tuple, value);
      case FuncType function -> {
        if (always || !(value.type() instanceof FuncType)) {
          emit("check_func_info", value);
        }
      }
    }
  }

  private void visit(ShapeType type, Expr value) {
    if (always || !isProven(ShapeType.ofRank(type.ndim()), value)) {
      emit("check_shape_info", value, PrimValue.of(type.ndim()));
    }
    type.dims().ifPresent(dims -> todos.add(new Todo(value, dims, context)));
  }

  private void visit(TensorType type, Expr value) {
    boolean isConstant = type.dims().stream().anyMatch(TypeChecks::areConstant);
    if (dynamicOnly && isConstant) {
      return;
    }
    if (always || !isProven(TensorType.ofRank(type.dtype(), type.ndim()), value)) {
      Expr dtype =
          type.dtype()
              .<Expr>map(DataTypeImm::new)
              .orElseGet(() -> builder.emit(ValueOps.nullValue()));
      emit("check_tensor_info", value, PrimValue.of(type.ndim()), dtype);
    }
    switch (type.shape().orElse(null)) {
      case null -> {}
      case TensorShape.Known(var dims) -> todos.add(new Todo(value, dims, context));
      case TensorShape.OfVar(var shape) ->
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "a value cannot be compared with the shape that the variable "
                  + shape.name()
                  + " holds; expected extents, but the type is "
                  + type);
    }
  }

  private static boolean areConstant(List<?> dims) {
    return dims.stream().allMatch(dim -> dim instanceof IntImm);
  }

  private void visit(TupleType type, Expr value) {
    List<Type> fields = type.fields();
    if (value.type() instanceof TupleType(var known) && known.size() != fields.size()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the value " + value + " can never be " + type + ", for it is " + value.type());
    }
    if (always || !(value.type() instanceof TupleType)) {
      emit("check_tuple_info", value, PrimValue.of(fields.size()));
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!needsLook(fields.get(i))) {
        continue;
      }
      Expr field =
          value instanceof Tuple(var values)
              ? values.get(i)
              : builder.emit(
                  value.type() instanceof TupleType
                      ? new TupleGetItem(value, i)
                      : Call.packed(
                          "vm.builtin.tuple_getitem",
                          List.of(value, PrimValue.of(i)),
                          List.of(AnyType.ANY)));
      visit(fields.get(i), field);
    }
  }

  private static boolean needsLook(Type field) {
    return !(field instanceof AnyType);
  }

  private boolean isProven(Type type, Expr value) {
    return BaseCheck.isBaseOf(type, value.type(), builder.analyzer());
  }

  private void emit(String builtin, Expr value, Expr... more) {
    List<Expr> args = new ArrayList<>();
    args.add(value);
    args.addAll(List.of(more));
    args.add(context);
    builder.emit(Call.packed("vm.builtin." + builtin, args, List.of(TupleType.VOID)), "_");
  }
}
