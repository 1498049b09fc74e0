package org.relaxvm.objects.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectTypes;

/** Generations of types. */
class TvmReleaseTest {
  @ParameterizedTest
  @CsvSource({
    "0.22.0, V0_22",
    "0.23.dev0+g1a2b3c4, V0_22",
    "0.23, V0_22",
    "0.24.0, V0_24",
    "0.25.0.post1, V0_25",
    "0.26, V0_26",
    "0.27.dev0, V0_26",
  })
  void aVersionHasAGeneration(String version, TvmRelease release) {
    assertThat(TvmRelease.parse(version)).isEqualTo(release);
  }

  @Test
  void olderVersionsAreRefused() {
    assertThatThrownBy(() -> TvmRelease.parse("0.21.0"))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "no types of release 0.21.0 are known\n"
                + "  known: 0.22, 0.24, 0.25, 0.26 and those that have the same types");
    assertThatThrownBy(() -> TvmRelease.parse("new")).hasMessage("malformed release 'new'");
  }

  @ParameterizedTest
  @CsvSource({
    // keys, version, release
    "tir.Add ir.IntImm, '', V0_22",
    "tir.Add, 0.26.0, V0_22",
    "tirx.Add tirx.Var, 0.24.0, V0_24",
    "tirx.Add tirx.Var, 0.25.0, V0_25",
    "tirx.Add tirx.Var, 0.22.0, V0_24",
    "tirx.Add tirx.Var, 0.26.dev0, V0_25",
    "tirx.Break tirx.Var, 0.24.0, V0_25",
    "relax.Id relax.TensorStructInfo, 0.22.0, V0_22",
    "relax.Id relax.TensorStructInfo, 0.23.0, V0_22",
    "relax.Id relax.TensorStructInfo, 0.25.0, V0_25",
    "relax.Id relax.TensorStructInfo, 0.27.0, V0_25",
    "ir.Var tirx.Add, 0.24.0, V0_26",
    "int ffi.Array acme.Scale, 0.24.0, V0_24",
    "int ffi.Array, 0.20.0, V0_26",
    "int ffi.Array, '', V0_26",
    "tir.Add tir.Var ir.Var, '', V0_22",
  })
  void typesDecideAndTheVersionBesideThem(String keys, String version, TvmRelease release) {
    Map<String, Object> metadata =
        version.isEmpty() ? Map.of() : Map.of(TvmRelease.METADATA_KEY, version);
    assertThat(TvmRelease.of(Set.of(keys.split(" ", -1)), metadata)).isEqualTo(release);
  }

  @ParameterizedTest
  @EnumSource
  void typesOfAReleaseAreLinked(TvmRelease release) {
    ObjectTypes types = TvmSchema.of(release).objectTypes();
    assertThat(types.require("ir.IRModule").fields()).hasSize(5);
    assertThat(types.isKnownName("ir.Op", "relax.add")).isTrue();
    assertThat(types.isKnownName("ir.Op", "relax.nobody")).isFalse();
    assertThat(TvmRelease.parse(String.valueOf(release.metadata().get("tvm_version"))))
        .isEqualTo(release);
  }

  @ParameterizedTest
  @CsvSource({
    "V0_22, tir.PrimFunc, span struct_info_ attrs params ret_type buffer_map body",
    "V0_25, tirx.PrimFunc, span struct_info_ attrs params ret_type buffer_map body",
    "V0_26, tirx.PrimFunc, span ty attrs params ret_type body",
    "V0_22, tir.Call, span dtype op args",
    "V0_24, tirx.Call, span dtype op args",
    "V0_25, tirx.Call, span dtype op args attrs",
    "V0_22, tir.AssertStmt, span condition message body",
    "V0_24, tirx.AssertStmt, span condition error_kind message_parts",
    "V0_22, tir.For, span loop_var min extent kind body thread_binding annotations step",
    "V0_22, target.Target, kind tag keys attrs features host",
    "V0_24, target.Target, kind tag keys attrs host",
    "V0_24, relax.expr.Function, span struct_info_ attrs params body ret_struct_info is_pure",
    "V0_25, relax.attrs.LayoutTransformAttrs, index_map pad_value axis_separators"
        + " input_axis_separators",
  })
  void fieldsAreInTheOrderOfTheRelease(TvmRelease release, String key, String names) {
    assertThat(TvmSchema.of(release).objectTypes().require(key).fields())
        .extracting(ObjectField::name)
        .isEqualTo(List.of(names.split(" ", -1)));
  }

  @Test
  void sizesInAttributesAreObjectsInOldReleases() {
    assertThat(typeOf(TvmRelease.V0_22, "relax.attrs.Conv2DAttrs", "strides"))
        .isEqualTo("ffi.Array<ir.IntImm>");
    assertThat(typeOf(TvmRelease.V0_24, "relax.attrs.Conv2DAttrs", "strides"))
        .isEqualTo("ffi.Array<int>");
    assertThat(typeOf(TvmRelease.V0_24, "relax.attrs.FlipAttrs", "axis")).isEqualTo("ir.IntImm");
    assertThat(typeOf(TvmRelease.V0_25, "relax.attrs.FlipAttrs", "axis")).isEqualTo("int");
    assertThat(typeOf(TvmRelease.V0_25, "relax.attrs.MatmulAttrs", "out_dtype"))
        .isEqualTo("DataType");
  }

  private static String typeOf(TvmRelease release, String key, String field) {
    var type = TvmSchema.of(release).objectTypes().require(key);
    return type.fields().get(type.requireField(field)).typeName();
  }

  @Test
  void whatAReleaseDoesNotHaveIsNotKnown() {
    ObjectTypes older = TvmSchema.of(TvmRelease.V0_22).objectTypes();
    for (String key : List.of("ir.Var", "ir.Expr", "tirx.Add", "tir.SBlock", "tir.Bind")) {
      assertThat(older.find(key)).as(key).isEmpty();
    }
    assertThat(older.isKnownName("ir.Op", "relax.atan2")).isFalse();
    assertThat(older.isKnownName("ir.Op", "tir.exp")).isTrue();
    assertThat(older.isKnownName("ir.Op", "tirx.exp")).isFalse();
  }
}
