package org.relaxvm.backendvulkan.program;

import org.lwjgl.Version;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.DeviceFacts;
import org.relaxvm.backendvulkan.driver.DeviceReport.Floats;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.kernels.GlslKernel;
import org.relaxvm.backendvulkan.kernels.ShaderCompiler;
import org.relaxvm.backendvulkan.kernels.SpirvTarget;
import org.relaxvm.backendvulkan.kernels.SpirvTarget.FloatControls;

/**
 * Compiles shaders in GLSL, which are kept on disk: devices that promise the same share them.
 * Thread-safe.
 */
public final class CachedShaders {
  private final KernelCache cache;
  private final BackendOptions options;
  private final SpirvTarget target;

  /** Shaders of one device. */
  public CachedShaders(DeviceContext context, KernelCache cache) {
    this.cache = cache;
    this.options = context.options();
    this.target = targetOf(context.facts());
  }

  private static SpirvTarget targetOf(DeviceFacts facts) {
    return new SpirvTarget(
        facts.has(Feature.MAINTENANCE_4),
        controls(facts.report().float32()),
        controls(facts.report().float64()));
  }

  private static FloatControls controls(Floats floats) {
    return new FloatControls(
        floats.keepsSpecialValues(), floats.roundsToNearest(), floats.keepsDenormals());
  }

  /**
   * A compiled shader.
   *
   * @param spirv little-endian
   * @param cached whether no compiler was needed
   */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  record Compiled(byte[] spirv, boolean cached) {}

  /** What {@link ShaderCompiler#compile} gives, or the same from an earlier time. */
  Compiled compile(GlslKernel kernel) {
    boolean[] compiled = new boolean[1];
    KernelKey key =
        new KernelKey(
            kernel.shader(), "SPIR-V", "shaderc of LWJGL " + Version.getVersion(), "" + target);
    byte[] spirv =
        cache.get(
            key,
            () -> {
              compiled[0] = true;
              return ShaderCompiler.compile(kernel.name(), kernel.shader(), target, options);
            });
    return new Compiled(spirv, !compiled[0]);
  }
}
