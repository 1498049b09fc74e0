package org.relaxvm.compiler.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.compare.StructuralHash;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.release.ReleaseConversion;
import org.relaxvm.objects.release.ReleasedGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/** Modules as graphs of older releases, and back. */
class ReleasesTest {
  private static final Path FOLDER = Path.of("../integration-tests/src/test/resources/programs");
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  /** Programs whose operators the releases do not have, and the operators. */
  private static final Map<String, String> SINCE_0_26 =
      Map.of("repeats.relax", "relax.reverse_sequence");

  /** Programs with operators that Apache TVM does not have, and one of them. */
  private static final Map<String, String> OWN =
      Map.of(
          "matrices.relax", "relax.determinant",
          "low_bits.relax", "relax.pack_bits",
          "image_windows.relax", "relax.nn.unfold",
          "resampled.relax", "relax.image.resample",
          "recurrent_layers.relax", "relax.nn.lstm",
          "random_tensors.relax", "relax.random_uniform",
          "rows_and_borders.relax", "relax.row_update");

  private static final Map<String, String> SINCE_0_24 =
      Map.of(
          "arithmetic_floats.relax", "relax.atan2",
          "boxes.relax", "relax.vision.multibox_transform_loc",
          "regions.relax", "relax.vision.roi_align",
          "convolutions_3d.relax", "relax.nn.conv3d_transpose",
          "repeats.relax", "relax.reverse_sequence",
          "reshapes.relax", "relax.nn.batch_flatten",
          "resizes.relax", "relax.image.resize3d");

  private static final String TWICE =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(x: R.Tensor(("n", 2), "float32")) -> R.Tensor((2, "n"), "float32"):
              n = T.int64()
              y = R.add(x, x)
              z: R.Tensor((2, n), "float32") = R.permute_dims(y, axes=[1, 0])
              return z
      """;

  @TempDir private Path folder;

  private static Map<String, Object> programs() throws IOException {
    Map<String, Object> programs = new LinkedHashMap<>();
    try (Stream<Path> all = Files.list(FOLDER)) {
      for (Path file : all.filter(f -> f.toString().endsWith(".relax")).sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        programs.put(name, ModuleObjects.write(parse(name, Files.readString(file)), TYPES));
      }
    }
    return programs;
  }

  private static IRModule parse(String name, String text) {
    return RelaxText.parse(text, name, StandardOps.registry());
  }

  /** Through the text of a release. */
  private static Object throughJson(Object newest, TvmRelease release, ObjectTypes types) {
    Object older = ReleaseConversion.downgrade(newest, release, types);
    String json = new ObjectGraph(older, release.metadata()).toJson(types);
    ReleasedGraph read = ReleasedGraph.parse(json);
    assertThat(read.release()).isEqualTo(release);
    return requireNonNull(read.upgraded(TYPES));
  }

  private static void assertEqual(String name, Object expected, Object again) {
    assertThat(StructuralEquality.firstMismatch(expected, again, TYPES, CompareOptions.DEFAULT))
        .as(name)
        .isEmpty();
    assertThat(StructuralHash.of(again, TYPES, CompareOptions.DEFAULT))
        .as(name)
        .isEqualTo(StructuralHash.of(expected, TYPES, CompareOptions.DEFAULT));
  }

  @Test
  void programsComeBackFromEachRelease() throws IOException {
    Map<String, Object> programs = programs();
    assertThat(programs).hasSizeGreaterThan(200);
    for (TvmRelease release : TvmRelease.values()) {
      ObjectTypes types = TvmSchema.of(release).objectTypes();
      Map<String, String> refused = new TreeMap<>();
      programs.forEach(
          (name, newest) -> {
            try {
              assertEqual(name, newest, throughJson(newest, release, types));
            } catch (InvalidProgramException e) {
              refused.put(name, e.getMessage());
            }
          });
      System.out.println("programs that release " + release + " does not hold: " + refused);
      Map<String, String> expected = new TreeMap<>();
      if (release != TvmRelease.V0_26) {
        expected.putAll(release == TvmRelease.V0_22 ? SINCE_0_24 : SINCE_0_26);
        expected.putAll(OWN);
      }
      assertThat(refused.keySet()).as(release.text()).isEqualTo(expected.keySet());
      expected.forEach(
          (name, operator) ->
              assertThat(refused.get(name))
                  .contains(".value.op: there is no operator " + operator + " in release "));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "V0_26", mode = EnumSource.Mode.EXCLUDE)
  void goldenModulesComeBack(TvmRelease release) throws IOException {
    ObjectTypes types = TvmSchema.of(release).objectTypes();
    Map<String, String> refused = new TreeMap<>();
    int held = 0;
    for (Map.Entry<String, String> file : GoldenModules.files(".json").entrySet()) {
      Object newest = requireNonNull(ObjectGraph.parse(file.getValue(), TYPES).root());
      try {
        assertEqual(file.getKey(), newest, throughJson(newest, release, types));
        held++;
      } catch (InvalidProgramException e) {
        refused.put(file.getKey(), e.getMessage());
      }
    }
    System.out.println("golden modules that release " + release + " does not hold: " + refused);
    assertThat(refused.keySet()).isEqualTo(Set.of("all-operators"));
    assertThat(refused.get("all-operators"))
        .contains(
            "<root>.functions[I.GlobalVar(\"op_reverse_sequence\")].body.blocks[0].bindings[0]"
                + ".value.op: there is no operator relax.reverse_sequence in release "
                + release);
    assertThat(held).isEqualTo(46);
  }

  @ParameterizedTest
  @EnumSource
  void aModuleIsSavedForARelease(TvmRelease release) throws IOException {
    IRModule module = parse("twice", TWICE);
    Path file = folder.resolve("twice.json");
    ModuleJson.save(module, release, file);
    String json = Files.readString(file);
    assertThat(json).isEqualTo(ModuleJson.toJson(module, release));
    assertThat(json.startsWith("{\n  \"root_index\": ")).isEqualTo(release.isIndented());
    assertThat(json.replaceAll("\\s", ""))
        .contains("\"metadata\":{\"tvm_version\":\"" + release + ".0\"}");
    assertThat(RelaxText.print(ModuleJson.load(file)))
        .isEqualTo(RelaxText.print(ModuleJson.parse(ModuleJson.toJson(module))));
  }

  @Test
  void whatAReleaseDoesNotHoldIsNamedAtOnce() {
    IRModule module =
        parse(
            "new",
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
                    y = R.atan2(x, x)
                    z = R.nn.batch_flatten(y)
                    return z
            """);
    assertThatThrownBy(() -> ModuleJson.toJson(module, TvmRelease.V0_22))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            objects of release 0.26 have no counterpart in release 0.22
              <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[0].value.op:\
             there is no operator relax.atan2 in release 0.22
              <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[1].value.op:\
             there is no operator relax.nn.batch_flatten in release 0.22\
            """);
  }
}
