package org.relaxvm.vmcore.vm;

import java.lang.ref.Reference;
import java.util.Optional;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.spi.Device;

/**
 * A call that is made again and again with the same shapes, made by {@link VirtualMachine#capture}.
 * Its work was recorded once and is submitted as a whole: no bytecode runs, and the device gets one
 * demand instead of one for each kernel.
 *
 * <pre>{@code
 * try (CapturedCall step = vm.capture("main", image)) {
 *   step.setInput(0, nextImage);
 *   try (Tensor scores = step.replay().asTensor()) { ... }
 * }
 * }</pre>
 *
 * <p><b>Inputs</b> are the tensors that the call was captured with, by themselves and not by their
 * content: a replay reads what is in them then. Those that were not on the device where the program
 * expects them were copied there. Everything else is as it was: shapes, numbers, strings, results
 * of functions that only the host computes, and the constants of the program.
 *
 * <p><b>Results</b> are in the same memory each time, which belongs to the captured call: a replay
 * overwrites what an earlier one gave. {@link Tensor#toHost} keeps it. The handles belong to their
 * user, who closes them; they may stay open longer than the captured call, which keeps their memory
 * from being used for anything else.
 *
 * <p><b>Memory</b> that the call uses is used by nobody else before the captured call is closed and
 * its results too.
 *
 * <p><b>Threads.</b> Thread-safe: replays of one captured call wait for each other, since they use
 * the same memory; a thread that reads results must see to it that no other one replays meanwhile.
 * Several captured calls run at the same time, each on its own stream, and beside other calls of
 * the VM. {@link VirtualMachine#close} waits for replays and closes what is still open.
 */
public final class CapturedCall implements AutoCloseable {
  private final VirtualMachine vm;
  private final CaptureState state;

  CapturedCall(VirtualMachine vm, CaptureState state) {
    this.vm = vm;
    this.state = state;
  }

  /** The name of the function. */
  public String function() {
    return state.function();
  }

  /** The device whose work is submitted. */
  public Device device() {
    return state.device();
  }

  /** Whether the work is recorded; otherwise each replay is a plain call. */
  public boolean isRecorded() {
    return state.reason() == null;
  }

  /** Why the work is not recorded; empty when it is. */
  public Optional<String> fallbackReason() {
    return Optional.ofNullable(state.reason());
  }

  /** How many kernels and copies a replay submits; 0 when nothing is recorded. */
  public int size() {
    return state.size();
  }

  /**
   * An input, to look at it or to write into it; not while a replay runs.
   *
   * @param path the index of the argument; for a field of a tuple the index of the field after it,
   *     and so on
   * @return the tensor, borrowed
   * @throws org.relaxvm.api.error.CallException when there is no such input, it is no tensor, or
   *     this is closed
   */
  public Tensor input(int... path) {
    return state.input(path.clone());
  }

  /**
   * Copies elements into an input, after a replay that is under way.
   *
   * @param index of the argument
   * @param content on any device, of the dtype and the shape of the input; may be reused when the
   *     method returns
   * @throws org.relaxvm.api.error.CallException when there is no such input, it is no tensor or a
   *     constant, dtype or shape is another one, or this is closed
   */
  public void setInput(int index, Tensor content) {
    vm.engine()
        .guarded(
            "function " + state.function(),
            () -> {
              state.setInput(index, content);
              return state;
            });
    Reference.reachabilityFence(this);
  }

  /**
   * Makes the call again and waits for it.
   *
   * @return the result, whose handles the caller closes; tensors in it are overwritten by the next
   *     replay
   * @throws org.relaxvm.api.error.CallException when this or the VM is closed; for a plain call
   *     also what the call throws, and when its result is of another shape than at first
   * @throws org.relaxvm.api.error.BackendException when work fails or the device is lost
   */
  public Value replay() {
    try {
      return vm.watched(
          vm.engine().guarded("function " + state.function(), state::replay),
          "a replay of function " + state.function());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Waits for a replay under way and gives memory and stream back; again does nothing. */
  @Override
  public void close() {
    state.close();
  }

  @Override
  public String toString() {
    return "captured call of function " + state.function() + " on " + state.device();
  }
}
