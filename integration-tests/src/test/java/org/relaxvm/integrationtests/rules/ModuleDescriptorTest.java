package org.relaxvm.integrationtests.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.OurModules;

/** What the module descriptors say, and that the class path says the same. */
class ModuleDescriptorTest {
  private static final String SERVICES = "META-INF/services/";

  @Test
  void everyPublishedModuleHasADescriptor() {
    assertThat(OurModules.all())
        .extracting(module -> module.descriptor().name())
        .containsExactly(
            "org.relaxvm.api",
            "org.relaxvm.backendcpu",
            "org.relaxvm.backendcuda",
            "org.relaxvm.backendopencl",
            "org.relaxvm.backendsupport",
            "org.relaxvm.backendtestkit",
            "org.relaxvm.backendvulkan",
            "org.relaxvm.builtins",
            "org.relaxvm.cli",
            "org.relaxvm.compiler",
            "org.relaxvm.interoponnx",
            "org.relaxvm.interoprelay",
            "org.relaxvm.interoptvm",
            "org.relaxvm.machine",
            "org.relaxvm.objects",
            "org.relaxvm.rpc",
            "org.relaxvm.starter",
            "org.relaxvm.testsupport",
            "org.relaxvm.tir",
            "org.relaxvm.vmcore");
  }

  @Test
  void backendsExportNothing() {
    assertThat(OurModules.all())
        .filteredOn(module -> module.descriptor().name().startsWith("org.relaxvm.backend"))
        // Both are for the authors of backends, and none themselves.
        .filteredOn(module -> !module.descriptor().name().equals("org.relaxvm.backendtestkit"))
        .filteredOn(module -> !module.descriptor().name().equals("org.relaxvm.backendsupport"))
        .isNotEmpty()
        .allSatisfy(module -> assertThat(module.descriptor().exports()).isEmpty());
  }

  @Test
  void theClassPathOffersTheSameProvidersAsTheModulePath() throws IOException {
    for (ModuleReference module : OurModules.all()) {
      Map<String, List<String>> provided = new TreeMap<>();
      for (ModuleDescriptor.Provides provides : module.descriptor().provides()) {
        provided.put(provides.service(), provides.providers());
      }
      assertThat(serviceFiles(module)).as(module.descriptor().name()).isEqualTo(provided);
    }
  }

  private static Map<String, List<String>> serviceFiles(ModuleReference module) throws IOException {
    Map<String, List<String>> services = new TreeMap<>();
    try (ModuleReader reader = module.open()) {
      List<String> names =
          reader
              .list()
              .filter(name -> name.startsWith(SERVICES) && name.length() > SERVICES.length())
              .toList();
      for (String name : names) {
        services.put(name.substring(SERVICES.length()), linesOf(reader, name));
      }
    }
    return services;
  }

  private static List<String> linesOf(ModuleReader reader, String name) throws IOException {
    try (InputStream in = reader.open(name).orElseThrow()) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }
}
