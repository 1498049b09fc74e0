package org.relaxvm.machine.x64;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The GNU assembler and objcopy of this machine, as the reference for encodings. */
final class GnuAssembler {
  private GnuAssembler() {}

  static boolean isPresent() {
    return Files.isExecutable(Path.of("/usr/bin/as"))
        && Files.isExecutable(Path.of("/usr/bin/objcopy"));
  }

  /** The bytes of a listing in Intel syntax. */
  static byte[] assemble(Path folder, String listing) throws IOException, InterruptedException {
    Path source = folder.resolve("listing.s");
    Path object = folder.resolve("listing.o");
    Path binary = folder.resolve("listing.bin");
    Files.writeString(source, ".intel_syntax noprefix\n.text\n" + listing);
    run("as", "--64", "-o", object.toString(), source.toString());
    run("objcopy", "-O", "binary", "-j", ".text", object.toString(), binary.toString());
    return Files.readAllBytes(binary);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new AssertionError(String.join(" ", command) + " ended with " + code + ":\n" + output);
    }
  }
}
