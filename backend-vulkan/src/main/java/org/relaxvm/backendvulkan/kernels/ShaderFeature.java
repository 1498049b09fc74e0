package org.relaxvm.backendvulkan.kernels;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What a shader needs that not every device has. */
public enum ShaderFeature {
  /** Integers of 64 bits. */
  INT64("shaderInt64", GlslWords.INT64, 11),
  /** Floats of 64 bits. */
  FLOAT64("shaderFloat64", Pattern.compile("\\bdouble\\b"), 10),
  /** Elements of 8 bits in buffers. */
  STORAGE8("storageBuffer8BitAccess", Pattern.compile("\\bu?int8_t\\b"), 4448),
  /** Elements of 16 bits in buffers. */
  STORAGE16("storageBuffer16BitAccess", Pattern.compile("\\bu?int16_t\\b"), 4433),
  /** Buffers that are given by their addresses. */
  ADDRESSES("bufferDeviceAddress", Pattern.compile("\\bbuffer_reference\\b"), 5347);

  private final String vulkanName;
  private final Pattern word;
  private final int capability;

  ShaderFeature(String vulkanName, Pattern word, int capability) {
    this.vulkanName = vulkanName;
    this.word = word;
    this.capability = capability;
  }

  /** As Vulkan calls it, such as {@code shaderInt64}. */
  public String vulkanName() {
    return vulkanName;
  }

  /** The features that a shader declares to need. */
  public static Set<ShaderFeature> of(SpirvModule module) {
    Set<ShaderFeature> features = EnumSet.noneOf(ShaderFeature.class);
    for (ShaderFeature feature : values()) {
      if (module.hasCapability(feature.capability)) {
        features.add(feature);
      }
    }
    return features;
  }

  /** The features that text in GLSL needs. */
  static Set<ShaderFeature> in(String text) {
    Set<ShaderFeature> features = EnumSet.noneOf(ShaderFeature.class);
    for (ShaderFeature feature : values()) {
      if (feature.word.matcher(text).find()) {
        features.add(feature);
      }
    }
    return features;
  }
}
