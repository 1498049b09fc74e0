package org.relaxvm.cli.inspect;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;

/** The texts that a program brings: what it was compiled from, and its kernels. */
public final class SourceText {
  private SourceText() {}

  /**
   * The Relax IR that a program was compiled from, or the listing that it was translated from.
   *
   * @throws CallException a {@code ValueError} when it does not have it
   */
  public static String ir(Program program) {
    String ir = program.metadata().ir();
    if (ir.isEmpty()) {
      throw new CallException(
          ErrorKind.VALUE,
          program.source()
              + " does not have the Relax IR that it was compiled from\n"
              + "  what to do: 'relaxvm inspect --text' shows its instructions; 'relaxvm compile'"
              + " writes packages that have it");
    }
    return ir.endsWith("\n") ? ir : ir + "\n";
  }

  /** The kernels of a program that are text: kernel IR and sources for devices. */
  public static String kernels(Program program) {
    String texts =
        program.modules().stream()
            .filter(module -> isText(module.image().format()))
            .map(SourceText::kernels)
            .collect(Collectors.joining("\n"));
    if (texts.isEmpty()) {
      throw new CallException(
          ErrorKind.VALUE, program.source() + " brings no kernels that are text");
    }
    return texts;
  }

  private static boolean isText(String format) {
    return format.equals("tir") || format.equals("opencl-c") || format.equals("cuda-c");
  }

  private static String kernels(KernelModule module) {
    ModuleImage image = module.image();
    byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    String device = module.device().isEmpty() ? "any device" : module.device();
    String text = new String(bytes, StandardCharsets.UTF_8);
    return "# for " + device + "\n" + text + (text.endsWith("\n") ? "" : "\n");
  }
}
