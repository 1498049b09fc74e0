package org.relaxvm.objects.graph;

import static java.util.Objects.requireNonNull;
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
import org.relaxvm.objects.compare.AccessPath;
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

  private static Object parse(String text) {
    return requireNonNull(ObjectGraph.parse(text, TYPES).root());
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
    List<?> again = (List<?>) requireNonNull(ObjectGraph.read(file, TYPES).root());
    assertThat(again.get(0)).isSameAs(again.get(1)).isNotSameAs(again.get(2));
  }

  @Test
  void missingFieldsHaveTheirDefaultAndUnknownOnesAreIgnored() {
    String text =
        """
        {"nodes": [
           {"data": {"value": 4, "later": 3}, "type": "ir.IntImm"}], "root_index": 0}\
        """;
    ObjectNode node = (ObjectNode) parse(text);
    assertThat(ObjectView.of(node).get("value")).isEqualTo(4L);
    assertThat(ObjectView.of(node).get("ty"))
        .isInstanceOfSatisfying(
            ObjectNode.class, type -> assertThat(type.type().key()).isEqualTo("ir.Type"));
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
    refused(
        graph(
            "2",
            "{\"type\":\"None\"},{\"type\":\"ffi.Array\",\"data\":[]},"
                + "{\"type\":\"ffi.Map\",\"data\":[1,0]}"),
        "node 1 (ffi.Array) cannot be a key of a map");
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
    assertThatThrownBy(() -> StructuralHash.of(list, TYPES, CompareOptions.DEFAULT))
        .isInstanceOf(CallException.class)
        .hasMessage("a value of ffi.List contains itself");
    ListObject other = new ListObject(new ArrayList<>());
    other.elements().add(List.of(other));
    assertThatThrownBy(
            () -> StructuralEquality.areEqual(list, other, TYPES, CompareOptions.DEFAULT))
        .isInstanceOf(CallException.class)
        .hasMessage("a value of ffi.List contains itself\n  at: <root>[0][0]");
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

  /** 200 levels of two references to the same object: 2 to the power of 200 paths. */
  @Test
  void sharedObjectsAreVisitedOnce() {
    Object left = doubled(integer(1), 200);
    Object right = doubled(integer(1), 200);
    assertThat(StructuralEquality.areEqual(left, right, TYPES, CompareOptions.DEFAULT)).isTrue();
    assertThat(StructuralHash.of(left, TYPES, CompareOptions.DEFAULT))
        .isEqualTo(StructuralHash.of(right, TYPES, CompareOptions.DEFAULT));
    assertThat(
            StructuralEquality.firstMismatch(
                    left, doubled(integer(2), 200), TYPES, CompareOptions.DEFAULT)
                .orElseThrow()
                .leftPath()
                .steps())
        .hasSize(401)
        .endsWith("[0]", ".a", ".value");
    assertThat(json(left)).isEqualTo(json(right));
  }

  private static Object doubled(Object value, int levels) {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    Object result = value;
    for (int i = 0; i < levels; i++) {
      Object sum = object("tirx.Add", Map.of("ty", type, "a", result, "b", result));
      result = List.of(sum, sum);
    }
    return result;
  }

  /** Whether parts are shared makes no difference, even where variables are met first in them. */
  @Test
  void sharingMakesNoDifference() {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    Object n = object("ir.Var", Map.of("ty", type, "name", "n"));
    Map<Object, Object> keyed = Map.of(n, List.of(n, 1L));
    Object shared = List.of(keyed, n, keyed, keyed);
    Object copied = List.of(keyed, n, Map.copyOf(keyed), new LinkedHashMap<>(keyed));
    for (boolean maps : List.of(true, false)) {
      CompareOptions options = new CompareOptions(maps, false);
      assertThat(StructuralEquality.areEqual(shared, copied, TYPES, options)).isTrue();
      assertThat(StructuralHash.of(shared, TYPES, options))
          .isEqualTo(StructuralHash.of(copied, TYPES, options));
    }
  }

  /** Written down, so that a JVM that hashes otherwise is noticed. */
  @Test
  void hashesAreTheSameInEachProcess() {
    Object type = object("ir.PrimType", Map.of("dtype", DType.INT64));
    Object n = object("ir.Var", Map.of("ty", type, "name", "n"));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", List.of(n, 1.5, true, DType.FLOAT16, Shape.of(2, 3)));
    map.put("a", new byte[] {1, 2});
    assertThat(Long.toHexString(StructuralHash.of(map, TYPES, CompareOptions.DEFAULT)))
        .isEqualTo("bdcf542ed37db44e");
  }

  @Test
  void mapsWithKeysOfBytesAreComparedByContent() {
    Object left = parse(json(Map.of(new byte[] {1}, "one", new byte[] {2}, "two")));
    Object right = parse(json(Map.of(new byte[] {2}, "two", new byte[] {1}, "one")));
    Object other = parse(json(Map.of(new byte[] {3}, "two", new byte[] {1}, "one")));
    assertThat(StructuralEquality.areEqual(left, right, TYPES, CompareOptions.DEFAULT)).isTrue();
    assertThat(StructuralEquality.areEqual(left, other, TYPES, CompareOptions.DEFAULT)).isFalse();
  }

  @Test
  void theLastOfANameThatIsThereTwiceCounts() {
    String text =
        graph("0", "{\"type\":\"ir.IntImm\",\"data\":{\"value\":1,\"value\":2,\"value\":3}}");
    assertThat(ObjectView.of((ObjectNode) parse(text)).get("value")).isEqualTo(3L);
  }

  @Test
  void metadataAreScalars() {
    assertThat(new ObjectGraph(null, Map.of("a", 1, "b", "x", "c", true)).toJson(TYPES))
        .contains("\"metadata\":{");
    assertThatThrownBy(() -> new ObjectGraph(null, Map.of("when", List.of())))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the metadata 'when' must be a string, an integer or a boolean, but is a ListN");
  }

  @Test
  void pathsOfLongKeysAreRead() {
    String key = "x".repeat(100_000) + "\\\"]";
    AccessPath path = AccessPath.parse("a[\"" + key + "\"].b");
    assertThat(path.steps()).containsExactly(".a", "[\"" + key + "\"]", ".b");
  }

  @Test
  void tensorsComeBack() {
    try (Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3))) {
      Tensor again = (Tensor) parse(json(tensor));
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
