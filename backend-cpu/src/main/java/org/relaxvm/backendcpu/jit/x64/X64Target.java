package org.relaxvm.backendcpu.jit.x64;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Feature;
import org.relaxvm.machine.x64.Gp;

/**
 * An x86-64 processor with AVX2, FMA, F16C, BMI1 and BMI2, or one that also has AVX-512 (F, VL, BW,
 * DQ, CD). Immutable and thread-safe.
 */
public final class X64Target implements Target {
  private static final int WIDE_BITS = 512;
  private static final int NARROW_BITS = 256;

  private final Set<Feature> features;
  private final boolean isWide;

  private X64Target(Set<Feature> features, boolean isWide) {
    this.features = features;
    this.isWide = isWide;
  }

  /**
   * The processor that has {@code features}. AVX-512 is used if all five of its sets are there,
   * else none of them.
   *
   * @throws IllegalArgumentException if the features of x86-64-v3 are not there
   */
  public static X64Target of(Set<Feature> features) {
    if (!features.containsAll(Feature.x86V3())) {
      Set<Feature> missing = Feature.x86V3();
      missing.removeAll(features);
      throw new IllegalArgumentException(
          "machine code needs the features of x86-64-v3, but the processor lacks " + missing);
    }
    boolean isWide = features.containsAll(Feature.x86V4());
    Set<Feature> used = EnumSet.copyOf(features);
    if (!isWide) {
      for (Feature feature : features) {
        if (feature.name().startsWith("AVX512")) {
          used.remove(feature);
        }
      }
    }
    return new X64Target(used, isWide);
  }

  /** Whether it has AVX-512. */
  boolean isWide() {
    return isWide;
  }

  Set<Feature> features() {
    return features;
  }

  @Override
  public int vectorBits() {
    return isWide ? WIDE_BITS : NARROW_BITS;
  }

  @Override
  public int vectorRegisters() {
    return (isWide ? 32 : 16) - Locations.SCRATCH_VECTORS;
  }

  /** The registers to assign, in an order that prefers those that a function need not preserve. */
  RegisterFile registerFile(CallingConvention convention) {
    List<Integer> words = new ArrayList<>();
    List<Integer> vectors = new ArrayList<>();
    for (boolean isSaved : new boolean[] {false, true}) {
      for (int number = 0; number < 16; number++) {
        Gp word = Gp.of(number);
        boolean isFree = word.number() != Gp.RSP.number() && !Locations.isScratch(word);
        if (isFree && convention.isSaved(word) == isSaved) {
          words.add(number);
        }
      }
      for (int number = 0; number < vectorRegisters(); number++) {
        if (convention.isSavedVector(number) == isSaved) {
          vectors.add(number);
        }
      }
    }
    List<Integer> masks = isWide ? List.of(1, 2, 3, 4, 5, 6) : List.of();
    return new RegisterFile(words, vectors, masks, isWide, vectorBits() / 8);
  }

  @Override
  public boolean hasMaskedAccess(int elementBits) {
    return isWide || elementBits >= 32;
  }

  @Override
  public boolean supports(Op op, Type result, Type operand) {
    return Support.of(this, op, result, operand);
  }

  @Override
  public boolean supports(Relation relation, Type operands) {
    boolean isUnsigned =
        switch (relation) {
          case ULT, ULE, UGT, UGE -> true;
          default -> false;
        };
    return Support.fits(this, operands)
        && !operands.isMask()
        && !(isUnsigned && operands.isFloat());
  }

  @Override
  public boolean supportsGather(Type result, Type index) {
    return Support.fits(this, result)
        && Support.fits(this, index)
        && (result.isInt() || result.isFloat())
        && index.isInt()
        && result.bits() >= 32
        && index.bits() >= 32
        && index.lanes() == result.lanes();
  }

  @Override
  public String toString() {
    return isWide ? "x86-64 with AVX-512" : "x86-64 with AVX2";
  }
}
