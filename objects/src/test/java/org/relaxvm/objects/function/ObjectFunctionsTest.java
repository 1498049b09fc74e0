package org.relaxvm.objects.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.registry.BackendRegistry;

/** Functions over objects, found by their global names. */
class ObjectFunctionsTest {
  private static @Nullable Object call(String name, @Nullable Object... args) {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      return registry.findFunction(name).orElseThrow().function().invoke(args).object();
    }
  }

  private static Object range(long extent) {
    Object int64 = call("ffi.MakeObjectFromPackedArgs", "ir.PrimType", "dtype", DTYPE);
    Object min = call("ffi.MakeObjectFromPackedArgs", "ir.IntImm", "ty", int64, "value", 0);
    Object end = call("ffi.MakeObjectFromPackedArgs", "ir.IntImm", "ty", int64, "value", extent);
    return Objects.requireNonNull(
        call("ffi.MakeObjectFromPackedArgs", "ir.Range", "min", min, "extent", end, "span", null));
  }

  private static final DType DTYPE = DType.INT64;

  @Test
  void objectsAreMadeSavedReadAndCompared() {
    Object range = range(4);
    assertThat(TypeKeys.of(range)).isEqualTo("ir.Range");
    Object text = call("ffi.ToJSONGraphString", range, null);
    Object again = call("ffi.FromJSONGraphString", text);
    assertThat(again).isNotSameAs(range);
    assertThat(call("ffi.StructuralEqual", range, again, false, false)).isEqualTo(true);
    assertThat(call("ffi.StructuralEqual", range(5), again)).isEqualTo(false);
    Object map = call("ffi.Map", "tvm_version", "0.26.0");
    assertThat((String) call("ffi.ToJSONGraphString", call("ffi.Array", 1, "two"), map))
        .isEqualTo(
            "{\"root_index\":2,\"nodes\":[{\"type\":\"int\",\"data\":1},"
                + "{\"type\":\"ffi.String\",\"data\":\"two\"},"
                + "{\"type\":\"ffi.Array\",\"data\":[0,1]}],"
                + "\"metadata\":{\"tvm_version\":\"0.26.0\"}}");
  }

  @Test
  void containersAreReadElementByElement() {
    Object array = call("ffi.Array", 1, "two");
    assertThat(call("ffi.ArraySize", array)).isEqualTo(2L);
    assertThat(call("ffi.ArrayGetItem", array, 1)).isEqualTo("two");
    assertThat(call("ffi.ArrayGetItem", List.of(3L), 0)).isEqualTo(3L);
    Object map = call("ffi.Map", "a", array);
    assertThat(map).isEqualTo(Map.of("a", List.of(1L, "two")));
    assertThat(call("ffi.MapSize", map)).isEqualTo(1L);
    assertThat(call("ffi.ArraySize", call("ffi.MapGetItem", map, "a"))).isEqualTo(2L);
    assertThat(call("ffi.ArraySize", call("ffi.GetRegisteredTypeKeys")))
        .isInstanceOfSatisfying(Long.class, count -> assertThat(count).isGreaterThan(200));
  }

  @Test
  void errorsSayTheArgumentAndTheFunction() {
    assertThatThrownBy(() -> call("ffi.FromJSONGraphString", 1))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TYPE))
        .hasMessage(
            "argument #0 must be a string, but is an integer\n"
                + "  at ffi.FromJSONGraphString(text)");
    assertThatThrownBy(() -> call("ffi.ArrayGetItem", List.of(), 0))
        .hasMessage("the index 0 is outside of an array of 0\n  at ffi.ArrayGetItem(array, index)");
    assertThatThrownBy(() -> call("ffi.MapGetItem", Map.of("a", 1L), "b"))
        .hasMessage("the map has no key b\n  it has: [a]\n  at ffi.MapGetItem(map, key)");
    assertThatThrownBy(() -> call("ffi.Map", 1))
        .hasMessage(
            "each key needs a value\n"
                + "  expected: an even number of arguments\n"
                + "  got: 1\n"
                + "  at ffi.Map(key, value, ...)");
    assertThatThrownBy(() -> call("ffi.MakeObjectFromPackedArgs", "ir.Range", "min"))
        .hasMessageStartingWith("each field needs a name and a value\n");
    assertThatThrownBy(
            () ->
                call(
                    "ffi.FromJSONGraphString",
                    "{\"root_index\":0,\"nodes\":[{\"type\":\"acme.Scale\",\"data\":{}}]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("Cannot find type `acme.Scale`")
        .hasMessageContaining("what to do: put the jar that declares it on the class path");
  }

  @Test
  void aPartOfAnArrayLivesAsLongAsItsUserWants() {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      Value array;
      try (Tensor tensor = Tensor.scalar(7L)) {
        array = registry.findFunction("ffi.Array").orElseThrow().function().invoke(tensor);
      }
      Value element =
          registry
              .findFunction("ffi.ArrayGetItem")
              .orElseThrow()
              .function()
              .invoke(array.object(), 0);
      array.close();
      assertThat(element.asTensor().toLongArray()).containsExactly(7);
      element.close();
    }
  }
}
