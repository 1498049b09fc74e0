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
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
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
    for (KernelCase kernel : included) {
      run(loader, kernel).ifPresent(wrong::add);
      session().closeTensors();
    }
    assertThat(wrong).as("kernels of the corpus").isEmpty();
  }

  private Optional<String> run(ModuleLoader loader, KernelCase kernel) {
    byte[] text = TirText.print(kernel.function()).getBytes(UTF_8);
    ModuleImage image =
        new ModuleImage(FORMAT, List.of(kernel.name()), MemorySegment.ofArray(text));
    try (Module module = loader.loadModule(image)) {
      PackedFunc function = module.find(kernel.name()).orElseThrow();
      for (Map<String, Long> binding : kernel.bindings()) {
        List<Object> expected = CorpusRun.arguments(kernel, binding);
        new Evaluator().run(kernel.function(), expected);
        @Nullable Object[] args =
            session().callUploaded(function, CorpusRun.arguments(kernel, binding).toArray());
        List<Object> got = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
          got.add(args[i] instanceof Tensor tensor ? tensor.toHost() : expected.get(i));
        }
        Optional<String> mismatch =
            CorpusRun.compare(kernel, binding, expected, got).map(String::valueOf);
        if (mismatch.isPresent()) {
          return mismatch;
        }
      }
      return Optional.empty();
    }
  }
}
