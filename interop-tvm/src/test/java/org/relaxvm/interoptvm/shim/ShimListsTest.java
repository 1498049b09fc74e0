package org.relaxvm.interoptvm.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.FunctionHandles;
import org.relaxvm.interoptvm.abi.ListCells;
import org.relaxvm.interoptvm.abi.TypeIndex;
import org.relaxvm.interoptvm.object.Machine;

/** What the shim does with lists of registers itself, and what it leaves to Java. */
class ShimListsTest {
  private static final int LEFT_TO_JAVA = 77;
  private static final FunctionDescriptor LIST_FUNCTION =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT);
  private static final FunctionDescriptor CALL =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG);
  private static final int COUNT = 5;

  private @TempDir Path folder;
  private final List<String> calls = new ArrayList<>();
  private Arena arena;
  private LoadedShim shim;
  private long cells;
  private long args;

  @SuppressWarnings("unused") // called by its handle
  private int listFunction(long list, int index, long source, int offset) {
    calls.add(index + " " + offset);
    return LEFT_TO_JAVA;
  }

  @SuppressWarnings("unused") // called by its handle
  private int call(long function, long source, int count, long result) {
    calls.add("call " + Long.toHexString(function));
    return LEFT_TO_JAVA;
  }

  @BeforeEach
  void load() throws Throwable {
    Machine machine = LoadedShim.requireMachine();
    if (machine != Machine.X86_64) {
      System.out.println("skipped: on " + machine + " the shim leaves lists to Java");
    }
    assumeThat(machine).isEqualTo(Machine.X86_64);
    arena = Arena.ofConfined();
    byte[] image = ElfShim.image(machine, "libshim-lists.so", RuntimeSymbols.ALL);
    shim = LoadedShim.load(image, folder.resolve("lists.so"), arena);
    MemorySegment table = shim.table(RuntimeSymbols.ALL.size() + 1);
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle list = lookup.bind(this, "listFunction", LIST_FUNCTION.toMethodType());
    MethodHandle function = lookup.bind(this, "call", CALL.toMethodType());
    for (int i = 0; i < RuntimeSymbols.ALL.size(); i++) {
      boolean isCall = RuntimeSymbols.ALL.get(i).equals(RuntimeSymbols.CALL);
      table.setAtIndex(
          ValueLayout.ADDRESS,
          i,
          isCall
              ? LoadedShim.stub(function, CALL, arena)
              : LoadedShim.stub(list, LIST_FUNCTION, arena));
    }
    long block = arena.allocate(ListCells.bytes(COUNT), Cell.BYTES).address();
    cells = ListCells.init(block, COUNT, true);
    args = arena.allocate(4L * Cell.BYTES, Cell.BYTES).address();
  }

  @AfterEach
  void close() throws Throwable {
    if (shim != null) {
      shim.close();
      arena.close();
    }
  }

  private long cell(int index) {
    return cells + (long) index * Cell.BYTES;
  }

  private long arg(int index) {
    return args + (long) index * Cell.BYTES;
  }

  private static String text(long cell) {
    return Cell.type(cell) + ":" + Cell.word(cell);
  }

  private int read(int index, int offset) throws Throwable {
    return (int)
        shim.function(RuntimeSymbols.SET_PACKED_ARG, LIST_FUNCTION)
            .invokeExact(cells, index, args, offset);
  }

  private int move(int index, int offset) throws Throwable {
    return (int)
        shim.function(RuntimeSymbols.MOVE_FROM_RETURN, LIST_FUNCTION)
            .invokeExact(cells, index, args, offset);
  }

  private int reset(int index) throws Throwable {
    return (int)
        shim.function(RuntimeSymbols.RESET_ITEM, LIST_FUNCTION).invokeExact(cells, index, 0L, 0);
  }

  @Test
  void elementsOfAnyTypeAreReadWithoutJava() throws Throwable {
    Cell.put(cell(0), TypeIndex.INT, -5);
    Cell.put(cell(4), TypeIndex.TENSOR, 1234);
    assertThat(read(0, 1)).isZero();
    assertThat(read(4, 3)).isZero();
    assertThat(text(arg(1))).isEqualTo(TypeIndex.INT + ":-5");
    assertThat(text(arg(3))).isEqualTo(TypeIndex.TENSOR + ":1234");
    assertThat(calls).isEmpty();
  }

  @Test
  void indicesOutsideOfTheListAreLeftToJava() throws Throwable {
    assertThat(read(COUNT, 1)).isEqualTo(LEFT_TO_JAVA);
    assertThat(read(-1, 1)).isEqualTo(LEFT_TO_JAVA);
    assertThat(move(COUNT, 2)).isEqualTo(LEFT_TO_JAVA);
    assertThat(reset(COUNT)).isEqualTo(LEFT_TO_JAVA);
    assertThat(calls).containsExactly("5 1", "-1 1", "5 2", "5 0");
  }

  @Test
  void scalarsAreMovedWithoutJava() throws Throwable {
    Cell.put(arg(2), TypeIndex.FLOAT, Double.doubleToRawLongBits(0.5));
    assertThat(move(3, 2)).isZero();
    assertThat(text(cell(3))).isEqualTo(TypeIndex.FLOAT + ":" + Double.doubleToRawLongBits(0.5));
    assertThat(Cell.type(arg(2))).isEqualTo(TypeIndex.NONE);
    assertThat(calls).isEmpty();
  }

  @Test
  void anOwnedResultIsMovedAndItsMarkIsInNoCellAfterwards() throws Throwable {
    Cell.putOwned(arg(0), TypeIndex.TENSOR, 4321);
    assertThat(move(1, 0)).isZero();
    assertThat(text(cell(1))).isEqualTo(TypeIndex.TENSOR + ":4321");
    assertThat(Cell.isOwned(cell(1))).isFalse();
    assertThat(Cell.isOwned(arg(0))).isFalse();
    assertThat(calls).isEmpty();
  }

  @Test
  void whatNeedsAnOwnerOrACopyIsLeftToJava() throws Throwable {
    Cell.put(arg(0), TypeIndex.TENSOR, 4321);
    assertThat(move(1, 0)).isEqualTo(LEFT_TO_JAVA);
    for (int type :
        new int[] {TypeIndex.DL_TENSOR_POINTER, TypeIndex.RAW_STRING, TypeIndex.SMALL_STRING}) {
      Cell.put(arg(0), type, 8);
      assertThat(move(1, 0)).isEqualTo(LEFT_TO_JAVA);
    }
    assertThat(text(cell(1))).isEqualTo(TypeIndex.NONE + ":0");
    assertThat(calls).hasSize(4);
  }

  @Test
  void anObjectThatIsReplacedIsLeftToJava() throws Throwable {
    Cell.put(cell(2), TypeIndex.TENSOR, 99);
    Cell.put(arg(0), TypeIndex.INT, 1);
    assertThat(move(2, 0)).isEqualTo(LEFT_TO_JAVA);
    assertThat(reset(2)).isEqualTo(LEFT_TO_JAVA);
    Cell.put(cell(2), TypeIndex.INT, 7);
    assertThat(reset(2)).isZero();
    assertThat(text(cell(2))).isEqualTo(TypeIndex.NONE + ":0");
    assertThat(calls).containsExactly("2 0", "2 0");
  }

  @Test
  void constantsAreReadOnly() throws Throwable {
    cells = ListCells.init(cells - ListCells.HEADER_BYTES, COUNT, false);
    assertThat(read(0, 0)).isZero();
    assertThat(move(0, 0)).isEqualTo(LEFT_TO_JAVA);
    assertThat(reset(0)).isEqualTo(LEFT_TO_JAVA);
  }

  @Test
  void theFunctionThatGivesNullNeedsNoJava() throws Throwable {
    MethodHandle function = shim.function(RuntimeSymbols.CALL, CALL);
    Cell.put(arg(1), TypeIndex.INT, 5);
    assertThat((int) function.invokeExact(FunctionHandles.OF_NULL | 3, arg(0), 0, arg(1))).isZero();
    assertThat(text(arg(1))).isEqualTo(TypeIndex.NONE + ":0");
    assertThat((int) function.invokeExact(FunctionHandles.TAG | 3, arg(0), 0, arg(1)))
        .isEqualTo(LEFT_TO_JAVA);
    assertThat(calls).containsExactly("call " + Long.toHexString(FunctionHandles.TAG | 3));
  }
}
