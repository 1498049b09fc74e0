package org.relaxvm.compiler.op;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.CallDerivation;
import org.relaxvm.compiler.type.check.Fit;
import org.relaxvm.tir.arith.Analyzer;

/**
 * Derives types of expressions whose parts are typed. Source: docs/spec/relax-ir.md, section 8.1.
 */
public final class TypeInference {
  private TypeInference() {}

  /**
   * What a call gives.
   *
   * @throws InvalidProgramException when an argument is certainly wrong, or not known to be of the
   *     kind, dtype or number of axes that a function expects
   */
  public static Type derive(Call call, OpContext context) {
    if (call.callee() instanceof OpDef op) {
      return op.infer(call, context);
    }
    FuncType function = calleeType(call.callee(), context);
    List<Type> args = call.args().stream().map(arg -> of(arg, context)).toList();
    return CallDerivation.of(
        call.callee().toString(), function, args, call.typeArgs(), context.analyzer());
  }

  /** The type of a typed expression; what global variables are, the module says. */
  public static Type of(Expr part, OpContext context) {
    return switch (part) {
      case GlobalVar global ->
          context.find(global).<Type>map(ModuleFunction::functionType).orElse(AnyType.ANY);
      case Op op -> AnyType.ANY;
      case Tuple(List<Expr> fields) ->
          new TupleType(fields.stream().map(field -> of(field, context)).toList());
      default -> part.type();
    };
  }

  private static FuncType calleeType(Expr callee, OpContext context) {
    if (callee instanceof GlobalVar global) {
      return context
          .find(global)
          .map(ModuleFunction::functionType)
          .orElseThrow(
              () ->
                  new InvalidProgramException(
                      ErrorKind.VALUE,
                      "the module has no function "
                          + global.name()
                          + " (so far); add it before it is called"));
    }
    Optional<Type> type = callee.knownType();
    return switch (type.orElse(null)) {
      case FuncType function -> function;
      case AnyType any -> FuncType.packed();
      case null, default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "only a function can be called, but "
                  + callee
                  + " is "
                  + type.map(Type::toString).orElse("none"));
    };
  }

  /**
   * Checks a match_cast.
   *
   * @throws InvalidProgramException a {@code TypeError} when the value can never be of the type
   */
  public static void requireCast(Expr value, Type target, Analyzer analyzer) {
    if (new BaseCheck(analyzer).check(target, value.type()) == Fit.IMPOSSIBLE) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "match_cast: " + value + " can never be " + target + ", for it is " + value.type());
    }
  }

  /**
   * Checks the condition of a choice.
   *
   * @throws InvalidProgramException a {@code TypeError} when it can be no boolean
   */
  public static void requireCondition(Expr condition) {
    boolean right =
        switch (condition.type()) {
          case PrimType(DType dtype) -> dtype.equals(DType.BOOL);
          case TensorType tensor ->
              tensor.ndim() <= 0 && tensor.dtype().map(DType.BOOL::equals).orElse(true);
          case AnyType any -> true;
          default -> false;
        };
    if (!right) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the condition "
              + condition
              + " must be a truth value or a bool tensor without axes, but is "
              + condition.type());
    }
  }
}
