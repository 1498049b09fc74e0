package org.relaxvm.backendcuda.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.backendcuda.driver.CLibrary;

/** A library that has the functions of NVRTC and gives back what it was given. */
class NvrtcTest {
  private static final String OPTIONS = "--std=c++17 --fmad=false --disable-warnings ";
  private static final CudaTarget HOPPER = new CudaTarget(9, 0);

  @TempDir private Path folder;

  private Path library = Path.of("");

  @BeforeEach
  void compileLibrary() throws IOException {
    library = folder.resolve("libnvrtc-imitation.so");
    try (InputStream in = NvrtcTest.class.getResourceAsStream("nvrtc.c")) {
      CLibrary.compile(
          library,
          new String(in.readAllBytes(), UTF_8),
          "-DMAJOR=12",
          "-DMINOR=6",
          "-DKNOWN_ARCHITECTURES=80,75,90");
    }
    System.setProperty(Nvrtc.SETTING, library.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(Nvrtc.SETTING);
  }

  private static Nvrtc nvrtc() {
    return Nvrtc.find(12040).compiler().orElseThrow();
  }

  private static String compile(String source, CudaTarget target) {
    return new String(nvrtc().compile("kernels", source, target), UTF_8);
  }

  @Test
  void givesMachineCodeOfAnArchitectureThatItKnows() {
    assertThat(Nvrtc.find(13000))
        .returns(library.toString(), Nvrtc.Found::file)
        .returns("", Nvrtc.Found::absence);
    assertThat(nvrtc().version()).isEqualTo("NVRTC 12.6");
    assertThat(compile("x = 1;", HOPPER))
        .isEqualTo("cubin of kernels.cu with " + OPTIONS + "--gpu-architecture=sm_90 : x = 1;");
  }

  @Test
  void givesIntermediateCodeForLaterArchitectures() {
    assertThat(compile("x = 1;", new CudaTarget(8, 9)))
        .isEqualTo(
            "ptx of kernels.cu with " + OPTIONS + "--gpu-architecture=compute_80 : x = 1;\0");
    assertThat(compile("", new CudaTarget(12, 0))).contains("=compute_90 ");
  }

  @Test
  void givesHeadersThatKernelsOfTvmInclude() {
    String source = "#ifdef __CUDACC_RTC__\n  #include <cuda/std/cstdint>\n#endif\n";
    assertThat(compile(source, HOPPER))
        .startsWith("cubin of kernels.cu with <cuda/std/cstdint> " + OPTIONS);
  }

  @Test
  void refusesArchitecturesBeforeAllThatItKnows() {
    assertThatThrownBy(() -> compile("x = 1;", new CudaTarget(7, 0)))
        .isInstanceOf(CompileException.class)
        .hasMessage("NVRTC 12.6 cannot compile kernels for sm_70: it knows sm_75, sm_80, sm_90");
  }

  @Test
  void handsOnWhatTheCompilerSays() {
    assertThatThrownBy(() -> compile("#error", HOPPER))
        .isInstanceOfSatisfying(
            CompileException.class,
            e -> {
              assertThat(e).hasMessage("NVRTC 12.6: NVRTC_ERROR_COMPILATION");
              assertThat(e.log()).isEqualTo("kernels.cu(1): error: x");
            });
    assertThatThrownBy(() -> compile("#memory", HOPPER))
        .isInstanceOfSatisfying(
            CompileException.class,
            e -> {
              assertThat(e).hasMessage("NVRTC 12.6: NVRTC_ERROR_OUT_OF_MEMORY");
              assertThat(e.log()).isEmpty();
            });
    assertThatThrownBy(() -> compile("#none", HOPPER))
        .hasMessage("nvrtcCreateProgram failed with status 2");
  }

  @Test
  void isOfNoUseToAnOlderDriver() {
    assertThat(Nvrtc.find(11080))
        .returns("", Nvrtc.Found::file)
        .returns(
            "NVRTC, the library that compiles CUDA C, was not found"
                + ("\n  looked for: %1$s, which -Drelaxvm.cuda.nvrtc= names"
                        + "\n  %1$s is loaded, but is of CUDA 12.6, and the driver of CUDA 11.8"
                        + " does not load what it makes")
                    .formatted(library),
            Nvrtc.Found::reason)
        .returns(
            "\n  what to do: install that of CUDA 11 (a package like libnvrtc11 or"
                + " cuda-nvrtc-11-8), or name its file with -Drelaxvm.cuda.nvrtc=",
            Nvrtc.Found::remedy);
  }

  @Test
  void withoutItOnlyPreparedKernelsAreThere() {
    assertThat(Nvrtc.find(12060).orPrepared()).containsInstanceOf(Nvrtc.class);
    assertThat(nvrtc().preparedFor()).isEmpty();
    Nvrtc.Found none = Nvrtc.find(11080);
    assertThat(none.orPrepared().isPresent())
        .isEqualTo(PreparedKernels.class.getResource(PreparedKernels.RESOURCE) != null);
    Optional<CudaCompiler> prepared = Optional.of(new PreparedKernels(Map.of(), "", ""));
    assertThat(none.absenceWith(prepared)).isEqualTo(none.absence());
    assertThat(none.absenceWith(Optional.empty()))
        .isEqualTo(
            none.reason()
                + "\n  without it: no kernel runs, since this build of backend-cuda has no prepared"
                + " kernels (its Maven profile prepared-kernels compiles them with nvcc)"
                + none.remedy());
    assertThat(Nvrtc.find(12060).absenceWith(Optional.empty())).isEmpty();
  }

  @Test
  void isOfNoUseWithoutItsFunctions() throws IOException {
    Path other = CLibrary.compile(folder.resolve("libother.so"), "int other;");
    System.setProperty(Nvrtc.SETTING, other.toString());
    Nvrtc.Found found = Nvrtc.find(12060);
    assertThat(found.absence())
        .isEqualTo(
            "NVRTC, the library that compiles CUDA C, was not found"
                + ("\n  looked for: %1$s, which -Drelaxvm.cuda.nvrtc= names"
                        + "\n  %1$s is loaded, but has no nvrtcVersion: it is older than CUDA 11.2")
                    .formatted(other)
                + "\n  what to do: install that of CUDA 12 (a package like libnvrtc12 or"
                + " cuda-nvrtc-12-6), or name its file with -Drelaxvm.cuda.nvrtc=");
  }
}
