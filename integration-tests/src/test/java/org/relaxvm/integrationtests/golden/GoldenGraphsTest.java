package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.ModuleJson;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Graphs of source modules are compiled; results and errors are those of the original. */
class GoldenGraphsTest {
  @ParameterizedTest
  @ValueSource(strings = {"02-ones-cast-dynamic", "06-control-flow"})
  void modulesRunAsTheOriginalDid(String name) throws IOException {
    Path folder = Golden.require(name);
    IRModule module = source(name);
    CaseFile file = CaseFile.read(folder);
    try (VirtualMachine vm = VirtualMachine.builder(Compiler.compile(module)).build()) {
      CaseRunner runner = new CaseRunner(vm, file);
      for (CaseRun run : file.runs()) {
        assertThat(runner.failure(run)).as(run.toString()).isEqualTo(Optional.empty());
      }
    }
  }

  private static IRModule source(String name) throws IOException {
    Path archive = Golden.require("json").resolve("modules.zip");
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      ZipEntry entry = zip.getEntry(name + ".00-source.json");
      try (InputStream in = zip.getInputStream(entry)) {
        return ModuleJson.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }
}
