package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

class BuiltinFunctionsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `((?:vm|relax|relaxvm|runtime)\\.[^`]+)` \\|");

  @Test
  void theServiceLoaderFindsThem() {
    assertThat(ServiceLoader.load(FunctionProvider.class))
        .singleElement()
        .isInstanceOf(BuiltinFunctions.class);
  }

  @Test
  void theDocumentListsExactlyTheFunctionsOffered() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "builtins.md"));
    List<String> listed =
        ROW.matcher(document).results().map((MatchResult row) -> row.group(1)).toList();
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(new BuiltinFunctions().functionNames());
  }

  @Test
  void everyNameIsFoundAndNoOther() {
    BuiltinFunctions builtins = new BuiltinFunctions();
    assertThat(builtins.name()).isEqualTo("builtins");
    assertThat(builtins.spiVersion()).isEqualTo(SpiVersion.CURRENT);
    assertThat(builtins.functionNames()).allMatch(name -> builtins.find(name).isPresent());
    assertThat(builtins.find("vm.builtin.attention_kv_cache_create")).isEmpty();
  }
}
