package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * A model and what it is called with.
 *
 * @param name what is printed, and what the command line selects by
 * @param inputs in the order of the model's
 */
record ModelCase(String name, Model model, List<Tensor> inputs) {
  private static final int TOKENS = 1000;

  static List<ModelCase> all() {
    Model anyEncoder = new EncoderModel("batch", "length");
    return List.of(
        of("encoder 1x128", new EncoderModel(1L, 128L), Map.of()),
        of("encoder of any size, 1x128", anyEncoder, Map.of("batch", 1L, "length", 128L)),
        of("encoder of any size, 8x128", anyEncoder, Map.of("batch", 8L, "length", 128L)),
        of("cnn 1x3x64x64", new CnnModel(), Map.of()),
        of("mlp 1x784", new MlpModel(1), Map.of()),
        of("mlp 64x784", new MlpModel(64), Map.of()),
        of("decoder step after 128 tokens", new DecoderModel(128L), Map.of()),
        of(
            "decoder step after any number, 128",
            new DecoderModel("positions"),
            Map.of("positions", 128L)));
  }

  /** The cases whose names contain one of {@code parts}; all cases if there are none. */
  static List<ModelCase> matching(List<String> parts) {
    return all().stream()
        .filter(call -> parts.isEmpty() || parts.stream().anyMatch(call.name()::contains))
        .toList();
  }

  static ModelCase of(String name, Model model, Map<String, Long> sizes) {
    List<Tensor> inputs = new ArrayList<>();
    for (Model.Input input : model.inputs()) {
      long[] dims =
          input.dims().stream()
              .mapToLong(dim -> dim instanceof String symbol ? sizes.get(symbol) : (Long) dim)
              .toArray();
      inputs.add(random(input.dtype(), Shape.of(dims), inputs.size()));
    }
    return new ModelCase(name, model, inputs);
  }

  private static Tensor random(DType dtype, Shape shape, long seed) {
    Random random = new Random(seed);
    int count = Math.toIntExact(shape.elementCount());
    if (dtype.equals(DType.INT64)) {
      return Tensor.of(random.longs(count, 0, TOKENS).toArray(), shape);
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(values, shape);
  }
}
