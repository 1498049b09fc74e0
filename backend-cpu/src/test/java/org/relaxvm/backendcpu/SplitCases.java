package org.relaxvm.backendcpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.fuse.CallOutput;
import org.relaxvm.tir.fuse.KernelFusion;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.ConvAttrs;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Fused kernels of which the kernel library can compute a part only. */
final class SplitCases {
  private static final DType F32 = DType.FLOAT32;

  private static final PrimFunc HALVE =
      TirText.parse(
              """
              @T.prim_func(private=True)
              def halve(A: T.Buffer((n, m), "float32")):
                  n = T.int64()
                  m = T.int64()
                  with T.block("root"):
                      for i, j in T.grid(n, m):
                          with T.block("halve"):
                              v_i = T.axis.spatial(n, i)
                              v_j = T.axis.spatial(m, j)
                              A[v_i, v_j] = A[v_i, v_j] * T.float32(0.5)
              """,
              "test")
          .getFirst();

  private final KernelFusion fusion = new KernelFusion("fused");
  private final boolean symbolic;
  private final List<Shape> inputs = new ArrayList<>();
  private final Map<Long, PrimExpr> extents = new HashMap<>();

  private SplitCases(boolean symbolic) {
    this.symbolic = symbolic;
  }

  /**
   * A kernel and the shapes of its arguments.
   *
   * @param function of the library, for the product
   */
  record Case(
      String name, PrimFunc kernel, List<Shape> inputs, List<Shape> outputs, String function) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A tensor in the making: its buffer and its shape in numbers. */
  private record Made(Buffer buffer, Shape shape) {}

  /**
   * Products of matrices with all that may stand behind them.
   *
   * @param symbolic whether the kernel learns the extents from its arguments
   */
  static List<Case> products(long m, long k, long n, boolean symbolic) {
    List<Case> cases = new ArrayList<>();
    String matmul = "relaxvm.matmul";
    SplitCases scaled = new SplitCases(symbolic);
    cases.add(scaled.done("scaled", matmul, scaled.scaled(scaled.product(m, k, n))));
    SplitCases turned = new SplitCases(symbolic);
    cases.add(
        turned.done("turned", matmul, turned.transposed(turned.biased(turned.product(m, k, n)))));
    SplitCases flat = new SplitCases(symbolic);
    cases.add(flat.done("flat", matmul, flat.flat(flat.relu(flat.biased(flat.product(m, k, n))))));
    SplitCases inside = new SplitCases(symbolic);
    Made own = inside.exp(inside.input("r", m, n));
    cases.add(inside.done("inside", matmul, inside.sum(inside.product(m, k, n), own)));
    SplitCases both = new SplitCases(symbolic);
    Made product = both.product(m, k, n);
    cases.add(both.done("both", matmul, both.relu(product), product));
    SplitCases two = new SplitCases(symbolic);
    Made twice = two.product(m, k, n);
    cases.add(two.done("two", matmul, two.exp(twice), two.transposed(twice)));
    SplitCases residual = new SplitCases(symbolic);
    Made added = residual.sum(residual.product(m, k, n), residual.input("r", m, n));
    cases.add(residual.done("residual", matmul + "_residual", residual.scaled(added)));
    return cases;
  }

  /** A product that another stage changes. */
  static Case changedProduct(boolean symbolic) {
    SplitCases changed = new SplitCases(symbolic);
    Made product = changed.product(45, 37, 41);
    changed.halve(product);
    return changed.done("changed product", "", product);
  }

  /** A product of a tensor that another stage changes first, or then. */
  static Case changedInput(boolean first, boolean symbolic) {
    SplitCases changed = new SplitCases(symbolic);
    Made x = changed.input("x", 45, 37);
    Made w = changed.input("w", 37, 41);
    if (first) {
      changed.halve(x);
    }
    Made product = changed.product(x, w);
    if (!first) {
      changed.halve(x);
    }
    return changed.done("changed input", "relaxvm.matmul", changed.scaled(product));
  }

