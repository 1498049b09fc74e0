package org.relaxvm.machine.x64;

import java.util.EnumSet;
import java.util.Set;

/** Sets of instructions that a processor may have, beyond those of every x86-64 processor. */
public enum Feature {
  POPCNT,
  LZCNT,
  BMI1,
  BMI2,
  MOVBE,
  AVX,
  AVX2,
  FMA,
  F16C,
  AVX_VNNI,
  AVX512F,
  AVX512VL,
  AVX512BW,
  AVX512DQ,
  AVX512CD,
  AVX512_VBMI,
  AVX512_VBMI2,
  AVX512_VNNI,
  AVX512_BITALG,
  AVX512_VPOPCNTDQ,
  AVX512_BF16;

  /** The features of the psABI level {@code x86-64-v3} that the assembler has instructions of. */
  public static Set<Feature> x86V3() {
    return EnumSet.of(POPCNT, LZCNT, BMI1, BMI2, MOVBE, AVX, AVX2, FMA, F16C);
  }

  /** The features of the psABI level {@code x86-64-v4} that the assembler has instructions of. */
  public static Set<Feature> x86V4() {
    EnumSet<Feature> features = EnumSet.copyOf(x86V3());
    features.addAll(EnumSet.of(AVX512F, AVX512VL, AVX512BW, AVX512DQ, AVX512CD));
    return features;
  }
}
