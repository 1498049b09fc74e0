package org.relaxvm.api.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.error.CallException;

/** Types, their fields, and objects by their fields. */
class ObjectTypesTest {
  @TypeKey("test.Scale")
  @ObjectInfo(doc = "A factor of an axis.")
  record Scale(
      @FieldInfo(doc = "Which axis.") int axis,
      double factor,
      @FieldInfo(defaultValue = "float32") DType dtype,
      @FieldInfo(defaultValue = "true") boolean isExact,
      @FieldInfo(role = FieldRole.IGNORED, defaultValue = "x") String name,
      @FieldInfo(defaultValue = "null") @Nullable Object next) {}

  @TypeKey("test.Named")
  @ObjectInfo(parent = "test.Base")
  record Named(String name, long size) {}

  @TypeKey("test.Unlike")
  @ObjectInfo(parent = "test.Base")
  record Unlike(long size, String name) {}

  @TypeKey("test.Half")
  record Half(float value) {}

  @TypeKey("test.Unsure")
  record Unsure(@FieldInfo(defaultValue = "yes") boolean isSure) {}

  @TypeKey("test.Positive")
  record Positive(long value) {
    Positive {
      if (value <= 0) {
        throw new IllegalArgumentException("not positive");
      }
    }
  }

  private static final ObjectDeclaration BASE =
      ObjectDeclaration.of(
          "test.Base",
          ObjectDeclaration.OBJECT,
          ComparisonKind.TREE,
          List.of(new ObjectField("name", FieldKind.REFERENCE, "ffi.String")));

  private static ObjectDeclaration scale() {
    return ObjectDeclaration.ofRecord(MethodHandles.lookup(), Scale.class)
        .withMethod(
            "twice",
            (args, result) ->
                result.setDouble(args.at(0) instanceof Scale scale ? scale.factor() * 2 : 0));
  }

  private final ObjectTypes types =
      ObjectTypes.of(
          List.of(ObjectDeclaration.ofRecord(MethodHandles.lookup(), Named.class), BASE, scale()));

  @Test
  void parentsComeFirstAndIndicesAreAllotted() {
    ObjectType base = types.require("test.Base");
    ObjectType named = types.require("test.Named");
    assertThat(base.index()).isEqualTo(128);
    assertThat(named.index()).isEqualTo(129);
    assertThat(types.require("test.Scale").index()).isEqualTo(130);
    assertThat(types.require("ffi.Tensor").index()).isEqualTo(70);
    assertThat(types.require("None").index()).isZero();
    assertThat(named.ancestors())
        .extracting(ObjectType::key)
        .containsExactly("ffi.Object", "test.Base");
    assertThat(named.isA("test.Base")).isTrue();
    assertThat(base.isA("test.Named")).isFalse();
    assertThat(named.fields()).extracting(ObjectField::name).containsExactly("name", "size");
  }

  @Test
  void recordsAreReadAndChangedByName() {
    ObjectView view = ObjectView.of(types, new Scale(1, 0.5, DType.FLOAT32, true, "s", null));
    assertThat(view.get("axis")).isEqualTo(1L);
    assertThat(view.get("factor")).isEqualTo(0.5);
    assertThat(view.get("next")).isNull();
    assertThat(view.with("axis", 7L)).isEqualTo(new Scale(7, 0.5, DType.FLOAT32, true, "s", null));
    assertThat(view.fields().getFirst().doc()).isEqualTo("Which axis.");
    assertThat(view.type().doc()).isEqualTo("A factor of an axis.");
    Map<String, Object> seen = new HashMap<>();
    view.forEach((field, value) -> seen.put(field.name(), value));
    assertThat(seen).hasSize(6).containsEntry("dtype", DType.FLOAT32);
    assertThat(Representation.of(view.object(), types))
        .isEqualTo(
            "test.Scale(axis=1, factor=0.5, dtype=float32, isExact=True, name=\"s\", next=None)");
  }

