package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.FoundDevice;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.program.CachedImages;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;

/** Programs that were compiled before are taken from disk. */
class CachedImagesTest {
  private final FakeBackend fake = new FakeBackend();
  @TempDir Path folder;
  private DeviceContext context;
  private KernelCache cache;

  @BeforeEach
  void open() {
    context =
        new DeviceContext(
            new DeviceId("cuda", 0), fake.cuda, FoundDevice.all(fake.cuda, _ -> null).getFirst());
    cache = KernelCache.open(CacheSettings.in(folder));
  }

  @AfterEach
  void nothingIsLeftOver() {
    context.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  private CudaProgram build(KernelCache from) {
    return new CachedImages(context, new CompilerSource(fake.compiler::found), from)
        .build("negated", NegatedKernel.SOURCE);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void whatWasCompiledOnceIsNotCompiledAgain() {
    build(cache).close();
    KernelCache later = KernelCache.open(CacheSettings.in(folder));
    try (CudaProgram program = build(later)) {
      assertThat(program.kernel(NegatedKernel.NAME).name()).isEqualTo(NegatedKernel.NAME);
    }
    assertThat(fake.compiler.compiled).containsExactly("negated for sm_90");
    assertThat(later.state().hits()).isEqualTo(1);
  }

  @Test
  void anotherCompilerMakesAnotherImage() {
    build(cache).close();
    fake.compiler.version = "NVRTC 13.0";
    build(cache).close();
    assertThat(fake.compiler.compiled).hasSize(2);
    assertThat(cache.state().entries()).isEqualTo(2);
  }

  @Test
  void aDamagedEntryIsCompiledAgain() throws IOException {
    build(cache).close();
    for (Path entry : entries()) {
      byte[] bytes = Files.readAllBytes(entry);
      bytes[bytes.length / 2] ^= 1;
      Files.write(entry, bytes);
    }
    build(KernelCache.open(CacheSettings.in(folder))).close();
    assertThat(fake.compiler.compiled).hasSize(2);
  }

  @Test
  void anImageThatTheDriverDoesNotTakeIsNotKept() throws IOException {
    fake.cuda.fail("loadModule", "cuModuleLoadDataEx", 209);
    assertThatThrownBy(() -> build(cache))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("cuda:0 cannot load the program of negated, ");
    assertThat(entries()).isEmpty();
    assertThat(fake.compiler.compiled).hasSize(1);
  }

  @Test
  void anImageOfAnEarlierTimeThatTheDriverDoesNotTakeIsCompiledAgain() {
    build(cache).close();
    fake.cuda.fail("loadModule", "cuModuleLoadDataEx", 209);
    assertThatThrownBy(() -> build(KernelCache.open(CacheSettings.in(folder))))
        .isInstanceOf(BackendException.class);
    assertThat(fake.compiler.compiled).hasSize(2);
  }

  @Test
  void sourceThatIsRefusedIsNotKept() throws IOException {
    fake.compiler.refusal = new CompileException("NVRTC 12.6: NVRTC_ERROR_COMPILATION", "");
    assertThatThrownBy(() -> build(cache))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith(
            "cuda:0 cannot build the program of negated: NVRTC 12.6: NVRTC_ERROR_COMPILATION\n"
                + "  compiler: no message\n  source: ");
    assertThat(entries()).isEmpty();
  }
}
