package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;

/**
 * What a kernel computes from the elements of a GEMM or convolution: {@code function(element + bias
 * + residual)}. Immutable and thread-safe.
 *
 * @param bias its elements lie along one axis of the output; its other axes have the extent 1
 * @param residual has the shape of the output
 * @param output the buffer that is written: that of the GEMM itself when the epilogue is empty
 */
public record Epilogue(
    Optional<Buffer> bias, Optional<Buffer> residual, EpilogueFunction function, Buffer output) {

  private static Epilogue none(Buffer output) {
    return new Epilogue(Optional.empty(), Optional.empty(), EpilogueFunction.NONE, output);
  }

  /** Whether elements are stored unchanged. */
  public boolean isEmpty() {
    return bias.isEmpty() && residual.isEmpty() && function == EpilogueFunction.NONE;
  }

  /** See {@link KernelAnalysis#epilogue}. */
  static Optional<Epilogue> of(KernelAnalysis kernel, Buffer result, int biasAxis) {
    if (!kernel.isWrittenOnce(result)) {
      return Optional.empty();
    }
    boolean isParameter = kernel.kernel().buffers().contains(result);
    List<Nest> after = after(kernel, result);
    if (after.isEmpty() || isParameter) {
      return after.isEmpty() && isParameter && kernel.writesOnly(result)
          ? Optional.of(none(result))
          : Optional.empty();
    }
    if (after.size() > 1 && !kernel.isUnscheduled()) {
      return Optional.empty();
    }
    Elementwise stages = new Elementwise(kernel);
    for (Nest nest : after.subList(0, after.size() - 1)) {
      if (!stages.inline(nest, after)) {
        return Optional.empty();
      }
    }
    Nest last = after.getLast();
    if (!isWhole(last, result)
        || !(last.block().body() instanceof BufferStore store)
        || !kernel.writesOnly(store.buffer())) {
      return Optional.empty();
    }
    PrimFunc function = kernel.kernel();
    Activations.Applied applied = Activations.of(stages.rewrite(store.value()));
    return summands(applied, store, result, biasAxis)
        .filter(
            found ->
                isParameter(function, found.bias()) && isParameter(function, found.residual()));
  }

  private static boolean isParameter(PrimFunc function, Optional<Buffer> buffer) {
    return buffer.isEmpty() || function.buffers().contains(buffer.get());
  }

  /** The blocks after the last one that writes a buffer. */
  private static List<Nest> after(KernelAnalysis kernel, Buffer buffer) {
    List<Nest> after = new ArrayList<>();
    for (Nest nest : kernel.nests()) {
      if (nest.stores().stream().map(Access::buffer).anyMatch(buffer::equals)) {
        after.clear();
      } else {
        after.add(nest);
      }
    }
    return after;
  }

  /** Replaces loads of temporaries by the expressions that elementwise stages store into them. */
  private static final class Elementwise extends IrMutator {
    private final KernelAnalysis kernel;
    private final Map<Buffer, BufferStore> stores = new HashMap<>();

    Elementwise(KernelAnalysis kernel) {
      this.kernel = kernel;
    }

    /**
     * Adds a stage.
     *
     * @param all the stages it is one of, in order
     * @return false when its expression cannot be evaluated where its buffer is read
     */
    boolean inline(Nest nest, List<Nest> all) {
      Block block = nest.block();
      if (!isUnconditional(nest)
          || !(block.body() instanceof BufferStore store)
          || kernel.kernel().buffers().contains(store.buffer())) {
        return false;
      }
      Set<PrimExpr> axes = new HashSet<>(block.iterVars().stream().map(IterVar::var).toList());
      boolean isElementwise =
          store.indices().size() == axes.size() && axes.equals(new HashSet<>(store.indices()));
      // Another writer, before the GEMM too, leaves elements that this expression does not give.
      if (!isElementwise || kernel.writers(store.buffer()).size() != 1) {
        return false;
      }
      boolean isStable =
          nest.accesses().stream()
              .filter(access -> !access.writes())
              .noneMatch(
                  read ->
                      read.buffer().equals(store.buffer())
                          || writesLater(all, nest, read.buffer()));
      if (isStable) {
        stores.put(
            store.buffer(),
            new BufferStore(store.buffer(), rewrite(store.value()), store.indices()));
      }
      return isStable;
    }

    private static boolean writesLater(List<Nest> all, Nest nest, Buffer buffer) {
      return writes(all.subList(all.indexOf(nest) + 1, all.size()), buffer);
    }

    private static boolean writes(List<Nest> nests, Buffer buffer) {
      return nests.stream()
          .flatMap(nest -> nest.stores().stream())
          .anyMatch(store -> store.buffer().equals(buffer));
    }

    @Override
    public PrimExpr rewrite(PrimExpr expr) {
      PrimExpr changed = super.rewrite(expr);
      BufferStore store = changed instanceof BufferLoad load ? stores.get(load.buffer()) : null;
      if (store == null || !(changed instanceof BufferLoad load)) {
        return changed;
      }
      Map<Var, PrimExpr> point = new HashMap<>();
      for (int axis = 0; axis < load.indices().size(); axis++) {
        point.put((Var) store.indices().get(axis), load.indices().get(axis));
      }
      return Substitution.in(store.value(), point);
    }
  }

  /** Whether a block runs at all points of its axes, none of which is a reduction. */
  private static boolean isUnconditional(Nest nest) {
    return nest.realize().predicate().equals(IntImm.of(true))
        && nest.block().init().isEmpty()
        && nest.block().iterVars().stream().allMatch(axis -> axis.kind() == IterKind.SPATIAL);
  }

  /** Whether a block writes each element of a buffer of the result's shape once. */
  private static boolean isWhole(Nest nest, Buffer result) {
    if (!isUnconditional(nest)
        || !(nest.block().body() instanceof BufferStore store)
        || !store.buffer().shape().equals(result.shape())) {
      return false;
    }
    List<IterVar> iterVars = nest.block().iterVars();
    List<PrimExpr> axes = iterVars.stream().<PrimExpr>map(IterVar::var).toList();
    List<PrimExpr> extents = iterVars.stream().map(axis -> axis.domain().extent()).toList();
    return store.indices().equals(axes) && extents.equals(result.shape());
  }

  /** Bias and residual among what is added up. */
  private static Optional<Epilogue> summands(
      Activations.Applied applied, BufferStore store, Buffer result, int biasAxis) {
    PrimExpr along = store.indices().get(biasAxis);
    Optional<Buffer> bias = Optional.empty();
    Optional<Buffer> residual = Optional.empty();
    int results = 0;
    List<PrimExpr> summands = flat(applied.argument());
    // Those first that can be no residual: of one row, what can be one can be a bias too.
    summands.sort(Comparator.comparing(summand -> isResidual(summand, store)));
    for (PrimExpr summand : summands) {
      if (!(summand instanceof BufferLoad load)) {
        return Optional.empty();
      } else if (load.buffer().equals(result) && isAt(load, store.indices())) {
        results++;
      } else if (bias.isEmpty() && isAlong(load, along)) {
        bias = Optional.of(load.buffer());
      } else if (residual.isEmpty() && isResidual(load, store)) {
        residual = Optional.of(load.buffer());
      } else {
        return Optional.empty();
      }
    }
    return results == 1
        ? Optional.of(new Epilogue(bias, residual, applied.function(), store.buffer()))
        : Optional.empty();
  }

  private static boolean isResidual(PrimExpr summand, BufferStore store) {
    return summand instanceof BufferLoad load
        && load.buffer().shape().equals(store.buffer().shape())
        && isAt(load, store.indices());
  }

  /** Whether an element is that at these indices; along an axis of one element it always is. */
  private static boolean isAt(BufferLoad load, List<PrimExpr> indices) {
    for (int axis = 0; axis < indices.size(); axis++) {
      if (!load.indices().get(axis).equals(indices.get(axis)) && !isUnit(load, axis)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an element is chosen by one axis alone: all others have one element. */
  private static boolean isAlong(BufferLoad load, PrimExpr along) {
    int chosen = 0;
    for (int axis = 0; axis < load.indices().size(); axis++) {
      if (load.indices().get(axis).equals(along)) {
        chosen++;
      } else if (!isUnit(load, axis)) {
        return false;
      }
    }
    return chosen == 1;
  }

  private static boolean isUnit(BufferLoad load, int axis) {
    return load.buffer().shape().get(axis).equals(IntImm.of(1));
  }

  private static List<PrimExpr> flat(PrimExpr sum) {
    if (sum instanceof Binary binary && binary.op() == BinaryOp.ADD) {
      List<PrimExpr> parts = new ArrayList<>(flat(binary.a()));
      parts.addAll(flat(binary.b()));
      return parts;
    }
    return new ArrayList<>(List.of(sum));
  }
}
