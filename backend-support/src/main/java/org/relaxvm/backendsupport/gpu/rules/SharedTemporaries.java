package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Keeps what one work-group alone writes and reads in shared memory, where it is small enough:
 * temporaries whose first axes are always at the numbers of the work-group.
 */
final class SharedTemporaries {
  private final GpuLimits limits;

  SharedTemporaries(GpuLimits limits) {
    this.limits = limits;
  }

  /** Whether a temporary has an innermost extent that is not known, so that it is never moved. */
  static boolean isOfUnknownSize(Buffer buffer) {
    return buffer.rank() > 0 && !(buffer.shape().getLast() instanceof IntImm);
  }

  /**
   * The launches with such temporaries in memory of work-groups.
   *
   * @param temporaries those that are left stay in this list
   */
  List<Stmt> in(List<Stmt> launches, List<Buffer> temporaries) {
    List<Uses> uses = launches.stream().map(Uses::of).toList();
    List<Stmt> changed = new ArrayList<>();
    for (int i = 0; i < launches.size(); i++) {
      changed.add(in(launches.get(i), i, uses, temporaries));
    }
    return changed;
  }

  private Stmt in(Stmt launch, int number, List<Uses> uses, List<Buffer> temporaries) {
    long room = limits.localMemoryBytes() / 2 - uses.get(number).sharedBytes;
    Map<Buffer, Buffer> moved = new LinkedHashMap<>();
    Map<Buffer, Integer> axes = new HashMap<>();
    for (Buffer buffer : List.copyOf(temporaries)) {
      Uses own = uses.get(number);
      if (!own.indices.containsKey(buffer)
          || uses.stream().filter(use -> use.indices.containsKey(buffer)).count() != 1) {
        continue;
      }
      int leading = own.leadingAxes(buffer);
      Optional<Long> bytes = bytes(buffer, leading);
      if (leading > 0 && bytes.isPresent() && bytes.get() <= room) {
        room -= bytes.get();
        List<PrimExpr> shape = buffer.shape().subList(leading, buffer.rank());
        moved.put(buffer, Buffer.of(buffer.name(), buffer.dtype(), shape, MemoryScope.SHARED));
        axes.put(buffer, leading);
        temporaries.remove(buffer);
      }
    }
    return moved.isEmpty() ? launch : new Move(moved, axes).around(launch);
  }

  private static Optional<Long> bytes(Buffer buffer, int leading) {
    long bytes = GpuLimits.localBytes(buffer.dtype());
    for (PrimExpr extent : buffer.shape().subList(leading, buffer.rank())) {
      if (!(extent instanceof IntImm known) || known.value() > Integer.MAX_VALUE) {
        return Optional.empty();
      }
      bytes *= Math.max(1, known.value());
    }
    return Optional.of(bytes);
  }

  /** How a launch uses its buffers. */
  private static final class Uses extends IrVisitor {
    final Map<Buffer, Set<List<PrimExpr>>> indices = new HashMap<>();
    long sharedBytes;
    private final Set<Var> workGroups = new HashSet<>();

    static Uses of(Stmt launch) {
      Uses uses = new Uses();
      uses.visit(launch);
      return uses;
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case For loop
            when loop.thread().isPresent() && loop.thread().get() != ThreadAxis.THREAD_X ->
            workGroups.add(loop.loopVar());
        case BufferStore store -> record(store.buffer(), store.indices());
        case BlockRealize realize -> {
          boolean stored =
              Boolean.TRUE.equals(realize.block().annotations().get(ScheduleAnnotations.STORED));
          for (Buffer buffer : realize.block().allocBuffers()) {
            if (buffer.scope() == MemoryScope.SHARED) {
              long bytes = bytes(buffer, 0).orElse(0L);
              DType dtype = buffer.dtype();
              sharedBytes +=
                  stored ? bytes / GpuLimits.localBytes(dtype) * dtype.elementByteSize() : bytes;
            }
          }
        }
        default -> {}
      }
      super.visit(stmt);
    }

