package org.relaxvm.api.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Outcome;
import org.relaxvm.api.discovery.ProviderBridge.Success;
import org.relaxvm.api.spi.AddressedBackend;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.StateReport;

/**
 * One backend provider of a registry, its verdict, and its backend once opened. Opening and closing
 * are called under the registry's lock; the others from any thread.
 */
final class BackendSlot {
  private final @Nullable BackendProvider provider;
  private final String name;
  private final String className;
  private final String origin;
  private final boolean host;
  private final boolean sound;
  private volatile @Nullable Problem problem;
  private volatile @Nullable List<Device> devices;
  private volatile @Nullable Backend backend;
  private volatile BackendOptions options = BackendOptions.none();

  /** In the order in which they were set; the last one of a name counts. */
  private final List<Setting> settings = new ArrayList<>();

  /** The value of each declared option that the backend was opened with. */
  private Map<String, String> inEffect = Map.of();

  BackendSlot(Candidate<BackendProvider> candidate) {
    this.className = candidate.className();
    this.origin = candidate.origin();
    Identity identity = Identity.of(candidate, BackendProvider::spiVersion, BackendProvider::name);
    this.name = identity.name();
    this.problem = identity.problem();
    BackendProvider made = candidate.provider();
    this.provider = problem == null ? made : null;
    this.host =
        made != null
            && problem == null
            && ProviderBridge.attempt(made::host).orElse(failure -> refuse("host()", failure));
    if (problem == null && !name.matches(DeviceId.KIND_PATTERN)) {
      this.problem =
          Problem.broken(
              "its name '"
                  + name
                  + "' cannot name a device: expected lower-case letters, digits,"
                  + " '-' and '_', starting with a letter",
              "use a corrected version of the jar");
    }
    if (made != null && problem == null) {
      List<BackendOption> declared =
          ProviderBridge.attempt(() -> List.copyOf(made.options()))
              .orElse(
                  failure -> {
                    refuse("options()", failure);
                    return List.of();
                  });
      this.options = BackendOptions.of(name, declared);
    }
    this.sound = problem == null;
  }

  /**
   * Sets an option for {@link #open()}. On an open backend only the value in effect is accepted.
   *
   * @return takes the option back unless the backend was opened with it; called under the
   *     registry's lock
   * @throws org.relaxvm.api.error.BackendException a {@code ValueError} for an option that the
   *     backend does not have, or another value than an open backend was opened with
   */
  Runnable option(String option, String value) {
    if (!sound) {
      // Why the provider cannot be used is told when a device is required.
      return () -> {};
    }
    BackendOptions changed = options.with(option, value);
    if (devices != null) {
      if (!value.equals(inEffect.get(option))) {
        throw DeviceErrors.optionOfOpen(name, option, value);
      }
      return () -> {};
    }
    boolean usable = problem == null;
    Setting setting = new Setting(option, value);
    settings.add(setting);
    options = changed;
    return () -> takeBack(setting, usable);
  }

  /** What was set of the same option meanwhile stays. */
  private void takeBack(Setting setting, boolean usable) {
    if (devices != null) {
      return;
    }
    settings.remove(setting);
    BackendOptions remaining = BackendOptions.of(name, options.declared());
    for (Setting other : settings) {
      remaining = remaining.with(other.option, other.value);
    }
    options = remaining;
    if (usable && backend == null) {
      // It may be the option with which opening failed.
      problem = null;
    }
  }

  /** One call of {@link #option}; equal only to itself. */
  private static final class Setting {
    final String option;
    final String value;

    Setting(String option, String value) {
      this.option = option;
      this.value = value;
    }
  }

  String name() {
    return name;
  }

  String origin() {
    return origin;
  }

  boolean isHost() {
    return host;
  }

  /** Whether the provider itself is in order, so that it has a right to its name. */
  boolean isSound() {
    return sound;
  }

  /** Marks this sound provider as unusable because other sound ones have its name. */
  void markAmbiguous(String others) {
    problem =
        Problem.broken(
            "the name '" + name + "' is also claimed by " + others, "remove one of the jars");
  }

