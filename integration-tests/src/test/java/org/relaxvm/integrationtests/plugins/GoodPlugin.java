package org.relaxvm.integrationtests.plugins;

import java.nio.file.Path;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.FunctionProvider;

/**
 * A plugin with the device {@code acme:0} and the functions {@code acme.double}, {@code acme.fail}.
 */
final class GoodPlugin {
  private GoodPlugin() {}

  /** Builds its jar in a folder. */
  static Path in(Path folder) {
    return builder().build(folder.resolve("acme.jar"));
  }

  static JarBuilder builder() {
    return new JarBuilder()
        .sourcesOf(Path.of("src/test/resources/plugins"))
        .service(BackendProvider.class, "acme.AcmeProvider")
        .service(FunctionProvider.class, "acme.AcmeFunctions # with a comment");
  }
}
