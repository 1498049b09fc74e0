package org.relaxvm.backendvulkan.kernels;

import org.relaxvm.backendvulkan.kernels.SpirvTarget.FloatControls;

/** Devices that shaders of tests are compiled for. */
final class Targets {
  /** Vulkan 1.2 without promises. */
  static final SpirvTarget PLAIN = new SpirvTarget(false, FloatControls.NONE, FloatControls.NONE);

  /** Vulkan 1.3 that promises all there is. */
  static final SpirvTarget EXACT =
      new SpirvTarget(
          true, new FloatControls(true, true, true), new FloatControls(true, true, true));

  private Targets() {}
}
