package org.relaxvm.interoponnx;

import java.nio.file.Path;
import java.util.List;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.FormatOption;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/** Reads ONNX models and compiles them. Thread-safe. */
public final class OnnxProgramReader implements ProgramReader {
  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "onnx";
  }

  @Override
  public String describe() {
    return "an ONNX model (protocol buffers with the fields ir_version or opset_import)";
  }

  @Override
  public boolean accepts(FileHead head) {
    return ModelHead.isModel(head) || ModelHead.otherForm(head).isPresent();
  }

  @Override
  public List<FormatOption> options() {
    return OnnxSettings.OPTIONS;
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    OnnxModel model = OnnxModel.open(path);
    return model
        .compile(OnnxSettings.of(model, options))
        .withSource(path.toAbsolutePath().toString());
  }
}
