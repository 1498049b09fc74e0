package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.testsupport.Effort;

/** Programs with native code that come and go leave nothing behind. */
@Timeout(300)
class NativeCyclesTest {
  private static final int CYCLES = Effort.chosen().pick(1_000, 1_000, 4_000);
  private static final Pattern LINE =
      Pattern.compile(
          "cycles=(\\d+) rss_kib=(\\d+) files=(\\d+) threads=(\\d+) maps=(\\d+) libraries=(\\d+)"
              + " reserved_bytes=(\\d+) live_blocks=(\\d+)");

  /** From the middle to the end, in KiB; what compiled code and the heap still take counts too. */
  private static final long MOST_GROWTH_KIB = 4 << 10;

  @Test
  void nothingGrows() throws Exception {
    Path folder = NativeGolden.require("03-mlp-dynamic-batch");
    String output =
        ChildJvm.run(
                List.of(
                    "-Xmx128m",
                    "-Xms128m",
                    "-XX:+AlwaysPreTouch",
                    "-XX:+UseSerialGC",
                    // The other compiler takes megabytes whenever it compiles something large.
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED"),
                ChildJvm.main(NativeCycles.class),
                folder.toAbsolutePath(),
                CYCLES)
            .requireOut();
    System.out.print(output);
    List<MatchResult> lines = LINE.matcher(output).results().toList();
    assertThat(lines).hasSize(10);
    MatchResult middle = lines.get(4);
    MatchResult last = lines.getLast();
    assertThat(number(last, 2) - number(middle, 2))
        .as("growth of resident memory in KiB")
        .isLessThan(MOST_GROWTH_KIB);
    assertThat(number(last, 3)).as("open files").isLessThanOrEqualTo(number(middle, 3));
    assertThat(number(last, 4)).as("threads").isLessThanOrEqualTo(number(middle, 4));
    assertThat(number(last, 5)).as("mappings of the library").isLessThanOrEqualTo(1);
    assertThat(number(last, 6)).as("loaded libraries").isZero();
    assertThat(number(last, 7)).as("bytes that a closed pool holds").isZero();
    assertThat(number(last, 8)).as("live blocks").isZero();
  }

  private static long number(MatchResult line, int group) {
    return Long.parseLong(line.group(group));
  }
}
