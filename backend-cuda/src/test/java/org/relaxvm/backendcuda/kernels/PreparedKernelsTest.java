package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.testsupport.Effort;

/**
 * The prepared programs are those that the printer of today asks for. {@code
 * -Drelaxvm.updateDocuments=true} compiles them anew, for which nvcc has to be installed. At quick
 * effort a sample is compiled and assembled again, which {@code -Drelaxvm.seed=} repeats.
 */
class PreparedKernelsTest {
  private static final int MOST_BYTES = 2 << 20;
  private static final int COMPILED = 10;
  private static final int ASSEMBLED = 60;
  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\([^)]*\\)");

  private static Map<String, String> sources = Map.of();
  private static Map<String, String> prepared = Map.of();

  @BeforeAll
  static void read() throws IOException {
    sources = PreparedCalls.programs();
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      PreparedFile.write(sources, Nvcc.needed("PreparedKernelsTest"));
    }
    prepared = PreparedFile.read();
  }

  private static List<String> sample(int size) {
    List<String> names = new ArrayList<>(sources.keySet());
    if (!Effort.chosen().isComplete()) {
      long seed = Long.getLong("relaxvm.seed", System.nanoTime());
      System.out.println("PreparedKernelsTest: -Drelaxvm.seed=" + seed);
      Collections.shuffle(names, new Random(seed));
      return names.subList(0, Math.min(size, names.size()));
    }
    return names;
  }

  @Test
  void areThoseThatThePrinterAsksFor() {
    assertThat(new TreeSet<>(prepared.keySet()))
        .as("-Drelaxvm.updateDocuments=true with nvcc installed compiles them anew")
        .isEqualTo(new TreeSet<>(sources.keySet()));
    assertThat(sources)
        .allSatisfy(
            (name, text) -> assertThat(entries(prepared.getOrDefault(name, ""))).isNotEmpty());
  }

  @Test
  void takeNoMoreRoomThanTheyMay() throws IOException {
    assertThat(Files.size(PreparedFile.PATH)).isLessThan(MOST_BYTES);
  }

  /** Other versions of the compiler give other instructions for the same kernels. */
  @Test
  void areWhatTheCompilerMakes() {
    Nvcc nvcc = Nvcc.needed("PreparedKernelsTest");
    for (String name : sample(COMPILED)) {
      String compiled = PreparedFile.compile(sources.getOrDefault(name, ""), nvcc);
      assertThat(entries(compiled)).as(name).isEqualTo(entries(prepared.getOrDefault(name, "")));
    }
  }

  /** With the compiler of PTX of CUDA 12.6, which comes with the bindings. */
  @Test
  void areAssembledForTheOldestAndForANewArchitecture() {
    List<String> wrong = new ArrayList<>();
    for (String name : sample(ASSEMBLED)) {
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

  private static List<String> entries(String ptx) {
    return ENTRY.matcher(ptx).results().map(MatchResult::group).toList();
  }

  @Test
  void areGivenForTheirSource() {
    assumeThat(Boolean.getBoolean("relaxvm.updateDocuments"))
        .as("the resource was written after this test began to read it")
        .isFalse();
    CudaCompiler compiler = new PreparedKernels("", "");
    assertThat(compiler.version()).isEqualTo("prepared PTX");
    assertThat(compiler.preparedFor()).contains(PreparedKernels.LIMITS);
    String name = sources.keySet().iterator().next();
    byte[] image = compiler.compile("any", sources.getOrDefault(name, ""), new CudaTarget(9, 0));
    assertThat(new String(image, StandardCharsets.UTF_8))
        .startsWith(".version 8.0\n.target sm_75\n.address_size 64\n")
        .endsWith("}\n\0");
  }

  @Test
  void aProgramThatIsNotAmongThemSaysWhatIsMissing() {
    CudaCompiler compiler =
        new PreparedKernels("NVRTC was not found", "\n  what to do: install it");
    assertThatThrownBy(() -> compiler.compile("other", "int x;", new CudaTarget(9, 0)))
        .isInstanceOf(NoCompilerException.class)
        .hasMessage(
            "NVRTC was not found"
                + "\n  without it: functions of the kernel library work in their usual forms for"
                + " float32 and float16, and this program is none of them"
                + "\n  what to do: install it");
  }
}
