package org.relaxvm.interoponnx.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;

/** Compares what our reader gives with what the protobuf library gives, field by field. */
final class ProtoComparison {
  private ProtoComparison() {}

  private static Object get(Message message, String field) {
    return message.getField(OnnxMessages.field(message.getDescriptorForType().getName(), field));
  }

  private static boolean has(Message message, String field) {
    return message.hasField(OnnxMessages.field(message.getDescriptorForType().getName(), field));
  }

  private static DynamicMessage message(Message message, String field) {
    return (DynamicMessage) get(message, field);
  }

  @SuppressWarnings("unchecked") // the descriptor says what is repeated
  private static List<Object> list(Message message, String field) {
    return (List<Object>) get(message, field);
  }

  private static <T> void all(
      List<T> ours, Message message, String field, BiConsumer<T, Message> same) {
    List<Object> theirs = list(message, field);
    assertThat(ours).hasSameSizeAs(theirs);
    for (int i = 0; i < ours.size(); i++) {
      same.accept(ours.get(i), (Message) theirs.get(i));
    }
  }

  private static Map<String, Object> entries(
      Message message, String field, String key, String value) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (Object entry : list(message, field)) {
      entries.put((String) get((Message) entry, key), get((Message) entry, value));
    }
    return entries;
  }

  private static String domain(Object name) {
    return name.equals("ai.onnx") ? "" : (String) name;
  }

  private static void opsets(Map<String, Long> ours, Message message) {
    Map<String, Long> theirs = new LinkedHashMap<>();
    for (Object entry : list(message, "opset_import")) {
      theirs.merge(
          domain(get((Message) entry, "domain")),
          (Long) get((Message) entry, "version"),
          Math::max);
    }
    assertThat(ours).isEqualTo(theirs);
  }

  static void same(ModelProto ours, Message theirs) {
    assertThat(ours.irVersion()).isEqualTo(get(theirs, "ir_version"));
    assertThat(ours.producerName()).isEqualTo(get(theirs, "producer_name"));
    assertThat(ours.producerVersion()).isEqualTo(get(theirs, "producer_version"));
    assertThat(ours.domain()).isEqualTo(get(theirs, "domain"));
    assertThat(ours.modelVersion()).isEqualTo(get(theirs, "model_version"));
    assertThat(ours.docString()).isEqualTo(get(theirs, "doc_string"));
    assertThat(ours.metadata()).isEqualTo(entries(theirs, "metadata_props", "key", "value"));
    opsets(ours.opsets(), theirs);
    same(ours.graph(), message(theirs, "graph"));
    all(ours.functions(), theirs, "functions", ProtoComparison::same);
  }

  private static void same(FunctionProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.domain()).isEqualTo(domain(get(theirs, "domain")));
    assertThat(ours.overload()).isEqualTo(get(theirs, "overload"));
    assertThat(ours.inputs()).isEqualTo(get(theirs, "input"));
    assertThat(ours.outputs()).isEqualTo(get(theirs, "output"));
    assertThat(ours.attributes()).isEqualTo(get(theirs, "attribute"));
    opsets(ours.opsets(), theirs);
    all(ours.attributeDefaults(), theirs, "attribute_proto", ProtoComparison::same);
    all(ours.nodes(), theirs, "node", ProtoComparison::same);
    all(ours.valueInfo(), theirs, "value_info", ProtoComparison::same);
  }

  private static void same(GraphProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.docString()).isEqualTo(get(theirs, "doc_string"));
    assertThat(ours.metadata()).isEqualTo(entries(theirs, "metadata_props", "key", "value"));
    all(ours.nodes(), theirs, "node", ProtoComparison::same);
    all(ours.initializers(), theirs, "initializer", ProtoComparison::same);
    all(ours.sparseInitializers(), theirs, "sparse_initializer", ProtoComparison::same);
    all(ours.inputs(), theirs, "input", ProtoComparison::same);
    all(ours.outputs(), theirs, "output", ProtoComparison::same);
    all(ours.valueInfo(), theirs, "value_info", ProtoComparison::same);
  }

  private static void same(NodeProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.opType()).isEqualTo(get(theirs, "op_type"));
    assertThat(ours.domain()).isEqualTo(domain(get(theirs, "domain")));
    assertThat(ours.overload()).isEqualTo(get(theirs, "overload"));
    assertThat(ours.inputs()).isEqualTo(get(theirs, "input"));
    assertThat(ours.outputs()).isEqualTo(get(theirs, "output"));
    all(ours.attributes(), theirs, "attribute", ProtoComparison::same);
  }

  private static void same(AttributeProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.refName()).isEqualTo(get(theirs, "ref_attr_name"));
    switch (ours.value()) {
      case AttributeValue.Unknown(long type) ->
          assertThat((int) type).isEqualTo(get(theirs, "type"));
      case AttributeValue.Real(float value) -> assertThat(value).isEqualTo(get(theirs, "f"));
      case AttributeValue.Int(long value) -> assertThat(value).isEqualTo(get(theirs, "i"));
      case AttributeValue.OfString(String value) ->
          assertThat(value).isEqualTo(((ByteString) get(theirs, "s")).toStringUtf8());
      case AttributeValue.OfTensor(TensorProto value) -> same(value, message(theirs, "t"));
      case AttributeValue.OfGraph(GraphProto value) -> same(value, message(theirs, "g"));
      case AttributeValue.Reals(List<Float> values) ->
          assertThat(values).isEqualTo(get(theirs, "floats"));
      case AttributeValue.Ints(List<Long> values) ->
          assertThat(values).isEqualTo(get(theirs, "ints"));
      case AttributeValue.Strings(List<String> values) ->
          assertThat(values)
              .isEqualTo(
                  list(theirs, "strings").stream()
                      .map(value -> ((ByteString) value).toStringUtf8())
                      .toList());
      case AttributeValue.Tensors(List<TensorProto> values) ->
          all(values, theirs, "tensors", ProtoComparison::same);
      case AttributeValue.Graphs(List<GraphProto> values) ->
          all(values, theirs, "graphs", ProtoComparison::same);
      case AttributeValue.OfSparseTensor(SparseTensorProto value) ->
          same(value, message(theirs, "sparse_tensor"));
      case AttributeValue.SparseTensors(List<SparseTensorProto> values) ->
          all(values, theirs, "sparse_tensors", ProtoComparison::same);
      case AttributeValue.OfType(TypeProto value) -> same(value, message(theirs, "tp"));
      case AttributeValue.Types(List<TypeProto> values) ->
          all(values, theirs, "type_protos", ProtoComparison::same);
    }
  }

  private static void same(ValueInfoProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.docString()).isEqualTo(get(theirs, "doc_string"));
    same(ours.type(), message(theirs, "type"));
  }

  private static void same(SparseTensorProto ours, Message theirs) {
    same(ours.values(), message(theirs, "values"));
    same(ours.indices(), message(theirs, "indices"));
    assertThat(ours.dims()).isEqualTo(get(theirs, "dims"));
  }

  private static void same(TypeProto ours, Message theirs) {
    switch (ours) {
      case TypeProto.OfTensor(int element, var shape) ->
          sameTensor(element, shape.orElse(null), theirs, "tensor_type");
      case TypeProto.OfSparseTensor(int element, var shape) ->
          sameTensor(element, shape.orElse(null), theirs, "sparse_tensor_type");
      case TypeProto.OfSequence(TypeProto element) ->
          same(element, message(message(theirs, "sequence_type"), "elem_type"));
      case TypeProto.OfOptional(TypeProto element) ->
          same(element, message(message(theirs, "optional_type"), "elem_type"));
      case TypeProto.OfMap(int key, TypeProto value) -> {
        assertThat(key).isEqualTo(get(message(theirs, "map_type"), "key_type"));
        same(value, message(message(theirs, "map_type"), "value_type"));
      }
      case TypeProto.Unknown(int field) -> {
        boolean hasOther =
            has(theirs, "tensor_type")
                || has(theirs, "sequence_type")
                || has(theirs, "map_type")
                || has(theirs, "optional_type")
                || has(theirs, "sparse_tensor_type");
        assertThat(hasOther).isFalse();
      }
    }
  }

  private static void sameTensor(
      int element, @Nullable List<Dimension> shape, Message theirs, String field) {
    assertThat(has(theirs, field)).isTrue();
    DynamicMessage tensor = message(theirs, field);
    assertThat(element).isEqualTo(get(tensor, "elem_type"));
    assertThat(shape != null).isEqualTo(has(tensor, "shape"));
    List<Dimension> dims = new ArrayList<>();
    for (Object dim : list(message(tensor, "shape"), "dim")) {
      Message extent = (Message) dim;
      dims.add(
          has(extent, "dim_value")
              ? new Dimension.Value((Long) get(extent, "dim_value"))
              : has(extent, "dim_param")
                  ? new Dimension.Param((String) get(extent, "dim_param"))
                  : new Dimension.Unspecified());
    }
    assertThat(shape == null ? List.of() : shape).isEqualTo(dims);
  }

  private static void same(TensorProto ours, Message theirs) {
    assertThat(ours.name()).isEqualTo(get(theirs, "name"));
    assertThat(ours.dataType()).isEqualTo(get(theirs, "data_type"));
    assertThat(ours.dims())
        .isEqualTo(list(theirs, "dims").stream().mapToLong(dim -> (Long) dim).toArray());
    assertThat(ours.isExternal()).isEqualTo(get(theirs, "data_location").equals(1));
    assertThat(ours.externalData()).isEqualTo(entries(theirs, "external_data", "key", "value"));
    MemorySegment raw = ours.rawData();
    assertThat(raw == null ? null : raw.toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(
            has(theirs, "raw_data") ? ((ByteString) get(theirs, "raw_data")).toByteArray() : null);
    assertThat(ours.stringData().stream().map(s -> s.toArray(ValueLayout.JAVA_BYTE)).toList())
        .usingRecursiveComparison()
        .isEqualTo(
            list(theirs, "string_data").stream()
                .map(value -> ((ByteString) value).toByteArray())
                .toList());
    assertThat(numbers(ours, TensorProto.Field.FLOATS))
        .isEqualTo(
            list(theirs, "float_data").stream()
                .map(value -> (long) Float.floatToRawIntBits((Float) value))
                .toList());
    assertThat(numbers(ours, TensorProto.Field.DOUBLES))
        .isEqualTo(
            list(theirs, "double_data").stream()
                .map(value -> Double.doubleToRawLongBits((Double) value))
                .toList());
    assertThat(numbers(ours, TensorProto.Field.INT32S).stream().map(Long::intValue).toList())
        .isEqualTo(get(theirs, "int32_data"));
    assertThat(numbers(ours, TensorProto.Field.INT64S)).isEqualTo(get(theirs, "int64_data"));
    assertThat(numbers(ours, TensorProto.Field.UINT64S)).isEqualTo(get(theirs, "uint64_data"));
  }

  private static List<Long> numbers(TensorProto tensor, TensorProto.Field field) {
    List<Long> numbers = new ArrayList<>();
    tensor.forEach(field, numbers::add);
    return numbers;
  }
}
