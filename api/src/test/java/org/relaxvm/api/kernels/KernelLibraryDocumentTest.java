package org.relaxvm.api.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelLibraryDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "kernel-library.md");

  @Test
  void theDocumentIsWhatTheTableSays() throws IOException {
    String expected = KernelLibraryDocument.markdown(KernelLibrary.standard());
    if (Boolean.getBoolean("relaxvm.write.docs")) {
      Files.createDirectories(DOCUMENT.getParent());
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(DOCUMENT)
        .as(
            "write it anew: mvn -pl api test -Dtest=KernelLibraryDocumentTest"
                + " -Drelaxvm.write.docs=true")
        .hasContent(expected);
  }
}
