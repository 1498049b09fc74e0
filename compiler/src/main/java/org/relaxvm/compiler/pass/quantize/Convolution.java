package org.relaxvm.compiler.pass.quantize;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.create.Fills;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.Unfold;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.pass.quantize.QuantizedOperand.Parameter;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;

/**
 * A convolution of quantized operands in plain layouts. What is around the data is its zero point.
 * With sums {@code s} of windows of the data and sums {@code c} of the differences of each
 * channel's weights, {@code (x - zx)(w - zw) = xw - s zw - zx c}.
 */
record Convolution(
    ProductTerms terms, Call call, QuantizedOperand x, QuantizedOperand w, DType dtype) {
  /** By the number of spatial axes, from 1. */
  private static final List<Op> CONVOLUTIONS =
      List.of(Convolutions.CONV1D, Convolutions.CONV2D, Convolutions.CONV3D);

  /** The zero point of uint8 that is 0 of int8. */
  private static final long MIDDLE = 128;

  /** Whether a call is a convolution. */
  static boolean isOne(Call call) {
    return call.callee() instanceof Op op && CONVOLUTIONS.contains(op);
  }

  /** The convolution instead of a call; empty where it is none of such operands. */
  static Optional<Expr> of(Call call, ProductTerms terms) {
    if (!(call.type() instanceof TensorType type) || type.dtype().isEmpty()) {
      return Optional.empty();
    }
    Optional<QuantizedOperand> x = terms.operand(call.args().get(0));
    Optional<QuantizedOperand> w = terms.operand(call.args().get(1));
    if (x.isEmpty() || w.isEmpty()) {
      return Optional.empty();
    }
    Convolution convolution = new Convolution(terms, call, x.get(), w.get(), type.dtype().get());
    return convolution.fits() ? Optional.of(convolution.emitted()) : Optional.empty();
  }

  private int spatial() {
    return CONVOLUTIONS.indexOf((Op) call.callee()) + 1;
  }

  private Attrs attrs() {
    return ((OpDef) call.callee()).withDefaults(call.attrs());
  }

  private boolean isPlain() {
    String space = "DHW".substring(3 - spatial());
    String data = "NC" + space;
    return attrs().text("data_layout").filter(data::equals).isPresent()
        && attrs().text("kernel_layout").filter(("OI" + space)::equals).isPresent()
        && attrs().text("out_layout").filter(out -> !out.equals(data) && !out.isEmpty()).isEmpty();
  }

  private boolean fits() {
    if (!isPlain() || x.scale().isPresent() != w.scale().isPresent()) {
      return false;
    }
    boolean areAlong =
        x.zeroPoint().filter(zero -> !zero.isForAll()).isEmpty()
            && x.scale().filter(scale -> !scale.isForAll()).isEmpty()
            && w.zeroPoint().filter(zero -> !zero.isForAll() && zero.axis() != 0).isEmpty()
            && w.scale().filter(scale -> !scale.isForAll() && scale.axis() != 0).isEmpty();
    boolean isKnownAround = x.zeroPoint().isEmpty() || !isPadded() || around().isPresent();
    List<PrimExpr> weights = dims(w);
    boolean isSmall =
        x.scale().isEmpty()
            ? dtype.equals(DType.INT32)
            : ProductTerms.fits(weights.subList(1, weights.size()), x, w);
    // A channel on its own is a few products for each element, which floats do faster.
    boolean isWorthIt = x.scale().isEmpty() || !weights.get(1).equals(IntImm.of(1));
    return areAlong
        && isKnownAround
        && isSmall
        && isWorthIt
        && (w.zeroPoint().isEmpty() || areKnown(weights));
  }

  private static boolean areKnown(List<PrimExpr> extents) {
    return extents.stream().allMatch(IntImm.class::isInstance);
  }

  /** The extents of an operand in the order of its axes. */
  private static List<PrimExpr> dims(QuantizedOperand operand) {
    List<PrimExpr> own = ((TensorType) operand.q().type()).dims().orElseThrow();
    return operand.order().stream().map(own::get).toList();
  }

  /** Begins of all axes, then ends. */
  private List<Long> padding() {
    List<Long> given = attrs().integers("padding").orElseThrow();
    if (given.size() == 1) {
      return Collections.nCopies(2 * spatial(), given.getFirst());
    }
    if (given.size() != spatial()) {
      return given;
    }
    List<Long> both = new ArrayList<>(given);
    both.addAll(given);
    return both;
  }

  private boolean isPadded() {
    return padding().stream().anyMatch(width -> width != 0);
  }

  /** The zero point of the data, if it is known. */
  private Optional<Long> around() {
    return x.zeroPoint()
        .flatMap(zero -> QuantizedOperand.constant(zero.value(), terms.lookup()))
        .filter(data -> data.elementCount() == 1)
        .map(data -> data.toLongArray()[0]);
  }

  private Expr emitted() {
    Optional<Parameter> zero = w.zeroPoint();
    Expr weights = terms.integers(w);
    if (isMiddle()) {
      Expr apart =
          Arithmetic.subtract(
              terms.as(weights, DType.INT32), new PrimValue(Exprs.constant(DType.INT32, MIDDLE)));
      weights = terms.as(terms.emit(apart), DType.INT8);
      zero = Optional.empty();
    }
    Expr data = terms.integers(x);
    if (isPadded()) {
      data = terms.emit(Padding.pad(data, widths(), around().orElse(0L)));
    }
    Expr sum = isMatrixProduct() ? matrixProduct(data, weights) : direct(data, weights);
    if (zero.isPresent()) {
      sum = terms.minus(sum, windowSums(data), placed(zero.get(), DType.INT32));
    }
    if (x.zeroPoint().isPresent()) {
      sum =
          terms.minus(
              sum, weightSums(weights, zero), terms.placed(x.zeroPoint().get(), 0, DType.INT32));
    }
    return terms.scaled(
        sum,
        x.scale().map(scale -> terms.placed(scale, 0, DType.FLOAT32)),
        w.scale().map(scale -> placed(scale, DType.FLOAT32)),
        dtype);
  }

  private Expr placed(Parameter ofChannels, DType type) {
    return terms.placed(ofChannels, spatial(), type);
  }

  /** Whether weights of uint8 are int8 that were moved. */
  private boolean isMiddle() {
    return w.dtype().equals(DType.UINT8)
        && w.zeroPoint()
            .flatMap(zero -> QuantizedOperand.constant(zero.value(), terms.lookup()))
            .map(Tensor::toLongArray)
            .filter(zeros -> LongStream.of(zeros).allMatch(zero -> zero == MIDDLE))
            .isPresent();
  }

  /** Widths of padding in the order of axes. */
  private List<Long> widths() {
    List<Long> padding = padding();
    List<Long> widths = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
    for (int axis = 0; axis < spatial(); axis++) {
      widths.add(padding.get(axis));
      widths.add(padding.get(spatial() + axis));
    }
    return widths;
  }

  /** The convolution of data that is padded, in int32. */
  private Expr direct(Expr data, Expr weights) {
    Attrs attrs = call.attrs().with("out_dtype", DType.INT32).with("padding", List.of(0L));
    return terms.emit(Call.of((Op) call.callee(), List.of(data, weights), attrs));
  }

  /** The sum of the elements under each window, for each channel of the result. */
  private Expr windowSums(Expr data) {
    long groups = groups();
    List<PrimExpr> dims = new ArrayList<>(dims(w));
    long channels = ((IntImm) dims.getFirst()).value();
    dims.set(0, IntImm.of(groups));
    Expr sums = direct(data, terms.emit(Fills.ones(new ShapeExpr(dims), x.dtype())));
    return groups == 1 || groups == channels
        ? sums
        : terms.emit(Repeats.repeat(sums, channels / groups, 1));
  }

  private long groups() {
    return attrs().integer("groups").orElseThrow();
  }

  // ---------------------------------------------------------------- as a matrix product

  /** Whether windows have known extents, and several channels that are summed. */
  private boolean isMatrixProduct() {
    List<PrimExpr> weights = dims(w);
    return areKnown(weights.subList(1, weights.size()))
        && !weights.get(1).equals(IntImm.of(1))
        && weights.getFirst() instanceof IntImm channels
        && channels.value() % groups() == 0;
  }

  /**
   * The product of {@code [groups, channels of a group, k]} and {@code [n, groups, k, windows]},
   * for which devices have more than for a convolution of 8 bits.
   */
  private Expr matrixProduct(Expr data, Expr weights) {
    long groups = groups();
    List<PrimExpr> taps = dims(w);
    PrimExpr depth =
        IntImm.of(known(taps.subList(1, taps.size())).stream().reduce(1L, (a, b) -> a * b));
    PrimExpr channels = IntImm.of(((IntImm) taps.getFirst()).value() / groups);
    List<PrimExpr> result = ((TensorType) call.type()).dims().orElseThrow();
    PrimExpr windows = Exprs.product(result.subList(2, result.size()));
    List<PrimExpr> group = groups == 1 ? List.of() : List.of(IntImm.of(groups));
    Expr left = reshaped(weights, AxisLists.joined(group, List.of(channels, depth)));
    Expr right =
        reshaped(
            columns(data, known(taps.subList(2, taps.size()))),
            AxisLists.joined(List.of(result.getFirst()), group, List.of(depth, windows)));
    return reshaped(terms.emit(Linear.matmul(left, right, DType.INT32)), result);
  }

  private Expr columns(Expr data, List<Long> kernel) {
    List<Long> strides = attrs().integers("strides").orElseThrow();
    boolean areElements =
        kernel.stream().allMatch(extent -> extent == 1)
            && strides.stream().allMatch(stride -> stride == 1);
    return areElements
        ? data
        : terms.emit(
            Unfold.unfold(data, kernel, strides, attrs().integers("dilation").orElseThrow()));
  }

  private Expr reshaped(Expr value, List<PrimExpr> shape) {
    return terms.emit(
        Reshapes.reshape(
            value,
            new ShapeExpr(shape.stream().map(terms.builder().analyzer()::simplify).toList())));
  }

  private static List<Long> known(List<PrimExpr> extents) {
    return extents.stream().map(extent -> ((IntImm) extent).value()).toList();
  }

  /** The sum of the weights of each channel of the result. */
  private Expr weightSums(Expr weights, Optional<Parameter> zero) {
    Expr wide = terms.as(weights, DType.INT32);
    Expr apart =
        zero.<Expr>map(
                z ->
                    terms.emit(
                        Arithmetic.subtract(wide, terms.placed(z, spatial() + 1, DType.INT32))))
            .orElse(wide);
    List<Integer> summed = IntStream.rangeClosed(1, spatial() + 1).boxed().toList();
    Expr sums = terms.emit(Reductions.sum(apart, summed, false));
    List<PrimExpr> shape = new ArrayList<>(List.of(dims(w).getFirst()));
    shape.addAll(Collections.nCopies(spatial(), IntImm.of(1)));
    return terms.emit(Reshapes.reshape(sums, new ShapeExpr(shape)));
  }
}
