package org.relaxvm.backendtestkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.Tolerance;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.slf4j.LoggerFactory;

/**
 * Kernels in the kernel IR, which a device takes when {@link ModuleLoader#formats()} has {@value
 * #FORMAT}: the content is the UTF-8 text of kernels, the symbols are their names, and each
 * function takes one argument per parameter: tensors of the device, longs, doubles and booleans.
 * Without that format there is nothing to ask.
 */
public abstract class BaseKernelIrConformanceTest extends BaseConformanceTest {
  /** The format of modules that are kernels in the kernel IR. */
  public static final String FORMAT = "tir";

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

  @Test
  void allKernelsOfTheCorpusGiveWhatTheEvaluatorSays() {
    if (!(device() instanceof ModuleLoader loader) || !loader.formats().contains(FORMAT)) {
      LoggerFactory.getLogger(getClass())
          .info("{} takes no modules of format {}: no kernels are run", device(), FORMAT);
      return;
    }
    List<KernelCase> all = KernelCorpus.kernels();
    List<KernelCase> included = all.stream().filter(this::includes).toList();
    LoggerFactory.getLogger(getClass())
        .info("{} runs {} of {} kernels of the corpus", device(), included.size(), all.size());
    assertThat(included).isNotEmpty();
    List<String> wrong = new ArrayList<>();
    for (int first = 0; first < included.size(); first += kernelsPerModule()) {
      int end = Math.min(included.size(), first + kernelsPerModule());
      wrong.addAll(run(loader, included.subList(first, end)));
    }
    assertThat(wrong).as("kernels of the corpus").isEmpty();
  }

  /** Loads kernels as one module and runs each; returns what is wrong. */
  private List<String> run(ModuleLoader loader, List<KernelCase> kernels) {
    List<String> wrong = new ArrayList<>();
    try (Module module = load(loader, kernels)) {
      for (KernelCase kernel : kernels) {
        run(module, kernel).ifPresent(wrong::add);
        session().closeTensors();
      }
    } catch (RefusedModule refused) {
      if (kernels.size() == 1) {
        return List.of(kernels.getFirst() + " is refused: " + refused.getMessage());
      }
      int half = kernels.size() / 2;
      wrong.addAll(run(loader, kernels.subList(0, half)));
      wrong.addAll(run(loader, kernels.subList(half, kernels.size())));
      if (wrong.isEmpty()) {
        wrong.add(kernels + " are refused in one module, but not in two: " + refused.getMessage());
      }
    }
    return wrong;
  }

  private static Module load(ModuleLoader loader, List<KernelCase> kernels) throws RefusedModule {
    List<PrimFunc> functions = kernels.stream().map(KernelCase::function).toList();
    ModuleImage image =
        new ModuleImage(
            FORMAT,
            kernels.stream().map(KernelCase::name).toList(),
            MemorySegment.ofArray(TirText.print(functions).getBytes(UTF_8)));
    Module module;
    try {
      module = loader.loadModule(image);
    } catch (RelaxException e) {
      throw new RefusedModule(e);
    }
    try {
      for (KernelCase kernel : kernels) {
        if (module.find(kernel.name()).orElseThrow() instanceof Preparable function) {
          function.prepare();
        }
      }
      return module;
    } catch (RelaxException e) {
      module.close();
      throw new RefusedModule(e);
    }
  }

  private Optional<String> run(Module module, KernelCase kernel) {
    PackedFunc function = module.find(kernel.name()).orElseThrow();
    for (Map<String, Long> binding : kernel.bindings()) {
      List<Object> expected = CorpusRun.arguments(kernel, binding);
      new Evaluator().run(kernel.function(), expected);
      @Nullable Object[] args;
      try {
        args = session().callUploaded(function, CorpusRun.arguments(kernel, binding).toArray());
      } catch (RelaxException e) {
        return Optional.of(kernel + " with " + binding + " fails: " + e.getMessage());
      }
      List<Object> got = new ArrayList<>();
      for (int i = 0; i < args.length; i++) {
        got.add(args[i] instanceof Tensor tensor ? tensor.toHost() : expected.get(i));
      }
      Optional<String> mismatch =
          CorpusRun.compare(kernel, binding, tolerance(kernel), expected, got).map(String::valueOf);
      if (mismatch.isPresent()) {
        return mismatch;
      }
    }
    return Optional.empty();
  }

  /** A module that the device does not take, or not build. */
  private static final class RefusedModule extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedModule(RelaxException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
