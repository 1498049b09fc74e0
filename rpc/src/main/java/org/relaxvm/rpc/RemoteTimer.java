package org.relaxvm.rpc;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.vmcore.vm.Timing;

/**
 * Measures calls on the server, without the time of the network. Immutable: each method gives a
 * changed copy. Source: docs/spec/vm-semantics.md, section 9.
 */
public final class RemoteTimer {
  private final RpcSession session;
  private final Supplier<RemoteFunction> evaluator;
  private final @Nullable RemoteModule module;
  private final String function;
  private final DeviceId device;
  private final Settings settings;

  /** What is measured how often; see {@link org.relaxvm.vmcore.vm.TimeEvaluator}. */
  private record Settings(
      int number,
      int repeat,
      int minRepeatMillis,
      int limitZeroTimeIterations,
      int cooldownMillis,
      int repeatsToCooldown,
      int cacheFlushBytes,
      String preprocess) {}

  /**
   * A timer.
   *
   * @param evaluator gives the server's function that makes time evaluators, borrowed
   * @param module whose function is measured; null for a global one
   */
  RemoteTimer(
      RpcSession session,
      Supplier<RemoteFunction> evaluator,
      @Nullable RemoteModule module,
      String function,
      DeviceId device) {
    this(session, evaluator, module, function, device, new Settings(10, 1, 0, 100, 0, 1, 0, ""));
  }

  private RemoteTimer(
      RpcSession session,
      Supplier<RemoteFunction> evaluator,
      @Nullable RemoteModule module,
      String function,
      DeviceId device,
      Settings settings) {
    this.session = session;
    this.evaluator = evaluator;
    this.module = module;
    this.function = function;
    this.device = device;
    this.settings = settings;
  }

  private RemoteTimer with(Settings changed) {
    return new RemoteTimer(session, evaluator, module, function, device, changed);
  }

  /** How many calls are timed together, 10 unless chosen, and how often, 1 unless chosen. */
  public RemoteTimer runs(int number, int repeat) {
    return with(
        new Settings(
            number,
            repeat,
            settings.minRepeatMillis,
            settings.limitZeroTimeIterations,
            settings.cooldownMillis,
            settings.repeatsToCooldown,
            settings.cacheFlushBytes,
            settings.preprocess));
  }

  /** The least time to measure, and how often a time of 0 is measured again before it is taken. */
  public RemoteTimer atLeast(int millis, int zeroTimes) {
    return with(
        new Settings(
            settings.number,
            settings.repeat,
            millis,
            zeroTimes,
            settings.cooldownMillis,
            settings.repeatsToCooldown,
            settings.cacheFlushBytes,
            settings.preprocess));
  }

  /** Pauses for some milliseconds after each so many times measured. */
  public RemoteTimer cooldown(int millis, int repeats) {
    return with(
        new Settings(
            settings.number,
            settings.repeat,
            settings.minRepeatMillis,
            settings.limitZeroTimeIterations,
            millis,
            repeats,
            settings.cacheFlushBytes,
            settings.preprocess));
  }

  /**
   * Empties caches before each time: copies so many bytes, and calls a function of the server with
   * the arguments, such as {@code cache_flush_cpu_non_first_arg}; empty for none.
   */
  public RemoteTimer flush(int bytes, String preprocess) {
    return with(
        new Settings(
            settings.number,
            settings.repeat,
            settings.minRepeatMillis,
            settings.limitZeroTimeIterations,
            settings.cooldownMillis,
            settings.repeatsToCooldown,
            bytes,
            preprocess));
  }

  /**
   * Measures.
   *
   * @param args as for {@link RemoteFunction#call}
   * @throws RemoteCallException when there is no such function, or a call fails
   */
  public Timing time(@Nullable Object... args) {
    try (RemoteFunction timed = make()) {
      Object times = timed.call(args);
      if (times instanceof byte[] bytes && bytes.length > 0 && bytes.length % Double.BYTES == 0) {
        return Timing.ofBytes(bytes);
      }
      throw new RpcProtocolException(session.peer() + " measured no times, but gave " + times);
    }
  }

  private RemoteFunction make() {
    Object made =
        evaluator
            .get()
            .call(
                module,
                function,
                device.typeCode(),
                device.ordinal(),
                settings.number,
                settings.repeat,
                settings.minRepeatMillis,
                settings.limitZeroTimeIterations,
                settings.cooldownMillis,
                settings.repeatsToCooldown,
                settings.cacheFlushBytes,
                settings.preprocess);
    if (made instanceof RemoteFunction timed) {
      return timed;
    }
    throw new RpcProtocolException(session.peer() + " made no time evaluator, but " + made);
  }
}
