package org.relaxvm.rpc.server;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.vm.TimeEvaluator;

/**
 * What {@code runtime.RPCTimeEvaluator} makes: a function that measures calls of another and gives
 * the times as bytes.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 9.
 */
final class TimedFunction implements PackedFunc {
  private final PackedFunc function;
  private final TimeEvaluator evaluator;
  private final long deviceType;
  private final long deviceId;
  private final @Nullable PackedFunc preprocess;

  private TimedFunction(
      PackedFunc function,
      TimeEvaluator evaluator,
      long deviceType,
      long deviceId,
      @Nullable PackedFunc preprocess) {
    this.function = function;
    this.evaluator = evaluator;
    this.deviceType = deviceType;
    this.deviceId = deviceId;
    this.preprocess = preprocess;
  }

  /**
   * Makes one from the arguments of the protocol.
   *
   * @param functions finds functions by their global names
   * @param memoryBytes that a measurement may take
   */
  static TimedFunction of(
      CallArgs args, Function<String, Optional<PackedFunc>> functions, long memoryBytes) {
    args.requireCount(
        "RPCTimeEvaluator(module, name, device_type, device_id, number, repeat, min_repeat_ms,"
            + " limit_zero_time_iterations, cooldown_interval_ms, repeats_to_cooldown,"
            + " cache_flush_bytes, f_preproc_name)",
        12);
    String name = args.stringAt(1);
    Optional<PackedFunc> target =
        args.at(0) instanceof Module module ? module.findWithImports(name) : functions.apply(name);
    PackedFunc function =
        target.orElseThrow(
            () ->
                new CallException(ErrorKind.VALUE, "there is no function '" + name + "' to time")
                    .withTvmMessage("Cannot find " + name + " in the global function"));
    long needed = (long) Double.BYTES * args.intAt(5) + 2L * args.intAt(10);
    if (needed > memoryBytes) {
      throw new CallException(
          ErrorKind.MEMORY,
          "a measurement of "
              + args.intAt(5)
              + " times with "
              + args.intAt(10)
              + " bytes to flush caches takes "
              + needed
              + " bytes\n  expected: at most "
              + memoryBytes
              + "\n  what to do: measure less often, or flush fewer bytes");
    }
    TimeEvaluator evaluator;
    try {
      evaluator =
          TimeEvaluator.ofCalls()
              .number(args.intAt(4))
              .repeat(args.intAt(5))
              .minRepeatMillis(args.intAt(6))
              .limitZeroTimeIterations(args.intAt(7))
              .cooldown(args.intAt(8), Math.max(1, args.intAt(9)))
              .cacheFlushBytes(args.intAt(10));
    } catch (IllegalArgumentException e) {
      throw new CallException(ErrorKind.VALUE, String.valueOf(e.getMessage()), e);
    }
    return new TimedFunction(
        function,
        evaluator,
        args.longAt(2),
        args.longAt(3),
        preprocess(args.stringAt(11), functions));
  }

  private static @Nullable PackedFunc preprocess(
      String name, Function<String, Optional<PackedFunc>> functions) {
    if (name.isEmpty()) {
      return null;
    }
    return functions
        .apply(name)
        .orElseThrow(
            () ->
                new CallException(ErrorKind.VALUE, "there is no function '" + name + "'")
                    .withTvmMessage("Cannot find " + name + " in the global function"));
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    VmContext context = args.context();
    int device = context.indexOf(deviceType, deviceId);
    if (device < 0) {
      throw new CallException(
          ErrorKind.VALUE, "the device of the time evaluator is not among " + context.devices());
    }
    CallResult ignored = new CallResult();
    PackedFunc before = preprocess;
    if (before != null) {
      evaluator.preprocess(() -> run(before, args, ignored));
    }
    result.set(
        evaluator
            .measure(
                calls -> {
                  for (int i = 0; i < calls; i++) {
                    run(function, args, ignored);
                  }
                  context.stream(device).synchronize();
                })
            .toBytes());
  }

  private static void run(PackedFunc function, CallArgs args, CallResult ignored) {
    function.call(args, ignored);
    ignored.setNull();
  }
}
