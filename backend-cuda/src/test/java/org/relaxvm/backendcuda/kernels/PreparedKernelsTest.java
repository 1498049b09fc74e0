package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.SampleSeed;

/**
 * The programs that are prepared compile, and every device takes them. At quick effort a sample is
 * compiled, which {@code -Drelaxvm.seed=} repeats. Where the Maven profile {@code prepared-kernels}
 * names a file, all are compiled and written to it.
 */
class PreparedKernelsTest {
  private static final int MOST_BYTES = 2 << 20;
  private static final int SAMPLE = 8;

  private static Map<String, String> sources = Map.of();
  private static Map<String, String> prepared = Map.of();

  @TempDir static Path folder;

  @BeforeAll
  static void prepare() throws IOException {
    sources = PreparedCalls.programs();
    String file = System.getProperty(PreparedFile.SETTING, "");
    Nvcc nvcc = Nvcc.needed("PreparedKernelsTest");
    if (file.isEmpty()) {
      prepared = PreparedFile.compileAll(sample(), folder, nvcc);
    } else {
      Path cache = Path.of(System.getProperty(PreparedFile.CACHE, folder.toString()));
      prepared = PreparedFile.compileAll(sources, cache, nvcc);
      PreparedFile.write(Path.of(file), prepared);
    }
  }

  private static Map<String, String> sample() {
    if (Effort.chosen().isComplete()) {
      return sources;
    }
    long seed = SampleSeed.chosen();
    System.out.println("PreparedKernelsTest: -Drelaxvm.seed=" + seed);
    List<String> names = new ArrayList<>(sources.keySet());
    Collections.shuffle(names, new Random(seed));
    Map<String, String> sample = new HashMap<>();
    names.subList(0, SAMPLE).forEach(name -> sample.put(name, sources.getOrDefault(name, "")));
    return sample;
  }

  @Test
  void aFileOfThemIsReadBackAndSmall() throws IOException {
    Path file = folder.resolve(PreparedKernels.RESOURCE);
    PreparedFile.write(file, prepared);
    assertThat(Files.size(file)).isLessThan(MOST_BYTES);
    try (InputStream in = Files.newInputStream(file)) {
      assertThat(PreparedKernels.parse(in)).isEqualTo(prepared);
    }
  }

  @Test
  void programsThatWereCompiledAreNotCompiledAgain() throws IOException {
    Path cache = folder.resolve("cache");
    Nvcc nvcc = Nvcc.needed("PreparedKernelsTest");
    Map<String, String> one = Map.of("empty", "extern \"C\" __global__ void empty() {}");
    String first = PreparedFile.compileAll(one, cache, nvcc).getOrDefault("empty", "");
    assertThat(first).contains(".entry empty(");
    Map<String, String> changed = Map.of("empty", "this is not compiled");
    assertThat(PreparedFile.compileAll(changed, cache, nvcc)).containsEntry("empty", first);
  }

  /** With the compiler of PTX of CUDA 12.6, which comes with the bindings. */
  @Test
  void areAssembledForTheOldestAndForANewArchitecture() {
    List<String> wrong = new ArrayList<>();
    for (String name : prepared.keySet()) {
      assemble(name, "sm_75", wrong);
      assemble(name, "sm_90", wrong);
    }
    assertThat(wrong).isEmpty();
  }

  private static void assemble(String name, String architecture, List<String> wrong) {
    String ptx = prepared.get(name);
    if (ptx == null) {
      // The compiler ends the process where there is nothing to compile.
      wrong.add(name + " is not prepared");
      return;
    }
    byte[] text = (ptx + "\0").getBytes(StandardCharsets.UTF_8);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    int status = JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, text);
    if (status == nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
      String[] options = {"--gpu-name=" + architecture};
      status = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
    if (status != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
      wrong.add(name + " for " + architecture + ": " + nvPTXCompileResult.stringFor(status));
    }
  }

  @Test
  void areGivenForTheirSource() {
    CudaCompiler compiler = new PreparedKernels(prepared, "", "");
    assertThat(compiler.version()).isEqualTo("prepared PTX");
    assertThat(compiler.preparedFor()).contains(PreparedKernels.LIMITS);
    String name = prepared.keySet().iterator().next();
    byte[] image = compiler.compile("any", sources.getOrDefault(name, ""), new CudaTarget(9, 0));
    assertThat(new String(image, StandardCharsets.UTF_8))
        .startsWith(".version 8.0\n.target sm_75\n.address_size 64\n")
        .endsWith("}\n\0");
  }

  @Test
  void aProgramThatIsNotAmongThemSaysWhatIsMissing() {
    CudaCompiler compiler =
        new PreparedKernels(prepared, "NVRTC was not found", "\n  what to do: install it");
    assertThatThrownBy(() -> compiler.compile("other", "int x;", new CudaTarget(9, 0)))
        .isInstanceOf(NoCompilerException.class)
        .hasMessage(
            "NVRTC was not found"
                + "\n  without it: functions of the kernel library work in their usual forms for"
                + " float32 and float16, and this program is none of them"
                + "\n  what to do: install it");
  }
}
