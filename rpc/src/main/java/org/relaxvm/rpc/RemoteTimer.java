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
  private record Settings(Runs runs, Least least, Cooldown cooldown, Flush flush) {}

  private record Runs(int number, int repeat) {}

  private record Least(int millis, int zeroTimes) {}

  private record Cooldown(int millis, int repeats) {}

  private record Flush(int bytes, String preprocess) {}

  private static final Settings DEFAULT =
      new Settings(new Runs(10, 1), new Least(0, 100), new Cooldown(0, 1), new Flush(0, ""));

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
    this(session, evaluator, module, function, device, DEFAULT);
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
        new Settings(new Runs(number, repeat), settings.least, settings.cooldown, settings.flush));
  }

  /** The least time to measure, and how often a time of 0 is measured again before it is taken. */
  public RemoteTimer atLeast(int millis, int zeroTimes) {
    return with(
        new Settings(
            settings.runs, new Least(millis, zeroTimes), settings.cooldown, settings.flush));
  }

  /** Pauses for some milliseconds after each so many times measured. */
  public RemoteTimer cooldown(int millis, int repeats) {
    return with(
        new Settings(settings.runs, settings.least, new Cooldown(millis, repeats), settings.flush));
  }

  /**
   * Empties caches before each time: copies so many bytes, and calls a function of the server with
   * the arguments, such as {@code cache_flush_cpu_non_first_arg}; empty for none.
   */
  public RemoteTimer flush(int bytes, String preprocess) {
    return with(
        new Settings(
            settings.runs, settings.least, settings.cooldown, new Flush(bytes, preprocess)));
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
                settings.runs.number,
                settings.runs.repeat,
                settings.least.millis,
                settings.least.zeroTimes,
                settings.cooldown.millis,
                settings.cooldown.repeats,
                settings.flush.bytes,
                settings.flush.preprocess);
    if (made instanceof RemoteFunction timed) {
      return timed;
    }
    throw new RpcProtocolException(session.peer() + " made no time evaluator, but " + made);
  }
}
