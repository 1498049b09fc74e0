package org.relaxvm.compiler.rewrite;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Learns what symbolic variables are from values of the types that mention them: a variable that
 * stands alone as an extent is the extent of the value. Not thread-safe.
 *
 * <p>Source: docs/spec/relax-ir.md, section 8.6; docs/spec/passes.md, section 19.
 */
public final class SymbolInference {
  private final SequencedMap<Var, PrimExpr> values = new LinkedHashMap<>();
  private final Analyzer analyzer;

  /** An inference that knows nothing yet. */
  public SymbolInference(Analyzer analyzer) {
    this.analyzer = analyzer;
  }

  /**
   * Makes known what a variable is.
   *
   * @throws InvalidProgramException a {@code ValueError} when it is certainly something else
   */
  public void bind(Var symbol, PrimExpr value) {
    PrimExpr known = values.putIfAbsent(symbol, value);
    if (known != null && analyzer.canProve(Exprs.binary(BinaryOp.NE, known, value))) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the symbolic variable "
              + symbol.name()
              + " cannot be both "
              + PrimText.print(known)
              + " and "
              + PrimText.print(value));
    }
  }

  /**
   * Compares a type that mentions variables with the type of a value, as far as both are known.
   *
   * @throws InvalidProgramException a {@code ValueError} when a variable is certainly two things
   */
  public void match(Type declared, Type actual) {
    switch (declared) {
      case ShapeType shape -> {
        if (actual instanceof ShapeType other) {
          match(shape.dims().orElse(List.of()), other.dims().orElse(List.of()));
        }
      }
      case TensorType tensor -> {
        if (actual instanceof TensorType other) {
          match(tensor.dims().orElse(List.of()), other.dims().orElse(List.of()));
        }
      }
      case TupleType(List<Type> fields) -> {
        if (actual instanceof TupleType(List<Type> others) && others.size() == fields.size()) {
          for (int i = 0; i < fields.size(); i++) {
            match(fields.get(i), others.get(i));
          }
        }
      }
      default -> {}
    }
  }

  private void match(List<PrimExpr> declared, List<PrimExpr> actual) {
    if (declared.size() != actual.size()) {
      return;
    }
    for (int i = 0; i < declared.size(); i++) {
      if (declared.get(i) instanceof Var symbol) {
        bind(symbol, actual.get(i));
      }
    }
  }

  /** What the variables are, in the order in which they became known. */
  public Map<Var, PrimExpr> values() {
    return Collections.unmodifiableSequencedMap(values);
  }
}
