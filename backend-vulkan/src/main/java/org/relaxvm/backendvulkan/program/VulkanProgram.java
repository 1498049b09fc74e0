package org.relaxvm.backendvulkan.program;

import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelBuildEvent;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.kernels.GlslKernel;

/**
 * The kernels of a program in GLSL, built for a device. Who builds it closes it; work that was
 * recorded before is done all the same.
 *
 * <p>Immutable and thread-safe.
 */
public final class VulkanProgram implements AutoCloseable {
  private final DeviceContext context;
  private final Map<String, VulkanKernel> kernels = new LinkedHashMap<>();

  private VulkanProgram(DeviceContext context) {
    this.context = context;
  }

  /**
   * Compiles all kernels of a program, and makes their pipelines.
   *
   * @param name for messages
   * @param source what {@link GlslKernel#of} takes
   * @throws BackendException when the compiler refuses it, with its log and where the source was
   *     written, or the device cannot run it
   */
  public static VulkanProgram build(
      DeviceContext context,
      CachedShaders shaders,
      PipelineStore pipelines,
      String name,
      String source) {
    KernelBuildEvent event = Events.areOn() ? KernelBuildEvent.start() : null;
    VulkanProgram program = new VulkanProgram(context);
    boolean cached;
    try {
      cached = program.add(shaders, pipelines, source);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
    if (event != null) {
      event.finish(name, context.id(), cached);
    }
    return program;
  }

  /** Makes the kernels; gives whether none had to be compiled. */
  private boolean add(CachedShaders shaders, PipelineStore pipelines, String source) {
    boolean cached = true;
    for (GlslKernel kernel : GlslKernel.of(source)) {
      CachedShaders.Compiled compiled = shaders.compile(kernel);
      cached &= compiled.cached();
      kernels.put(
          kernel.name(),
          VulkanKernel.of(context, pipelines, compiled.spirv(), kernel.shape(), kernel.name()));
    }
    return cached;
  }

  /**
   * A kernel of the program; the same one each time.
   *
   * @throws BackendException when the program has none of that name
   */
  public VulkanKernel kernel(String name) {
    VulkanKernel kernel = kernels.get(name);
    if (kernel == null) {
      throw new BackendException(
          ErrorKind.VALUE,
          "a program of "
              + context.id()
              + " has no kernel '"
              + name
              + "', only "
              + kernels.keySet());
    }
    return kernel;
  }

  @Override
  public void close() {
    kernels.values().forEach(VulkanKernel::close);
  }
}
