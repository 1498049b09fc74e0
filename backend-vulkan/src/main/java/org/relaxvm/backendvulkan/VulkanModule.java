package org.relaxvm.backendvulkan;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.SpirvBindings;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.foreign.ForeignModule;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/**
 * A kernel of another compiler: a shader in SPIR-V, which becomes a pipeline.
 *
 * <p>Source: docs/spec/device-modules.md, sections 2 and 5.
 */
final class VulkanModule implements ForeignModule.Code<VulkanKernel, WorkSize> {
  /** The format of shaders in SPIR-V. */
  static final String FORMAT = "spirv";

  /** All formats. */
  static final Set<String> FORMATS = Set.of(FORMAT);

  private final VulkanDevice device;
  private final byte[] spirv;
  private final Map<String, KernelInterface> shapes = new HashMap<>();
  private final List<VulkanKernel> kernels = new ArrayList<>();

  private VulkanModule(VulkanDevice device, ModuleImage image) {
    this.device = device;
    this.spirv = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    for (KernelEntry entry : image.entries()) {
      shapes.put(entry.name(), shapeOf(entry));
    }
  }

  /**
   * Takes an image; its bytes are copied.
   *
   * @throws org.relaxvm.api.error.BackendException when the format is another, or a kernel cannot
   *     be called because its parameters are not known
   * @throws org.relaxvm.api.error.InvalidProgramException when they are not in the order that
   *     {@link SpirvBindings} needs
   */
  static Module load(VulkanDevice device, ModuleImage image) {
    ForeignModule.require(device, FORMATS, image);
    return new ForeignModule<>(device, image.entries(), new VulkanModule(device, image));
  }

  private static KernelInterface shapeOf(KernelEntry entry) {
    SpirvBindings bindings = SpirvBindings.of(entry);
    return new KernelInterface(
        entry.name(),
        bindings.buffers(),
        false,
        bindings.scalarBytes(),
        bindings.uniform(),
        true,
        0);
  }

  @Override
  public VulkanKernel kernel(KernelEntry entry) {
    KernelInterface shape = Objects.requireNonNull(shapes.get(entry.name()));
    VulkanKernel kernel = device.kernel(spirv, shape, entry.name());
    kernels.add(kernel);
    return kernel;
  }

  @Override
  public WorkSize size(KernelLaunch launch) {
    return WorkSize.of(launch);
  }

  @Override
  public void launch(
      VulkanKernel kernel,
      String name,
      List<KernelArgument> arguments,
      WorkSize size,
      Stream stream) {
    device.own(stream).launch(kernel, name, arguments, size);
  }

  @Override
  public void close() {
    kernels.forEach(VulkanKernel::close);
    kernels.clear();
  }
}
