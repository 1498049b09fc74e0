package org.relaxvm.interoptvm.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.interoptvm.CLibrary;

/** Loads shims into this JVM and calls them. */
@Isolated("its shim is visible to all libraries that are opened meanwhile")
class ElfShimLoadTest {
  private static final FunctionDescriptor SIX =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_DOUBLE,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);
  private static final FunctionDescriptor INIT =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

  private static final Set<String> LISTS =
      Set.of(
          RuntimeSymbols.SET_PACKED_ARG,
          RuntimeSymbols.MOVE_FROM_RETURN,
          RuntimeSymbols.RESET_ITEM);

  private @TempDir Path folder;
  private final List<String> calls = new ArrayList<>();

  @SuppressWarnings("unused") // called by its handle
  private long six(int index, long a, double b, long c, long d, long e, long f) {
    calls.add(index + ": " + a + " " + b + " " + c + " " + d + " " + e + " " + f);
    return 1000L + index;
  }

  @SuppressWarnings("unused") // called by its handle
  private int init(MemorySegment at, MemorySegment function) {
    calls.add("init " + at.address() + " " + function.address());
    return -7;
  }

  private MethodHandle own(String name, MethodType type) throws ReflectiveOperationException {
    return MethodHandles.lookup().bind(this, name, type);
  }

  private void fill(LoadedShim shim, Arena arena) throws Throwable {
    int count = RuntimeSymbols.ALL.size();
    MemorySegment table = shim.table(count + 1);
    MethodHandle six = own("six", SIX.toMethodType().insertParameterTypes(0, int.class));
    for (int i = 0; i < count; i++) {
      assertThat(table.getAtIndex(ValueLayout.JAVA_LONG, i)).isZero();
      MemorySegment stub =
          RuntimeSymbols.ALL.get(i).equals(RuntimeSymbols.INIT_ONCE)
              ? LoadedShim.stub(own("init", INIT.toMethodType()), INIT, arena)
              : LoadedShim.stub(MethodHandles.insertArguments(six, 0, i), SIX, arena);
      table.setAtIndex(ValueLayout.ADDRESS, i, stub);
    }
    assertThat(table.getAtIndex(ValueLayout.JAVA_LONG, count)).as("count of users").isZero();
    table.setAtIndex(ValueLayout.JAVA_LONG, count, 3);
  }

  @Test
  void functionsGoWhereTheTablePoints() throws Throwable {
    byte[] image = ElfShim.image(LoadedShim.requireMachine(), "libshim-a.so", RuntimeSymbols.ALL);
    try (Arena arena = Arena.ofConfined()) {
      LoadedShim shim = LoadedShim.load(image, folder.resolve("a.so"), arena);
      fill(shim, arena);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < RuntimeSymbols.ALL.size(); i++) {
        String name = RuntimeSymbols.ALL.get(i);
        if (!name.equals(RuntimeSymbols.INIT_ONCE)) {
          MethodHandle call = shim.function(name, SIX);
          // Without a list there is nothing that the shim can do itself.
          long first = LISTS.contains(name) ? 0 : -1;
          long result = (long) call.invokeExact(first, 2.5, 3L, Long.MIN_VALUE, 5L, (long) i);
          assertThat(result).isEqualTo(1000 + i);
          expected.add(i + ": " + first + " 2.5 3 " + Long.MIN_VALUE + " 5 " + i);
        }
      }
      assertThat(calls).isEqualTo(expected);
      assertThat(shim.find("no such function").address()).isZero();
      for (String name : RuntimeSymbols.ALL) {
        long distance =
            ElfShim.distanceFromTable(
                LoadedShim.requireMachine(), "libshim-a.so", RuntimeSymbols.ALL, name);
        assertThat(shim.find(ElfShim.TABLE).address() + distance)
            .isEqualTo(shim.find(name).address());
      }
      shim.close();
    }
  }

  @Test
  void aHandleThatIsSetNeedsNoCall() throws Throwable {
    byte[] image = ElfShim.image(LoadedShim.requireMachine(), "libshim-b.so", RuntimeSymbols.ALL);
    try (Arena arena = Arena.ofConfined()) {
      LoadedShim shim = LoadedShim.load(image, folder.resolve("b.so"), arena);
      fill(shim, arena);
      MethodHandle init = shim.function(RuntimeSymbols.INIT_ONCE, INIT);
      MemorySegment word = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment function = MemorySegment.ofAddress(0x1234);
      assertThat((int) init.invokeExact(word, function)).isEqualTo(-7);
      assertThat(calls).containsExactly("init " + word.address() + " " + 0x1234);
      for (long set : new long[] {1, 1L << 40, -1}) {
        word.set(ValueLayout.JAVA_LONG, 0, set);
        assertThat((int) init.invokeExact(word, function)).isZero();
      }
      assertThat(calls).hasSize(1);
      shim.close();
    }
  }

  @Test
  void aLibraryThatBindsAtOnceFindsItsFunctionsInTheShim() throws Throwable {
    byte[] image =
        ElfShim.image(LoadedShim.requireMachine(), "libshim-c.so", List.of("relaxvm_test_needed"));
    Path library =
        CLibrary.compileText(
            folder,
            "long relaxvm_test_needed(long, double, long, long, long, long);"
                + "long relaxvm_test_call(long x)"
                + "{ return relaxvm_test_needed(x, 0.5, 2, 3, 4, 5) + 1; }",
            "needy.so",
            "-Wl,-z,now");
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> LoadedShim.open(library, false, arena))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("undefined symbol: relaxvm_test_needed");
      Path file = folder.resolve("c.so");
      Files.write(file, image);
      LoadedShim shim = LoadedShim.open(file, true, arena);
      MethodHandle six = own("six", SIX.toMethodType().insertParameterTypes(0, int.class));
      shim.table(2)
          .set(
              ValueLayout.ADDRESS,
              0,
              LoadedShim.stub(MethodHandles.insertArguments(six, 0, 42), SIX, arena));
      LoadedShim user = LoadedShim.open(library, false, arena);
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
      MethodHandle call = user.function("relaxvm_test_call", type);
      assertThat((long) call.invokeExact(9L)).isEqualTo(1043);
      assertThat(calls).containsExactly("42: 9 0.5 2 3 4 5");
      user.close();
      shim.close();
    }
  }

  @Test
  void stacksStayAsTheyAre() throws Throwable {
    byte[] image = ElfShim.image(LoadedShim.requireMachine(), "libshim-d.so", RuntimeSymbols.ALL);
    Path maps = Path.of("/proc/self/maps");
    try (Arena arena = Arena.ofConfined()) {
      Path file = folder.resolve("d.so");
      LoadedShim shim = LoadedShim.load(image, file, arena);
      String real = file.toRealPath().toString();
      List<String> lines = Files.readAllLines(maps);
      assertThat(lines.stream().filter(line -> line.contains("[stack]")))
          .isNotEmpty()
          .noneMatch(line -> line.contains("rwx"));
      assertThat(lines.stream().filter(line -> line.endsWith(real)))
          .hasSizeGreaterThanOrEqualTo(2)
          .noneMatch(line -> line.contains("wx"));
      shim.close();
    }
  }
}
