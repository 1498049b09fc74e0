package org.relaxvm.examples.embeddings;

import static org.relaxvm.compiler.dsl.Ops.astype;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.expandDims;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.sqrt;
import static org.relaxvm.compiler.dsl.Ops.square;
import static org.relaxvm.compiler.dsl.Ops.sum;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Sentences as unit vectors of 384 numbers, with all-MiniLM-L6-v2. The model is imported from ONNX;
 * the mean of its outputs over the tokens and the normalization are added with the builder, so that
 * one program does it all. Thread-safe.
 */
public final class SentenceEncoder implements AutoCloseable {
  private static final String MODEL = "/all-minilm-l6-v2.onnx";
  private static final String TOKENIZER = "/all-minilm-l6-v2-tokenizer.json";
  private static final int MAX_TOKENS = 512;
  private static final List<Integer> TOKENS = List.of(1);

  private final WordPiece tokenizer;
  private final VirtualMachine vm;
  private final VmFunction embed;

  /**
   * Loads the model from the class path.
   *
   * @param device to run on, such as {@code cpu} or {@code opencl:0}
   */
  public SentenceEncoder(String device) {
    try (InputStream json = resource(TOKENIZER)) {
      tokenizer = WordPiece.read(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    vm = VirtualMachine.builder(Compiler.compile(module(model()))).device(device).build();
    embed = vm.function("embed");
  }

  /** The model as a file, since files are mapped. */
  private static OnnxModel model() {
    try (InputStream model = resource(MODEL)) {
      Path file = Files.createTempFile("all-minilm-l6-v2", ".onnx");
      file.toFile().deleteOnExit();
      Files.copy(model, file, StandardCopyOption.REPLACE_EXISTING);
      return OnnxModel.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(SentenceEncoder.class.getResourceAsStream(name), name);
  }

  // snippet: extend
  /** The model with another function, which gives unit vectors. */
  static IRModule module(OnnxModel model) {
    BlockBuilder builder = new BlockBuilder(model.toRelax(OnnxOptions.DEFAULT));
    builder.function("embed", SentenceEncoder::embed);
    return builder.module();
  }

  private static Expr embed(FunctionBuilder f) {
    Var batch = Var.index("batch");
    Var length = Var.index("length");
    TensorType tokens = TensorType.of(DType.INT64, batch, length);
    Expr ids = f.param("ids", tokens);
    Expr mask = f.param("mask", tokens);
    Expr types = f.param("types", tokens);
    Expr states = f.emit(f.call(new GlobalVar("main"), ids, mask, types));
    return f.dataflow(
        () -> {
          Expr weights = astype(mask, DType.FLOAT32);
          Expr total = sum(multiply(states, expandDims(weights, 2)), TOKENS, false);
          Expr mean = divide(total, sum(weights, TOKENS, true));
          return divide(mean, sqrt(sum(square(mean), TOKENS, true)));
        });
  }

  // end

  /**
   * The vectors of sentences, which are computed together.
   *
   * @return one vector per sentence
   */
  public float[][] encode(List<String> sentences) {
    List<long[]> encoded =
        sentences.stream().map(sentence -> tokenizer.encode(sentence, MAX_TOKENS)).toList();
    int length = encoded.stream().mapToInt(ids -> ids.length).max().orElse(1);
    long[] ids = new long[encoded.size() * length];
    long[] mask = new long[ids.length];
    for (int row = 0; row < encoded.size(); row++) {
      long[] own = encoded.get(row);
      System.arraycopy(own, 0, ids, row * length, own.length);
      Arrays.fill(mask, row * length, row * length + own.length, 1);
    }
    Shape shape = Shape.of(encoded.size(), length);
    try (Tensor idTensor = Tensor.of(ids, shape);
        Tensor maskTensor = Tensor.of(mask, shape);
        Tensor typeTensor = Tensor.zeros(DType.INT64, shape);
        Tensor result = embed.call(idTensor, maskTensor, typeTensor).asTensor();
        Tensor host = result.toHost()) {
      return rows(host.toFloatArray(), encoded.size());
    }
  }

  private static float[][] rows(float[] all, int count) {
    int width = count == 0 ? 0 : all.length / count;
    float[][] rows = new float[count][];
    for (int row = 0; row < count; row++) {
      rows[row] = Arrays.copyOfRange(all, row * width, (row + 1) * width);
    }
    return rows;
  }

  @Override
  public void close() {
    vm.close();
  }
}
