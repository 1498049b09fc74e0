package org.relaxvm.objects.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.compare.StructuralHash;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Graphs of our own. */
class ObjectGraphTest {
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  @TempDir private Path folder;

  private static String json(@Nullable Object value) {
    return new ObjectGraph(value).toJson(TYPES);
  }

  private static Object object(String key, Map<String, ?> values) {
    return TYPES.require(key).create(values);
  }

  private static Object integer(long value) {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    return object("ir.IntImm", Map.of("ty", type, "value", value));
  }

  /** The worked example of the specification. */
  @Test
  void theWorkedExample() {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    Object n = object("ir.Var", Map.of("ty", type, "name", "n"));
    Object one = object("ir.IntImm", Map.of("ty", type, "value", 1L));
    Object sum = object("tirx.Add", Map.of("ty", type, "a", n, "b", one));
    assertThat(new ObjectGraph(sum, Map.of("tvm_version", "0.26.0")).toJson(TYPES))
        .isEqualTo(
            """
            {"root_index":5,"nodes":[{"type":"None"},\
            {"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}},\
            {"type":"ffi.String","data":"n"},\
            {"type":"ir.Var","data":{"span":0,"ty":1,"name":2}},\
            {"type":"ir.IntImm","data":{"span":0,"ty":1,"value":1}},\
            {"type":"tirx.Add","data":{"span":0,"ty":1,"a":3,"b":4}}],\
            "metadata":{"tvm_version":"0.26.0"}}\
            """);
  }

  @Test
  void whatIsReferredToTwiceIsOneObjectAgain() throws Exception {
    Object shared = integer(3);
    Path file = folder.resolve("graph.json");
    try (var out = Files.newOutputStream(file)) {
      new ObjectGraph(List.of(shared, shared, integer(3))).write(out, TYPES);
    }
    List<?> again = (List<?>) ObjectGraph.read(file, TYPES).root();
    assertThat(again.get(0)).isSameAs(again.get(1)).isNotSameAs(again.get(2));
  }

  @Test
  void missingFieldsHaveTheirDefaultAndUnknownOnesAreIgnored() {
    String text =
        """
        {"nodes": [
           {"data": {"value": 4, "later": 3}, "type": "ir.IntImm"}], "root_index": 0}\
        """;
    ObjectNode node = (ObjectNode) ObjectGraph.parse(text, TYPES).root();
    assertThat(ObjectView.of(node).get("value")).isEqualTo(4L);
    assertThat(((ObjectNode) ObjectView.of(node).get("ty")).type().key()).isEqualTo("ir.Type");
  }

  @Test
  void malformedGraphsAreOneMessage() {
    refused("[]", "expected an object with `root_index` and `nodes`");
    refused(graph("0", "{\"type\":\"ffi.Array\",\"data\":[0]}"), "contains itself");
    refused(
        graph(
            "0",
            "{\"type\":\"ffi.Array\",\"data\":[1]},{\"type\":\"ffi.Map\",\"data\":[2,0]},"
                + "{\"type\":\"None\"}"),
        "node 0 (ffi.Array) contains itself");
    refused(graph("0", "{\"data\":1}"), "node 0 has no type");
    refused(graph("0", "{\"type\":\"test.Nobody\",\"data\":{}}"), "Cannot find type `test.Nobody`");
    refused(graph("0", "{\"type\":\"ffi.Array\",\"data\":{}}"), "node 0 (ffi.Array) is not a list");
    refused(graph("0", "{\"type\":\"ir.IntImm\",\"data\":[1]}"), "is not an object");
    refused(
        graph("0", "{\"type\":\"ir.IntImm\",\"data\":{}}"),
        "Required field `value` not set in type `ir.IntImm`\n  in: node 0 (ir.IntImm)");
    refused(
        "{\"root\":1,\"nodes\":[{\"type_key\":\"\"}],\"b64ndarrays\":[]}",
        "written by Apache TVM 0.21 or older");
    refused("{\"root_index\":0,\n \"nodes\":[}", "is not valid JSON: ");
  }

