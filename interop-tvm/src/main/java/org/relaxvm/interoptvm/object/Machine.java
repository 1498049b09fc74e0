package org.relaxvm.interoptvm.object;

import java.util.Locale;

/** A family of processors, by the name that messages use. */
public enum Machine {
  /** 64-bit x86. */
  X86_64("x86-64", 62, 0x0100_0007, 0x8664),
  /** 64-bit ARM. */
  AARCH64("aarch64", 183, 0x0100_000C, 0xAA64),
  /** 32-bit x86. */
  X86("x86", 3, 7, 0x014C),
  /** 32-bit ARM. */
  ARM("arm", 40, 12, 0x01C4),
  /** RISC-V of either word size. */
  RISCV("riscv", 243, -1, 0x5064),
  /** 64-bit POWER. */
  PPC64("ppc64", 21, 0x0100_0012, -1),
  /** IBM Z. */
  S390("s390", 22, -1, -1),
  /** LoongArch. */
  LOONGARCH("loongarch", 258, -1, 0x6264),
  /** Any other. */
  OTHER("an unknown processor", -2, -2, -2);

  private final String text;
  private final int elf;
  private final int machO;
  private final int pe;

  Machine(String text, int elf, int machO, int pe) {
    this.text = text;
    this.elf = elf;
    this.machO = machO;
    this.pe = pe;
  }

  /** The family that a format's number stands for. */
  static Machine of(ObjectFormat format, int number) {
    for (Machine machine : values()) {
      int own =
          switch (format) {
            case ELF -> machine.elf;
            case MACH_O -> machine.machO;
            case PE -> machine.pe;
          };
      if (own == number) {
        return machine;
      }
    }
    return OTHER;
  }

  /** The family that the property {@code os.arch} of a JVM stands for. */
  public static Machine ofJvm(String osArch) {
    String arch = osArch.toLowerCase(Locale.ROOT);
    return switch (arch) {
      case "amd64", "x86_64", "x64" -> X86_64;
      case "aarch64", "arm64" -> AARCH64;
      case "x86", "i386", "i486", "i586", "i686" -> X86;
      case "ppc64", "ppc64le" -> PPC64;
      case "s390x" -> S390;
      default -> {
        if (arch.startsWith("arm")) {
          yield ARM;
        }
        yield arch.startsWith("riscv") ? RISCV : arch.startsWith("loong") ? LOONGARCH : OTHER;
      }
    };
  }

  /** The name, such as {@code x86-64}. */
  @Override
  public String toString() {
    return text;
  }
}
