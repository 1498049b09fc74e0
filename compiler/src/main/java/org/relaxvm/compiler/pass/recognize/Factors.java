package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;

/**
 * A product, whatever the order in which it is written: a number and tensors. Immutable.
 *
 * @param number the product of all numbers
 * @param tensors the other factors
 */
record Factors(double number, List<Expr> tensors) {
  private static final int LIMIT = 8;

  /** The factors of a value of some axes. */
  static Factors of(Expr value, int ndim, Composites composites) {
    Collector collector = new Collector(ndim, composites);
    collector.add(value, 0);
    return new Factors(collector.number, List.copyOf(collector.tensors));
  }

  /** The factors where there is one tensor. */
  Optional<Expr> single() {
    return tensors.size() == 1 ? Optional.of(tensors.getFirst()) : Optional.empty();
  }

  private static final class Collector {
    private final int ndim;
    private final Composites composites;
    private final List<Expr> tensors = new ArrayList<>();
    private double number = 1;

    Collector(int ndim, Composites composites) {
      this.ndim = ndim;
      this.composites = composites;
    }

    void add(Expr value, int depth) {
      OptionalDouble known = composites.number(value, ndim);
      if (known.isPresent()) {
        number *= known.getAsDouble();
        return;
      }
      Optional<Call> product =
          depth < LIMIT ? composites.call(value, Arithmetic.MULTIPLY) : Optional.empty();
      if (product.isPresent()) {
        product.get().args().forEach(factor -> add(factor, depth + 1));
        return;
      }
      Optional<Call> quotient =
          depth < LIMIT ? composites.call(value, Arithmetic.DIVIDE) : Optional.empty();
      OptionalDouble divisor =
          quotient.isPresent()
              ? composites.number(quotient.get().args().get(1), ndim)
              : OptionalDouble.empty();
      if (divisor.isPresent() && divisor.getAsDouble() != 0) {
        number /= divisor.getAsDouble();
        add(quotient.orElseThrow().args().get(0), depth + 1);
        return;
      }
      tensors.add(value);
    }
  }
}
