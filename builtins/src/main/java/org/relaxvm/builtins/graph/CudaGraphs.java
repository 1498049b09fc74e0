package org.relaxvm.builtins.graph;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.events.Events;

/**
 * The recordings of a program compiled for CUDA graphs, by their number and the values of symbolic
 * sizes, apart for each thread: the memory in which they work is apart too. Thread-safe.
 *
 * <p>Source: docs/spec/builtins.md, section 6.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do CUDA graphs of a program compare argument
 * locations?"
 */
final class CudaGraphs implements AutoCloseable {
  private static final int MAIN_DEVICE = 0;

  private final PerThread<Key, Graph> graphs = new PerThread<>(Graph::close);

  /** Which recording: the shape is null when the program gives none. */
  record Key(long index, @Nullable Shape shape) {}

  /**
   * A recording with the arguments that it reads and writes.
   *
   * @param recording null when the function cannot be recorded
   * @param reason why it cannot be; empty when it can
   */
  private record Graph(Tuple args, VmContext.@Nullable Recording recording, String reason) {
    void close() {
      Throwable failure = null;
      try {
        if (recording != null) {
          recording.close();
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      args.release();
      FirstFailure.raise(failure);
    }
  }

  /**
   * Submits the recording of a key, or calls the function: the first time, to be recorded after
   * that, and wherever the recording does not fit.
   */
  void run(VmContext vm, Key key, @Nullable Object function, Tuple args, CallResult result) {
    Map<Key, Graph> mine = graphs.ofCurrentThread();
    Graph known = mine.get(key);
    if (known == null) {
      call(vm, function, args, result);
      mine.put(key, recorded(vm, function, args));
      return;
    }
    VmContext.Recording recording = known.recording();
    if (recording != null && isSame(args, known.args())) {
      recording.submit(vm.stream(MAIN_DEVICE));
      Object made = recording.result();
      Managed.retain(made);
      result.set(made);
      return;
    }
    fallback(recording == null ? known.reason() : "its arguments are not where they were at first");
    call(vm, function, args, result);
  }

  private static Graph recorded(VmContext vm, @Nullable Object function, Tuple args) {
    VmContext.Recording recording = null;
    String reason = "";
    try {
      recording = vm.record(MAIN_DEVICE, function, callArgs(vm, args));
    } catch (CaptureException e) {
      reason = e.summary();
    } catch (RelaxException e) {
      // It went well a moment ago, without being recorded.
      reason = e.summary();
    }
    args.retain();
    return new Graph(args, recording, reason);
  }

  /** Calls the function itself. */
  static void call(VmContext vm, @Nullable Object function, Tuple args, CallResult result) {
    vm.invoke(function, callArgs(vm, args), result);
  }

  static void fallback(String reason) {
    Events.fallback("capture of a CUDA graph", "a call of the captured function each time", reason);
  }

  private static CallArgs callArgs(VmContext vm, Tuple args) {
    return CallArgs.of(vm, args.fields().toArray());
  }

  /** Whether values are at the same addresses: what was recorded has them as they were. */
  private static boolean isSame(@Nullable Object value, @Nullable Object recorded) {
    return switch (value) {
      case Tensor tensor when recorded instanceof Tensor other ->
          tensor.storage().memory().equals(other.storage().memory())
              && tensor.byteOffset() == other.byteOffset()
              && tensor.dtype().equals(other.dtype())
              && tensor.shape().equals(other.shape())
              && Arrays.equals(tensor.strides(), other.strides());
      case Storage storage when recorded instanceof Storage other ->
          storage.memory().equals(other.memory());
      case Tuple tuple when recorded instanceof Tuple other -> areSame(tuple, other);
      case null, default -> Objects.equals(value, recorded);
    };
  }

  private static boolean areSame(Tuple tuple, Tuple other) {
    List<@Nullable Object> fields = tuple.fields();
    if (fields.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!isSame(fields.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    graphs.close();
  }
}
