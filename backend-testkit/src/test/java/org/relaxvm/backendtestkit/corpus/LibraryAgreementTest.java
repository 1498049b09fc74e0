package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;

/** Kernels of operators give what the definitions of the library's functions say. */
class LibraryAgreementTest {
  private final Map<String, KernelSignature> signatures =
      KernelLibrary.standard().signatures().stream()
          .collect(Collectors.toMap(KernelSignature::name, Function.identity()));
  private final List<KernelCase> kernels = KernelCorpus.kernels();

  @Test
  void kernelsAndLibraryAgree() {
    List<String> wrong = new ArrayList<>();
    for (KernelCase kernel : kernels) {
      if (kernel.library().isPresent()) {
        String name = kernel.library().get().function();
        KernelSignature signature = Objects.requireNonNull(signatures.get(name), name);
        for (Map<String, Long> binding : kernel.bindings()) {
          LibraryAgreement.differs(kernel, binding, signature).ifPresent(wrong::add);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void allFunctionsOfTheLibraryHaveAKernelButForThese() {
    Set<String> missing = new TreeSet<>(signatures.keySet());
    kernels.forEach(kernel -> kernel.library().ifPresent(hint -> missing.remove(hint.function())));
    assertThat(missing)
        .containsExactly(
            "relaxvm.concat",
            "relaxvm.conv2d_residual",
            "relaxvm.matmul_residual",
            "relaxvm.topk",
            "relaxvm.topk_indices");
  }
}
