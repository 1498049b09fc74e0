package org.relaxvm.backendopencl.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.relaxvm.backendopencl.NeedsOpenCl;
import org.relaxvm.backendopencl.OpenClCycles;

/** Virtual machines with a device that come and go leave nothing open. */
@NeedsOpenCl
@EnabledOnOs(value = OS.LINUX, disabledReason = "resident memory is read from /proc")
class OpenClCyclesTest {
  private static final Pattern LINE =
      Pattern.compile("cycles=(\\d+) handles=\\{(.*)} rss_kib=(\\d+)");

  /** From the middle to the end; a cycle that kept 64 KiB would be found. */
  private static final long MOST_GROWTH_KIB = 6 << 10;

  @Test
  void nothingGrows() throws Exception {
    String output =
        ChildJvm.run(
            OpenClCycles.class,
            Map.of(),
            List.of(
                "-Xmx128m",
                "-Xms128m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                // The other compiler takes megabytes whenever it compiles something large.
                "-XX:TieredStopAtLevel=1"));
    System.out.print(output);
    List<MatchResult> lines = LINE.matcher(output).results().toList();
    assertThat(lines).hasSize(10);
    assertThat(lines).extracting(line -> line.group(2)).as("live handles").containsOnly("");
    assertThat(kib(lines.getLast()) - kib(lines.get(4)))
        .as("growth of resident memory in KiB")
        .isLessThan(MOST_GROWTH_KIB);
  }

  private static long kib(MatchResult line) {
    return Long.parseLong(line.group(3));
  }
}
