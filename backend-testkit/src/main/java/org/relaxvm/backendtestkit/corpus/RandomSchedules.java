package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Random kernels and small ones of the corpus, with random primitives that are legal for them: what
 * a generator of code may be given. Immutable and thread-safe.
 *
 * <pre>{@code
 * RandomSchedule schedule = new RandomSchedules().of(seed);
 * schedule.compare(arguments -> run(schedule.scheduled(), arguments)); // must find no mismatch
 * }</pre>
 */
public final class RandomSchedules {
  private static final int MOST_PRIMITIVES = 10;
  private static final long MAX_ITERATIONS = 2000;
  private static final Tolerance REORDERED = new Tolerance(1e-5, 1, "sums in another order");

  /** A kernel with extents that are quick. */
  private record Small(KernelCase kernel, Map<String, Long> binding) {}

  private final List<Small> corpus = new ArrayList<>();

  /** Reads the corpus, which takes a second or so: better made once. */
  public RandomSchedules() {
    for (KernelCase kernel : KernelCorpus.kernels()) {
      for (Map<String, Long> binding : kernel.bindings()) {
        if (!hasNarrowFloats(kernel) && Iterations.of(kernel, binding) <= MAX_ITERATIONS) {
          corpus.add(new Small(kernel, binding));
        }
      }
    }
  }

  /** The kernel and schedule of a seed: always the same, also after changes elsewhere. */
  public RandomSchedule of(long seed) {
    // Neighbouring seeds of Random begin alike.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    Small chosen;
    if (random.nextInt(3) == 0) {
      chosen = corpus.get(random.nextInt(corpus.size()));
      chosen = new Small(reordered(chosen.kernel()), chosen.binding());
    } else {
      KernelCase kernel = RandomKernels.of("random", random);
      chosen = new Small(kernel, kernel.bindings().getFirst());
    }
    RandomPrimitives primitives = new RandomPrimitives(random, chosen.kernel().function());
    for (int i = 1 + random.nextInt(MOST_PRIMITIVES); i > 0; i--) {
      primitives.apply();
    }
    return new RandomSchedule(
        seed,
        chosen.kernel(),
        chosen.binding(),
        primitives.schedule().function(),
        primitives.applied());
  }

  private static KernelCase reordered(KernelCase kernel) {
    Tolerance own = kernel.tolerance();
    if (own.equals(Tolerance.EXACT)) {
      return kernel;
    }
    Tolerance wider =
        new Tolerance(
            Math.max(own.float32(), REORDERED.float32()),
            Math.max(own.floor(), REORDERED.floor()),
            REORDERED.reason());
    return new KernelCase(
        kernel.name(),
        kernel.function(),
        kernel.bindings(),
        kernel.fills(),
        wider,
        kernel.library());
  }

  /** Sums of narrow floats in another order may be anything. */
  private static boolean hasNarrowFloats(KernelCase kernel) {
    return kernel.function().buffers().stream()
        .map(Buffer::dtype)
        .anyMatch(dtype -> dtype.isFloat() && dtype.bits() < 32);
  }

  /** Counts how often the innermost loops iterate, where that is known beforehand. */
  private static final class Iterations extends IrVisitor {
    private final Map<String, Long> binding;
    private long around = 1;
    private long most = 1;

    private Iterations(Map<String, Long> binding) {
      this.binding = binding;
    }

    static long of(KernelCase kernel, Map<String, Long> binding) {
      Iterations iterations = new Iterations(binding);
      iterations.visit(kernel.function().body());
      return iterations.most;
    }

    @Override
    public void visit(Stmt stmt) {
      if (stmt instanceof For loop) {
        long outside = around;
        around *=
            Extents.folded(loop.extent(), binding) instanceof IntImm known ? known.value() : 8;
        most = Math.max(most, around);
        super.visit(stmt);
        around = outside;
      } else {
        super.visit(stmt);
      }
    }
  }
}
