package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DeviceId;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Instance;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.CachedShaders;
import org.relaxvm.backendvulkan.program.PipelineStore;
import org.relaxvm.backendvulkan.program.VulkanKernel;
import org.relaxvm.backendvulkan.program.VulkanProgram;

/** Shaders that were compiled before, and what the driver made of them, are taken from disk. */
@NeedsVulkan
class CachedShadersTest {
  private static final String PROGRAM =
      """
      #version 460
      //! kernel one: groups of 4, 1 buffers, 4 bytes of arguments
      layout(local_size_x_id = 0) in;
      layout(set = 0, binding = 0, std430) buffer rv_buffer0 { int o[]; };
      layout(push_constant, std430) uniform rv_arguments { int n; };
      void main() { o[gl_GlobalInvocationID.x] = n; }
      """;

  private final FaultyDriver faults = new FaultyDriver();
  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftOver() {
    assertThat(faults.liveHandles()).isEmpty();
  }

  private interface Use {
    void of(DeviceContext context, KernelCache cache);
  }

  private KernelCache with(Use use) {
    KernelCache cache = KernelCache.open(CacheSettings.in(folder));
    Vulkan driver = faults.driver();
    try (Instance instance = Instance.open(driver)) {
      DeviceContext context =
          new DeviceContext(new DeviceId("vulkan", 0), driver, instance.devices().getFirst());
      try {
        use.of(context, cache);
      } finally {
        context.close();
      }
    }
    return cache;
  }

  private KernelCache build() {
    return with(
        (context, cache) -> {
          try (VulkanProgram program =
              VulkanProgram.build(
                  context,
                  new CachedShaders(context, cache),
                  new PipelineStore(context, cache),
                  "one",
                  PROGRAM)) {
            assertThat(program.kernel("one").shape().workGroupSize()).isEqualTo(4);
          }
        });
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void whatWasCompiledOnceNeedsNoCompiler() {
    assertThat(build().state().misses()).isEqualTo(1);
    KernelCache later = build();
    assertThat(later.state().hits()).isEqualTo(1);
    assertThat(later.state().misses()).isZero();
  }

  @Test
  void aDamagedEntryIsCompiledAgain() throws IOException {
    build();
    for (Path entry : entries()) {
      byte[] bytes = Files.readAllBytes(entry);
      bytes[bytes.length / 2] ^= 1;
      Files.write(entry, bytes);
    }
    assertThat(build().state().misses()).isEqualTo(1);
    assertThat(build().state().hits()).isEqualTo(1);
  }

  @Test
  void whatTheDriverMadeIsKeptWhenThereIsMoreOfIt() throws IOException {
    byte[] spirv = Shaders.compile("negated", NegatedKernel.SOURCE);
    KernelInterface shape = new KernelInterface("main", 2, false, 0, false, false, 0);
    Use use =
        (context, cache) ->
            VulkanKernel.of(context, new PipelineStore(context, cache), spirv, shape, "negated")
                .close();
    faults.answer("pipelineCacheData", new byte[100]);
    with(use);
    assertThat(entries()).hasSize(1);
    long written = Files.getLastModifiedTime(entries().getFirst()).toMillis();
    byte[][] given = new byte[1][];
    faults.observe("createPipelineCache", args -> given[0] = (byte[]) args[0]);
    with(use);
    assertThat(given[0]).hasSize(100);
    assertThat(Files.getLastModifiedTime(entries().getFirst()).toMillis()).isEqualTo(written);
  }
}
