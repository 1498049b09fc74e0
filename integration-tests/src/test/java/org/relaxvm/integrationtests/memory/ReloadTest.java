package org.relaxvm.integrationtests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Programs that are loaded, compiled to classes, called and closed leave nothing in the process.
 */
@Isolated("counts classes and memory of the process")
class ReloadTest {
  private static final int PROGRAMS = 200;
  private static final int WARM_UP = 10;

  /** What the JDK itself may load meanwhile; each program has one class or more. */
  private static final int MOST_CLASSES = PROGRAMS / 2;

  /** 20 KiB for each program, and what the JDK takes meanwhile. */
  private static final long MOST_METASPACE = 4L << 20;

  private static final String PROGRAM =
      """
      @I.ir_module
      class Module:
          @R.function(pure=False)
          def main(k: R.Tensor((), "int64"), x: R.Tensor((n,), "float32")) -> R.Tensor(dtype="float32", ndim=1):
              seen = R.call_packed("see", k, sinfo_args=R.Tensor((), "int64"))
              stop = R.equal(seen, R.const(0, "int64"))
              if stop:
                  r = x
              else:
                  r = cls.main(R.subtract(k, R.const(1, "int64")), R.add(x, R.const(1.0)))
              return r
      """;

  private static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();

  @TempDir private Path folder;
  private final List<WeakReference<Class<?>>> compiled = new ArrayList<>();
  private final ReferenceQueue<Class<?>> unloaded = new ReferenceQueue<>();

  private static long metaspace() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals("Metaspace"))
        .mapToLong(pool -> pool.getUsage().getUsed())
        .sum();
  }

  @Test
  void twoHundredProgramsLeaveNeitherClassesNorMemory() throws InterruptedException {
    Path file = folder.resolve("loop.rvm");
    RvmWriter.write(
        Compiler.compile(RelaxText.parse(PROGRAM, "loop", StandardOps.registry())), file);
    try (BackendRegistry registry = BackendRegistry.discover()) {
      runAll(registry, file, WARM_UP);
      long made = CLASSES.getTotalLoadedClassCount();
      int classes = CLASSES.getLoadedClassCount();
      long metaspace = metaspace();
      runAll(registry, file, PROGRAMS);
      assertThat(CLASSES.getTotalLoadedClassCount() - made)
          .as("classes that were made")
          .isGreaterThanOrEqualTo(PROGRAMS);
      assertThat(CLASSES.getLoadedClassCount() - classes)
          .as("classes that are left")
          .isLessThan(MOST_CLASSES);
      assertThat(metaspace() - metaspace).as("metaspace").isLessThan(MOST_METASPACE);
    }
  }

  private void runAll(BackendRegistry registry, Path file, int count) throws InterruptedException {
    compiled.clear();
    for (int i = 0; i < count; i++) {
      run(registry, file);
    }
    assertThat(compiled).hasSizeGreaterThanOrEqualTo(count);
    for (int i = 0; i < 200 && compiled.stream().anyMatch(type -> type.get() != null); i++) {
      System.gc();
      unloaded.remove(5);
    }
    assertThat(compiled).allSatisfy(type -> assertThat(type.get()).isNull());
  }

  private void run(BackendRegistry registry, Path file) {
    VirtualMachine used;
    try (VirtualMachine vm =
            VirtualMachine.builder(Program.load(file))
                .registry(registry)
                .device("cpu")
                .tier(Tier.COMPILED)
                .function(
                    "see",
                    (args, result) -> {
                      see();
                      result.setArgument(args, 0);
                    })
                .build();
        Tensor count = Tensor.of(new long[] {2}, Shape.of());
        Tensor x = Tensor.of(new float[1024], Shape.of(1024))) {
      used = vm;
      try (Tensor result = vm.function("main").call(count, x).asTensor()) {
        assertThat(result.toFloatArray()).containsOnly(2);
      }
      AllocatorStats stats = vm.memoryStats().getFirst();
      assertThat(stats.liveBlocks()).as("blocks in use").isZero();
      assertThat(stats.reservedBytes()).as("bytes that the pool holds").isPositive();
    }
    assertThat(used.memoryStats().getFirst().reservedBytes()).as("bytes after closing").isZero();
  }

  /** Remembers the classes of compiled code that called. */
  private void see() {
    StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES))
        .walk(
            (Stream<StackFrame> frames) ->
                frames
                    .map(StackFrame::getDeclaringClass)
                    .filter(type -> type.getName().startsWith("org.relaxvm.vmcore.tier.Function/"))
                    .<WeakReference<Class<?>>>map(type -> new WeakReference<>(type, unloaded))
                    .toList())
        .forEach(compiled::add);
  }
}