  private static String graph(String root, String nodes) {
    return "{\"root_index\":" + root + ",\"nodes\":[" + nodes + "]}";
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> ObjectGraph.parse(text, TYPES))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void valuesThatContainThemselvesAreRefused() {
    ListObject list = new ListObject(new ArrayList<>());
    list.elements().add(List.of(list));
    assertThatThrownBy(() -> json(list))
        .isInstanceOf(CallException.class)
        .hasMessage("Cycle detected during serialization: a List contains itself");
    DictObject dict = new DictObject(new LinkedHashMap<>());
    dict.entries().put("d", dict);
    assertThatThrownBy(() -> json(dict))
        .hasMessage("Cycle detected during serialization: a Dict contains itself");
    PackedFunc function = (args, result) -> result.setNull();
    assertThatThrownBy(() -> json(List.of(function)))
        .hasMessageStartingWith("Type `ffi.Function` does not support ToJSONGraph");
  }

  @Test
  void depthIsNoLimit() {
    int depth = 1_000_000;
    StringBuilder text = new StringBuilder("{\"type\":\"ffi.Array\",\"data\":[]}");
    for (int i = 0; i < depth; i++) {
      text.append(",{\"type\":\"ffi.Array\",\"data\":[").append(i).append("]}");
    }
    String json = graph(Integer.toString(depth), text.toString());
    Object left = ObjectGraph.parse(json, TYPES).root();
    Object right = ObjectGraph.parse(json, TYPES).root();
    assertThat(json(left)).isEqualTo(json);
    assertThat(StructuralEquality.areEqual(left, right, TYPES, CompareOptions.DEFAULT)).isTrue();
    assertThat(StructuralHash.of(left, TYPES, CompareOptions.DEFAULT))
        .isEqualTo(StructuralHash.of(right, TYPES, CompareOptions.DEFAULT));
  }

  @Test
  void tensorsComeBack() {
    try (Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3))) {
      Tensor again = (Tensor) ObjectGraph.parse(json(tensor), TYPES).root();
      assertThat(again.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(again.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
    }
  }

  /** Damaged texts are read, or refused with a typed error. */
  @Test
  void damagedTextsAreTypedErrors() {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    Object n = object("ir.Var", Map.of("ty", type, "name", "n"));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("axes", List.of(1L, 2.5, true));
    map.put("shape", Shape.of(1, 2));
    map.put("tensor", Tensor.of(new long[] {1, 2}, Shape.of(2)));
    map.put("bytes", new byte[] {1, 2, 3});
    map.put("sum", object("tirx.Add", Map.of("ty", type, "a", n, "b", integer(4))));
    byte[] text = json(map).getBytes(StandardCharsets.UTF_8);
    RandomCases cases = RandomCases.of(Effort.chosen().pick(2_000, 20_000, 200_000));
    System.out.println("damaged graphs: " + cases);
    for (long number : cases.numbers().toArray()) {
      String damaged = damage(text, new SplittableRandom(cases.seed() * 31 + number));
      try {
        json(ObjectGraph.parse(damaged, TYPES).root());
      } catch (RelaxException expected) {
        assertThat(expected.getMessage()).as(cases.repeat(number)).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError(cases.repeat(number) + "\n" + damaged, e);
      }
    }
  }

  private static String damage(byte[] text, SplittableRandom random) {
    byte[] damaged = text.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      damaged[random.nextInt(damaged.length)] =
          (byte) "{}[],:\"0123456789-.eE\\truefalsn ".charAt(random.nextInt(32));
    }
    int length = random.nextInt(8) == 0 ? random.nextInt(damaged.length) : damaged.length;
    return new String(damaged, 0, length, StandardCharsets.UTF_8);
  }

  @Test
  void typesOfTheOriginalAreKnown() {
    ObjectType type = TYPES.require("relax.attrs.Conv2DAttrs");
    assertThat(type.fields()).extracting(field -> field.name()).contains("strides", "data_layout");
    assertThat(TYPES.isKnownName("ir.Op", "relax.add")).isTrue();
    assertThat(TYPES.isKnownName("ir.Op", "relax.nobody")).isFalse();
  }
}
