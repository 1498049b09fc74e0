package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Kernels of a few stages over up to three dimensions: formulas of what was there before, broadcast
 * and permuted, and reductions over some of the dimensions.
 */
final class RandomKernels {
  private static final int LARGEST_EXTENT = 7;
  private static final List<DType> INPUTS =
      List.of(
          DType.FLOAT32,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.INT32,
          DType.INT32,
          DType.INT64,
          DType.INT8,
          DType.UINT8,
          DType.BOOL);

  private final Random random;
  private final KernelBuilder kernel;
  private final String name;
  private final List<PrimExpr> extents = new ArrayList<>();
  private final List<RandomTerms.Known> known = new ArrayList<>();
  private final Map<String, Long> binding = new HashMap<>();
  private final RandomTerms terms;

  private RandomKernels(String name, Random random) {
    this.name = name;
    this.random = random;
    kernel = new KernelBuilder(name);
    terms = new RandomTerms(random, known, extents);
  }

  /** A kernel with one binding, of which each extent is from 0 to 7. */
  static KernelCase of(String name, Random random) {
    return new RandomKernels(name, random).build();
  }

  private KernelCase build() {
    int dims = 1 + random.nextInt(3);
    List<Integer> all = new ArrayList<>();
    for (int d = 0; d < dims; d++) {
      all.add(d);
      extents.add(extent("n" + d));
    }
    // The first one has all dimensions, and so defines all extents.
    input(all);
    for (int i = random.nextInt(3); i > 0; i--) {
      input(someOf(all));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      known.add(stage("T" + i, random.nextInt(4) == 0));
    }
    RandomTerms.Known out = stage("out", false);
    return new KernelCase(
        name,
        kernel.build(out.tensor()),
        List.of(binding),
        Map.of(),
        out.precision().tolerance(),
        Optional.empty());
  }

  private PrimExpr extent(String symbol) {
    if (random.nextBoolean()) {
      return IntImm.of(1 + random.nextInt(LARGEST_EXTENT - 1));
    }
    binding.put(symbol, (long) random.nextInt(LARGEST_EXTENT + 1));
    return kernel.extent(symbol);
  }

  private void input(List<Integer> dims) {
    DType dtype = terms.anyOf(INPUTS);
    TensorExpr tensor = kernel.input("X" + known.size(), dtype, shape(dims));
    known.add(new RandomTerms.Known(tensor, List.copyOf(dims), Precision.ofInput(dtype)));
  }

  private RandomTerms.Known stage(String stage, boolean inlined) {
    Term term = terms.any();
    List<Integer> spatial = someOf(List.copyOf(term.dims()));
    List<Integer> reduced = new ArrayList<>(term.dims());
    reduced.removeAll(spatial);
    if (!reduced.isEmpty()) {
      return reduction(stage, term, spatial, reduced);
    }
    TensorExpr tensor =
        inlined
            ? kernel.inlined(
                stage, shape(spatial), i -> term.formula().at(d -> i.get(spatial.indexOf(d))))
            : kernel.compute(
                stage, shape(spatial), i -> term.formula().at(d -> i.get(spatial.indexOf(d))));
    return new RandomTerms.Known(tensor, spatial, term.precision());
  }

  private RandomTerms.Known reduction(
      String stage, Term term, List<Integer> spatial, List<Integer> reduced) {
    Precision precision = term.precision();
    Precision sum = precision.sum((long) Math.pow(LARGEST_EXTENT, reduced.size()));
    Reducer reducer;
    if (term.dtype().equals(DType.BOOL)) {
      reducer = terms.anyOf(List.of(Reducer.ALL, Reducer.ANY));
    } else if (sum.isUsable() && random.nextBoolean()) {
      reducer = Reducer.SUM;
      precision = sum;
    } else if (!term.dtype().isFloat() && random.nextInt(3) == 0) {
      reducer = Reducer.PROD;
      precision = precision.anything();
    } else {
      reducer = terms.anyOf(List.of(Reducer.MAX, Reducer.MIN));
      // Of nothing, the extreme integer.
      precision = precision.anything();
    }
    TensorExpr tensor =
        kernel.reduce(
            stage,
            shape(spatial),
            shape(reduced),
            reducer,
            (i, r) ->
                term.formula()
                    .at(
                        d ->
                            spatial.contains(d)
                                ? i.get(spatial.indexOf(d))
                                : r.get(reduced.indexOf(d))));
    return new RandomTerms.Known(tensor, spatial, precision);
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
