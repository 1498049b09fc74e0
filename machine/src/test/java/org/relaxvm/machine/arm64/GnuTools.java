package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The GNU assembler of AArch64, as the reference for encodings, and QEMU, which runs programs. */
final class GnuTools {
  private static final Path BIN = Path.of("/usr/bin");
  private static final String PREFIX = "aarch64-linux-gnu-";

  private GnuTools() {}

  /** Skips a test without the assembler, or fails it where the assembler is demanded. */
  static void needAssembler() {
    need(PREFIX + "as", PREFIX + "ld", PREFIX + "objcopy");
  }

  /** Skips a test without QEMU, or fails it where QEMU is demanded. */
  static void needEmulator() {
    need("qemu-aarch64");
  }

  private static void need(String... programs) {
    List<String> missing = new ArrayList<>();
    for (String program : programs) {
      if (!Files.isExecutable(BIN.resolve(program))) {
        missing.add(program);
      }
    }
    if (System.getenv("RELAXVM_REQUIRE_ARM64_TOOLS") != null) {
      assertThat(missing).as("programs that RELAXVM_REQUIRE_ARM64_TOOLS demands").isEmpty();
    }
    assumeTrue(missing.isEmpty(), "there is no " + missing + " in " + BIN);
  }

  /** The bytes of a listing, at address 0. */
  static byte[] assemble(Path folder, String listing) throws IOException, InterruptedException {
    Path source = folder.resolve("listing.s");
    Path object = folder.resolve("listing.o");
    Path linked = folder.resolve("listing.elf");
    Path binary = folder.resolve("listing.bin");
    Files.writeString(source, ".text\n.global _start\n_start:\n" + listing);
    run(
        PREFIX + "as",
        "-march=armv8.6-a+fp16+fp16fml+sve",
        "-o",
        object.toString(),
        source.toString());
    run(PREFIX + "ld", "-Ttext=0", "-o", linked.toString(), object.toString());
    run(PREFIX + "objcopy", "-O", "binary", "-j", ".text", linked.toString(), binary.toString());
    return Files.readAllBytes(binary);
  }

  /** What a program for Linux prints under QEMU, which emulates all features that it knows. */
  static String emulate(Path program) throws IOException, InterruptedException {
    return run("qemu-aarch64", "-cpu", "max", program.toString());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    int code = process.waitFor();
    if (code != 0) {
      throw new AssertionError(String.join(" ", command) + " ended with " + code + ":\n" + output);
    }
    return output;
  }
}
