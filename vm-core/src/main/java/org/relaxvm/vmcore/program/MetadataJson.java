package org.relaxvm.vmcore.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.executable.SourceNodes;

/** The JSON form of {@link ProgramMetadata}. */
final class MetadataJson {
  private static final String DOCUMENT = "metadata.json";

  private MetadataJson() {}

  static ProgramMetadata read(String json) {
    JsonObject root = JsonObject.parse(DOCUMENT, json);
    try {
      ProgramMetadata.Builder builder =
          ProgramMetadata.builder()
              .name(root.text("name", ""))
              .description(root.text("description", ""))
              .function(root.text("function", "main"))
              .ir(root.text("ir", ""))
              .labels(root.texts("labels"))
              .devices(root.texts("devices").stream().map(DeviceId::parse).toList());
      root.objects("inputs").forEach(spec -> builder.input(tensor(spec)));
      root.objects("outputs").forEach(spec -> builder.output(tensor(spec)));
      root.texts("requiredFunctions").forEach(builder::requiredFunction);
      root.object("image").ifPresent(image -> builder.image(image(image)));
      builder.sourceNodes(sourceNodes(root));
      return builder.build();
    } catch (CallException | BackendException e) {
      throw new MalformedFileException(ErrorKind.VALUE, DOCUMENT + ": " + e.summary(), e);
    }
  }

  static String write(ProgramMetadata metadata) {
    Map<String, Object> root = JsonObject.fields();
    root.put("name", metadata.name());
    root.put("description", metadata.description());
    root.put("function", metadata.function());
    root.put("inputs", metadata.inputs().stream().map(MetadataJson::tensor).toList());
    root.put("outputs", metadata.outputs().stream().map(MetadataJson::tensor).toList());
    metadata.image().ifPresent(image -> root.put("image", image(image)));
    root.put("labels", metadata.labels());
    root.put("requiredFunctions", metadata.requiredFunctions());
    if (!metadata.devices().isEmpty()) {
      root.put("devices", metadata.devices().stream().map(DeviceId::toString).toList());
    }
    if (!metadata.ir().isEmpty()) {
      root.put("ir", metadata.ir());
    }
    if (!metadata.sourceNodes().ranges().isEmpty()) {
      root.put(
          "sourceNodes",
          metadata.sourceNodes().ranges().stream().map(MetadataJson::range).toList());
    }
    return JsonObject.format(root);
  }

  private static SourceNodes sourceNodes(JsonObject root) {
    try {
      return new SourceNodes(
          root.objects("sourceNodes").stream()
              .map(
                  range ->
                      new SourceNodes.Range(
                          range.integer("from"), range.integer("to"), range.texts("nodes")))
              .toList());
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(ErrorKind.VALUE, DOCUMENT + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> range(SourceNodes.Range range) {
    Map<String, Object> json = JsonObject.fields();
    json.put("from", range.from());
    json.put("to", range.to());
    json.put("nodes", range.nodes());
    return json;
  }

  private static TensorSpec tensor(JsonObject json) {
    List<Dim> shape = new ArrayList<>();
    for (Object item : json.list("shape")) {
      switch (item) {
        case Integer extent -> shape.add(Dim.of(extent.longValue()));
        case Long extent -> shape.add(Dim.of(extent.longValue()));
        case String symbol -> shape.add(Dim.symbol(symbol));
        case null, default ->
            throw json.wrong("shape", "a list of integers and symbol names", item);
      }
    }
    String device = json.text("device", "");
    return new TensorSpec(
        json.text("name", ""),
        DType.parse(json.text("dtype")),
        shape,
        device.isEmpty() ? Optional.empty() : Optional.of(DeviceId.parse(device)));
  }

  private static Map<String, Object> tensor(TensorSpec spec) {
    Map<String, Object> json = JsonObject.fields();
    json.put("name", spec.name());
    json.put("dtype", spec.dtype().toString());
    List<Object> shape = new ArrayList<>();
    for (Dim dim : spec.shape()) {
      switch (dim) {
        case Dim.Fixed fixed -> shape.add(fixed.extent());
        case Dim.Symbol symbol -> shape.add(symbol.name());
      }
    }
    json.put("shape", shape);
    spec.device().ifPresent(device -> json.put("device", device.toString()));
    return json;
  }

  private static ImageSpec image(JsonObject json) {
    return new ImageSpec(
        json.text("input"),
        choice(json, "colour", ImageSpec.Colour.values()),
        size(json, "width"),
        size(json, "height"),
        choice(json, "layout", ImageSpec.Layout.values()),
        json.number("scale", 1 / 255.0),
        json.numbers("mean"),
        json.numbers("std"),
        json.flag("invert", false));
  }

  private static Map<String, Object> image(ImageSpec image) {
    Map<String, Object> json = JsonObject.fields();
    json.put("input", image.input());
    json.put("colour", lower(image.colour()));
    json.put("width", image.width());
    json.put("height", image.height());
    json.put("layout", lower(image.layout()));
    json.put("scale", image.scale());
    json.put("mean", image.mean());
    json.put("std", image.std());
    json.put("invert", image.invert());
    return json;
  }

  private static int size(JsonObject json, String field) {
    long value = json.integer(field);
    return Math.clamp(value, -1, Integer.MAX_VALUE);
  }

  private static <E extends Enum<E>> E choice(JsonObject json, String field, E[] choices) {
    String text = json.text(field);
    List<String> names = new ArrayList<>();
    for (E choice : choices) {
      if (lower(choice).equals(text)) {
        return choice;
      }
      names.add(lower(choice));
    }
    throw json.wrong(field, "one of " + String.join(", ", names), text);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
