package org.relaxvm.machine.arm64;

/**
 * Sets of instructions that a processor may have, beyond those of every AArch64 processor with
 * Advanced SIMD. Names are those of the manual, without the prefix {@code FEAT_}.
 */
public enum Feature {
  /** Atomic read-modify-write operations. */
  LSE,
  /** Rounding doubling multiply-accumulate. */
  RDM,
  /** Arithmetic on float16. */
  FP16,
  /** Products of float16, added to float32. */
  FHM,
  /** Dot products of 8-bit integers. */
  DOTPROD,
  /** Dot products and conversion of bfloat16. */
  BF16,
  /** Matrix products of 8-bit integers, and dot products of mixed signs. */
  I8MM
}
