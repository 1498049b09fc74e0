package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BytecodeDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "bytecode.md");

  @Test
  void documentIsWhatTheInstructionTableRenders() throws IOException {
    String expected = BytecodeDocument.render();
    if (Boolean.getBoolean("relaxvm.write.docs")) {
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(Files.readString(DOCUMENT))
        .as(
            "%s is not what the table renders; run 'mvn -q -pl vm-core -am test"
                + " -Dtest=BytecodeDocumentTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Drelaxvm.write.docs=true' to regenerate it",
            DOCUMENT)
        .isEqualTo(expected);
  }
}
