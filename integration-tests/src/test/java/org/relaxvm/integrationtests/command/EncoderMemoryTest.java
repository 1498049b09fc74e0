package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.examples.encoder.EncoderModel;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.RvmWriter;

/** How much memory the encoder needs for one text of 128 tokens, as {@code inspect} shows it. */
class EncoderMemoryTest {
  private static final Pattern MEMORY =
      Pattern.compile("peak ([0-9,]+) bytes; largest live set ([0-9,]+) bytes");

  @TempDir private Path folder;

  @Test
  void thePlanNeedsLittleMoreThanIsLiveAtOnce() {
    IRModule model = EncoderModel.module(new SplittableRandom(1), Dim.of(1), Dim.of(128));
    Path file = folder.resolve("encoder.rvm");
    RvmWriter.write(Compiler.compile(model), file);
    Matcher memory = MEMORY.matcher(CommandRun.of("inspect", file).out());
    assertThat(memory.find()).isTrue();
    System.out.println("encoder, 1 x 128: " + memory.group());
    assertThat(bytes(memory.group(1)) / bytes(memory.group(2))).isBetween(1.0, 1.2);
  }

  private static double bytes(String number) {
    return Long.parseLong(number.replace(",", ""));
  }
}
