package org.relaxvm.interoponnx.operator.signal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Discrete Fourier transforms of float64 along the last axis, as products with matrices: of known
 * lengths up to 1,024 with constant ones; of longer ones by their divisors, or as a convolution
 * where they have none; of lengths that are computed at run time with matrices that are, too.
 */
final class Fourier {
  private static final long DIRECT = 1024;

  private final NodeContext node;
  private final Emitter e;
  private final Map<Table, Expr> tables = new HashMap<>();

  private record Table(long count, long outputs, boolean isCosine) {}

  Fourier(NodeContext node) {
    this.node = node;
    this.e = new Emitter(node);
  }

  /**
   * A tensor of complex numbers.
   *
   * @param imaginary empty for 0
   */
  record Complex(Expr real, Optional<Expr> imaginary) {}

  /**
   * The transform.
   *
   * @param count of the last axis of {@code x}
   * @param outputs how many of the results are wanted, the first ones
   * @param inverse whether angles are positive; the result is not divided
   */
  Complex transform(Complex x, PrimExpr count, PrimExpr outputs, boolean inverse) {
    if (!(count instanceof IntImm known) || known.value() <= DIRECT) {
      return direct(x, count, outputs, inverse);
    }
    long n = known.value();
    long divisor = 0;
    for (long d = DIRECT; d > 1 && divisor == 0; d--) {
      divisor = n % d == 0 ? d : 0;
    }
    Complex all = divisor == 0 ? chirp(x, n, inverse) : divided(x, n, divisor, inverse);
    return each(all, part -> e.slice(part, node.rank(part) - 1, IntImm.of(0), outputs));
  }

  private interface Step {
    Expr of(Expr x);
  }

  private static Complex each(Complex x, Step step) {
    return new Complex(step.of(x.real), x.imaginary.map(step::of));
  }

  // ---------------------------------------------------------------- products

  private Complex direct(Complex x, PrimExpr count, PrimExpr outputs, boolean inverse) {
    Expr cos = matrix(count, outputs, true);
    Expr sin = matrix(count, outputs, false);
    Expr first = e.matmul(x.real, cos);
    Expr second = e.matmul(x.real, sin);
    Expr real = first;
    Expr imaginary = inverse ? second : e.negative(second);
    if (x.imaginary.isPresent()) {
      Expr third = e.matmul(x.imaginary.get(), sin);
      Expr fourth = e.matmul(x.imaginary.get(), cos);
      real = inverse ? e.subtract(first, third) : e.add(first, third);
      imaginary = e.add(imaginary, fourth);
    }
    return new Complex(real, Optional.of(imaginary));
  }

  /** Cosines or sines of {@code 2 pi j k / n}. */
  private Expr matrix(PrimExpr count, PrimExpr outputs, boolean isCosine) {
    if (count instanceof IntImm n && outputs instanceof IntImm k) {
      return tables.computeIfAbsent(
          new Table(n.value(), k.value(), isCosine), this::constantMatrix);
    }
    Expr products = e.multiply(e.unsqueeze(e.range(count), 1), e.range(outputs));
    Expr turns =
        e.divide(
            e.cast(e.modulo(products, count), DType.FLOAT64),
            e.cast(e.scalar(count), DType.FLOAT64));
    Expr angles = e.multiply(turns, 2 * Math.PI);
    return node.emit(isCosine ? Ops.cos(angles) : Ops.sin(angles));
  }

  private Expr constantMatrix(Table key) {
    long n = key.count;
    long k = key.outputs;
    return table(
        new long[] {n, k},
        at -> {
          double angle = angle(at / k * (at % k) % n, n);
          return key.isCosine ? Math.cos(angle) : Math.sin(angle);
        });
  }

  private static double angle(long index, long count) {
    return 2 * Math.PI * index / count;
  }

