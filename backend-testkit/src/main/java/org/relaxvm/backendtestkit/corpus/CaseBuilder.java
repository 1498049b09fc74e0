package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Builds a case of an operator, with symbolic or with constant extents. */
final class CaseBuilder {
  final KernelBuilder k;
  private final String name;
  private final boolean dynamic;
  private final Map<String, List<Long>> sizes = new LinkedHashMap<>();
  private final Map<String, Fill> fills = new HashMap<>();
  private Tolerance tolerance = Tolerance.TIGHT;
  private @Nullable String library;
  private String libraryArgs = "";

  CaseBuilder(String name, boolean dynamic) {
    this.name = name;
    this.dynamic = dynamic;
    this.k = new KernelBuilder(name);
  }

  /** An extent: symbolic with some sizes, or the first of them. */
  PrimExpr dim(String extent, long... values) {
    if (!dynamic) {
      return IntImm.of(values[0]);
    }
    return sized(k.extent(extent), values);
  }

  /** The same as a parameter, for an extent that no tensor has. */
  PrimExpr scalarDim(String extent, long... values) {
    return dynamic ? sized(k.scalar(extent, DType.INT64), values) : IntImm.of(values[0]);
  }

  private Var sized(Var var, long[] values) {
    List<Long> all = new ArrayList<>();
    for (long value : values) {
      all.add(value);
    }
    sizes.put(var.name(), all);
    return var;
  }

  TensorExpr input(String param, DType dtype, PrimExpr... shape) {
    return k.input(param, dtype, List.of(shape));
  }

  TensorExpr input(String param, DType dtype, Fill fill, PrimExpr... shape) {
    fills.put(param, fill);
    return k.input(param, dtype, List.of(shape));
  }

  CaseBuilder tolerance(double float32, double floor, String reason) {
    tolerance = new Tolerance(float32, floor, reason);
    return this;
  }

  CaseBuilder exact() {
    tolerance = Tolerance.EXACT;
    return this;
  }

  /** Names the function of the kernel library that gives the same. */
  CaseBuilder library(String function, String args) {
    library = "relaxvm." + function;
    libraryArgs = args;
    return this;
  }

  KernelCase build(TensorExpr... outputs) {
    PrimFunc function = k.build(outputs);
    Optional<LibraryHint> hint =
        library == null
            ? LibraryHint.of(function)
            : Optional.of(new LibraryHint(library, LibraryHint.parse(libraryArgs)));
    return new KernelCase(name, function, bindings(), fills, tolerance, hint);
  }

  private List<Map<String, Long>> bindings() {
    int runs = sizes.values().stream().mapToInt(List::size).max().orElse(1);
    List<Map<String, Long>> bindings = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      Map<String, Long> binding = new HashMap<>();
      for (Map.Entry<String, List<Long>> size : sizes.entrySet()) {
        binding.put(size.getKey(), size.getValue().get(run % size.getValue().size()));
      }
      bindings.add(binding);
    }
    return bindings;
  }
}
