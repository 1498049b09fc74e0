package org.relaxvm.backendvulkan;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendsupport.gpu.device.GpuOptions;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.kernels.ShaderCompiler;

/** Offers all devices of Vulkan of this machine. Thread-safe. */
public final class VulkanBackendProvider implements BackendProvider {
  private final Function<BackendOptions, ? extends Vulkan> driver;

  /** Called by {@link java.util.ServiceLoader}. */
  public VulkanBackendProvider() {
    this.driver = LwjglVulkan::load;
  }

  /** With another driver, which each {@link #open()} makes. */
  VulkanBackendProvider(Supplier<? extends Vulkan> driver) {
    this.driver = _ -> driver.get();
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return VulkanBackend.NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("Vulkan 1.2 or later, whose loader is looked for when it is opened");
  }

  @Override
  public List<BackendOption> options() {
    return GpuOptions.with(
        ShaderCompiler.FAILED_SOURCES,
        BackendOption.choice(
            "validation",
            List.of("false", "true"),
            Vulkan.VALIDATION,
            "Checks all calls with the validation layer of Vulkan."));
  }

  @Override
  public Backend open(BackendOptions options) {
    return VulkanBackend.open(driver.apply(options), options);
  }
}
