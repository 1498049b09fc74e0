package org.relaxvm.interoptvm.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.SpirvBindings;
import org.relaxvm.interoptvm.GoldenLibrary;
import org.relaxvm.interoptvm.device.DeviceImages;
import org.relaxvm.interoptvm.device.DeviceModule;
import org.relaxvm.interoptvm.device.DeviceModuleWriter;
import org.relaxvm.interoptvm.library.ModuleContent.DeviceContent;
import org.relaxvm.interoptvm.library.ModuleContent.ExecutableContent;
import org.relaxvm.vmcore.executable.ReadOptions;
import org.relaxvm.vmcore.program.KernelModule;

/** Libraries that Apache TVM exported for devices. */
class GoldenLibraryTest {
  private static final List<String> KERNELS =
      List.of(
          "fused_matmul1_add1_relu1_kernel",
          "fused_matmul2_add2_kernel",
          "fused_matmul_add_relu_kernel",
          "softmax_kernel");

  private static List<KernelModule> images(String name, String kind) throws IOException {
    MemorySegment symbol = GoldenLibrary.container(name);
    LibraryBin bin = LibraryBin.read(symbol);
    assertThat(bin.modules())
        .extracting(ModuleNode::kind)
        .containsExactly("relax.VMExecutable", "_lib", kind);
    assertThat(bin.searchOrder()).containsExactly(0, 1, 2);
    byte[] written = bin.toBytes();
    assertThat(written).isEqualTo(symbol.asSlice(0, written.length).toArray(ValueLayout.JAVA_BYTE));
    assertExecutable(name, bin);
    ModuleNode node = bin.modules().get(2);
    DeviceModule module = ((DeviceContent) bin.content(2, ReadOptions.DEFAULT)).module();
    assertThat(module.kernels().sequencedKeySet()).containsAll(KERNELS);
    assertThat(module.extraTags()).isTrue();
    assertThat(DeviceModuleWriter.write(module))
        .isEqualTo(node.bytes().toArray(ValueLayout.JAVA_BYTE));
    return DeviceImages.of(module);
  }

  private static void assertExecutable(String name, LibraryBin bin) throws IOException {
    assertThat(bin.root().bytes().toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(Files.readAllBytes(GoldenLibrary.require(name).resolve("executable.bin")));
    ExecutableContent content = (ExecutableContent) bin.content(0, ReadOptions.DEFAULT);
    assertThat(content.result().warnings()).isEmpty();
    assertThat(content.result().executable().constants())
        .filteredOn(Tensor.class::isInstance)
        .isNotEmpty()
        .allSatisfy(constant -> assertThat(((Tensor) constant).segment().address() % 64).isZero());
  }

  private static String text(ModuleImage image) {
    return new String(image.bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  @Test
  void openClLibraryGivesAnImageForEachKernel() throws IOException {
    List<KernelModule> images = images("07-mlp-opencl", "opencl");
    assertThat(images).hasSize(4);
    for (KernelModule module : images) {
      assertThat(module.device()).isEqualTo("opencl");
      ModuleImage image = module.image();
      assertThat(image.format()).isEqualTo("opencl-c");
      String name = image.symbols().getFirst();
      assertThat(text(image)).contains("__kernel void " + name + "(").endsWith("}\n\n");
      assertThat(image.entries()).hasSize(1);
      KernelEntry entry = image.entries().getFirst();
      assertThat(entry.name()).isEqualTo(name);
      // The kernel has as many parameters as the source says.
      String parameters = text(image).split(name + "\\(", -1)[1].split("\\)", -1)[0];
      assertThat(entry.parameters()).hasSameSizeAs(parameters.split(",", -1));
      assertThat(entry.launchTags()).isNotEmpty().allMatch(LaunchTag::hasValue);
    }
  }

  @Test
  void vulkanLibraryGivesSpirvForEachKernel() throws IOException {
    List<KernelModule> images = images("08-mlp-vulkan", "vulkan");
    // Without shared memory, reductions are kernels of their own.
    assertThat(images).hasSize(9);
    for (KernelModule module : images) {
      assertThat(module.device()).isEqualTo("vulkan");
      ModuleImage image = module.image();
      assertThat(image.format()).isEqualTo("spirv");
      assertThat(text(image)).contains(image.symbols().getFirst());
      KernelEntry entry = image.entries().getFirst();
      assertThat(entry.uniformScalars()).isFalse();
      SpirvBindings bindings = SpirvBindings.of(entry);
      assertThat(bindings.buffers()).isBetween(2, 4);
      assertThat(bindings.pushConstantBytes()).isEqualTo(8 * bindings.scalars());
    }
  }

  @Test
  void cudaLibraryGivesItsSource() throws IOException {
    List<KernelModule> images = images("09-mlp-cuda", "cuda");
    assertThat(images).hasSize(1);
    assertThat(images.getFirst().device()).isEqualTo("cuda");
    ModuleImage image = images.getFirst().image();
    assertThat(image.format()).isEqualTo("cuda-c");
    assertThat(image.symbols()).containsExactlyInAnyOrderElementsOf(KERNELS);
    assertThat(image.entries()).hasSize(4);
    for (String kernel : KERNELS) {
      assertThat(text(image)).contains(kernel + "(");
    }
  }

  @Test
  void hostLibrariesHoldAnExecutableAndCode() throws IOException {
    LibraryBin bin = LibraryBin.read(GoldenLibrary.container("03-mlp-dynamic-batch"));
    assertThat(bin.modules())
        .extracting(ModuleNode::kind)
        .containsExactly("relax.VMExecutable", "_lib");
    assertThat(bin.library()).contains(1);
    assertExecutable("03-mlp-dynamic-batch", bin);
  }
}
