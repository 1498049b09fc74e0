package org.relaxvm.interoponnx.convert;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** The parameters of {@code main}, and which of them values are computed from. Not thread-safe. */
final class Parameters {
  private static final long MOST_ELEMENTS = 64;

  private final Map<RelaxVar, String> names = new IdentityHashMap<>();
  private final Map<Var, Expr> shapes = new HashMap<>();
  private final BlockBuilder builder;

  Parameters(BlockBuilder builder) {
    this.builder = builder;
  }

  void add(RelaxVar parameter, String name) {
    names.put(parameter, name);
  }

  /** Remembers of which shape symbols are the extents. */
  void bind(List<Var> symbols, Expr shape) {
    symbols.forEach(symbol -> shapes.put(symbol, shape));
  }

  /**
   * The inputs of the model that extents are computed from, as {@link #deciding(Expr)} gives those
   * of values.
   */
  Set<String> deciding(List<PrimExpr> extents) {
    Set<Var> symbols = Symbols.in(extents);
    return shapes.keySet().containsAll(symbols)
        ? deciding(new Tuple(symbols.stream().map(shapes::get).distinct().toList()))
        : Set.of();
  }

  /**
   * The inputs of the model that a value is computed from, if all of them are small tensors of
   * integers or booleans. Empty when another one is among them, and for a value that is computed
   * from none, such as a variable of a loop.
   */
  Set<String> deciding(Expr value) {
    Set<Expr> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Expr> next = new ArrayDeque<>(List.of(value));
    Set<String> found = new LinkedHashSet<>();
    while (!next.isEmpty()) {
      Expr expr = next.pop();
      if (!seen.add(expr)) {
        continue;
      }
      String name = expr instanceof RelaxVar var ? names.get(var) : null;
      Optional<List<Expr>> parts = name == null ? parts(expr) : Optional.of(List.of());
      if (name != null && isSmall((RelaxVar) expr)) {
        found.add(name);
      } else if (name == null && parts.isPresent()) {
        parts.get().forEach(next::push);
      } else {
        return Set.of();
      }
    }
    return found;
  }

  /** What an expression is computed from; empty for what is not computed from operands alone. */
  private Optional<List<Expr>> parts(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> builder.lookup(var).map(List::of);
      case Call call -> Optional.of(call.args());
      case Tuple(List<Expr> fields) -> Optional.of(fields);
      case TupleGetItem(Expr tuple, int index) -> Optional.of(List.of(tuple));
      case Constant constant -> Optional.of(List.of());
      case PrimValue number -> Optional.of(List.of());
      case ExternFunc function -> Optional.of(List.of());
      default -> Optional.empty();
    };
  }

  private static boolean isSmall(RelaxVar parameter) {
    if (!(parameter.type() instanceof TensorType type) || type.dims().isEmpty()) {
      return false;
    }
    DType dtype = type.dtype().orElse(DType.FLOAT32);
    long elements =
        type.dims().get().stream()
            .mapToLong(extent -> extent instanceof IntImm number ? number.value() : 1)
            .reduce(1, (a, b) -> a * b);
    return type.ndim() <= 1
        && elements <= MOST_ELEMENTS
        && (dtype.isInteger() || dtype.equals(DType.BOOL));
  }
}
