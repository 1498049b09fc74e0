package org.relaxvm.backendtestkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.Tolerance;
import org.relaxvm.testsupport.NameFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels in the kernel IR, which a device takes when {@link ModuleLoader#formats()} has {@value
 * #FORMAT}: the content is the UTF-8 text of kernels, the symbols are their names, and each
 * function takes one argument per parameter: tensors of the device, longs, doubles and booleans.
 * Without that format there is nothing to ask.
 *
 * <p>Each kernel is a test, each family of kernels a container. {@code -Drelaxvm.kernel=softmax*}
 * runs the kernels of these names, whatever {@link #includes} says.
 */
@Execution(ExecutionMode.SAME_THREAD)
public abstract class BaseKernelIrConformanceTest extends BaseConformanceTest {
  /** The format of modules that are kernels in the kernel IR. */
  public static final String FORMAT = "tir";

  private final List<KernelModules> modules = new ArrayList<>();

  /** Whether a kernel is run: all are, unless the time that they take is worth no more. */
  protected boolean includes(KernelCase kernel) {
    return true;
  }

  /**
   * How many kernels are loaded as one module; at least 1. Many save time where each module is a
   * program to build. A module that is refused is halved until it is known which kernel it is.
   */
  protected int kernelsPerModule() {
    return 32;
  }

  /** How far results of a kernel may lie from those of the evaluator; by default as it says. */
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance();
  }

  @TestFactory
  Stream<DynamicNode> allKernelsOfTheCorpusGiveWhatTheEvaluatorSays() {
    Logger log = LoggerFactory.getLogger(getClass());
    if (!(device() instanceof ModuleLoader loader) || !loader.formats().contains(FORMAT)) {
      log.info("{} takes no modules of format {}: no kernels are run", device(), FORMAT);
      return Stream.of();
    }
    NameFilter filter = KernelCorpus.filter();
    List<DynamicNode> families = new ArrayList<>();
    int all = 0;
    int included = 0;
    for (Map.Entry<String, List<KernelCase>> family : KernelCorpus.families().entrySet()) {
      List<KernelCase> kernels =
          family.getValue().stream()
              .filter(kernel -> filter.isGiven() ? filter.matches(kernel.name()) : includes(kernel))
              .toList();
      all += family.getValue().size();
      included += kernels.size();
      if (!kernels.isEmpty()) {
        families.add(dynamicContainer(family.getKey(), tests(loader, kernels)));
      }
    }
    log.info("{} runs {} of {} kernels of the corpus {}", device(), included, all, filter);
    assertThat(families).as("chosen kernels of the corpus").isNotEmpty();
    return families.stream();
  }

  /** Fused kernels are named after all of their operators. */
  @Test
  void kernelsMayHaveLongNamesThatDifferAtTheEnd() {
    if (!(device() instanceof ModuleLoader loader) || !loader.formats().contains(FORMAT)) {
      return;
    }
    String common = "fused" + "_multiply_add".repeat(25);
    String text = adding(common + "_one", 1) + adding(common + "_two", 2);
    ModuleImage image =
        new ModuleImage(
            FORMAT,
            List.of(common + "_one", common + "_two"),
            MemorySegment.ofArray(text.getBytes(UTF_8)));
    try (Module module = loader.loadModule(image)) {
      assertThat(called(module, common + "_one")).containsExactly(1, 2, 3);
      assertThat(called(module, common + "_two")).containsExactly(2, 3, 4);
    }
  }

  private static String adding(String name, int number) {
    return """
    @T.prim_func
    def %s(x: T.Buffer((3,), "float32"), y: T.Buffer((3,), "float32")):
        for i in range(3):
            with T.block("y"):
                v = T.axis.spatial(3, i)
                y[v] = x[v] + T.float32(%d)

    """
        .formatted(name, number);
  }

  private float[] called(Module module, String name) {
    Tensor x = Tensor.of(new float[] {0, 1, 2}, Shape.of(3));
    Tensor y = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    try (x;
        y) {
      @Nullable Object[] args = session().callUploaded(module.find(name).orElseThrow(), x, y);
      return ((Tensor) Objects.requireNonNull(args[1])).toHost().toFloatArray();
    } finally {
      session().closeTensors();
    }
  }

  private List<DynamicTest> tests(ModuleLoader loader, List<KernelCase> kernels) {
    List<DynamicTest> tests = new ArrayList<>();
    for (int first = 0; first < kernels.size(); first += kernelsPerModule()) {
      int end = Math.min(kernels.size(), first + kernelsPerModule());
      KernelModules some = new KernelModules(loader, kernels.subList(first, end));
      modules.add(some);
      for (KernelCase kernel : some.kernels()) {
        tests.add(dynamicTest(kernel.name(), () -> run(some, kernel)));
      }
    }
    return tests;
  }

  /** Closes what a run leaves open that was stopped in the middle. */
  @AfterEach
  final void closeTheModules() {
    modules.forEach(KernelModules::close);
    modules.clear();
  }

  private void run(KernelModules some, KernelCase kernel) {
    try {
      PackedFunc function = some.function(kernel);
      for (Map<String, Long> binding : kernel.bindings()) {
        run(function, kernel, binding);
      }
    } finally {
      session().closeTensors();
      some.finished();
    }
  }

  private void run(PackedFunc function, KernelCase kernel, Map<String, Long> binding) {
    List<Object> expected = CorpusRun.expected(kernel, binding);
    @Nullable Object[] args;
    try {
      args = session().callUploaded(function, CorpusRun.arguments(kernel, binding).toArray());
    } catch (RelaxException e) {
      throw new AssertionError(kernel + " with " + binding + " fails: " + e.getMessage(), e);
    }
    List<Object> got = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      got.add(args[i] instanceof Tensor tensor ? tensor.toHost() : expected.get(i));
    }
    CorpusRun.compare(kernel, binding, tolerance(kernel), expected, got)
        .ifPresent(
            mismatch -> {
              throw new AssertionError(mismatch.toString());
            });
  }
}
