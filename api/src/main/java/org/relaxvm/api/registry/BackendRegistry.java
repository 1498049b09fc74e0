package org.relaxvm.api.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Outcome;
import org.relaxvm.api.discovery.ProviderDiscovery;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.FunctionProvider;

/**
 * The backends and function providers at hand, and the devices opened so far. Discovered on the
 * class path and module path, or built by hand:
 *
 * <pre>{@code
 * try (BackendRegistry registry = BackendRegistry.discover()) {
 *   Device device = registry.require("cuda:0");
 * }
 * }</pre>
 *
 * <p><b>Cheap until asked.</b> Making a registry constructs the providers and reads their names;
 * nothing is opened. A backend is opened when one of its devices is first required, at most once,
 * and stays open until the registry is closed.
 *
 * <p><b>One bad jar hides no good one.</b> A provider that cannot be loaded, was built for another
 * SPI version or throws is left out and shows in {@link #diagnose()} with its jar, the reason and
 * the remedy; so does a jar that cannot be read.
 *
 * <p><b>Ownership.</b> The registry owns the backends and their devices; close it after every VM
 * that uses them. Registries share nothing with each other.
 *
 * <p>Thread-safe.
 */
public final class BackendRegistry implements AutoCloseable {
  private final List<BackendSlot> backends;
  private final List<FunctionSlot> functions;
  private final FunctionIndex functionIndex;
  private final List<ClassLoader> loaders;
  private final ReentrantLock opening = new ReentrantLock();
  private final List<BackendSlot> opened = new ArrayList<>();
  private volatile boolean closed;

  private BackendRegistry(
      List<Candidate<BackendProvider>> backends,
      List<Candidate<FunctionProvider>> functions,
      List<ClassLoader> loaders) {
    this.loaders = List.copyOf(loaders);
    this.backends = backends.stream().map(BackendSlot::new).toList();
    this.functions = functions.stream().map(FunctionSlot::new).toList();
    this.functionIndex = new FunctionIndex(this.functions);
    for (BackendSlot slot : this.backends) {
      String others =
          this.backends.stream()
              .filter(other -> slot.isSound() && other.isSound() && !other.equals(slot))
              .filter(other -> other.name().equals(slot.name()))
              .map(BackendSlot::origin)
              .collect(Collectors.joining(", "));
      if (!others.isEmpty()) {
        slot.markAmbiguous(others);
      }
    }
  }

