package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.integrationtests.golden.Golden;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/from-tvm.md} does what the document says. */
class FromTvmDocumentTest {
  @Test
  void aModelRuns() {
    assertThat(FromTvmSnippets.run(model())).hasSize(20);
  }

  @Test
  void aModelCanBeLookedInto() {
    assertThat(FromTvmSnippets.look(model())).contains("softmax");
  }

  @Test
  void aModelIsNotLoadedUnlessAllowed() {
    assertThat(FromTvmSnippets.refused(model()))
        .isEqualTo(
            "ValueError: cannot load "
                + model().toAbsolutePath()
                + ": loading it runs its code, which was not allowed\n"
                + "  what to do: if you trust the file, load the program with"
                + " LoadOptions.DEFAULT.withNativeCode(true)");
  }

  @Test
  void parametersFollowTheInputWhateverTheOrderOfTheirFile(@TempDir Path folder)
      throws IOException {
    Path text = folder.resolve("program.txt");
    Files.writeString(
        text,
        """
        relaxvm-text 1
        @main(x, p_0, p_1):
          call  vm.builtin.make_tuple in: %0, %1, %2 dst: %3
          ret   %3
        """);
    Path file = folder.resolve("model.params");
    Map<String, Tensor> parameters = new LinkedHashMap<>();
    parameters.put("p_1", Tensor.of(new float[] {2}, Shape.of(1)));
    parameters.put("p_0", Tensor.of(new float[] {1}, Shape.of(1)));
    ParamsFile.write(file, parameters);
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(text)).build();
        Tensor x = Tensor.of(new float[] {0}, Shape.of(1));
        Value result = FromTvmSnippets.parameters(vm, x, file)) {
      assertThat(result.asTuple().fields())
          .map(field -> ((Tensor) field).toFloatArray()[0])
          .containsExactly(0f, 1f, 2f);
    }
    parameters.values().forEach(Tensor::close);
  }

  private static Path model() {
    return Golden.require("03-mlp-dynamic-batch").resolve("model.so");
  }
}
