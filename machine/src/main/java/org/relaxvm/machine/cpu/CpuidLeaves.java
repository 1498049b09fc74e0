package org.relaxvm.machine.cpu;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.relaxvm.machine.x64.Feature;

/**
 * What the results of CPUID mean.
 *
 * <p>Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID, and
 * volume 1, section 15.2 (detection of AVX-512).
 */
final class CpuidLeaves {
  private static final int BRAND = 0x8000_0002;
  private static final int EXTENDED = 0x8000_0000;
  private static final int YMM_STATE = 0x6;
  private static final int ZMM_STATE = 0xE6;

  /** The results of CPUID, by leaf. */
  @FunctionalInterface
  interface Query {
    /** eax, ebx, ecx, edx, and the low half of XCR0. */
    int[] registers(int leaf, int subleaf);
  }

  private CpuidLeaves() {}

  static X64Processor read(Query query) {
    int[] first = query.registers(0, 0);
    String vendor = text(first[1]) + text(first[3]) + text(first[2]);
    int[] one = query.registers(1, 0);
    int[] seven = first[0] >= 7 ? query.registers(7, 0) : new int[5];
    int[] sevenOne = Integer.compareUnsigned(seven[0], 1) >= 0 ? query.registers(7, 1) : new int[5];
    int[] extended = query.registers(EXTENDED, 0);
    int[] extendedOne =
        Integer.compareUnsigned(extended[0], EXTENDED + 1) >= 0
            ? query.registers(EXTENDED + 1, 0)
            : new int[5];
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    int ecx = one[2];
    add(features, Feature.POPCNT, ecx, 23);
    add(features, Feature.MOVBE, ecx, 22);
    add(features, Feature.BMI1, seven[1], 3);
    add(features, Feature.BMI2, seven[1], 8);
    add(features, Feature.LZCNT, extendedOne[2], 5);
    if ((one[4] & YMM_STATE) == YMM_STATE && bit(ecx, 28)) {
      addAvx(features, ecx, seven, sevenOne);
      if ((one[4] & ZMM_STATE) == ZMM_STATE && bit(seven[1], 16)) {
        addAvx512(features, seven, sevenOne);
      }
    }
    return new X64Processor(vendor, model(query, extended[0]), features);
  }

  private static void addAvx(Set<Feature> features, int ecx, int[] seven, int[] sevenOne) {
    features.add(Feature.AVX);
    add(features, Feature.FMA, ecx, 12);
    add(features, Feature.F16C, ecx, 29);
    add(features, Feature.AVX2, seven[1], 5);
    add(features, Feature.AVX_VNNI, sevenOne[0], 4);
  }

  private static void addAvx512(Set<Feature> features, int[] seven, int[] sevenOne) {
    features.add(Feature.AVX512F);
    add(features, Feature.AVX512DQ, seven[1], 17);
    add(features, Feature.AVX512CD, seven[1], 28);
    add(features, Feature.AVX512BW, seven[1], 30);
    add(features, Feature.AVX512VL, seven[1], 31);
    add(features, Feature.AVX512_VBMI, seven[2], 1);
    add(features, Feature.AVX512_VBMI2, seven[2], 6);
    add(features, Feature.AVX512_VNNI, seven[2], 11);
    add(features, Feature.AVX512_BITALG, seven[2], 12);
    add(features, Feature.AVX512_VPOPCNTDQ, seven[2], 14);
    add(features, Feature.AVX512_BF16, sevenOne[0], 5);
  }

  private static boolean bit(int register, int bit) {
    return (register >>> bit & 1) != 0;
  }

  private static void add(Set<Feature> features, Feature feature, int register, int bit) {
    if (bit(register, bit)) {
      features.add(feature);
    }
  }

  private static String model(Query query, int last) {
    if (Integer.compareUnsigned(last, BRAND + 2) < 0) {
      return "";
    }
    StringBuilder name = new StringBuilder();
    for (int leaf = BRAND; leaf <= BRAND + 2; leaf++) {
      int[] registers = query.registers(leaf, 0);
      for (int i = 0; i < 4; i++) {
        name.append(text(registers[i]));
      }
    }
    return name.toString().replace("\0", "").strip();
  }

  private static String text(int register) {
    byte[] bytes = {
      (byte) register, (byte) (register >>> 8), (byte) (register >>> 16), (byte) (register >>> 24)
    };
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
