package org.relaxvm.interoponnx.proto;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * A model. Immutable.
 *
 * @param irVersion the version of the file format; 0 when absent
 * @param opsets the version of each domain; the domain {@code ai.onnx} is the empty string
 * @param metadata what tools added, in order
 */
public record ModelProto(
    long irVersion,
    String producerName,
    String producerVersion,
    String domain,
    long modelVersion,
    String docString,
    GraphProto graph,
    Map<String, Long> opsets,
    List<FunctionProto> functions,
    Map<String, String> metadata) {

  /**
   * Reads a model. The data of tensors are not read: they are slices of the segment.
   *
   * @param maxFields of all messages at most
   * @throws org.relaxvm.api.error.MalformedFileException when it breaks the wire format, has more
   *     fields, or has no graph
   */
  public static ModelProto read(MemorySegment file, long maxFields) {
    WireMessage model = WireMessage.of(file, maxFields);
    WireMessage graph = model.message(7);
    if (graph == null) {
      throw WireCursor.malformed(0, "the model has no graph", "");
    }
    return new ModelProto(
        model.integer(1),
        model.string(2),
        model.string(3),
        model.string(4),
        model.integer(5),
        model.string(6),
        GraphProto.of(graph),
        Entries.opsets(model.messages(8)),
        model.messages(25, FunctionProto::of),
        Entries.strings(model.messages(14)));
  }
}
