package org.relaxvm.compiler.eval;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Return;

/** What variables and symbolic variables are at a place of a program. */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<RelaxVar, Object> values = new HashMap<>();
  private final Map<Var, PrimExpr> symbols = new HashMap<>();

  Scope(@Nullable Scope outer) {
    this.outer = outer;
  }

  void put(RelaxVar var, Object value) {
    values.put(var, value);
  }

  Object get(RelaxVar var) {
    Object value = values.get(var);
    if (value != null) {
      return value;
    }
    if (outer == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the variable " + var + " is not bound here");
    }
    return outer.get(var);
  }

  boolean knows(PrimExpr expr) {
    return Symbols.usedBy(expr).stream().allMatch(symbol -> find(symbol) != null);
  }

  void define(Var symbol, long value) {
    symbols.put(symbol, new IntImm(symbol.dtype(), value));
  }

  private @Nullable PrimExpr find(Var symbol) {
    PrimExpr value = symbols.get(symbol);
    return value != null || outer == null ? value : outer.find(symbol);
  }

  /** The value of an expression: a Long, a Double or a Boolean. */
  Object scalar(PrimExpr expr) {
    Map<Var, PrimExpr> known = new HashMap<>();
    for (Var symbol : Symbols.usedBy(expr)) {
      PrimExpr value = find(symbol);
      if (value == null) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the symbolic variable " + symbol + " in " + PrimText.print(expr) + " has no value");
      }
      known.put(symbol, value);
    }
    return switch (Substitution.in(expr, known)) {
      case IntImm(DType dtype, long value) when !dtype.equals(DType.BOOL) -> value;
      case FloatImm(DType dtype, double value) -> value;
      case PrimExpr closed -> new Evaluator().run(returning(closed), List.of()).orElseThrow();
    };
  }

  private static PrimFunc returning(PrimExpr value) {
    return new PrimFunc("scalar", List.of(), value.dtype(), new Return(value), Map.of());
  }

  long integer(PrimExpr expr) {
    return (Long) scalar(expr);
  }
}
