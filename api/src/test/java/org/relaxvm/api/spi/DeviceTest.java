package org.relaxvm.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.fakes.FakeDevice;
import org.relaxvm.api.host.HostDevice;

class DeviceTest {
  private final FakeDevice device = new FakeDevice("fake:0");
  private final Stream stream = device.openStream();

  @Test
  void allocateChecksSizeAndAlignment() {
    assertThatThrownBy(() -> device.allocate(-1, 64, ""))
        .isInstanceOf(BackendException.class)
        .hasMessage("cannot allocate -1 bytes on fake:0: negative size");
    for (long alignment : new long[] {0, -8, 48}) {
      assertThatThrownBy(() -> device.allocate(8, alignment, ""))
          .hasMessage(
              "cannot allocate on fake:0 with alignment " + alignment + ": not a power of two");
    }
    assertThat(device.allocate(0, 64, "").byteSize()).isZero();
  }

  @Test
  void copiesStayInsideOfTheBlocks() {
    DeviceMemory block = device.allocate(16, 64, "");
    MemorySegment eight = MemorySegment.ofArray(new byte[8]);
    assertThatThrownBy(() -> device.copyIn(eight, block, 9, stream))
        .hasMessage("copy on fake:0 touches bytes 9 to 17 of a target block of 16 bytes");
    assertThatThrownBy(() -> device.copyOut(block, -1, eight, stream))
        .hasMessage("copy on fake:0 touches bytes -1 to 7 of a source block of 16 bytes");
    assertThatThrownBy(() -> device.copyWithin(block, 0, block, 12, 8, stream))
        .hasMessage("copy on fake:0 touches bytes 12 to 20 of a target block of 16 bytes");
    assertThatThrownBy(() -> device.copyWithin(block, 0, block, Long.MAX_VALUE, 8, stream))
        .isInstanceOf(BackendException.class);
    device.copyIn(eight, block, 8, stream);
    device.copyIn(MemorySegment.ofArray(new byte[0]), block, 16, stream);
    assertThat(device.copiesIn()).isOne();
  }

  @Test
  void theHostDeviceHandsOutZeroedAlignedMemoryAndTakesItBack() {
    HostDevice host = HostDevice.INSTANCE;
    DeviceMemory memory = host.allocate(100, 256, "global");
    MemorySegment segment = HostDevice.segmentOf(memory);
    assertThat(segment.byteSize()).isEqualTo(100);
    assertThat(segment.address() % 256).isZero();
    host.free(memory);
    assertThat(segment.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> host.allocate(8, 8, "texture"))
        .hasMessage("host memory has no scope 'texture', only 'global'");
    assertThatThrownBy(() -> HostDevice.segmentOf(device.allocate(8, 8, "")))
        .hasMessage(
            "expected host memory, but got org.relaxvm.api.fakes.FakeDevice$Block of a device");
  }

  @Test
  void modulesAreSearchedBeforeTheirImports() {
    PackedFunc own = (args, result) -> result.setLong(1);
    PackedFunc imported = (args, result) -> result.setLong(2);
    Module library = Module.of("library", Map.of("f", imported, "g", imported));
    Module module =
        new Module() {
          private final Module functions = Module.of("program", Map.of("f", own));

          @Override
          public String origin() {
            return "program";
          }

          @Override
          public Set<String> functionNames() {
            return functions.functionNames();
          }

          @Override
          public Optional<PackedFunc> find(String name) {
            return functions.find(name);
          }

          @Override
          public List<Module> imports() {
            return List.of(library);
          }
        };
    assertThat(module.findWithImports("f")).contains(own);
    assertThat(module.findWithImports("g")).contains(imported);
    assertThat(module.find("g")).isEmpty();
    assertThat(module.findWithImports("h")).isEmpty();
    assertThat(device.library().functionNames()).isEmpty();
  }

  /** Each module of a chain imports the next one twice: there are a million ways to the last. */
  @Test
  void aModuleThatSeveralImportIsAskedOnce() {
    List<String> asked = new ArrayList<>();
    Module last = new Chained("module 20", List.of(), asked);
    for (int i = 19; i >= 0; i--) {
      last = new Chained("module " + i, List.of(last, last), asked);
    }
    assertThat(last.findWithImports("f")).isEmpty();
    assertThat(asked)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, 20).mapToObj(i -> "module " + i).toList());
    assertThat(last.withImports()).extracting(Module::origin).isEqualTo(asked);
  }

  private record Chained(String origin, List<Module> imports, List<String> asked)
      implements Module {
    @Override
    public Set<String> functionNames() {
      return Set.of();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      asked.add(origin);
      return Optional.empty();
    }
  }
}
