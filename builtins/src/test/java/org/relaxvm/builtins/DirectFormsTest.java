package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.DirectFunction;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

/** Direct forms do what the general form does, whichever operands are constants. */
class DirectFormsTest {
  private static final int BASE = 3;
  private static final String CONTEXT = "ErrorContext(fn=main, loc=return) ";

  private final FakeVm vm = new FakeVm(new FakeGpu("cuda", 0));

  private record Case(String function, Supplier<@Nullable Object[]> operands) {
    @Override
    public String toString() {
      return function;
    }
  }

  private static Case call(String function, Supplier<@Nullable Object[]> operands) {
    return new Case("vm.builtin." + function, operands);
  }

  private Tensor heap(long... slots) {
    Tensor heap = tensor(DType.INT64, slots.length);
    Tensor.of(slots, Shape.of(slots.length)).copyInto(heap);
    return heap;
  }

  private Tensor tensor(DType dtype, long... dims) {
    Tensor made = DeviceTensors.allocate(vm.allocator(-1), dtype, Shape.of(dims), vm.stream(-1));
    made.segment().fill((byte) 0);
    return made;
  }

  private Tensor condition(long value) {
    Tensor made = tensor(DType.INT64);
    Tensor.scalar(value).copyInto(made);
    return made;
  }

  private Storage storage(long bytes) {
    return vm.allocator(-1).allocate(bytes, 64, "global", vm.stream(-1));
  }

  private static @Nullable Object[] of(@Nullable Object... operands) {
    return operands;
  }

  private static Tuple owned(@Nullable Object... fields) {
    return Tuple.ofOwned(fields);
  }

  private static @Nullable Object[] match(Object value, @Nullable Object heap, long... codes) {
    List<@Nullable Object> operands = new ArrayList<>(Arrays.asList(value, heap));
    operands.add((long) codes.length / 2);
    Arrays.stream(codes).forEach(operands::add);
    operands.add(CONTEXT);
    return operands.toArray();
  }

  static Stream<String> functions() {
    return Stream.of(
        "match_shape",
        "make_shape",
        "match_prim_value",
        "make_prim_value",
        "alloc_shape_heap",
        "alloc_storage",
        "alloc_tensor",
        "reshape",
        "shape_of",
        "check_tensor_info",
        "read_if_cond",
        "make_tuple",
        "tuple_getitem");
  }

