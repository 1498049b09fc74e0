package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.Reducer;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Kernels of a few stages over up to three dimensions: formulas of what was there before, broadcast
 * and permuted, and reductions over some of the dimensions.
 */
final class RandomKernels {
  private static final List<BinaryOp> OPS =
      List.of(BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX);
  private static final List<Reducer> REDUCERS = List.of(Reducer.SUM, Reducer.MAX, Reducer.MIN);

  private final Random random;
  private final KernelBuilder kernel = new KernelBuilder("random");
  private final List<PrimExpr> extents = new ArrayList<>();
  private final List<Known> known = new ArrayList<>();

  /** A tensor and the dimensions that its axes are. */
  private record Known(TensorExpr tensor, List<Integer> dims) {
    PrimExpr at(IntFunction<PrimExpr> point) {
      return tensor.at(dims.stream().map(point::apply).toList());
    }
  }

  private RandomKernels(Random random) {
    this.random = random;
  }

  static PrimFunc of(Random random) {
    return new RandomKernels(random).build();
  }

  private PrimFunc build() {
    int dims = 1 + random.nextInt(3);
    List<Integer> all = new ArrayList<>();
    for (int d = 0; d < dims; d++) {
      all.add(d);
      extents.add(random.nextBoolean() ? kernel.extent("n" + d) : IntImm.of(1 + random.nextInt(6)));
    }
    // The first one has all dimensions, and so defines all extents.
    input(all);
    for (int i = random.nextInt(2); i > 0; i--) {
      input(someOf(all));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      known.add(stage("T" + i));
    }
    return kernel.build(stage("out").tensor());
  }

  private void input(List<Integer> dims) {
    TensorExpr tensor = kernel.input("X" + known.size(), DType.INT32, shape(dims));
    known.add(new Known(tensor, List.copyOf(dims)));
  }

  private Known stage(String name) {
    Known a = any();
    Known b = any();
    BinaryOp op = OPS.get(random.nextInt(OPS.size()));
    TreeSet<Integer> union = new TreeSet<>(a.dims());
    union.addAll(b.dims());
    List<Integer> spatial = someOf(new ArrayList<>(union));
    List<Integer> reduced = new ArrayList<>(union);
    reduced.removeAll(spatial);
    TensorExpr tensor =
        reduced.isEmpty()
            ? formula(name, spatial, a, b, op)
            : kernel.reduce(
                name,
                shape(spatial),
                shape(reduced),
                REDUCERS.get(random.nextInt(REDUCERS.size())),
                (i, r) -> value(op, a, b, dim -> point(dim, spatial, i, reduced, r)));
    return new Known(tensor, spatial);
  }

  private TensorExpr formula(String name, List<Integer> dims, Known a, Known b, BinaryOp op) {
    boolean inlined = !name.equals("out") && random.nextInt(4) == 0;
    return inlined
        ? kernel.inlined(name, shape(dims), i -> value(op, a, b, dim -> i.get(dims.indexOf(dim))))
        : kernel.compute(name, shape(dims), i -> value(op, a, b, dim -> i.get(dims.indexOf(dim))));
  }

  private static PrimExpr value(BinaryOp op, Known a, Known b, IntFunction<PrimExpr> point) {
    return Exprs.binary(op, a.at(point), b.at(point));
  }

  private static PrimExpr point(
      int dim, List<Integer> spatial, List<PrimExpr> i, List<Integer> reduced, List<PrimExpr> r) {
    int at = spatial.indexOf(dim);
    return at >= 0 ? i.get(at) : r.get(reduced.indexOf(dim));
  }

  private Known any() {
    return known.get(random.nextInt(known.size()));
  }

  private List<PrimExpr> shape(List<Integer> dims) {
    return dims.stream().map(extents::get).toList();
  }

  /** Some in any order, mostly all. */
  private List<Integer> someOf(List<Integer> dims) {
    List<Integer> some = new ArrayList<>(dims);
    Collections.shuffle(some, random);
    int dropped = random.nextBoolean() || some.isEmpty() ? 0 : random.nextInt(some.size() + 1);
    return List.copyOf(some.subList(0, some.size() - dropped));
  }
}
