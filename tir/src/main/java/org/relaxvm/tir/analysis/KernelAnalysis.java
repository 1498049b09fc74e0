package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What a kernel is made of. Schedules of all devices and the substitution of library functions read
 * the same analysis of a kernel. It does not depend on the names of blocks, buffers or operators.
 *
 * <p>Results that are expensive are computed on first use. Immutable and thread-safe.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why is there one analysis of a kernel?"
 */
public final class KernelAnalysis {
  private final PrimFunc kernel;
  private final List<Nest> nests;
  private final boolean unscheduled;
  private volatile @Nullable List<Stage> stages;
  private volatile @Nullable Set<Var> independent;
  private volatile @Nullable Map<String, Buffer> namedBuffers;

  private KernelAnalysis(PrimFunc kernel) {
    this.kernel = kernel;
    this.nests = Nest.outermost(kernel);
    this.unscheduled = isUnscheduled(nests);
  }

  /** The analysis of a kernel, which need not be verified. */
  public static KernelAnalysis of(PrimFunc kernel) {
    return new KernelAnalysis(kernel);
  }

  /** The kernel. */
  public PrimFunc kernel() {
    return kernel;
  }

  /** The outermost blocks other than the root, each with its loops, in order. */
  public List<Nest> nests() {
    return nests;
  }

  /** The outermost block of a name, which the kernel must have. */
  public Nest nest(String name) {
    return nests.stream().filter(nest -> nest.name().equals(name)).findFirst().orElseThrow();
  }

  /** The statements of the root in order; of a kernel without a root block, one stage. */
  public List<Stage> stages() {
    List<Stage> known = stages;
    if (known == null) {
      known = statements(kernel).stream().map(Stage::new).toList();
      stages = known;
    }
    return known;
  }

  /**
   * Whether the kernel is not scheduled: each outermost block is alone in its loops, and its name
   * is unique.
   */
  public boolean isUnscheduled() {
    return unscheduled;
  }

  private static List<Stmt> statements(PrimFunc kernel) {
    Stmt body =
        kernel.body() instanceof BlockRealize root && root.block().name().equals(Block.ROOT)
            ? root.block().body()
            : kernel.body();
    return body instanceof Seq(List<Stmt> parts) ? parts : List.of(body);
  }

  private static boolean isUnscheduled(List<Nest> nests) {
    return nests.stream().map(Nest::name).distinct().count() == nests.size()
        && nests.stream()
            .allMatch(
                nest -> nest.loops().isEmpty() || reaches(nest.loops().getFirst(), nest.realize()));
  }

  /** Whether there are only loops between a statement and a block inside of it. */
  @SuppressWarnings("ReferenceEquality") // the same block, not an equal one
  private static boolean reaches(Stmt outer, BlockRealize block) {
    Stmt stmt = outer;
    while (stmt instanceof For loop) {
      stmt = loop.body();
    }
    return stmt == block;
  }

  /**
   * The loop variables of spatial loops whose iterations are proven independent. Empty for a
   * scheduled kernel.
   */
  public Set<Var> independent() {
    Set<Var> known = independent;
    if (known == null) {
      known = unscheduled ? Independence.of(kernel, nests) : Set.of();
      independent = known;
    }
    return known;
  }

  /**
   * The stages with each initialization of a reduction joined to the reduction that follows it.
   * Stages that are one block in rectangular loops are {@linkplain LoopStage loop stages}; a
   * scheduled kernel has none.
   */
  public List<Stage> parallelStages() {
    return parallelStages(this);
  }

  /**
   * As {@link #parallelStages()}, for a version of this kernel in which only the expressions and
   * conditions of blocks differ, such as one with bounds checks. Independence is that of this
   * kernel.
   */
  public List<Stage> parallelStages(KernelAnalysis version) {
    List<Stage> result = new ArrayList<>();
    for (Stage stage : version.stages()) {
      Stage next =
          unscheduled
              ? LoopStage.read(stage, independent()).<Stage>map(s -> s).orElse(stage)
              : stage;
      Optional<LoopStage> joined =
          !result.isEmpty()
                  && result.getLast() instanceof LoopStage init
                  && next instanceof LoopStage reduction
              ? reduction.initializedBy(init)
              : Optional.empty();
      if (joined.isPresent()) {
        result.set(result.size() - 1, joined.get());
      } else {
        result.add(next);
      }
    }
    return result;
  }

  /** The stages that write a buffer. */
  public List<Stage> writers(Buffer buffer) {
    return stages().stream().filter(stage -> stage.writes(buffer)).toList();
  }

  /**
   * Whether a buffer is written by one stage, or by a reduction and its initialization. If so, it
   * is not updated in place.
   */
  public boolean isWrittenOnce(Buffer buffer) {
    List<Stage> writers = writers(buffer);
    return writers.size() == 1
        || (writers.size() == 2
            && writers.getFirst().reads().isEmpty()
            && writers.getLast().reads(buffer)
            && writers.getLast().isReduction());
  }

  /** Whether a parameter is written, and no other one. */
  boolean writesOnly(Buffer parameter) {
    Set<Buffer> written = new HashSet<>();
    stages().forEach(stage -> written.addAll(stage.writes()));
    written.retainAll(kernel.buffers());
    return written.equals(Set.of(parameter));
  }

  /**
   * What the kernel computes from the elements of a buffer.
   *
   * @param buffer the output of a GEMM or convolution
   * @param biasAxis the axis of the buffer along which a bias has its elements
   * @return empty when the kernel computes anything else besides
   */
  public Optional<Epilogue> epilogue(Buffer buffer, int biasAxis) {
    return Epilogue.of(this, buffer, biasAxis);
  }

  /** The buffer of a name, a parameter or a temporary; empty when none has it, or several. */
  public Optional<Buffer> buffer(String name) {
    return Optional.ofNullable(namedBuffers().get(name));
  }

  /** The index of the parameter that has a name; negative when none has it, or several buffers. */
  public int parameterIndex(String name) {
    return buffer(name)
        .map(buffer -> kernel.params().indexOf(new Param.OfBuffer(buffer)))
        .orElse(-1);
  }

  /** Buffers by name, without names that several of them have. */
  private Map<String, Buffer> namedBuffers() {
    Map<String, Buffer> known = namedBuffers;
    if (known == null) {
      Map<String, Buffer> found = new HashMap<>();
      Set<String> ambiguous = new HashSet<>();
      new IrVisitor() {
        @Override
        public void visitBufferDefinition(Buffer buffer) {
          if (found.put(buffer.name(), buffer) != null) {
            ambiguous.add(buffer.name());
          }
        }
      }.visit(kernel);
      found.keySet().removeAll(ambiguous);
      known = Map.copyOf(found);
      namedBuffers = known;
    }
    return known;
  }
}