    @Override
    public void visit(PrimExpr expr) {
      if (expr instanceof BufferLoad load) {
        record(load.buffer(), load.indices());
      }
      super.visit(expr);
    }

    private void record(Buffer buffer, List<PrimExpr> at) {
      indices.computeIfAbsent(buffer, b -> new LinkedHashSet<>()).add(at);
    }

    /** How many first axes are always at the same index, which depends on the work-group alone. */
    int leadingAxes(Buffer buffer) {
      Set<List<PrimExpr>> all = indices.getOrDefault(buffer, Set.of());
      List<PrimExpr> first = all.iterator().next();
      int leading = 0;
      while (leading < buffer.rank()) {
        int axis = leading;
        PrimExpr index = first.get(axis);
        if (!dependsOnWorkGroup(index)
            || !all.stream().allMatch(at -> at.get(axis).equals(index))) {
          break;
        }
        leading++;
      }
      return leading;
    }

    private boolean dependsOnWorkGroup(PrimExpr index) {
      return switch (index) {
        case Var var -> workGroups.contains(var);
        case BufferLoad load -> false;
        default -> index.operands().stream().allMatch(this::dependsOnWorkGroupOrCall);
      };
    }

    private boolean dependsOnWorkGroupOrCall(PrimExpr index) {
      return index instanceof Var var
          ? workGroups.contains(var) || isExtent(var)
          : dependsOnWorkGroup(index);
    }

    private boolean isExtent(Var var) {
      return indices.keySet().stream().anyMatch(buffer -> buffer.shape().contains(var));
    }
  }

  /** Replaces buffers by others that have more axes in front. */
  private static final class Move extends IrMutator {
    private final Map<Buffer, Buffer> moved;
    private final Map<Buffer, Integer> axes;
    private boolean placed;

    Move(Map<Buffer, Buffer> moved, Map<Buffer, Integer> axes) {
      this.moved = moved;
      this.axes = axes;
    }

    Stmt around(Stmt launch) {
      return rewrite(launch);
    }

    @Override
    public Stmt rewrite(Stmt stmt) {
      if (stmt instanceof For loop
          && loop.thread().isPresent()
          && loop.thread().get() != ThreadAxis.THREAD_X
          && !(loop.body() instanceof For inner && inner.thread().isPresent())
          && !placed) {
        placed = true;
        List<Buffer> buffers = new ArrayList<>(moved.values());
        Map<String, Object> annotations = Map.of();
        Stmt body = loop.body();
        if (body instanceof BlockRealize realize) {
          Block block = realize.block();
          buffers.addAll(0, block.allocBuffers());
          annotations = block.annotations();
          body = block.body();
        }
        return new For(
            loop.loopVar(),
            loop.min(),
            loop.extent(),
            loop.kind(),
            loop.thread(),
            WorkGroups.annotated(buffers, annotations, rewrite(body)),
            loop.annotations());
      }
      Stmt changed = super.rewrite(stmt);
      return changed instanceof BufferStore store && moved.containsKey(store.buffer())
          ? new BufferStore(
              target(store.buffer()), store.value(), trailing(store.buffer(), store.indices()))
          : changed;
    }

    @Override
    public PrimExpr rewrite(PrimExpr expr) {
      PrimExpr changed = super.rewrite(expr);
      return changed instanceof BufferLoad load && moved.containsKey(load.buffer())
          ? new BufferLoad(target(load.buffer()), trailing(load.buffer(), load.indices()))
          : changed;
    }

    private Buffer target(Buffer buffer) {
      return moved.getOrDefault(buffer, buffer);
    }

    private List<PrimExpr> trailing(Buffer buffer, List<PrimExpr> indices) {
      return indices.subList(axes.getOrDefault(buffer, 0), indices.size());
    }
  }
}
