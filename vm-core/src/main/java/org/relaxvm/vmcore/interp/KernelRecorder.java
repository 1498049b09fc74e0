package org.relaxvm.vmcore.interp;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelEvent;

/**
 * Records the packed functions that one run calls, after the hook that is set.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why are kernel events a hook?"
 */
final class KernelRecorder implements CallHook {
  private final @Nullable CallHook next;

  // Of an instruction that pushed a frame, the end is seen after those in the frame.
  private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();

  private KernelRecorder(@Nullable CallHook next) {
    this.next = next;
  }

  private record UnderWay(KernelEvent event, @Nullable String device, String arguments) {}

  /** The hook for a run that begins now. */
  static @Nullable CallHook around(@Nullable CallHook hook) {
    return Events.areOn() && KernelEvent.isOn() ? new KernelRecorder(hook) : hook;
  }

  @Override
  public boolean before(Object callee, String symbol, CallArgs args) {
    if (next != null && next.before(callee, symbol, args)) {
      return true;
    }
    if (callee instanceof PackedFunc) {
      String device = deviceOf(args);
      String arguments = textOf(args);
      underWay.addLast(new UnderWay(KernelEvent.start(), device, arguments));
    }
    return false;
  }

  @Override
  public void after(Object callee, String symbol, CallArgs args, @Nullable Object result) {
    if (callee instanceof PackedFunc) {
      UnderWay ended = underWay.removeLast();
      ended.event().stop();
      String device = ended.device() != null ? ended.device() : deviceOf(result);
      ended.event().emit(symbol, device == null ? "" : device, ended.arguments());
    }
    if (next != null) {
      next.after(callee, symbol, args, result);
    }
  }

  private static @Nullable String deviceOf(CallArgs args) {
    for (int i = 0; i < args.count(); i++) {
      String device = deviceOf(args.ref(i));
      if (device != null) {
        return device;
      }
    }
    return null;
  }

  private static @Nullable String deviceOf(@Nullable Object value) {
    return switch (value) {
      case Tensor tensor -> tensor.device().toString();
      case Storage storage -> storage.device().toString();
      case null, default -> null;
    };
  }

  private static String textOf(CallArgs args) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < args.count(); i++) {
      text.append(i == 0 ? "" : " ");
      switch (args.at(i)) {
        case Tensor tensor -> {
          text.append(tensor.dtype()).append('[');
          for (int axis = 0; axis < tensor.shape().rank(); axis++) {
            text.append(axis == 0 ? "" : ",").append(tensor.shape().dim(axis));
          }
          text.append(']');
        }
        case Number number -> text.append(number);
        case Boolean bool -> text.append(bool);
        case null, default -> text.append('-');
      }
    }
    return text.toString();
  }
}
