package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.ExecutableText;

/**
 * {@code docs/lowering.md} shows what the compiler makes of its example. After a change, {@code
 * -Drelaxvm.updateDocuments=true} brings it up to date.
 */
class LoweringDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "lowering.md");
  private static final Pattern STAGE =
      Pattern.compile("<!-- (stage|function): (\\w+) -->\n```\\w*\n(.*?)```\n", Pattern.DOTALL);

  @Test
  void theDocumentShowsWhatTheCompilerDoes() throws IOException {
    String text = Files.readString(DOCUMENT);
    Map<String, IRModule> stages = new HashMap<>();
    Matcher source = STAGE.matcher(text);
    assertThat(source.find()).isTrue();
    IRModule module = RelaxText.parse(source.group(3), "docs/lowering.md", StandardOps.registry());
    stages.put("source", module);
    Program program =
        Compiler.compile(
            module,
            CompileOptions.DEFAULT.withObserver(
                (pass, before, after, nanos) -> stages.put(pass.name(), after)));
    StringBuilder updated = new StringBuilder();
    Matcher stage = STAGE.matcher(text);
    while (stage.find()) {
      String shown = shown(stage.group(1), stage.group(2), stages, program);
      String block = stage.group().substring(0, stage.start(3) - stage.start());
      stage.appendReplacement(updated, Matcher.quoteReplacement(block + shown + "```\n"));
    }
    stage.appendTail(updated);
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.writeString(DOCUMENT, updated);
    } else {
      assertThat(text)
          .as("-Drelaxvm.updateDocuments=true brings the document up to date")
          .isEqualTo(updated.toString());
    }
  }

  private static String shown(
      String kind, String name, Map<String, IRModule> stages, Program program) {
    if (name.equals("bytecode")) {
      String text = ExecutableText.asText(program.executable());
      return text.substring(0, text.indexOf("\n\n") + 1);
    }
    IRModule module = stages.get(name);
    assertThat(module).as("the stage " + name).isNotNull();
    if (kind.equals("stage")) {
      return RelaxText.print(module);
    }
    RelaxFunction main = (RelaxFunction) module.require(new GlobalVar("main"));
    return RelaxText.print(main);
  }
}
