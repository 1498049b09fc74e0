package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {
  private final Target linux = Target.of(ObjectFormat.ELF, 62, 64, ByteOrder.LITTLE_ENDIAN);

  @ParameterizedTest
  @CsvSource({
    "amd64,X86_64",
    "x86_64,X86_64",
    "aarch64,AARCH64",
    "arm64,AARCH64",
    "i386,X86",
    "arm,ARM",
    "riscv64,RISCV",
    "ppc64le,PPC64",
    "s390x,S390",
    "loongarch64,LOONGARCH",
    "sparcv9,OTHER"
  })
  void knowsTheArchitecturesOfJvms(String name, Machine machine) {
    assertThat(Machine.ofJvm(name)).isEqualTo(machine);
  }

  @Test
  void fitsItsOwnSystemAndProcessor() {
    assertThat(linux.unfit("Linux", "amd64")).isEmpty();
    assertThat(linux.onlyFor("Linux").unfit("Linux", "amd64")).isEmpty();
  }

  @Test
  void saysWhichSystemLoadsWhat() {
    assertThat(linux.unfit("Windows 11", "amd64"))
        .contains(
            "it is an ELF library, and this JVM runs on Windows 11, which loads a PE library:"
                + " export the model for this operating system");
    assertThat(linux.unfit("Mac OS X", "aarch64"))
        .contains(
            "it is an ELF library, and this JVM runs on Mac OS X, which loads a Mach-O library:"
                + " export the model for this operating system");
    assertThat(linux.onlyFor("FreeBSD").unfit("Linux", "amd64"))
        .contains(
            "it is for FreeBSD, and this JVM runs on Linux: export the model for this operating"
                + " system");
  }

  @Test
  void saysWhichProcessorItIsFor() {
    assertThat(linux.unfit("Linux", "aarch64"))
        .contains(
            "it is for x86-64, and this JVM runs on aarch64: export the model for this"
                + " processor");
    assertThat(Target.of(ObjectFormat.ELF, 8, 64, ByteOrder.LITTLE_ENDIAN).unfit("Linux", "mips"))
        .contains(
            "it is for machine number 8, and this JVM runs on mips: export the model for this"
                + " processor");
  }
}