  /**
   * Opens the backend at the first call.
   *
   * @return null when it cannot be used; {@link #problem()} then says why, and it stays so unless
   *     an option that was set for it is taken back
   */
  @Nullable List<Device> open() {
    if (devices == null && problem == null) {
      problem = probed().problem();
    }
    if (devices == null && problem == null && provider != null) {
      inEffect =
          options.declared().stream()
              .collect(
                  Collectors.toUnmodifiableMap(
                      BackendOption::name, declared -> options.value(declared.name())));
      switch (ProviderBridge.attempt(() -> provider.open(options))) {
        case Success<Backend> opened -> {
          backend = opened.value();
          accept(opened.value());
        }
        case Failure<Backend> failed -> problem = Problem.ofOpen(failed.cause());
      }
    }
    return devices;
  }

  /**
   * A device that is named by an address; opens the backend. Called under the registry's lock.
   *
   * @return null when the backend cannot be used, see {@link #problem()}, or has no addresses
   */
  @Nullable Device deviceAt(String address) {
    if (open() == null || !(backend instanceof AddressedBackend addressed)) {
      return null;
    }
    Device device = addressed.deviceAt(address);
    accept(addressed);
    return device;
  }

  /** Why {@link #open()} gave nothing. */
  Problem problem() {
    return Objects.requireNonNull(problem, "problem");
  }

  /** Devices if the backend is open, else null. */
  @Nullable List<Device> devicesIfOpen() {
    return devices;
  }

  /** Closes the backend if it was opened. */
  Outcome<Boolean> close() {
    Backend opened = backend;
    backend = null;
    return opened == null ? new Success<>(true) : ProviderBridge.attemptRun(opened::close);
  }

  Diagnosis diagnose() {
    List<Device> opened = devices;
    Problem known = problem;
    Verdict verdict = known == null ? probed() : new Verdict("", known);
    Problem found = opened == null ? verdict.problem() : null;
    return new Diagnosis(
        Diagnosis.Role.BACKEND,
        name,
        className,
        origin,
        found == null ? Diagnosis.State.USABLE : Diagnosis.State.of(found),
        found == null ? verdict.detail() : found.detail(),
        found == null ? "" : found.remedy(),
        opened == null ? List.of() : opened.stream().map(BackendSlot::summary).toList(),
        opened == null ? Map.of() : facts(),
        options.declared());
  }

  private Map<String, String> facts() {
    return backend instanceof StateReport report
        ? ProviderBridge.attempt(report::state)
            .orElse(
                failure ->
                    Map.of(
                        "state",
                        "unknown: " + Problem.ofFailure("state() failed", failure).detail()))
        : Map.of();
  }

  private record Verdict(String detail, @Nullable Problem problem) {}

  private Verdict probed() {
    BackendProvider asked = provider;
    if (asked == null) {
      return new Verdict("", problem);
    }
    return switch (ProviderBridge.attempt(asked::probe)) {
      case Success<Probe>(Probe probe) when probe.usable() -> new Verdict(probe.detail(), null);
      case Success<Probe>(Probe probe) ->
          new Verdict("", Problem.unusable(probe.detail(), probe.remedy()));
      case Failure<Probe>(Throwable cause) ->
          new Verdict("", Problem.ofFailure("probe() failed", cause));
    };
  }

  private void accept(Backend opened) {
    switch (ProviderBridge.attempt(() -> List.copyOf(opened.devices()))) {
      case Success<List<Device>>(List<Device> found) -> {
        String fault = faultOf(found);
        if (fault.isEmpty()) {
          devices = found;
        } else {
          problem = Problem.broken(fault, "use a corrected version of the jar");
        }
      }
      case Failure<List<Device>>(Throwable cause) ->
          problem = Problem.ofFailure("listing its devices failed", cause);
    }
  }

  private String faultOf(List<Device> found) {
    for (int i = 0; i < found.size(); i++) {
      DeviceId expected = new DeviceId(name, i);
      if (!found.get(i).id().equals(expected)) {
        return "its device " + i + " is named " + found.get(i) + " instead of " + expected;
      }
      boolean isHost = ProviderBridge.attempt(found.get(i)::isHost).orElse(_ -> false);
      if (isHost != host) {
        return "its provider says that it is "
            + (host ? "" : "not ")
            + "the host, but device "
            + expected
            + " says otherwise";
      }
    }
    return "";
  }

  private boolean refuse(String method, Throwable failure) {
    problem = Problem.ofFailure(method + " failed", failure);
    return false;
  }

  private static Diagnosis.FoundDevice summary(Device device) {
    return new Diagnosis.FoundDevice(device.id(), DeviceFacts.of(device));
  }
}
