package org.relaxvm.interoponnx;

import java.nio.file.Path;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.FormatOption;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/** Reads ONNX models and compiles them. Thread-safe. */
public final class OnnxProgramReader implements ProgramReader {
  private static final String TEXT_MARK = "ir_version:";
  private static final String ORT_MARK = "ORTM";

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
    return ModelHead.isModel(head) || isTextModel(head) || isRuntimeFormat(head);
  }

  @Override
  public List<FormatOption> options() {
    return OnnxSettings.OPTIONS;
  }

  private static boolean isTextModel(FileHead head) {
    return head.text().stripLeading().startsWith(TEXT_MARK);
  }

  private static boolean isRuntimeFormat(FileHead head) {
    return head.hasTextAt(4, ORT_MARK);
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    OnnxModel model = open(path);
    return model
        .compile(OnnxSettings.of(model, options))
        .withSource(path.toAbsolutePath().toString());
  }

  /**
   * Opens a file that a reader accepts.
   *
   * @throws MalformedFileException when it is a model in another form than protocol buffers, or
   *     damaged
   */
  public static OnnxModel open(Path path) {
    FileHead head = FileHead.of(path);
    if (isTextModel(head)) {
      throw other(path, "is an ONNX model as text", "convert it with onnx.parser or protoc");
    }
    if (isRuntimeFormat(head)) {
      throw other(
          path, "is in ONNX Runtime's own format", "use the .onnx file that it was made from");
    }
    return OnnxModel.open(path);
  }

  private static MalformedFileException other(Path path, String what, String remedy) {
    return new MalformedFileException(
        ErrorKind.VALUE, path.toAbsolutePath() + " " + what + "\n  what to do: " + remedy);
  }
}
