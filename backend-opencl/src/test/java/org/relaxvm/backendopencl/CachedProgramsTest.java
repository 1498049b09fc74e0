package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jocl.CL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.context.FoundDevice;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.program.CachedPrograms;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;

/** Programs that were built before are taken from disk. */
@NeedsOpenCl
class CachedProgramsTest {
  private final FaultyDriver faults = new FaultyDriver();
  @TempDir Path folder;
  private DeviceContext context;
  private KernelCache cache;

  @BeforeEach
  void open() {
    OpenCl driver = faults.driver();
    context =
        new DeviceContext(new DeviceId("opencl", 0), driver, FoundDevice.all(driver).getFirst());
    cache = KernelCache.open(CacheSettings.in(folder));
  }

  @AfterEach
  void nothingIsLeftOver() {
    context.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  private OpenClProgram build(KernelCache from) {
    return new CachedPrograms(context, from).build("negated", NegatedKernel.SOURCE, "");
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void whatWasBuiltOnceNeedsNoCompiler() {
    build(cache).close();
    faults.fail("buildLog", "clGetProgramBuildInfo", CL.CL_INVALID_OPERATION);
    KernelCache later = KernelCache.open(CacheSettings.in(folder));
    try (OpenClProgram program = build(later)) {
      assertThat(program.kernel(NegatedKernel.NAME).name()).isEqualTo(NegatedKernel.NAME);
    }
    assertThat(later.state().hits()).isEqualTo(1);
    assertThat(later.state().misses()).isZero();
  }

  @Test
  void otherOptionsAreAnotherProgram() {
    build(cache).close();
    new CachedPrograms(context, cache)
        .build("negated", NegatedKernel.SOURCE, "-cl-fast-relaxed-math")
        .close();
    assertThat(cache.state().hits()).isZero();
    assertThat(cache.state().entries()).isEqualTo(2);
  }

  @Test
  void aDamagedEntryIsBuiltAgain() throws IOException {
    build(cache).close();
    for (Path entry : entries()) {
      byte[] bytes = Files.readAllBytes(entry);
      bytes[bytes.length / 2] ^= 1;
      Files.write(entry, bytes);
    }
    KernelCache later = KernelCache.open(CacheSettings.in(folder));
    build(later).close();
    assertThat(later.state().misses()).isEqualTo(1);
    assertThat(later.state().entries()).isEqualTo(1);
  }

  @Test
  void aProgramThatTheDeviceCannotGiveBackIsUsedAllTheSame() throws IOException {
    faults.fail("binary", "clGetProgramInfo", CL.CL_INVALID_VALUE);
    try (OpenClProgram program = build(cache)) {
      assertThat(program.kernel(NegatedKernel.NAME)).isNotNull();
    }
    assertThat(entries()).isEmpty();
  }

  @Test
  void withoutACacheNoBinaryIsAskedFor() {
    build(KernelCache.open(CacheSettings.off())).close();
    assertThat(faults.called()).contains("build").doesNotContain("binary");
    build(cache).close();
    assertThat(faults.called()).contains("binary");
  }

  @Test
  void sourceThatIsRefusedIsNotKept() throws IOException {
    assertThatThrownBy(
            () -> new CachedPrograms(context, cache).build("broken", "kernel void broken(", ""))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("opencl:0 cannot build the program of broken: ");
    assertThat(entries()).isEmpty();
  }
}