  /** Calls, the first of which is made directly. */
  private List<Case> cases(String function) {
    return switch (function) {
      case "match_shape" ->
          List.of(
              call(function, () -> match(tensor(DType.FLOAT32, 2, 3), heap(0, 0), 1, 0, 1, 1)),
              call(function, () -> match(Shape.of(2, 3, 5), heap(9, 3), 0, 2, 3, 1, 2, 77)),
              call(function, () -> match(Shape.of(4, 4), heap(0), 1, 0, 3, 0)),
              call(function, () -> match(Shape.of(), null)),
              call(function, () -> match(Shape.of(2, 3), heap(0), 1, 0, 3, 0)),
              call(function, () -> match(Shape.of(2, 3), heap(0), 0, 2, 0, 4)),
              call(function, () -> match(Shape.of(2, 3), heap(0), 1, 0)),
              call(function, () -> match(Shape.of(2, 3), heap(0), 1, 0, 1, 1)),
              call(function, () -> match(Shape.of(2), tensor(DType.INT32, 4), 1, 0)),
              call(function, () -> match(Shape.of(2), null, 1, 0)),
              call(function, () -> match("text", heap(0), 1, 0)),
              call(function, () -> match(Shape.of(2), "text", 1, 0)),
              call(function, () -> match(Shape.of(2, 3, 4), heap(2, 0), 3, 0, 1, 0, 0, 5)),
              call(function, () -> match(Shape.of(2), heap(0), 4, 0)),
              call(function, () -> match(Shape.of(2), heap(0), 1, -1)),
              call(function, () -> match(Shape.of(2), heap(0), 1, Long.MAX_VALUE)),
              call(function, () -> of(Shape.of(2), heap(0), 2L, 1L, 0L, CONTEXT)),
              call(function, () -> of(Shape.of(2), heap(0))));
      case "make_shape" ->
          List.of(
              call(function, () -> of(heap(7, 8), 3L, 1L, 1L, 0L, 5L, 1L, 0L)),
              call(function, () -> of(null, 1L, 0L, 5L)),
              call(function, () -> of(heap(7), 1L, 1L, 1L)),
              call(function, () -> of("text", 1L, 1L, 0L)),
              call(function, () -> of(heap(7), 1L, 2L, 0L)),
              call(function, () -> of(heap(7), 2L, 1L, 0L)),
              call(function, () -> of(heap(7))));
      case "match_prim_value" ->
          List.of(
              call(function, () -> of(5L, heap(0), 1L, 0L, CONTEXT)),
              call(function, () -> of(true, heap(1), 3L, 0L, CONTEXT)),
              call(function, () -> of(5L, heap(4), 3L, 0L, CONTEXT)),
              call(function, () -> of(5L, heap(4), 0L, 6L, CONTEXT)),
              call(function, () -> of(5.0, heap(4), 0L, 5L, CONTEXT)),
              call(function, () -> of(5L, heap(4), 9L, 5L, CONTEXT)),
              call(function, () -> of(5L, heap(4), 1L, 0L)));
      case "make_prim_value" ->
          List.of(
              call(function, () -> of(heap(7, 8), 1L, 1L)),
              call(function, () -> of(heap(7, 8), 0L, 11L)),
              call(function, () -> of(heap(7, 8), 1L, 2L)),
              call(function, () -> of(heap(7, 8), 2L, 0L)));
      case "alloc_shape_heap" ->
          List.of(
              call(function, () -> of(vm, 3L)),
              call(function, () -> of(vm, -3L)),
              call(function, () -> of("text", 3L)),
              call(function, () -> of(3L)));
      case "alloc_storage" ->
          List.of(
              call(function, () -> of(vm, Shape.of(24), -1L, DType.UINT8, "global")),
              call(function, () -> of(vm, Shape.of(2, 3), 0L, DType.FLOAT64, "")),
              call(function, () -> of(vm, Shape.of(-1), 0L, DType.FLOAT64, "")),
              call(function, () -> of(vm, Shape.of(2), 7L, DType.FLOAT64, "global")),
              call(function, () -> of("text", Shape.of(2), 0L, DType.FLOAT64, "global")),
              call(function, () -> of(vm, "text", 0L, DType.FLOAT64, "global")),
              call(function, () -> of(vm, Shape.of(2), 1L << 40, DType.FLOAT64, "global")),
              call(function, () -> of(vm, Shape.of(2), 0L, 5L, "global")),
              call(function, () -> of(vm, Shape.of(2), 0L, DType.FLOAT64)));
      case "alloc_tensor" ->
          List.of(
              call(function, () -> of(storage(64), 0L, Shape.of(2, 3), DType.FLOAT32)),
              call(function, () -> of(storage(64), 40L, Shape.of(6), DType.FLOAT32)),
              call(function, () -> of(storage(64), 0L, Shape.of(2), DType.FLOAT32, "global")),
              call(function, () -> of(storage(64), 41L, Shape.of(6), DType.FLOAT32)),
              call(function, () -> of(storage(64), -1L, Shape.of(6), DType.FLOAT32)),
              call(function, () -> of(storage(64), 0L, Shape.of(6, -1), DType.FLOAT32)),
              call(function, () -> of("text", 0L, Shape.of(6), DType.FLOAT32)),
              call(function, () -> of(storage(64), 0L, Shape.of(2), DType.FLOAT32, "texture")),
              call(function, () -> of(storage(64), 0L, 6L, DType.FLOAT32)),
              call(function, () -> of(storage(64), 0L, Shape.of(6))));
      case "reshape" ->
          List.of(
              call(function, () -> of(tensor(DType.FLOAT32, 2, 3), Shape.of(3, 2))),
              call(function, () -> of(tensor(DType.FLOAT32, 2, 3), Shape.of(7))),
              call(function, () -> of("text", Shape.of(7))),
              call(function, () -> of(tensor(DType.FLOAT32, 2, 3), 6L)));
      case "shape_of" ->
          List.of(
              call(function, () -> of(tensor(DType.FLOAT32, 2, 3))),
              call(function, () -> of(Shape.of(2))),
              call(function, () -> of(tensor(DType.FLOAT32, 2), 1L)));
      case "check_tensor_info" ->
          List.of(
              call(function, () -> of(tensor(DType.INT8, 2, 3), 2L, DType.INT8, CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2, 3), -1L, null, CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2, 3), 2L, CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2, 3), 1L, CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2, 3), 2L, DType.INT32, CONTEXT)),
              call(function, () -> of(5L, 2L, DType.INT32, CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2), 1L, "text", CONTEXT)),
              call(function, () -> of(tensor(DType.INT8, 2), "text", CONTEXT)));
      case "read_if_cond" ->
          List.of(
              call(function, () -> of(true)),
              call(function, () -> of(0L)),
              call(function, () -> of(condition(0))),
              call(function, () -> of(condition(2))),
              call(function, () -> of(tensor(DType.INT64, 0))),
              call(function, () -> of(tensor(DType.FLOAT32))),
              call(function, () -> of(1.5)),
              call(function, () -> of("text")),
              call(function, () -> of(true, true)));
      case "make_tuple" ->
          List.of(
              call(function, () -> of()),
              call(function, () -> of(1L, true, 2.5, null, "text", tensor(DType.INT8, 2))),
              call(function, () -> of(owned(1L, tensor(DType.INT8, 2)))));
      case "tuple_getitem" ->
          List.of(
              call(function, () -> of(Tuple.of(1L, 2.5, true, "text"), 0L)),
              call(function, () -> of(Tuple.of(1L, 2.5, true, "text"), 1L)),
              call(function, () -> of(Tuple.of(1L, 2.5, true, "text"), 2L)),
              call(function, () -> of(owned(tensor(DType.INT8, 2), "text"), 0L)),
              call(function, () -> of(Tuple.of(1L, null), 1L)),
              call(function, () -> of(Tuple.of(1L), 1L)),
              call(function, () -> of("text", 0L)),
              call(function, () -> of(Tuple.of(1L), "text")));
      default -> throw new IllegalArgumentException(function);
    };
  }

  /** What a call gave, what the operands are after it, and whether it was made directly. */
  private record Outcome(String result, List<String> operands, boolean isDirect) {
    boolean isAs(Outcome other) {
      return result.equals(other.result) && operands.equals(other.operands);
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void directFormsDoWhatTheGeneralFormDoes(String function) {
    List<Case> cases = cases(function);
    for (Case call : cases) {
      int count = countOf(call);
      boolean isDirect = false;
      for (int registers = 0; registers < 1 << count; registers++) {
        for (int destination : new int[] {-1, count}) {
          Outcome general = execute(call, registers, destination, false, false);
          Outcome direct = execute(call, registers, destination, true, false);
          Outcome taking = execute(call, registers, destination, true, true);
          String what = call + ", registers " + Integer.toBinaryString(registers);
          assertThat(direct).as(what).matches(general::isAs, "is " + general);
          assertThat(taking).as(what + ", not read again").matches(general::isAs, "is " + general);
          isDirect |= direct.isDirect;
        }
      }
      if (call.equals(cases.getFirst())) {
        assertThat(isDirect).as(call + " is made directly").isTrue();
      }
    }
  }

  private static int countOf(Case call) {
    @Nullable Object[] operands = call.operands.get();
    for (Object operand : operands) {
      Managed.release(operand);
    }
    return operands.length;
  }

  @Test
  void theLastTensorInAStorageTakesItsOwner() {
    DirectFunction function = function("vm.builtin.alloc_tensor");
    CallSite site =
        new CallSite(
            1,
            new int[] {0, -1, -1, -1},
            of(null, ScalarTag.INT, Shape.of(2), DType.FLOAT32),
            new long[4]);
    DirectCall form = Optional.ofNullable(function.specialize(site)).orElseThrow();
    DirectCall taking = Optional.ofNullable(form.taking(0)).orElseThrow();
    Storage storage = storage(64);
    @Nullable Object[] refs = {storage, null};

    assertThat(taking.call(refs, new long[2], 0)).isTrue();

    assertThat(refs[0]).isNull();
    assertThat(form.taking(1)).isNull();
    Managed.release(refs[1]);
    assertThat(storage.isLive()).isFalse();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  private DirectFunction function(String name) {
    return (DirectFunction) new BuiltinFunctions().find(name).orElseThrow();
  }

  private static CallSite site(@Nullable Object[] operands, int registers, int destination) {
    int count = operands.length;
    int[] places = new int[count];
    @Nullable Object[] constantRefs = new Object[count];
    long[] constantBits = new long[count];
    for (int i = 0; i < count; i++) {
      boolean isRegister = (registers & 1 << i) != 0;
      places[i] = isRegister ? i : -1;
      constantRefs[i] = isRegister ? null : ref(operands[i]);
      constantBits[i] = isRegister ? 0 : bits(operands[i]);
    }
    return new CallSite(destination, places, constantRefs, constantBits);
  }

  private static @Nullable Object ref(@Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    return tag != null ? tag : value;
  }

  private static long bits(@Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    return tag != null && value != null ? tag.bitsOf(value) : 0;
  }

  /** Makes a call and releases everything, which nobody else may own then. */
  private Outcome execute(
      Case call, int registers, int destination, boolean isDirect, boolean takes) {
    @Nullable Object[] operands = call.operands.get();
    int count = operands.length;
    @Nullable Object[] refs = new Object[BASE + count + 1];
    long[] bits = new long[refs.length];
    for (int i = 0; i < count; i++) {
      refs[BASE + i] = ref(operands[i]);
      bits[BASE + i] = bits(operands[i]);
    }
    refs[BASE + count] = Tuple.of("before");
    String result;
    boolean isMade = false;
    try {
      DirectCall form =
          isDirect
              ? function(call.function).specialize(site(operands, registers, destination))
              : null;
      for (int i = 0; takes && form != null && i < count; i++) {
        DirectCall taking = form.taking(i);
        form = taking != null ? taking : form;
      }
      isMade = form != null && form.call(refs, bits, BASE);
      if (!isMade) {
        callGenerally(call, refs, bits, destination);
      }
      result = destination < 0 ? "dropped" : describe(at(refs, bits, BASE + count));
    } catch (RelaxException e) {
      result = e.kind() + " " + e.getMessage() + " " + e.tvmMessage();
    }
    List<String> after = new ArrayList<>();
    for (Object operand : operands) {
      after.add(describe(operand));
    }
    for (Object value : refs) {
      Managed.release(value);
    }
    for (Object operand : operands) {
      assertThat(operand instanceof Managed managed && managed.isLive())
          .as("%s: operand %s is live", call, operand)
          .isFalse();
    }
    assertThat(vm.allocator(-1).liveBlocks()).as("%s: live blocks", call).isZero();
    assertThat(vm.allocator(0).liveBlocks()).as("%s: live blocks", call).isZero();
    return new Outcome(result, after, isMade);
  }

  private void callGenerally(Case call, @Nullable Object[] refs, long[] bits, int destination) {
    PackedFunc function = function(call.function);
    CallResult result = new CallResult();
    int count = refs.length - BASE - 1;
    int[] operands = new int[count];
    Arrays.setAll(operands, i -> BASE + i);
    CallArgs args = new RegisterArgs(vm, refs, bits, operands);
    try {
      function.call(args, result);
      if (destination >= 0) {
        Managed.release(refs[BASE + destination]);
        bits[BASE + destination] = result.bits();
        refs[BASE + destination] = result.takeRef();
      }
    } finally {
      result.setNull();
    }
  }

  private static @Nullable Object at(@Nullable Object[] refs, long[] bits, int index) {
    return refs[index] instanceof ScalarTag tag ? tag.box(bits[index]) : refs[index];
  }

  private String describe(@Nullable Object value) {
    return switch (value) {
      case Tensor tensor ->
          tensor
              + " at "
              + tensor.byteOffset()
              + " of "
              + tensor.storage()
              + (tensor.isLive() && tensor.dtype().equals(DType.INT64)
                  ? Arrays.toString(tensor.toLongArray())
                  : "");
      case Tuple tuple -> tuple.fields().stream().map(this::describe).toList().toString();
      case Object[] values -> Arrays.stream(values).map(this::describe).toList().toString();
      case Storage storage -> storage + " " + storage.scope();
      case FakeVm _ -> "vm";
      case null -> "null";
      default -> value.getClass().getSimpleName() + " " + value;
    };
  }
}
