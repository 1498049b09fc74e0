package org.relaxvm.backendcuda.cublas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.backendcuda.driver.CLibrary;
import org.relaxvm.backendcuda.driver.Machine;

/** Which file of cuBLAS is used, and what is said of the others. */
class CublasSearchTest {
  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(Cublas.SETTING);
    System.clearProperty(CublasLt.SETTING);
  }

  /** With a toolkit that has libraries of two major versions. */
  private Machine machine() throws IOException {
    Path libraries = Files.createDirectories(folder.resolve("lib64"));
    for (String name : List.of("libcublas.so.", "libcublasLt.so.")) {
      ImitatedCublas.compile(libraries.resolve(name + 13), 13);
      ImitatedCublas.compile(libraries.resolve(name + 12), 12);
    }
    return new Machine(false, Map.of("CUDA_HOME", folder.toString()), List.of());
  }

  @Test
  void aLibraryOfALaterVersionThanTheDriverIsPassedOver() throws IOException {
    Machine machine = machine();
    assertThat(Cublas.find(machine, 12060).state())
        .isEqualTo(
            "cuBLAS 12.6.4 (" + file("cublas", 12) + "); " + file("cublas", 13) + later("cuBLAS"));
    assertThat(CublasLt.find(machine, 12060).state())
        .isEqualTo(
            "cuBLASLt 12.6.4 ("
                + file("cublasLt", 12)
                + "); "
                + file("cublasLt", 13)
                + later("cuBLASLt"));
    assertThat(Cublas.find(machine, 13000).state())
        .isEqualTo("cuBLAS 13.6.4 (" + file("cublas", 13) + ")");
    assertThat(CublasLt.find(machine, 13000).state())
        .isEqualTo("cuBLASLt 13.6.4 (" + file("cublasLt", 13) + ")");
  }

  private static String later(String library) {
    return " is loaded, but " + library + " 13.6.4 needs a newer driver than this one of CUDA 12";
  }

  private String file(String library, int major) {
    return folder.resolve("lib64/lib" + library + ".so." + major).toString();
  }

  @Test
  void withoutAFileThatTheDriverCanBeUsedWithThereIsNone() throws IOException {
    Path file = ImitatedCublas.compile(folder.resolve("later.so"), 13);
    System.setProperty(Cublas.SETTING, file.toString());

    FoundLibrary<Cublas> found = Cublas.find(12060);

    String later = file + later("cuBLAS");
    assertThat(found.library()).isEmpty();
    assertThat(found.absence())
        .isEqualTo(
            "cuBLAS was not found; own kernels multiply matrices\n  looked for: "
                + file
                + ", which -Drelaxvm.cuda.cublas= names\n  "
                + later
                + "\n  what to do: install cuBLAS of CUDA 12, or name its file with"
                + " -Drelaxvm.cuda.cublas=");
    assertThat(found.state())
        .isEqualTo("none: cuBLAS was not found; own kernels multiply matrices; " + later);
  }

  @Test
  void theSettingsSwitchThemOff() {
    System.setProperty(CublasLt.SETTING, Cublas.OFF);
    assertThat(CublasLt.find(12060).absence())
        .isEqualTo("-Drelaxvm.cuda.cublasLt=off switches it off");

    System.setProperty(Cublas.SETTING, Cublas.OFF);
    assertThat(Cublas.find(12060).absence()).isEqualTo("-Drelaxvm.cuda.cublas=off switches it off");
    assertThat(CublasLt.find(12060).absence())
        .isEqualTo("-Drelaxvm.cuda.cublas=off switches it off");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    System.setProperty(Cublas.SETTING, "/nowhere/libcublas.so");
    System.setProperty(CublasLt.SETTING, "/nowhere/libcublasLt.so");

    assertThat(Cublas.find(13000).absence())
        .isEqualTo(
            "cuBLAS was not found; own kernels multiply matrices\n"
                + "  looked for: /nowhere/libcublas.so, which -Drelaxvm.cuda.cublas= names (there"
                + " is no such file)\n"
                + "  what to do: install cuBLAS of CUDA 12 or 13, or name its file with"
                + " -Drelaxvm.cuda.cublas=");
    assertThat(CublasLt.find(13000).absence())
        .isEqualTo(
            "cuBLASLt was not found; own kernels compute GEMMs with an"
                + " epilogue\n"
                + "  looked for: /nowhere/libcublasLt.so, which -Drelaxvm.cuda.cublasLt= names"
                + " (there is no such file)\n"
                + "  what to do: install cuBLASLt of CUDA 12 or 13, or name its file with"
                + " -Drelaxvm.cuda.cublasLt=");
  }

  @Test
  void aFileOfAnotherLibraryIsNamed() throws IOException {
    Path other = folder.resolve("other.so");
    CLibrary.compile(other, "int other(void) { return 1; }");
    System.setProperty(CublasLt.SETTING, other.toString());

    assertThat(CublasLt.find(12060).refused())
        .containsExactly(
            other + " is loaded, but has no cublasLtGetProperty: it is no cuBLASLt of 12");
  }
}