  /**
   * All providers that the thread's context class loader sees, or this class's loader when the
   * thread has none, and those of the module path.
   */
  public static BackendRegistry discover() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return discover(context != null ? context : BackendRegistry.class.getClassLoader());
  }

  /** All providers that a class loader sees. */
  public static BackendRegistry discover(ClassLoader loader) {
    return builder().discover(loader).build();
  }

  /** A registry to be filled by hand. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects providers. Not thread-safe. */
  public static final class Builder {
    private final List<Candidate<BackendProvider>> backends = new ArrayList<>();
    private final List<Candidate<FunctionProvider>> functions = new ArrayList<>();
    private final List<ClassLoader> loaders = new ArrayList<>();

    private Builder() {}

    /** Adds a backend. */
    public Builder add(BackendProvider provider) {
      backends.add(Candidate.of(provider));
      return this;
    }

    /** Adds a function provider. */
    public Builder add(FunctionProvider provider) {
      functions.add(Candidate.of(provider));
      return this;
    }

    /** Adds all providers that a class loader sees. */
    public Builder discover(ClassLoader loader) {
      loaders.add(loader);
      backends.addAll(ProviderDiscovery.discover(BackendProvider.class, loader));
      functions.addAll(ProviderDiscovery.discover(FunctionProvider.class, loader));
      return this;
    }

    /** The registry. */
    public BackendRegistry build() {
      return new BackendRegistry(backends, functions, loaders);
    }
  }

  /**
   * Every provider, good or bad: backends first, then function providers, in order of discovery;
   * then the jars that the JVM passes over in silence. Opens no backend.
   */
  public List<Diagnosis> diagnose() {
    return Stream.of(
            backends.stream().map(BackendSlot::diagnose),
            functions.stream().map(slot -> slot.diagnose(functionIndex.clashes(slot))),
            jarDiagnoses().stream())
        .flatMap(Function.identity())
        .toList();
  }

  /**
   * As {@link #diagnose()}, after opening every backend that can be, so that devices are listed.
   */
  public List<Diagnosis> diagnoseDevices() {
    devices();
    return diagnose();
  }

  /**
   * The device of a text: its number, such as {@code cuda:0}, or a part of the name that it gives
   * itself, such as {@code opencl:geforce}, in upper or lower case. A device whose whole name is
   * given comes before those that only have it in theirs. An address such as {@code
   * rpc://192.168.0.7:9091/opencl:0} names a device elsewhere, see {@link
   * org.relaxvm.api.spi.AddressedBackend}; the connection is made at once. Where devices have UUIDs
   * ({@link org.relaxvm.api.spi.DeviceProperties#UUID}), such as those of Vulkan, a whole one is a
   * name, too. See {@link #require(DeviceId)}.
   *
   * @throws BackendException also a {@code ValueError} for a text of another form, or a name that
   *     more than one device has; an {@code IndexError} for a name that none has
   */
  public Device require(String device) {
    return require(idOf(device));
  }

  /**
   * The id of a device from its text, which may also be a backend's name and a part of the device's
   * name, as {@link #require(String)} reads it. A backend is opened only for the latter.
   *
   * @throws BackendException as {@link #require(String)} does; that there is a device of an id is
   *     not checked
   */
  public DeviceId idOf(String device) {
    int scheme = device.indexOf("://");
    if (scheme > 0) {
      return deviceAt(device, device.substring(0, scheme)).id();
    }
    DeviceName name = DeviceName.read(device).orElse(null);
    return name == null
        ? DeviceId.parse(device)
        : name.choose(devicesOf(name.toString(), name.kind())).id();
  }

  /**
   * A device, whose backend is opened if it is not yet. The registry owns it.
   *
   * @throws BackendException with the whole answer in its message: a {@code ValueError} when no
   *     backend or more than one has the name, an {@code IndexError} when the backend has no device
   *     of that number, a {@code RuntimeError} when the backend cannot be used here
   */
  public Device require(DeviceId id) {
    List<Device> devices = devicesOf(id.toString(), id.kind());
    if (id.ordinal() >= devices.size()) {
      throw DeviceErrors.noSuchDevice(id.toString(), id.kind(), devices);
    }
    return devices.get(id.ordinal());
  }

  private Device deviceAt(String address, String kind) {
    BackendSlot slot = claimed(address, kind);
    opening.lock();
    try {
      if (closed) {
        throw DeviceErrors.closed();
      }
      if (!opened.contains(slot)) {
        opened.add(slot);
      }
      Device device = slot.deviceAt(address);
      if (device != null) {
        return device;
      }
      if (slot.devicesIfOpen() == null) {
        throw DeviceErrors.unusable(address, kind, slot.origin(), slot.problem());
      }
      throw DeviceErrors.noAddresses(address, kind, slot.origin());
    } finally {
      opening.unlock();
    }
  }

  /** The one backend of a name. */
  private BackendSlot claimed(String device, String kind) {
    List<BackendSlot> claiming = claiming(kind);
    if (claiming.isEmpty()) {
      throw DeviceErrors.unknownBackend(device, backendDiagnoses(), jarDiagnoses());
    }
    if (claiming.size() > 1) {
      throw DeviceErrors.ambiguous(device, kind, claiming);
    }
    return claiming.getFirst();
  }

  /** The devices of a backend, of which one is asked for. */
  private List<Device> devicesOf(String device, String kind) {
    BackendSlot slot = claimed(device, kind);
    List<Device> devices = open(slot);
    if (devices == null) {
      throw DeviceErrors.unusable(device, kind, slot.origin(), slot.problem());
    }
    return devices;
  }

  /**
   * The host CPU. No other backend is opened.
   *
   * @throws BackendException when no backend offers it, more than one does, or it cannot be used
   */
  public Device host() {
    List<BackendSlot> hosts = backends.stream().filter(BackendSlot::isHost).toList();
    if (hosts.isEmpty()) {
      throw DeviceErrors.noHost(backendDiagnoses(), jarDiagnoses());
    }
    if (hosts.size() > 1) {
      throw DeviceErrors.severalHosts(hosts);
    }
    return require(new DeviceId(hosts.getFirst().name(), 0));
  }

  /**
   * Sets an option of a backend that is not open yet. For an open backend only the value in effect
   * is accepted.
   *
   * @param name the backend's and the option's, such as {@code cuda.cublas}; {@link #diagnose()}
   *     lists the options of each backend
   * @throws BackendException a {@code ValueError} when there is no such backend, it has no such
   *     option (with those that exist), the value is not legal, or the backend is open already with
   *     another value
   */
  public void option(String name, String value) {
    opening.lock();
    try {
      set(name, value);
    } finally {
      opening.unlock();
    }
  }

  /**
   * Sets several options, each as {@link #option} does, or none when one is refused.
   *
   * @param options values by name
   * @return takes the options back: a backend that is not open gets those that it had before. A
   *     backend that was opened meanwhile keeps what it was opened with
   */
  public Runnable options(Map<String, String> options) {
    List<Runnable> undo = new ArrayList<>();
    opening.lock();
    try {
      options.forEach((name, value) -> undo.addAll(set(name, value)));
    } catch (RuntimeException | Error e) {
      takeBack(undo);
      throw e;
    } finally {
      opening.unlock();
    }
    return () -> takeBack(undo);
  }

  private void takeBack(List<Runnable> undo) {
    opening.lock();
    try {
      undo.reversed().forEach(Runnable::run);
    } finally {
      opening.unlock();
    }
  }

  private List<Runnable> set(String name, String value) {
    int point = name.indexOf('.');
    if (point < 1) {
      throw DeviceErrors.optionForm(name);
    }
    List<BackendSlot> claiming = claiming(name.substring(0, point));
    if (claiming.isEmpty()) {
      throw DeviceErrors.optionOfUnknown(name, backendDiagnoses());
    }
    return claiming.stream().map(slot -> slot.option(name.substring(point + 1), value)).toList();
  }

  /** All devices of all backends that can be opened; backends that cannot are left out. */
  public List<Device> devices() {
    List<Device> all = new ArrayList<>();
    for (BackendSlot slot : backends) {
      List<Device> devices = open(slot);
      if (devices != null) {
        all.addAll(devices);
      }
    }
    return List.copyOf(all);
  }

  /** The function providers in order, those in order only; {@link #diagnose()} lists the others. */
  public List<FunctionProvider> functionProviders() {
    return functions.stream().flatMap(slot -> slot.provider().stream()).toList();
  }

  /**
   * The function of a global name, whichever provider offers it, with its provider and jar.
   *
   * @return empty when no provider offers it
   * @throws org.relaxvm.api.error.LinkException when more than one provider does, with all named
   */
  public Optional<FunctionMatch> findFunction(String name) {
    return functionIndex.locate(name);
  }

  /**
   * Closes all opened backends, the last opened first. Closing again does nothing.
   *
   * @throws BackendException when some could not be closed, each with its failure as a suppressed
   *     exception; all others are closed all the same
   */
  @Override
  public void close() {
    List<Failure<Boolean>> failures = new ArrayList<>();
    List<String> names = new ArrayList<>();
    opening.lock();
    try {
      closed = true;
      for (BackendSlot slot : opened.reversed()) {
        Outcome<Boolean> outcome = slot.close();
        if (outcome instanceof Failure<Boolean> failure) {
          failures.add(failure);
          names.add(slot.name());
        }
      }
      opened.clear();
    } finally {
      opening.unlock();
    }
    if (!failures.isEmpty()) {
      BackendException failed =
          new BackendException(
              ErrorKind.RUNTIME, "closing these backends failed: " + String.join(", ", names));
      failures.forEach(failure -> failed.addSuppressed(failure.cause()));
      throw failed;
    }
  }

  private @Nullable List<Device> open(BackendSlot slot) {
    List<Device> devices = slot.devicesIfOpen();
    if (devices != null && !closed) {
      return devices;
    }
    opening.lock();
    try {
      if (closed) {
        throw DeviceErrors.closed();
      }
      if (!opened.contains(slot)) {
        opened.add(slot);
      }
      return slot.open();
    } finally {
      opening.unlock();
    }
  }

  private List<BackendSlot> claiming(String name) {
    List<BackendSlot> named = backends.stream().filter(slot -> slot.name().equals(name)).toList();
    List<BackendSlot> sound = named.stream().filter(BackendSlot::isSound).toList();
    // A broken jar has no say; only where no other has the name does the answer speak of it.
    return sound.isEmpty() ? named.stream().limit(1).toList() : sound;
  }

  private List<Diagnosis> backendDiagnoses() {
    return backends.stream().map(BackendSlot::diagnose).toList();
  }

  private List<Diagnosis> jarDiagnoses() {
    Set<String> origins =
        Stream.concat(
                backends.stream().map(BackendSlot::origin),
                functions.stream().map(FunctionSlot::origin))
            .collect(Collectors.toSet());
    return JarChecks.diagnose(loaders, origins);
  }
}
