package org.relaxvm.interoprelay.release.program;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableReader;
import org.relaxvm.interoptvm.spi.RootModuleReader;
import org.relaxvm.interoptvm.spi.RootProgram;
import org.relaxvm.vmcore.program.LoadOptions;

/**
 * Reads executables of the Relay VM in exported libraries, from TVM 0.8 on.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.5. Thread-safe.
 */
public final class ReleasedRootReader implements RootModuleReader {
  @Override
  public String kind() {
    return "VMExecutable";
  }

  @Override
  public RootProgram read(MemorySegment content, LoadOptions options) {
    ReleasedExecutable executable =
        ReleasedExecutableReader.read(content, "the root module of the library");
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    facts.put("executable", ReleasedPrograms.origin(executable));
    return new RootProgram(
        ReleasedPrograms.translated(executable, options),
        ReleasedPrograms.metadata(executable),
        facts);
  }
}
