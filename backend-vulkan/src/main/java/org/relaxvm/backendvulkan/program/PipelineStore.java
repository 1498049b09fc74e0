package org.relaxvm.backendvulkan.program;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;
import org.relaxvm.backendsupport.gpu.device.Owned;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.slf4j.LoggerFactory;

/**
 * Makes pipelines of a device. What its driver compiles for them is kept on disk: it is read when
 * the first pipeline is made, and written when the device is closed and there is more of it.
 *
 * <p>Thread-safe.
 */
public final class PipelineStore implements Owned {
  private final DeviceContext context;
  private final KernelCache cache;
  private @Nullable DeviceCalls calls;
  private long handle;
  private byte[] known = {};
  private boolean released;

  /** Pipelines of one device; nothing is made or read yet. */
  public PipelineStore(DeviceContext context, KernelCache cache) {
    this.context = context;
    this.cache = cache;
  }

  /** Several threads compile at the same time: the driver takes care of its cache. */
  long create(DeviceCalls device, ShaderCode code, KernelInterface shape, long layout) {
    return device.createPipeline(
        code.bytes(), shape.entryPoint(), shape.workGroupSize(), layout, handle(device));
  }

  private synchronized long handle(DeviceCalls device) {
    if (calls == null) {
      known = cache.find(key()).orElse(known);
      handle = device.createPipelineCache(known);
      calls = device;
      context.own(this);
    }
    return handle;
  }

  private KernelKey key() {
    return new KernelKey(
        "pipelines of Vulkan", context.facts().identity(), context.facts().driverVersion(), "");
  }

  @Override
  public synchronized void releaseHandles() {
    DeviceCalls device = calls;
    if (device == null || released) {
      return;
    }
    released = true;
    try {
      if (!context.isLost()) {
        keep(device.pipelineCacheData(handle));
      }
    } catch (VulkanStatusException e) {
      LoggerFactory.getLogger(PipelineStore.class)
          .debug("the pipelines of {} are not kept", context.id(), e);
    } finally {
      device.destroyPipelineCache(handle);
    }
  }

  private void keep(byte[] data) {
    if (data.length > known.length) {
      cache.put(key(), data);
    }
  }
}
