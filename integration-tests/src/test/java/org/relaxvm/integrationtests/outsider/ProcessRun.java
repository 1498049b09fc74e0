package org.relaxvm.integrationtests.outsider;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process printed, and how it ended. */
record ProcessRun(int status, String out, String err) {
  /** Runs to the end. Its messages go through a file, so that neither output can fill up. */
  static ProcessRun of(ProcessBuilder builder) throws IOException, InterruptedException {
    Path messages = Files.createTempFile("outsider", ".err");
    try {
      Process process = builder.redirectError(messages.toFile()).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new ProcessRun(process.waitFor(), out, Files.readString(messages));
    } finally {
      Files.delete(messages);
    }
  }
}
