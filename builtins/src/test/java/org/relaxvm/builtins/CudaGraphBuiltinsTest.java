package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeVm;

class CudaGraphBuiltinsTest {
  private final FakeVm vm = new FakeVm();
  private final AtomicInteger calls = new AtomicInteger();
  private final PackedFunc allocate =
      (args, result) -> {
        calls.incrementAndGet();
        Tensor tensor =
            DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(8), vm.stream(-1));
        Tuple tuple = Tuple.of(tensor);
        tensor.release();
        result.set(tuple);
      };

  @Test
  void theFunctionRunsEachTimeWithTheFieldsOfTheTuple() {
    PackedFunc add =
        (args, result) -> {
          calls.incrementAndGet();
          result.setLong(args.longAt(0) + args.longAt(1));
        };
    Tuple args = Tuple.of(2L, 3L);
    assertThat(vm.call("vm.builtin.cuda_graph.run_or_capture", vm, add, args, 0).asLong())
        .isEqualTo(5);
    assertThat(
            vm.call(
                    "vm.builtin.cuda_graph.run_or_capture",
                    vm,
                    Closure.of("add", add),
                    args,
                    0,
                    Shape.of(4))
                .asLong())
        .isEqualTo(5);
    assertThat(calls).hasValue(2);
  }

  @Test
  void anAllocationIsMadeOnceAndGivenBackWithTheVm() throws Exception {
    Storage first = allocation(0);
    Storage again = allocation(0);
    Storage other = allocation(1);
    assertThat(again).isSameAs(first);
    assertThat(other).isNotSameAs(first);
    assertThat(calls).hasValue(2);
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(2);
    vm.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void scalarsAreCachedToo() {
    PackedFunc count = (args, result) -> result.setLong(calls.incrementAndGet());
    assertThat(vm.call("vm.builtin.cuda_graph.get_cached_alloc", vm, count, 5).asLong()).isOne();
    assertThat(vm.call("vm.builtin.cuda_graph.get_cached_alloc", vm, count, 5).asLong()).isOne();
  }

  @Test
  void anAllocationThatFailsHalfWayIsGivenBackAndTriedAgain() {
    Tensor tensor = Tensor.scalar(1L);
    PackedFunc failing =
        (args, result) -> {
          result.set(tensor);
          throw new IllegalStateException("half way");
        };
    assertThatThrownBy(() -> vm.call("vm.builtin.cuda_graph.get_cached_alloc", vm, failing, 0))
        .hasMessage("half way");
    assertThat(tensor.isLive()).isFalse();
    assertThat(allocation(0).isLive()).isTrue();
  }

  @Test
  void everyThreadHasItsOwnUntilItEnds() throws Exception {
    Storage mine = allocation(0);
    AtomicReference<Storage> theirs = new AtomicReference<>();
    runInThread(() -> theirs.set(allocation(0)));
    assertThat(theirs.get()).isNotSameAs(mine);
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(2);

    runInThread(() -> allocation(0));
    assertThat(theirs.get()).isNotNull().matches(storage -> !storage.isLive());
    assertThat(mine.isLive()).isTrue();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(2);
    vm.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  private static void runInThread(Runnable action) throws Exception {
    CompletableFuture<Void> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              outcome.completeAsync(
                  () -> {
                    action.run();
                    return null;
                  },
                  Runnable::run);
            });
    thread.start();
    thread.join();
    outcome.get();
  }

  /** The storage of the one tensor in the cached tuple. */
  private Storage allocation(long index) {
    try (Tuple tuple =
        vm.call("vm.builtin.cuda_graph.get_cached_alloc", vm, allocate, index).asTuple()) {
      return tuple.at(0).asTensor().storage();
    }
  }
}
