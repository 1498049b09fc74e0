package org.relaxvm.integrationtests.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.cli.Main;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ChildJvm;

/** The flight recorder from the command line, switched off, and absent. */
class FlightRecordingTest {

  @TempDir Path folder;
  private Path program;

  @BeforeEach
  void writeProgram() throws IOException {
    program = folder.resolve("program.txt");
    Files.writeString(
        program,
        """
        relaxvm-text 1
        @main(x):
          call  vm.builtin.alloc_storage  in: %vm, shape[24], i0, dtype uint8, "global" dst: %1
          call  vm.builtin.copy           in: %0 dst: %1
          ret   %1
        """);
  }

  @Test
  void withoutARecordingNoEventIsEvenLoaded() throws IOException, InterruptedException {
    Path log = folder.resolve("classes");
    ChildJvm.run(
            List.of("-Xlog:class+load:file=" + log), ChildJvm.main(Main.class), "run", program, 7)
        .requireOut();
    assertThat(log)
        .content()
        .contains("org.relaxvm.api.memory.PooledAllocator ")
        .contains("org.relaxvm.api.events.Events ")
        .doesNotContainPattern("org\\.relaxvm\\.api\\.events\\.\\w+Event ")
        .doesNotContain("jdk.jfr.internal.");
  }

  @Test
  void withoutARecordingNothingIsAllocatedForEvents() throws IOException, InterruptedException {
    assertThat(
            ChildJvm.run(
                    // The other compiler leaves out what nobody looks at, sooner or later.
                    List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"),
                    ChildJvm.main(AllocatedBytes.class))
                .requireOut())
        .endsWith("never recorded: 0, 0\nno more recorded: 0\n");
  }

  @Test
  void aJavaImageWithoutTheRecorderRunsPrograms() throws IOException, InterruptedException {
    String withoutRecorder = "--limit-modules=java.desktop,jdk.management,jdk.unsupported";
    assertThat(
            ChildJvm.run(List.of(withoutRecorder), ChildJvm.main(Main.class), "run", program, 7)
                .requireOut())
        .contains("7");
    assertThat(ChildJvm.run(List.of(withoutRecorder), List.of(), "--list-modules").requireOut())
        .doesNotContain("jdk.jfr");
  }

  @Test
  void theCommandLineRecordsOnTheModulePath() throws IOException, InterruptedException {
    Path recording = folder.resolve("recording.jfr");
    ChildJvm.run(
            List.of(
                "--enable-native-access=org.relaxvm.api",
                "-XX:StartFlightRecording:+relaxvm.Kernel#enabled=true,+relaxvm.Allocation#enabled=true,"
                    + "filename="
                    + recording),
            List.of(
                "--module-path",
                OurModules.modulePath(),
                "--module",
                "org.relaxvm.cli/" + Main.class.getName()),
            "run",
            program,
            7)
        .requireOut();
    assertThat(RecordingFile.readAllEvents(recording))
        .filteredOn(event -> event.getEventType().getName().startsWith("relaxvm."))
        .extracting(event -> event.getEventType().getName() + Recorded.content(event))
        .contains(
            "relaxvm.Call{failed=false, function=main, instructions=3}",
            "relaxvm.Kernel{arguments=- - 0 - -, device=cpu:0, function=vm.builtin.alloc_storage}",
            "relaxvm.Kernel{arguments=7, device=, function=vm.builtin.copy}",
            "relaxvm.Allocation{blockBytes=4096, device=cpu:0, heldBytes=4096, requestedBytes=24,"
                + " reused=false}");
  }
}
