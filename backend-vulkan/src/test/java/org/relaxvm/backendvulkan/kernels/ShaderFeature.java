package org.relaxvm.backendvulkan.kernels;

import java.util.EnumSet;
import java.util.Set;

/** What a shader needs that not every device has, by the capabilities that it declares. */
enum ShaderFeature {
  /** Integers of 64 bits. */
  INT64(11),
  /** Floats of 64 bits. */
  FLOAT64(10),
  /** Elements of 8 bits in buffers. */
  STORAGE8(4448),
  /** Elements of 16 bits in buffers. */
  STORAGE16(4433),
  /** Buffers that are given by their addresses. */
  ADDRESSES(5347);

  private final int capability;

  ShaderFeature(int capability) {
    this.capability = capability;
  }

  /** The features that a kernel needs when it is compiled. */
  static Set<ShaderFeature> of(GlslKernel kernel) {
    return of(ShaderCompiler.compile(kernel.name(), kernel.shader(), Targets.EXACT));
  }

  /** The features that code declares to need. */
  static Set<ShaderFeature> of(byte[] code) {
    SpirvModule module = SpirvModule.of(code);
    Set<ShaderFeature> features = EnumSet.noneOf(ShaderFeature.class);
    for (ShaderFeature feature : values()) {
      if (module.hasCapability(feature.capability)) {
        features.add(feature);
      }
    }
    return features;
  }
}