  @Test
  void methodsTakeTheObjectFirst() {
    PackedFunc twice = Objects.requireNonNull(types.require("test.Scale").methods().get("twice"));
    assertThat(twice.invoke(new Scale(1, 0.5, DType.FLOAT32, true, "s", null)).asDouble())
        .isEqualTo(1.0);
  }

  @Test
  void valuesThatAreLeftOutHaveTheirDefault() {
    ObjectType type = types.require("test.Scale");
    assertThat(type.create(Map.of("axis", 2L, "factor", 1.5)))
        .isEqualTo(new Scale(2, 1.5, DType.FLOAT32, true, "x", null));
    assertThatThrownBy(() -> type.create(Map.of("axis", 2L)))
        .isInstanceOf(CallException.class)
        .hasMessage("Required field `factor` not set in type `test.Scale`");
    assertThatThrownBy(() -> type.create(Map.of("axes", 2L)))
        .hasMessageContaining("has no field 'axes'\n  it has: axis, dtype, factor");
    assertThatThrownBy(() -> type.create(Map.of("axis", "2", "factor", 1.5)))
        .hasMessage("the field 'axis' of test.Scale takes a Long, but got String");
    assertThatThrownBy(() -> type.create(Map.of("axis", 1L << 40, "factor", 1.5)))
        .isInstanceOf(CallException.class)
        .hasMessage("the field 'axis' of test.Scale is of 32 bits, but got 1099511627776");
    assertThatThrownBy(() -> type.create(Map.of("axis", 1L, "factor", 1.5, "name", 3L)))
        .isInstanceOf(CallException.class)
        .hasMessage("the field 'name' of test.Scale takes a String, but got Long");
  }

