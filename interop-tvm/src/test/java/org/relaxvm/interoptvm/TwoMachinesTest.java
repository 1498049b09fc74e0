package org.relaxvm.interoptvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleNode;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Two virtual machines that run one native library, whose code calls the function {@code
 * test.twice} by name. Each has another function of that name. The library keeps in a variable what
 * its first lookup gave, and has its variables once in the process.
 */
@Timeout(60)
class TwoMachinesTest {
  private static final int CALLS = 20_000;

  @TempDir static Path folder;
  static Path library;

  @BeforeAll
  static void compile() throws IOException {
    ExecBuilder executable = new ExecBuilder();
    executable.function("main", List.of("x"), f -> f.ret(f.call("call_by_name", f.param(0))));
    executable.function("next", List.of(), f -> f.ret(f.call("count")));
    MemorySegment bytes = MemorySegment.ofArray(ExecutableWriter.write(executable.get()));
    LibraryBin modules =
        new LibraryBin(
            List.of(
                new ModuleNode(ModuleNode.EXECUTABLE, bytes, List.of(1)),
                new ModuleNode(ModuleNode.LIBRARY, MemorySegment.ofArray(new byte[0]), List.of())));
    Path container = folder.resolve("container.bin").toAbsolutePath();
    Files.write(container, modules.toBytes());
    library =
        CLibrary.compile(
            folder, "imitation.c", "model.so", "-DTVM_TEST_CONTAINER=\"" + container + "\"");
  }

  private static VirtualMachine machine(PackedFunc function) {
    Program program = Program.load(library, LoadOptions.DEFAULT.withNativeCode(true));
    return VirtualMachine.builder(program).function("test.twice", function).build();
  }

  private static PackedFunc times(long factor) {
    return (args, result) -> result.setLong(factor * args.longAt(0));
  }

  private static long call(VirtualMachine vm, long x) {
    return vm.function("main").call(x).asLong();
  }

  @Test
  void eachGetsTheResultOfItsOwnFunctionAlternately() {
    try (VirtualMachine two = machine(times(2));
        VirtualMachine ten = machine(times(10))) {
      for (long x = 1; x <= 3; x++) {
        assertThat(call(two, x)).isEqualTo(2 * x);
        assertThat(call(ten, x)).isEqualTo(10 * x);
      }
      long count = two.function("next").call().asLong();
      assertThat(ten.function("next").call().asLong())
          .as("they share the library's variables")
          .isEqualTo(count + 1);
      two.close();
      assertThat(call(ten, 7)).isEqualTo(70);
    }
  }

  @Test
  void eachGetsTheResultOfItsOwnFunctionAtTheSameTime() throws Exception {
    try (VirtualMachine two = machine(times(2));
        VirtualMachine ten = machine(times(10));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      CyclicBarrier start = new CyclicBarrier(4);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        VirtualMachine vm = i % 2 == 0 ? two : ten;
        long factor = i % 2 == 0 ? 2 : 10;
        all.add(
            threads.submit(
                () -> {
                  start.await();
                  for (long x = 1; x <= CALLS; x++) {
                    assertThat(call(vm, x)).isEqualTo(factor * x);
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  @Test
  void oneMayRunInsideOfTheOther() {
    try (VirtualMachine ten = machine(times(10));
        VirtualMachine outer =
            machine((args, result) -> result.setLong(1 + call(ten, args.longAt(0))))) {
      assertThat(call(outer, 7)).isEqualTo(71);
      assertThat(call(ten, 7)).isEqualTo(70);
      assertThat(call(outer, 8)).isEqualTo(81);
    }
  }

  @Test
  @ResourceLock("org.relaxvm.api.Functions")
  void oneWithoutTheFunctionIsToldSoThoughTheOtherHasIt() {
    Program program = Program.load(library, LoadOptions.DEFAULT.withNativeCode(true));
    try (VirtualMachine two = machine(times(2));
        VirtualMachine none = VirtualMachine.builder(program).build()) {
      assertThat(call(two, 7)).isEqualTo(14);
      assertThatThrownBy(() -> call(none, 7))
          .hasMessageStartingWith(
              "compiled code needs the function 'test.twice', which nothing provides\n"
                  + "  what to do: register it with function(name, f) on the builder or with"
                  + " Functions.register, or add the jar that provides it");
      assertThat(call(two, 8)).isEqualTo(16);
    }
  }

  @Test
  @ResourceLock("org.relaxvm.api.Functions")
  void nativeCodeFindsFunctionsOfTheProcessAfterThoseOfTheBuilder() {
    Program program = Program.load(library, LoadOptions.DEFAULT.withNativeCode(true));
    Functions.register("test.twice", times(3));
    try (VirtualMachine two = machine(times(2));
        VirtualMachine plain = VirtualMachine.builder(program).build()) {
      assertThat(call(plain, 7)).isEqualTo(21);
      assertThat(call(two, 7)).isEqualTo(14);
    } finally {
      Functions.remove("test.twice");
    }
  }
}