  /** Convolutions with a multiplication behind them. */
  static List<Case> convolutions(long batch, long size, boolean symbolic) {
    List<Case> cases = new ArrayList<>();
    for (long pad : new long[] {0, 1}) {
      SplitCases conv = new SplitCases(symbolic);
      Made product = conv.convolution(batch, size, pad);
      cases.add(conv.done("padded by " + pad, "relaxvm.conv2d", conv.scaled(product)));
    }
    return cases;
  }

  /** Attention with a copy in another shape behind it. */
  static Case attention(long batch, long queries, long keys, boolean symbolic) {
    SplitCases cases = new SplitCases(symbolic);
    List<Made> tensors = new ArrayList<>();
    KernelBuilder builder = new KernelBuilder("attention");
    List<TensorExpr> inputs = new ArrayList<>();
    for (String name : List.of("q", "k", "v")) {
      long length = name.equals("q") ? queries : keys;
      List<PrimExpr> dims =
          List.of(cases.dim(batch), cases.dim(length), IntImm.of(2), IntImm.of(8));
      tensors.add(cases.input(name, Shape.of(batch, length, 2, 8), dims));
      inputs.add(builder.input(name, F32, dims));
    }
    PrimFunc attention =
        builder.build(
            AttentionOps.attention(
                builder,
                "attention",
                inputs.get(0),
                inputs.get(1),
                inputs.get(2),
                null,
                null,
                AttentionOps.CausalMask.NONE));
    Made q = tensors.getFirst();
    Made result =
        cases.call(attention, q.shape(), q.buffer().shape(), q, tensors.get(1), tensors.get(2));
    return cases.done("attention", "relaxvm.attention", cases.flat(result));
  }

  /** An extent; those that are equal are one variable, if they are variables at all. */
  private PrimExpr dim(long value) {
    return symbolic
        ? extents.computeIfAbsent(value, extent -> Var.index("n" + extent))
        : IntImm.of(value);
  }

  private Case done(String name, String function, Made... outputs) {
    PrimFunc kernel = fusion.build(List.of(outputs).stream().map(Made::buffer).toList(), List.of());
    List<Shape> shapes = List.of(outputs).stream().map(Made::shape).toList();
    return new Case(name, kernel, List.copyOf(inputs), shapes, function);
  }

  private Made input(String name, long... dims) {
    return input(name, Shape.of(dims), LongStream.of(dims).mapToObj(this::dim).toList());
  }

  private Made input(String name, Shape shape, List<PrimExpr> dims) {
    inputs.add(shape);
    return new Made(fusion.input(name, F32, dims), shape);
  }

  private Made call(PrimFunc callee, Shape shape, List<PrimExpr> extents, Made... arguments) {
    List<Buffer> tensors = List.of(arguments).stream().map(Made::buffer).toList();
    List<CallOutput> outputs = List.of(CallOutput.fresh(F32, extents));
    return new Made(fusion.call(callee, tensors, List.of(), outputs).getFirst(), shape);
  }

  private Made product(long m, long k, long n) {
    return product(input("x", m, k), input("w", k, n));
  }

  private Made product(Made x, Made w) {
    KernelBuilder builder = new KernelBuilder("matmul");
    PrimExpr inner = x.buffer().shape().get(1);
    TensorExpr a = builder.input("A", F32, x.buffer().shape());
    TensorExpr b = builder.input("B", F32, List.of(inner, w.buffer().shape().get(1)));
    PrimFunc matmul = builder.build(LinearOps.matmul(builder, "matmul", a, b, null));
    List<PrimExpr> shape = List.of(x.buffer().shape().get(0), w.buffer().shape().get(1));
    Shape result = Shape.of(x.shape().dim(0), w.shape().dim(1));
    return call(matmul, result, shape, x, w);
  }

