package org.relaxvm.backendvulkan;

import java.util.function.Supplier;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** Offers all devices of Vulkan of this machine. Thread-safe. */
public final class VulkanBackendProvider implements BackendProvider {
  private final Supplier<? extends Vulkan> driver;

  /** Called by {@link java.util.ServiceLoader}. */
  public VulkanBackendProvider() {
    this(LwjglVulkan::load);
  }

  /** With another driver, which each {@link #open()} makes. */
  VulkanBackendProvider(Supplier<? extends Vulkan> driver) {
    this.driver = driver;
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
  public Backend open() {
    return VulkanBackend.open(driver.get());
  }
}
