package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.testsupport.Effort;

/** Many calls with changing sizes hold no more memory than a few do. */
class MemoryUnderLoadTest {
  private static final int CALLS = Effort.chosen().pick(50_000, 50_000, 1_000_000);
  private static final Pattern LINE =
      Pattern.compile("calls=(\\d+) rss_kib=(\\d+) reserved_bytes=(\\d+) live_blocks=(\\d+)");

  /** From the middle to the end, in KiB; what compiled code and the heap still take counts too. */
  private static final long MOST_GROWTH_KIB = 16 << 10;

  @Test
  void memoryIsFlatAfterWarmUp() throws Exception {
    String output =
        ChildJvm.run(
                List.of("-Xmx256m", "-Xms256m", "-XX:+AlwaysPreTouch"),
                ChildJvm.main(MemoryUnderLoad.class),
                CALLS)
            .requireOut();
    System.out.print(output);
    List<MatchResult> lines = LINE.matcher(output).results().toList();
    assertThat(lines).hasSize(10);
    MatchResult middle = lines.get(4);
    MatchResult last = lines.getLast();
    assertThat(last.group(4)).as("live blocks").isEqualTo("0");
    assertThat(last.group(3)).as("bytes that the pool holds").isEqualTo(middle.group(3));
    if (middle.group(2).equals("0")) {
      System.out.println("resident memory not compared: this system has no /proc/self/status");
    } else {
      long growth = Long.parseLong(last.group(2)) - Long.parseLong(middle.group(2));
      assertThat(growth).as("growth of resident memory in KiB").isLessThan(MOST_GROWTH_KIB);
    }
  }
}
