package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.integrationtests.golden.Golden;

/** What {@code inspect} and {@code run} make of libraries that Apache TVM exported. */
class LibraryCommandTest {
  private static final String BY_NAME =
      "\n  calls by name     functions that its code asks for when it runs; the file lists none\n";

  @Test
  void inspectTellsOfALibraryWithoutLoadingIt(@TempDir Path folder) throws Exception {
    CompiledModel model = CompiledModel.in(folder, true);
    CommandRun run = CommandRun.of("inspect", model.library());
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(model.library() + "\n\nLibrary\n  machine ")
        .contains(
            "\n  exported by      Apache TVM 0.22 or newer\n",
            "\n  executable       era D of the format\n",
            "\n  modules          relax.VMExecutable imports _lib imports cuda [ptx, 1 kernels]\n",
            "\n"
                + "  calls by name    functions that its code asks for when it runs; the file lists"
                + " none\n"
                + "  functions        1: twice\n\n"
                + "Functions\n",
            """

            Kernels for cuda, ptx (1, 5 bytes)
              twice_kernel  (2 x handle, int64)  blockIdx.x, threadIdx.x, dynamic shared memory

            Needed functions (1)
              ok  twice  the program's machine code
            """);
    assertThat(run.code()).isZero();
    assertThat(model.marker()).doesNotExist();
  }

  @Test
  void inspectTellsTheSameAsJson(@TempDir Path folder) throws Exception {
    CompiledModel model = CompiledModel.in(folder, true);
    Map<String, Object> json =
        JSON.std.mapFrom(CommandRun.of("inspect", model.library(), "--json").out());
    assertThat(json.get("libraries"))
        .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
        .singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("origin", model.library().toString())
        .containsEntry("functions", List.of("twice"))
        .extractingByKey("facts", InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("exported by", "Apache TVM 0.22 or newer")
        .containsEntry("executable", "era D of the format");
    assertThat(json.get("kernel_images"))
        .hasToString(
            "[{device=cuda, format=ptx, bytes=5, kernels=[{name=twice_kernel,"
                + " parameters=[handle, handle, int64],"
                + " launch_tags=[blockIdx.x, threadIdx.x, tirx.use_dyn_shared_memory],"
                + " tensor_maps=[], uniform_scalars=false}]}]");
  }

  @Test
  void runLoadsTheLibraryThatItIsGiven(@TempDir Path folder) throws Exception {
    CompiledModel model = CompiledModel.in(folder, false);
    CommandRun run = CommandRun.of("run", model.library(), "21");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("42\n");
    assertThat(model.marker()).exists();
  }

  @ParameterizedTest
  @CsvSource({
    "07-mlp-opencl,'opencl, opencl-c (4,','opencl [cl, 4 kernels]'",
    "08-mlp-vulkan,'vulkan, spirv (9,','vulkan [vulkan, 9 kernels]'",
    "09-mlp-cuda,'cuda, cuda-c (4,','cuda [cuda, 4 kernels]'"
  })
  void inspectListsTheKernelsOfDevices(String golden, String kernels, String module) {
    CommandRun run = CommandRun.of("inspect", Golden.require(golden).resolve("model.so"));
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(
            "\n  modules           relax.VMExecutable imports _lib imports " + module + "\n",
            "\n  needs of RelaxVM  TVMFFIErrorSetRaisedFromCStrParts\n",
            BY_NAME,
            "\n  functions         5: fused_matmul1_add1_relu1, fused_matmul2_add2,"
                + " fused_matmul_add_relu,\n                    shape_func, softmax\n",
            "\nConstants (11, 68904 bytes of tensors)\n",
            "\nKernels for " + kernels,
            "\n  softmax_kernel ",
            "  blockIdx.x, threadIdx.x\n",
            "\n  ok  fused_matmul_add_relu         the program's machine code\n")
        .doesNotContain("MISSING");
  }

  @Test
  void inspectFindsTheBodiesOfCompiledFunctions() {
    Path model = Golden.require("04-mlp-compiled-mode").resolve("model.so");
    assertThat(CommandRun.of("inspect", model).out())
        .contains(
            """
              needs libraries   libm.so.6
              needs of RelaxVM  TVMBackendAnyListSetPackedArg, TVMFFIErrorSetRaisedFromCStrParts,
                                TVMBackendAnyListMoveFromPackedReturn
            """,
            BY_NAME,
            "\nFunctions\n  main(x)  compiled\n",
            "\nNeeded functions (1)\n  ok  main  the program's machine code\n");
  }

  @Test
  void aCompiledFunctionWithoutItsBodyIsMissing() throws IOException {
    Path bare = Golden.require("04-mlp-compiled-mode").resolve("executable.bin");
    assertThat(CommandRun.of("inspect", bare).out())
        .endsWith("  MISSING  main  nobody: no machine code of the program has __vmtir__main\n");
  }

  @Test
  void aLibraryThatAsksForNothingByNameSaysSo() {
    Path model = Golden.require("02-ones-cast-dynamic").resolve("model.so");
    assertThat(CommandRun.of("inspect", model).out())
        .contains("\n  functions         3: cast, ones, shape_func\n")
        .doesNotContain("calls by name");
  }
}
