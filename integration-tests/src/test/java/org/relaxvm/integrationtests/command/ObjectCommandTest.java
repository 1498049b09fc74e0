package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.compiler.file.ModuleFile;

/** {@code relaxvm inspect --tree} and {@code --diff}. */
class ObjectCommandTest {
  private static final String SUM =
      """
      {"root_index":5,"nodes":[{"type":"None"},\
      {"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}},\
      {"type":"ffi.String","data":"n"},\
      {"type":"ir.Var","data":{"span":0,"ty":1,"name":2}},\
      {"type":"ir.IntImm","data":{"span":0,"ty":1,"value":1}},\
      {"type":"tirx.Add","data":{"span":0,"ty":1,"a":3,"b":4}}]}\
      """;

  @TempDir private Path folder;
  private Path sum;

  @BeforeEach
  void write() throws Exception {
    sum = Files.writeString(folder.resolve("sum.json"), SUM);
  }

  @Test
  void theTreeShowsFields() {
    CommandRun run = CommandRun.of("inspect", sum, "--tree");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            <root>: tirx.Add
              span: None
              ty: ir.PrimType
                span: None
                dtype: int64
              a: ir.Var
                span: None
                ty: ir.PrimType, as <root>.ty
                name: "n"
              b: ir.IntImm
                span: None
                ty: ir.PrimType, as <root>.ty
                value: 1
            """);
  }

  @Test
  void theTreeBeginsAtAPath() {
    assertThat(CommandRun.of("inspect", sum, "--tree", "a.name").out())
        .isEqualTo("<root>.a.name: \"n\"\n");
    CommandRun missing = CommandRun.of("inspect", sum, "--tree", "a.nme");
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err())
        .isEqualTo(
            "relaxvm: error: <root>.a has no .nme\n  what there is: ir.Var has span, ty, name\n");
    assertThat(CommandRun.of("inspect", sum, "--tree", "a..b").err())
        .contains("malformed path 'a..b' at '..b'");
  }

  @Test
  void theDifferenceIsInWords() throws Exception {
    Path other =
        Files.writeString(folder.resolve("other.json"), SUM.replace("\"value\":1", "\"value\":2"));
    CommandRun differs = CommandRun.of("inspect", sum, "--diff", other);
    assertThat(differs.code()).isEqualTo(1);
    assertThat(differs.out())
        .isEqualTo(
            """
            the values differ
              left: <root>.b.value is 1
              right: <root>.b.value is 2
            """);
    CommandRun same = CommandRun.of("inspect", sum, "--diff", sum);
    assertThat(same.code()).isZero();
    assertThat(same.out()).isEqualTo("structurally equal\n");
    assertThat(CommandRun.of("inspect", sum, "--diff", other, "--json").out())
        .contains("\"equal\"", "<root>.b.value");
  }

  /** A module in Relax IR is an object, too; its graph is a program. */
  @Test
  void modulesAreGraphsAndGraphsArePrograms() throws Exception {
    Path relax = TwiceModule.write(folder.resolve("twice.relax"));
    assertThat(CommandRun.of("inspect", relax, "--tree", ".functions[\"main\"].is_pure").out())
        .isEqualTo("<root>.functions[\"main\"].is_pure: True\n");
    Path json = folder.resolve("twice.json");
    ModuleFile.write(ModuleFile.read(relax), json);
    assertThat(CommandRun.of("inspect", relax, "--diff", json).out())
        .isEqualTo("structurally equal\n");
    Path program = folder.resolve("twice.rvm");
    CommandRun compiled = CommandRun.of("compile", json, "-o", program);
    assertThat(compiled.err()).isEmpty();
    assertThat(CommandRun.of("inspect", program, "--tree", "functions[\"main\"].is_pure").out())
        .isEqualTo("<root>.functions[\"main\"].is_pure: True\n");
    assertThat(CommandRun.of("inspect", json, "--diff", program).out())
        .isEqualTo("structurally equal\n");
    Path bare = folder.resolve("twice.ro");
    assertThat(CommandRun.of("convert", program, "-o", bare).err()).isEmpty();
    CommandRun without = CommandRun.of("inspect", bare, "--tree");
    assertThat(without.code()).isEqualTo(1);
    assertThat(without.err())
        .isEqualTo(
            "relaxvm: error: "
                + bare
                + " does not have the Relax IR that it was compiled from\n"
                + "  what to do: 'relaxvm inspect --text' shows its instructions; 'relaxvm compile'"
                + " writes packages that have it\n");
    for (Path file : List.of(relax, json, program)) {
      CommandRun run = CommandRun.of("run", file, "shape:2", "--function", "main");
      assertThat(run.code()).as(file + run.err()).isEqualTo(1);
      run = CommandRun.of("run", file, "random:3:float32:1");
      assertThat(run.err()).isEmpty();
      assertThat(run.out()).startsWith("float32[3]");
    }
  }
}
