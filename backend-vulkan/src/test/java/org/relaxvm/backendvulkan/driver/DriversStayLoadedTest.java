package org.relaxvm.backendvulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.relaxvm.backendvulkan.NeedsVulkan;

/** Drivers are not unloaded with the last instance: some cannot be loaded again and again. */
@NeedsVulkan
class DriversStayLoadedTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void whatAnInstanceLoadedIsThereAfterIt() throws IOException {
    LwjglVulkan vulkan = LwjglVulkan.load();
    long instance = vulkan.createInstance();
    assertThat(vulkan.physicalDevices(instance)).isNotEmpty();
    Set<String> loaded = libraries();
    vulkan.destroyInstance(instance);

    assertThat(libraries()).containsAll(loaded);
  }

  private static Set<String> libraries() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> line.endsWith(".so") || line.contains(".so."))
          .map(line -> line.substring(line.indexOf('/')))
          .collect(Collectors.toSet());
    }
  }
}
