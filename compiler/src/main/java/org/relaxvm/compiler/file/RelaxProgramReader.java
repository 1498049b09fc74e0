package org.relaxvm.compiler.file;

import java.nio.file.Path;
import java.util.List;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.FormatOption;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/** Reads programs in Relax IR, as text or as JSON graphs, and compiles them. Thread-safe. */
public final class RelaxProgramReader implements ProgramReader {
  private static final String MARK = "@I.ir_module";

  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "relax";
  }

  @Override
  public String describe() {
    return "a module in Relax IR as text, with the line '"
        + MARK
        + "' near its start, or as a JSON graph of Apache TVM";
  }

  @Override
  public boolean accepts(FileHead head) {
    return isGraph(head) || head.text().lines().anyMatch(line -> line.strip().equals(MARK));
  }

  @Override
  public List<FormatOption> options() {
    return ModuleSettings.options();
  }

  private static boolean isGraph(FileHead head) {
    String text = head.text().stripLeading();
    return text.startsWith("{") && text.contains("\"root_index\"");
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    IRModule module = ModuleSettings.apply(ModuleFile.read(path), options.settings());
    return Compiler.compile(module, CompileProgress.in(CompileOptions.DEFAULT, options.progress()))
        .withSource(path.toAbsolutePath().toString());
  }
}
