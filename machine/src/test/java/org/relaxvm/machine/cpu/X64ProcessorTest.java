package org.relaxvm.machine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.machine.x64.Feature;

/** What CPUID says is what the operating system says, and old processors have little. */
class X64ProcessorTest {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  @Test
  void featuresAreThoseOfTheOperatingSystem() throws IOException {
    assumeTrue(X64Processor.isCurrent() && Files.exists(CPUINFO), "no " + CPUINFO);
    Map<Feature, String> others = Map.of(Feature.LZCNT, "abm", Feature.AVX512_VBMI, "avx512vbmi");
    X64Processor processor = X64Processor.detect();
    List<String> lines = Files.readAllLines(CPUINFO);
    String flags =
        lines.stream().filter(line -> line.startsWith("flags")).findFirst().orElseThrow();
    Set<String> names = Set.of(flags.substring(flags.indexOf(':') + 1).strip().split("\\s+"));
    for (Feature feature : Feature.values()) {
      String name = others.getOrDefault(feature, feature.name().toLowerCase(Locale.ROOT));
      assertThat(processor.features().contains(feature))
          .as(feature.name())
          .isEqualTo(names.contains(name));
    }
    assertThat(lines).anyMatch(line -> line.matches("vendor_id\\s*: " + processor.vendor()));
    assertThat(lines).anyMatch(line -> line.matches("model name\\s*: .*"));
  }

  @Test
  void aProcessorWithoutTheLeavesHasNoFeatures() {
    X64Processor old =
        CpuidLeaves.read(
            (leaf, subleaf) ->
                leaf == 0 ? new int[] {1, 0x756e6547, 0x6c65746e, 0x49656e69, 0} : new int[5]);
    assertThat(old).isEqualTo(new X64Processor("GenuineIntel", "", Set.of()));
  }

  @Test
  void registersThatTheSystemDoesNotSaveAreNotUsed() {
    int[] all = {-1, -1, -1, -1, 0x2};
    X64Processor processor =
        CpuidLeaves.read((leaf, subleaf) -> leaf == 0 ? new int[] {7, 0, 0, 0, 0} : all);
    assertThat(processor.features())
        .contains(Feature.BMI2)
        .doesNotContain(Feature.AVX, Feature.AVX2, Feature.FMA, Feature.AVX512F);
    int[] ymm = {-1, -1, -1, -1, 0x6};
    assertThat(
            CpuidLeaves.read((leaf, subleaf) -> leaf == 0 ? new int[] {7, 0, 0, 0, 0} : ymm)
                .features())
        .contains(Feature.AVX2, Feature.AVX_VNNI)
        .doesNotContain(Feature.AVX512F, Feature.AVX512_VNNI);
  }
}