  private Made convolution(long batch, long size, long pad) {
    Shape shape = Shape.of(batch, 3, size, size);
    Made x = input("x", shape, List.of(dim(batch), IntImm.of(3), dim(size), dim(size)));
    Shape window = Shape.of(4, 3, 3, 3);
    List<PrimExpr> windows = LongStream.of(4, 3, 3, 3).<PrimExpr>mapToObj(IntImm::of).toList();
    Made w = input("w", window, windows);
    KernelBuilder builder = new KernelBuilder("conv2d");
    ConvAttrs attrs =
        ConvAttrs.plain(2).with(List.of(1L, 1L), List.of(pad, pad, pad, pad), List.of(1L, 1L), 1);
    TensorExpr data = builder.input("A", F32, x.buffer().shape());
    TensorExpr weight = builder.input("B", F32, w.buffer().shape());
    TensorExpr out = ConvOps.conv(builder, "conv2d", data, weight, attrs);
    long places = size + 2 * pad - 2;
    return call(builder.build(out), Shape.of(batch, 4, places, places), out.shape(), x, w);
  }

  /** A kernel of one input. */
  private Made unary(
      Made x,
      Shape shape,
      List<PrimExpr> result,
      BiFunction<KernelBuilder, TensorExpr, TensorExpr> op) {
    KernelBuilder builder = new KernelBuilder("unary");
    TensorExpr in = builder.input("A", F32, own(x));
    return call(builder.build(op.apply(builder, in)), shape, result, x);
  }

  /** A kernel whose result has the shape of its input. */
  private Made unary(Made x, BiFunction<KernelBuilder, TensorExpr, TensorExpr> op) {
    return unary(x, x.shape(), x.buffer().shape(), op);
  }

  /** Extents as a kernel has them that knows nothing of the caller's variables. */
  private static List<PrimExpr> own(Made x) {
    List<PrimExpr> own = new ArrayList<>();
    for (PrimExpr extent : x.buffer().shape()) {
      own.add(extent instanceof IntImm ? extent : Var.index("d" + own.size()));
    }
    return own;
  }

  private Made scaled(Made x) {
    FloatImm half = new FloatImm(F32, 0.5);
    return unary(x, (b, a) -> b.compute("T_scale", a.shape(), i -> Exprs.mul(a.at(i), half)));
  }

  /** Changes a tensor where it is. */
  private void halve(Made x) {
    fusion.call(HALVE, List.of(x.buffer()), List.of(), List.of(CallOutput.inPlace(0)));
  }

  private Made relu(Made x) {
    return unary(x, (b, a) -> ActivationOps.relu(b, "T_relu", a));
  }

  private Made exp(Made x) {
    return unary(x, (b, a) -> UnaryOps.math(b, "T_exp", Intrinsic.EXP, a));
  }

  private Made transposed(Made x) {
    Shape shape = Shape.of(x.shape().dim(1), x.shape().dim(0));
    List<PrimExpr> dims = x.buffer().shape().reversed();
    return unary(x, shape, dims, (b, a) -> ShapeOps.permuteDims(b, "T_transpose", a, null));
  }

  private Made flat(Made x) {
    Shape shape = Shape.of(x.shape().elementCount());
    PrimExpr count = x.buffer().shape().stream().reduce(IntImm.of(1), Exprs::mul);
    return unary(x, shape, List.of(count), (b, a) -> ShapeOps.flatten(b, "T_flatten", a));
  }

  private Made sum(Made x, Made y) {
    KernelBuilder b = new KernelBuilder("add");
    List<PrimExpr> shape = own(x);
    int rank = y.shape().rank();
    TensorExpr left = b.input("A", F32, shape);
    TensorExpr right = b.input("B", F32, shape.subList(shape.size() - rank, shape.size()));
    PrimFunc add = b.build(BinaryOps.add(b, "T_add", left, right));
    return call(add, x.shape(), x.buffer().shape(), x, y);
  }

  private Made biased(Made x) {
    return sum(x, input("bias", x.shape().dim(1)));
  }
}
