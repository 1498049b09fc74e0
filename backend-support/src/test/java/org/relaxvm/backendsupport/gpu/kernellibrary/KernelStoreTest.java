package org.relaxvm.backendsupport.gpu.kernellibrary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.tir.library.LibraryCall;
import org.relaxvm.tir.library.LibraryFormula;
import org.relaxvm.tir.library.LibraryKernel;

/** Which kernels are kept, and when those that go are closed. */
class KernelStoreTest {
  private final List<String> made = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();
  private final KernelStore store = new KernelStore(new DeviceId("test", 0), 2);

  @Test
  void aKernelIsMadeOnceForAKey() {
    use("a");
    use("a");
    assertThat(made).containsExactly("a");
    assertThat(closed).isEmpty();
  }

  @Test
  void theKernelThatWasNotUsedForTheLongestTimeGoes() {
    use("a");
    use("b");
    use("a");
    use("c");
    assertThat(closed).containsExactly("b");
    assertThat(store.size()).isEqualTo(2);
    use("b");
    assertThat(made).containsExactly("a", "b", "c", "b");
    assertThat(closed).containsExactly("b", "a");
  }

  @Test
  void aKernelThatGoesDuringACallIsClosedAfterIt() {
    try (KernelStore.Lease running = lease("a")) {
      use("b");
      use("c");
      assertThat(closed).isEmpty();
      assertThat(running.kernel().module().origin()).isEqualTo("a");
    }
    assertThat(closed).containsExactly("a");
  }

  @Test
  void nothingIsKeptWhereThereIsNothingToCompute() {
    assertThat(store.lease("a", () -> null)).isNull();
    assertThat(store.size()).isZero();
  }

  @Test
  void whatAnotherCallMadeMeanwhileIsUsedInstead() {
    KernelStore.Lease lease =
        store.lease(
            "a",
            () -> {
              use("a");
              return kernel("a too late");
            });
    assertThat(Objects.requireNonNull(lease).kernel().module().origin()).isEqualTo("a");
    assertThat(closed).containsExactly("a too late");
    lease.close();
  }

  @Test
  void closingClosesAllKernelsThoseInUseAfterTheirCalls() {
    use("a");
    KernelStore.Lease running = lease("b");
    store.close();
    assertThat(closed).containsExactly("a");
    running.close();
    assertThat(closed).containsExactly("a", "b");
    assertThatThrownBy(() -> use("a"))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage("device test:0 is closed: it cannot be used any more");
  }

  private void use(String key) {
    lease(key).close();
  }

  private KernelStore.Lease lease(String key) {
    return Objects.requireNonNull(
        store.lease(
            key,
            () -> {
              made.add(key);
              return kernel(key);
            }));
  }

  private CompiledLibraryKernel kernel(String name) {
    PackedFunc nothing = (args, result) -> {};
    return new CompiledLibraryKernel(
        new Kernels(name, Map.of(name, nothing), closed), nothing, negative());
  }

  private static LibraryKernel negative() {
    LibraryFormula formula = Objects.requireNonNull(LibraryFormula.all().get("relaxvm.negative"));
    Tensor x = Tensor.of(new float[] {1}, Shape.of(1));
    LibraryCall call = LibraryCall.of(formula.signature(), CallArgs.of(x, x));
    return formula.request(call, true).make().orElseThrow();
  }

  /** Records when it is closed. */
  private record Kernels(String origin, Map<String, PackedFunc> functions, List<String> closed)
      implements Module {
    @Override
    public Set<String> functionNames() {
      return functions.keySet();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.ofNullable(functions.get(name));
    }

    @Override
    public void close() {
      closed.add(origin);
    }
  }
}
