package org.relaxvm.interoponnx;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.file.CompileProgress;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.interoponnx.convert.ModelImporter;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.data.ExternalData;
import org.relaxvm.interoponnx.data.MappedFile;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.options.OnnxLimits;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.options.OnnxReport;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.Program;

/**
 * A model in ONNX form.
 *
 * <pre>{@code
 * OnnxModel model = OnnxModel.open(Path.of("model.onnx"));
 * Program program = model.compile(OnnxOptions.DEFAULT.bind("batch", 1));
 * }</pre>
 *
 * <p>The file is mapped: weights never lie on the Java heap, except those of at most 1 KiB. They
 * are used where they are if they are aligned to 64 bytes, and are copied to native memory at their
 * first use otherwise; {@code -XX:MaxDirectMemorySize} does not limit that. The mapping ends when
 * neither the model nor a program made from it is reachable. The file must not change meanwhile.
 * Thread-safe.
 *
 * <p>Operators of third parties are those of the {@link
 * org.relaxvm.interoponnx.spi.OnnxOperatorProvider}s that the class loader of the thread finds when
 * the model is opened.
 */
public final class OnnxModel {
  private static final OperatorTable STANDARD = StandardOperators.table();

  private final String name;
  private final ModelProto proto;
  private final TensorData data;
  private final OperatorTable operators;

  private OnnxModel(String name, ModelProto proto, TensorData data) {
    this.name = name;
    this.proto = proto;
    this.data = data;
    this.operators = ProvidedOperators.with(STANDARD);
  }

  /**
   * Maps a file and reads its structure.
   *
   * @throws MalformedFileException when it cannot be read, is no ONNX model, or is one in another
   *     form than protocol buffers, such as text
   */
  public static OnnxModel open(Path file) {
    return open(file, OnnxLimits.DEFAULT);
  }

  /**
   * Maps a file and reads its structure.
   *
   * @param limits bound what is read; those of {@link OnnxOptions} bound what is made of it
   * @throws MalformedFileException when it cannot be read, is no ONNX model, or has more fields
   */
  public static OnnxModel open(Path file, OnnxLimits limits) {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    Path folder = parent == null ? absolute : parent;
    try {
      MappedFile mapped = MappedFile.open(absolute);
      return new OnnxModel(
          String.valueOf(absolute.getFileName()),
          read(absolute.toString(), mapped.bytes(), limits.maxFields()),
          new TensorData(Optional.of(mapped), new ExternalData(folder)));
    } catch (NoSuchFileException e) {
      throw new MalformedFileException(ErrorKind.IO, "no such file: " + absolute, e);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + absolute + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the structure of a model in memory, which stays valid and unchanged as long as the model
   * and programs made from it are used.
   *
   * @param name for messages
   * @param folder of the files with external data
   */
  public static OnnxModel of(String name, MemorySegment bytes, Path folder) {
    return of(name, bytes, folder, OnnxLimits.DEFAULT.maxFields());
  }

  private static OnnxModel of(String name, MemorySegment bytes, Path folder, long maxFields) {
    return new OnnxModel(
        name, read(name, bytes, maxFields), new TensorData(new ExternalData(folder)));
  }

  private static ModelProto read(String name, MemorySegment bytes, long maxFields) {
    long size = Math.min(bytes.byteSize(), FileHead.LIMIT);
    FileHead head = FileHead.of(bytes.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
    Optional<String> other = ModelHead.otherForm(head);
    if (other.isPresent()) {
      throw new MalformedFileException(ErrorKind.VALUE, name + other.get());
    }
    return ModelProto.read(bytes, maxFields);
  }

  /** The messages of the file. */
  public ModelProto proto() {
    return proto;
  }

  /** What keeps the model from being imported, and what is worth knowing. */
  public OnnxReport check(OnnxOptions options) {
    return translate(options).report();
  }

  /**
   * The model as a module, whose function {@code main} takes the inputs in the order of the model,
   * without initializers, and gives the output, or a tuple of all.
   *
   * @throws InvalidProgramException with all that is not supported, and when inputs decide axes
   */
  public IRModule toRelax(OnnxOptions options) {
    return module(translate(options));
  }

  /**
   * The model as a program, with the names of its inputs and outputs. Where inputs decide axes, a
   * version is compiled for each of their values when {@code main} is called; no file can hold such
   * a program, and its outputs have names only if the model declares dtype and shape of each.
   *
   * @throws InvalidProgramException with all that is not supported
   */
  public Program compile(OnnxOptions options) {
    return compile(options, CompileOptions.DEFAULT);
  }

  /** As {@link #compile(OnnxOptions)}, with options of the compiler. */
  public Program compile(OnnxOptions options, CompileOptions compileOptions) {
    ModelImporter.Result result = translate(options);
    if (result.report().isSupported() && !result.deciding().isEmpty()) {
      return VersionedProgram.of(this, options, compileOptions, result);
    }
    List<String> outputs = result.outputs();
    return Compiler.compile(
        module(result),
        CompileProgress.in(compileOptions, options.progress())
            .withMetadata(
                metadata ->
                    metadata
                        .name(proto.graph().name())
                        .description(proto.docString())
                        .inputNames(List.copyOf(result.inputs().keySet()))
                        .outputNames(outputs)));
  }

  /** The name of an element type by its number in the format, such as {@code float32} for 1. */
  public static String elementTypeName(int number) {
    return ElementType.of(number).string();
  }

  /**
   * The bytes that the elements of a tensor take; 0 for strings.
   *
   * @throws MalformedFileException when its extents are malformed
   */
  public static long byteSize(TensorProto tensor) {
    DType dtype = ElementType.of(tensor.dataType()).dtype();
    long count = TensorData.shape(tensor, "the tensor '" + tensor.name() + "'").elementCount();
    return dtype == null ? 0 : dtype.byteSize(count);
  }

  private ModelImporter.Result translate(OnnxOptions options) {
    return new ModelImporter(proto, data, operators, options).run(name);
  }

  private static IRModule module(ModelImporter.Result result) {
    return result
        .module()
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    result.report().isSupported()
                        ? VersionedProgram.undecided(result.report().model(), result.deciding())
                        : result.report().message()));
  }
}