  @Test
  void whatAConstructorRefusesIsATypedError() {
    ObjectType positive =
        ObjectTypes.of(List.of(ObjectDeclaration.ofRecord(MethodHandles.lookup(), Positive.class)))
            .require("test.Positive");
    assertThat(positive.create(1L)).isEqualTo(new Positive(1));
    assertThatThrownBy(() -> positive.create(0L))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the constructor of test.Positive refuses the values:"
                + " java.lang.IllegalArgumentException: not positive");
  }

  /** A default value that needs another one, both objects. */
  @Test
  void defaultValuesAreSharedObjects() {
    ObjectTypes chain =
        ObjectTypes.of(
            List.of(withDefault("test.A", "test.B"), withDefault("test.B", "test.C"), BASE_C));
    ObjectNode first = (ObjectNode) chain.require("test.A").create(Map.of());
    ObjectNode second = (ObjectNode) chain.require("test.A").create(Map.of());
    assertThat(ObjectView.of(first).get("next")).isSameAs(ObjectView.of(second).get("next"));
    assertThat(first).hasToString("test.A(next=test.B(next=test.C()))");
  }

  private static final ObjectDeclaration BASE_C = child("test.C", ObjectDeclaration.OBJECT);

  private static ObjectDeclaration withDefault(String key, String next) {
    return ObjectDeclaration.of(
        key,
        ObjectDeclaration.OBJECT,
        ComparisonKind.TREE,
        List.of(
            new ObjectField("next", FieldKind.REFERENCE, next)
                .withDefault(new ObjectField.Unknown(next))));
  }

  @Test
  void nodesHaveNoClassAndAreEqualToThemselves() {
    ObjectType base = types.require("test.Base");
    ObjectNode node = (ObjectNode) base.create("n");
    assertThat(node).isNotEqualTo(base.create("n")).hasToString("test.Base(name=\"n\")");
    Object renamed = ObjectView.of(node).with("name", "m");
    assertThat(ObjectView.of((ObjectNode) renamed).get("name")).isEqualTo("m");
    assertThat(ObjectView.of(node).get("name")).isEqualTo("n");
  }

  @Test
  void keysOfValuesAreThoseOfTheOriginal() {
    assertThat(types.keyOf(null)).isEqualTo("None");
    assertThat(types.keyOf(1L)).isEqualTo("int");
    assertThat(types.keyOf(List.of())).isEqualTo("ffi.Array");
    assertThat(types.keyOf(new Named("a", 1))).isEqualTo("test.Named");
    assertThatThrownBy(() -> types.keyOf(new StringBuilder()))
        .hasMessage(
            "java.lang.StringBuilder is not an object type\n  what to do: declare it by an"
                + " ObjectTypeProvider");
    assertThatThrownBy(() -> ObjectView.of(types, 1L)).hasMessage("a value of int has no fields");
  }

  @Test
  void malformedDeclarationsAreRefused() {
    assertThatThrownBy(() -> ObjectTypes.of(List.of(BASE, BASE)))
        .hasMessage("the type test.Base is declared twice");
    assertThatThrownBy(() -> ObjectTypes.of(List.of(scale(), child("test.A", "test.B"))))
        .hasMessage("the type test.A extends test.B, which is not declared");
    assertThatThrownBy(
            () -> ObjectTypes.of(List.of(child("test.A", "test.B"), child("test.B", "test.A"))))
        .hasMessageEndingWith("which extends it");
    assertThatThrownBy(
            () ->
                ObjectTypes.of(
                    List.of(
                        ObjectDeclaration.ofRecord(MethodHandles.lookup(), Unlike.class), BASE)))
        .hasMessage(
            """
            the record of the type test.Unlike must begin with the fields of test.Base
              expected: [name: ffi.String]
              got: [size: long, name: java.lang.String]\
            """);
    assertThatThrownBy(() -> ObjectTypes.of(List.of(child("ffi.Array", ObjectDeclaration.OBJECT))))
        .hasMessage("the type ffi.Array is a value of RelaxVM");
    assertThatThrownBy(() -> ObjectDeclaration.ofRecord(MethodHandles.lookup(), Half.class))
        .hasMessage(
            "no field can be org.relaxvm.api.object.ObjectTypesTest$Half.value, of type float\n"
                + "  what to do: use long, int, double, boolean, DType or a class of objects");
    assertThatThrownBy(() -> ObjectDeclaration.ofRecord(MethodHandles.lookup(), Unsure.class))
        .hasMessageStartingWith("the default value 'yes' of ");
    assertThatThrownBy(() -> ObjectDeclaration.ofRecord(MethodHandles.publicLookup(), Scale.class))
        .hasMessageContaining("what to do: pass MethodHandles.lookup()");
    assertThatThrownBy(() -> types.require("test.Nobody"))
        .hasMessageStartingWith("Cannot find type `test.Nobody`");
  }

  private static ObjectDeclaration child(String key, String parent) {
    return ObjectDeclaration.of(key, parent, ComparisonKind.TREE, List.of());
  }

  @Test
  void longAndDeepValuesAreShortened() {
    Object nested = List.of();
    for (int i = 0; i < 100_000; i++) {
      nested = List.of(nested);
    }
    assertThat(Representation.of(nested)).contains("...").hasSizeLessThan(100);
    assertThat(Representation.of(Collections.nCopies(1_000_000, 12345L)))
        .startsWith("(12345, 12345, ")
        .endsWith(", ...)")
        .hasSizeLessThan(21_000);
    assertThat(
            Representation.of(
                IntStream.range(0, 1_000_000)
                    .boxed()
                    .collect(Collectors.toMap(Long::valueOf, Long::valueOf))))
        .endsWith(", ...}")
        .hasSizeLessThan(21_000);
    assertThat(Representation.of(List.of("a\"b\n", new byte[] {1, 'x'}, 2.5, true)))
        .isEqualTo("(\"a\\\"b\\n\", b\"\\x01x\", 2.5, True)");
    assertThat(Representation.of(Map.of(1L, List.of(1L)))).isEqualTo("{1: (1,)}");
  }
}
