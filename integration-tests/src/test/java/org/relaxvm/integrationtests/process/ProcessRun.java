package org.relaxvm.integrationtests.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process printed, and how it ended.
 *
 * @param status the exit code
 * @param out what it printed as its result
 * @param err its messages
 */
public record ProcessRun(int status, String out, String err) {
  /** Runs to the end. Its messages go through a file, so that neither output can fill up. */
  public static ProcessRun of(ProcessBuilder builder) throws IOException, InterruptedException {
    Path messages = Files.createTempFile("relaxvm", ".err");
    try {
      Process process = builder.redirectError(messages.toFile()).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new ProcessRun(process.waitFor(), out, Files.readString(messages));
    } finally {
      Files.delete(messages);
    }
  }

  /** The result of a process that must not fail. */
  public String requireOut() {
    assertThat(status).as(out + err).isZero();
    return out;
  }
}
