package org.relaxvm.backendvulkan;

import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;
import org.relaxvm.backendvulkan.context.DeviceFacts;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.kernels.GlslDialect;
import org.relaxvm.backendvulkan.kernels.GlslTarget;
import org.relaxvm.backendvulkan.program.VulkanProgram;

/**
 * Runs kernels of the kernel IR on a device of Vulkan: those with narrow indices bind their
 * buffers, those with wide ones address them. Thread-safe.
 */
final class VulkanDriver implements GpuDriver {
  private final VulkanDevice device;
  private final DeviceFacts facts;
  private final Dialect binding;
  private final Dialect addressing;

  VulkanDriver(VulkanDevice device, DeviceFacts facts) {
    this.device = device;
    this.facts = facts;
    this.binding = dialect(facts, false);
    this.addressing = dialect(facts, true);
  }

  private static Dialect dialect(DeviceFacts facts, boolean addressed) {
    return new GlslDialect(
        new GlslTarget(
            facts.has(Feature.FLOAT64),
            facts.limits().maxPushConstantBytes(),
            addressed,
            facts.reducesInSubgroups(),
            facts.limits().maxWorkGroupCount()));
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public BackendOptions options() {
    return device.options();
  }

  @Override
  public GpuLimits limits() {
    return device.limits();
  }

  @Override
  public Dialect dialect(boolean wide) {
    return wide ? addressing : binding;
  }

  @Override
  public long mostNarrowBytes() {
    return facts.limits().maxStorageBufferRange();
  }

  @Override
  public int mostNarrowBuffers() {
    return Math.clamp(facts.limits().maxStageStorageBuffers(), 1, Integer.MAX_VALUE);
  }

  @Override
  public GpuProgram build(String name, String source) {
    VulkanProgram program = device.build(name, source);
    return GpuProgram.of(
        (kernel, function, stream, arguments, size, sharedBytes) ->
            device.own(stream).launch(program.kernel(kernel), function, arguments, size),
        program::close);
  }
}