  private Expr table(long[] dims, LongToDoubleFunction element) {
    Shape shape = Shape.of(dims);
    double[] values = new double[node.reserve(shape.elementCount(), Double.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.applyAsDouble(i);
    }
    return new Constant(Tensor.of(values, shape));
  }

  // ---------------------------------------------------------------- long transforms

  /**
   * With {@code n = p q}: transforms of length {@code p} of every {@code q}-th element, factors,
   * and transforms of length {@code q}.
   */
  private Complex divided(Complex x, long n, long p, boolean inverse) {
    long q = n / p;
    Complex rows = each(x, part -> e.transposed(split(part, p, q)));
    Complex inner = transform(rows, IntImm.of(p), IntImm.of(p), inverse);
    long[] dims = {q, p};
    double sign = inverse ? 1 : -1;
    Expr cos = table(dims, at -> Math.cos(angle(at / p * (at % p), n)));
    Expr sin = table(dims, at -> sign * Math.sin(angle(at / p * (at % p), n)));
    Complex transposed = each(product(inner, cos, sin), e::transposed);
    Complex outer = transform(transposed, IntImm.of(q), IntImm.of(q), inverse);
    return each(outer, part -> merged(e.transposed(part), n));
  }

  private Expr split(Expr x, long p, long q) {
    List<PrimExpr> dims = node.dims(x);
    return e.reshape(
        x,
        Stream.concat(
                dims.subList(0, dims.size() - 1).stream(), Stream.of(IntImm.of(p), IntImm.of(q)))
            .toList());
  }

  private Expr merged(Expr x, long n) {
    List<PrimExpr> dims = node.dims(x);
    return e.reshape(
        x,
        Stream.concat(dims.subList(0, dims.size() - 2).stream(), Stream.of(IntImm.of(n))).toList());
  }

  private Complex product(Complex x, Expr real, Expr imaginary) {
    Expr a = e.multiply(x.real, real);
    Expr b = e.multiply(x.real, imaginary);
    if (x.imaginary.isEmpty()) {
      return new Complex(a, Optional.of(b));
    }
    return new Complex(
        e.subtract(a, e.multiply(x.imaginary.get(), imaginary)),
        Optional.of(e.add(b, e.multiply(x.imaginary.get(), real))));
  }

  /**
   * As {@code j k = (j^2 + k^2 - (j - k)^2) / 2}, a transform is a convolution with {@code exp(pi i
   * j^2 / n)}, which transforms of a power of two compute.
   */
  private Complex chirp(Complex x, long n, boolean inverse) {
    long m = Long.highestOneBit(2 * n - 1) << 1;
    double sign = inverse ? 1 : -1;
    LongToDoubleFunction turn = j -> Math.PI * (j * j % (2 * n)) / n;
    Expr cos = table(new long[] {n}, j -> Math.cos(turn.applyAsDouble(j)));
    Expr sin = table(new long[] {n}, j -> sign * Math.sin(turn.applyAsDouble(j)));
    Complex padded = each(product(x, cos, sin), part -> longer(part, n, m));
    Complex filter = filter(turn, n, m, sign);
    IntImm all = IntImm.of(m);
    Complex spectrum = transform(padded, all, all, false);
    Complex both = product(spectrum, filter.real, filter.imaginary.orElseThrow());
    Complex back =
        each(transform(both, all, IntImm.of(m), true), part -> e.multiply(part, 1.0 / m));
    return product(each(back, part -> e.slice(part, node.rank(part) - 1, 0, n)), cos, sin);
  }

  /** The transform of what the signal is convolved with, for a power of two of elements. */
  private Complex filter(LongToDoubleFunction turn, long n, long m, double sign) {
    int count = node.reserve(m, Double.BYTES);
    double[] real = new double[count];
    double[] imaginary = new double[count];
    for (int j = 0; j < count; j++) {
      int distance = Math.min(j, count - j);
      if (distance < n) {
        real[j] = Math.cos(turn.applyAsDouble(distance));
        imaginary[j] = -sign * Math.sin(turn.applyAsDouble(distance));
      }
    }
    double[][] result = transformed(real, imaginary);
    long[] dims = {m};
    return new Complex(
        table(dims, j -> result[0][(int) j]), Optional.of(table(dims, j -> result[1][(int) j])));
  }

  /** The transform of a power of two of elements, by those of the even and of the odd ones. */
  private static double[][] transformed(double[] real, double[] imaginary) {
    int n = real.length;
    if (n == 1) {
      return new double[][] {real, imaginary};
    }
    double[][] even = transformed(every(real, 0), every(imaginary, 0));
    double[][] odd = transformed(every(real, 1), every(imaginary, 1));
    double[][] result = new double[2][n];
    for (int k = 0; k < n / 2; k++) {
      double cos = Math.cos(angle(k, n));
      double sin = -Math.sin(angle(k, n));
      double a = cos * odd[0][k] - sin * odd[1][k];
      double b = cos * odd[1][k] + sin * odd[0][k];
      result[0][k] = even[0][k] + a;
      result[1][k] = even[1][k] + b;
      result[0][k + n / 2] = even[0][k] - a;
      result[1][k + n / 2] = even[1][k] - b;
    }
    return result;
  }

  private static double[] every(double[] values, int first) {
    return IntStream.range(0, values.length / 2).mapToDouble(i -> values[2 * i + first]).toArray();
  }

  private Expr longer(Expr x, long n, long m) {
    List<PrimExpr> dims = node.dims(x);
    List<PrimExpr> shape =
        IntStream.range(0, dims.size())
            .mapToObj(i -> i == dims.size() - 1 ? IntImm.of(m - n) : dims.get(i))
            .toList();
    return e.concat(dims.size() - 1, x, e.zeros(shape, DType.FLOAT64));
  }
}
