package org.relaxvm.compiler.type.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** What a call of a function gives. Source: docs/spec/relax-ir.md, section 8.4. */
public final class CallDerivation extends BaseCheck {
  private final Map<Var, PrimExpr> symbols = new LinkedHashMap<>();
  private final Map<ShapeVar, TensorShape> shapes = new LinkedHashMap<>();
  private final Analyzer analyzer;

  /** A derivation that has seen no argument yet. */
  public CallDerivation(Analyzer analyzer) {
    super(analyzer);
    this.analyzer = analyzer;
  }

  /**
   * What a call gives.
   *
   * @param callee the name of the function, for messages
   * @param typeArgs what the caller says of the result; counts for opaque functions only
   * @throws InvalidProgramException a {@code TypeError} when an argument cannot be what the
   *     function expects, or is not known to be of its kind, dtype or number of axes; a {@code
   *     ValueError} when the number of arguments is wrong
   */
  public static Type of(
      String callee, FuncType function, List<Type> args, List<Type> typeArgs, Analyzer analyzer) {
    if (function.derivesByTypeArgs()) {
      return byTypeArgs(typeArgs);
    }
    if (function.isOpaque()) {
      return function.result();
    }
    CallDerivation derivation = new CallDerivation(analyzer);
    derivation.match(callee, function.params().orElseThrow(), args);
    return derivation.apply(function.result());
  }

  /** What a call that says itself what it gives gives. */
  public static Type byTypeArgs(List<Type> typeArgs) {
    return switch (typeArgs.size()) {
      case 0 -> AnyType.ANY;
      case 1 -> typeArgs.getFirst();
      default -> new TupleType(typeArgs);
    };
  }

  /** Looks at arguments, and learns what the variables of the parameters are. */
  public void match(String callee, List<Type> params, List<Type> args) {
    if (params.size() != args.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          callee + " takes " + Count.arguments(params.size()) + ", but got " + args.size());
    }
    for (int i = 0; i < params.size(); i++) {
      Fit fit = check(params.get(i), args.get(i));
      if (fit == Fit.IMPOSSIBLE || fit == Fit.NEEDS_TYPE_CHECK) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "argument "
                + i
                + " of "
                + callee
                + ": expected "
                + params.get(i)
                + ", but got "
                + args.get(i)
                + (fit == Fit.NEEDS_TYPE_CHECK
                    ? "; say what it is with match_cast in front of the call"
                    : ""));
      }
    }
  }

  /** A type of the function as the caller sees it. */
  public Type apply(Type type) {
    return TypeMapping.of(symbols, shapes, analyzer).apply(type);
  }

  /** What the variables of the parameters are. */
  public Map<Var, PrimExpr> symbols() {
    return symbols;
  }

  @Override
  protected Fit dim(PrimExpr param, PrimExpr arg) {
    if (param instanceof Var var && symbols.putIfAbsent(var, arg) == null) {
      return Fit.PASS;
    }
    if (Symbols.usedBy(param).isEmpty()) {
      return super.dim(param, arg);
    }
    return TypeMapping.of(symbols, shapes, analyzer)
        .dim(param)
        .filter(value -> analyzer.canProveEqual(value, arg))
        .map(value -> Fit.PASS)
        .orElse(Fit.NEEDS_SHAPE_CHECK);
  }

  @Override
  protected Fit shape(TensorShape param, TensorShape arg) {
    if (param instanceof TensorShape.OfVar(ShapeVar var)) {
      TensorShape known = shapes.putIfAbsent(var, arg);
      return known == null || known.equals(arg) ? Fit.PASS : Fit.NEEDS_SHAPE_CHECK;
    }
    return super.shape(param, arg);
  }
}
