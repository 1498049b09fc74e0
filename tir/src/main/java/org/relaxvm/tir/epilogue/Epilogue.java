package org.relaxvm.tir.epilogue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What stages after a matrix product or convolution do with its elements: {@code function(product +
 * bias + residual)}. Immutable and thread-safe.
 *
 * @param bias lies along one axis of the product; other axes of it have one element
 * @param residual has the shape of the product
 * @param output where the result goes: the product itself when there is nothing to do
 */
public record Epilogue(
    Optional<Buffer> bias, Optional<Buffer> residual, EpilogueFunction function, Buffer output) {

  private static Epilogue none(Buffer output) {
    return new Epilogue(Optional.empty(), Optional.empty(), EpilogueFunction.NONE, output);
  }

  /** Whether elements of the product stay what they are. */
  public boolean isEmpty() {
    return bias.isEmpty() && residual.isEmpty() && function == EpilogueFunction.NONE;
  }

  /**
   * What a kernel does with a buffer.
   *
   * @param product what the library function would write
   * @param biasAxis of the product, along which a bias lies
   * @return empty when the kernel does anything else besides
   */
  public static Optional<Epilogue> of(PrimFunc function, Buffer product, int biasAxis) {
    if (!Stage.isMadeOnce(Stage.of(function), product)) {
      return Optional.empty();
    }
    boolean given = function.buffers().contains(product);
    List<BlockRealize> behind = behind(inlinedBehind(function, product), product);
    if (behind.isEmpty() || given) {
      return behind.isEmpty() && given && writesOnly(function, product)
          ? Optional.of(none(product))
          : Optional.empty();
    }
    BlockRealize last = behind.getFirst();
    if (behind.size() > 1
        || !last.predicate().equals(IntImm.of(true))
        || !(last.block().body() instanceof BufferStore store)
        || last.block().init().isPresent()
        || !isWhole(last.block(), store.buffer(), product)
        || !writesOnly(function, store.buffer())) {
      return Optional.empty();
    }
    Activations.Applied applied = Activations.of(store.value());
    return summands(applied, store, product, biasAxis)
        .filter(found -> given(function, found.bias()) && given(function, found.residual()));
  }

  private static boolean given(PrimFunc function, Optional<Buffer> buffer) {
    return buffer.isEmpty() || function.buffers().contains(buffer.get());
  }

  /** Bias and residual among what is added up. */
  private static Optional<Epilogue> summands(
      Activations.Applied applied, BufferStore store, Buffer product, int biasAxis) {
    PrimExpr along = store.indices().get(biasAxis);
    Optional<Buffer> bias = Optional.empty();
    Optional<Buffer> residual = Optional.empty();
    int products = 0;
    List<PrimExpr> summands = flat(applied.argument());
    // Those first that can be no residual: of one row, what can be one can be a bias too.
    summands.sort(Comparator.comparing(summand -> isResidual(summand, store)));
    for (PrimExpr summand : summands) {
      if (!(summand instanceof BufferLoad load)) {
        return Optional.empty();
      } else if (load.buffer().equals(product) && isAt(load, store.indices())) {
        products++;
      } else if (bias.isEmpty() && isAlong(load, along)) {
        bias = Optional.of(load.buffer());
      } else if (residual.isEmpty() && isResidual(load, store)) {
        residual = Optional.of(load.buffer());
      } else {
        return Optional.empty();
      }
    }
    return products == 1
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

  /** Whether a block writes each element of a buffer of the product's shape once. */
  private static boolean isWhole(Block block, Buffer written, Buffer product) {
    if (!(block.body() instanceof BufferStore store)
        || !written.shape().equals(product.shape())
        || !block.iterVars().stream().allMatch(axis -> axis.kind() == IterKind.SPATIAL)) {
      return false;
    }
    List<PrimExpr> axes = block.iterVars().stream().<PrimExpr>map(axis -> axis.var()).toList();
    List<PrimExpr> extents = block.iterVars().stream().map(axis -> axis.domain().extent()).toList();
    return store.indices().equals(axes) && extents.equals(written.shape());
  }

  /** Whether no parameter is written but one. */
  private static boolean writesOnly(PrimFunc function, Buffer output) {
    List<Buffer> given = function.buffers();
    boolean[] others = {false};
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BufferStore store) {
          others[0] |= given.contains(store.buffer()) && !store.buffer().equals(output);
        }
        super.visit(stmt);
      }
    }.visit(function.body());
    return !others[0] && given.contains(output);
  }

  /** The kernel with one stage where there were several in sequence. */
  private static PrimFunc inlinedBehind(PrimFunc function, Buffer product) {
    Schedule schedule = new Schedule(function);
    for (BlockRealize stage : behind(function, product)) {
      try {
        schedule.inline(stage.block().name());
      } catch (InvalidProgramException notAnElementwiseStage) {
        // It stays, and is looked at as it is.
        continue;
      }
    }
    return schedule.function();
  }

  /** The stages after the last one that writes a buffer. */
  private static List<BlockRealize> behind(PrimFunc function, Buffer product) {
    List<BlockRealize> stages = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (!(stmt instanceof BlockRealize realize)) {
          super.visit(stmt);
        } else if (realize.block().name().equals(Block.ROOT)) {
          visit(realize.block().body());
        } else if (writes(realize.block(), product)) {
          stages.clear();
        } else {
          stages.add(realize);
        }
      }
    }.visit(function.body());
    return stages;
  }

  private static boolean writes(Block block, Buffer buffer) {
    return block.writes().stream().map(BufferRegion::buffer).anyMatch(buffer::equals);
  }
}
