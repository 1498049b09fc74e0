package org.relaxvm.backendvulkan.program;

import java.util.concurrent.locks.ReentrantLock;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.device.GpuStream;
import org.relaxvm.backendsupport.gpu.device.Owned;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.DeviceReport.Limits;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.kernels.KernelInterface;

/**
 * A kernel that can be launched: a pipeline with its layouts. Work that was recorded before it is
 * closed is done all the same.
 *
 * <p>Thread-safe.
 */
public final class VulkanKernel implements Owned, AutoCloseable {
  private final DeviceContext context;
  private final DeviceCalls calls;
  private final String name;
  private final KernelInterface shape;
  private final Handles handles;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean released;

  /** What Vulkan made for a kernel. */
  private record Handles(long setLayout, long layout, long pipeline) {
    void destroy(DeviceCalls calls) {
      calls.destroyPipeline(pipeline);
      calls.destroyPipelineLayout(layout);
      calls.destroySetLayout(setLayout);
    }
  }

  private VulkanKernel(
      DeviceContext context,
      DeviceCalls calls,
      String name,
      KernelInterface shape,
      Handles handles) {
    this.context = context;
    this.calls = calls;
    this.name = name;
    this.shape = shape;
    this.handles = handles;
  }

  /**
   * Makes a kernel of a shader.
   *
   * @param pipelines of the device
   * @param spirv little-endian; not kept
   * @param shape how the shader is called
   * @param name for messages and profiles
   * @throws BackendException when the device cannot run it, with what it lacks
   */
  public static VulkanKernel of(
      DeviceContext context,
      PipelineStore pipelines,
      byte[] spirv,
      KernelInterface shape,
      String name) {
    ShaderCode code = ShaderCode.of(context, name, spirv);
    code.requireFits(context, name, shape);
    if (shape.workGroupSize() > 0) {
      WorkGroupLimits.require(context, name, new long[] {shape.workGroupSize()});
    }
    requireArguments(context, name, shape);
    return context.make(
        () -> {
          DeviceCalls calls = context.calls();
          try {
            Handles handles = make(calls, pipelines, code, shape);
            return new VulkanKernel(context, calls, name, shape, handles);
          } catch (VulkanStatusException e) {
            throw context.failure(e, "make the kernel " + name);
          }
        });
  }

  private static Handles make(
      DeviceCalls calls, PipelineStore pipelines, ShaderCode code, KernelInterface shape) {
    int storageBuffers = shape.addressed() ? 0 : shape.buffers();
    long setLayout = calls.createSetLayout(storageBuffers, shape.uniform());
    try {
      int pushed = shape.uniform() ? 0 : shape.argumentBytes();
      long layout = calls.createPipelineLayout(setLayout, pushed);
      try {
        return new Handles(setLayout, layout, pipelines.create(calls, code, shape, layout));
      } catch (RuntimeException e) {
        calls.destroyPipelineLayout(layout);
        throw e;
      }
    } catch (RuntimeException e) {
      calls.destroySetLayout(setLayout);
      throw e;
    }
  }

  private static void requireArguments(DeviceContext context, String name, KernelInterface shape) {
    Limits limits = context.facts().limits();
    if (!shape.addressed() && shape.buffers() > limits.maxStageStorageBuffers()) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id()
              + " cannot run the kernel "
              + name
              + ": it has "
              + shape.buffers()
              + " buffers, and the device binds at most "
              + limits.maxStageStorageBuffers());
    }
    long most = shape.uniform() ? limits.maxUniformBufferRange() : limits.maxPushConstantBytes();
    if (shape.argumentBytes() > most) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id()
              + " cannot run the kernel "
              + name
              + ": its numbers take "
              + shape.argumentBytes()
              + " bytes of "
              + (shape.uniform() ? "a uniform buffer" : "push constants")
              + ", and the device has at most "
              + most
              + "\n  what to do: compile the program for the limits of this device, which"
              + " 'relaxvm doctor' shows");
    }
  }

  /** How it is called. */
  public KernelInterface shape() {
    return shape;
  }

  /** The layout of its descriptor set. */
  public long setLayout() {
    return handles.setLayout();
  }

  /** The layout of its pipeline. */
  public long layout() {
    return handles.layout();
  }

  /** Its pipeline. */
  public long pipeline() {
    return handles.pipeline();
  }

  /** Whether it has a descriptor set at all. */
  public boolean hasDescriptors() {
    return shape.uniform() || (!shape.addressed() && shape.buffers() > 0);
  }

  /**
   * Records a launch while the kernel cannot go away.
   *
   * @throws BackendException when the kernel's program was closed
   */
  public void use(Runnable work) {
    lock.lock();
    try {
      if (released) {
        throw GpuStream.closedProgram(context.id(), name);
      }
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void releaseHandles() {
    lock.lock();
    try {
      if (!released) {
        released = true;
        context.retire(() -> handles.destroy(calls));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    releaseHandles();
    context.disown(this);
  }

  @Override
  public String toString() {
    return name;
  }
}
