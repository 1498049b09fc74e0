package org.relaxvm.cli.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Records with the flight recorder what happens until it is stopped. Not thread-safe. */
final class ProfileRecorder implements AutoCloseable {
  private final Recording recording = new Recording();

  private ProfileRecorder() {}

  /**
   * Starts.
   *
   * @throws CallException when this Java cannot record
   */
  static ProfileRecorder start() {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty() || !FlightRecorder.isAvailable()) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "this Java has no flight recorder, which 'profile' records with: use a JDK with the"
              + " module jdk.jfr");
    }
    ProfileRecorder recorder = new ProfileRecorder();
    for (String name : ProfileReader.EVENTS) {
      recorder.recording.enable(name).withoutThreshold().withoutStackTrace();
    }
    recorder.recording.start();
    return recorder;
  }

  /**
   * Ends, and gives what was recorded.
   *
   * @param hosts ids of the devices whose work is done when it is called
   */
  Profile stop(List<String> hosts) {
    recording.stop();
    try {
      Path file = Files.createTempFile("relaxvm", ".jfr");
      try {
        recording.dump(file);
        return ProfileReader.read(file, hosts);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the recording cannot be kept in a temporary file", e);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
