package org.relaxvm.api.parallel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A full heap fails the task that needs memory: nobody waits for it for ever. */
class FullHeapTest {
  private static final int MOST_SECONDS = 100;

  @Test
  void aTaskEndsForThoseWhoWaitThoughTheHeapIsFull() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx8m",
                    "-XX:+UseSerialGC",
                    // Without buffers of threads each object is asked for on its own.
                    "-XX:-UseTLAB",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    FullHeapCompletion.class.getName()))
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8).strip())
        .isEqualTo(
            "the task failed: true, its end: java.lang.OutOfMemoryError: Java heap space, who was"
                + " called off got the reason: true");
  }
}
