package org.relaxvm.api.registry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.DeviceProperties;

/**
 * What a registry knows of one provider, or of a jar without a usable one, for {@code doctor} and
 * for messages. Immutable.
 *
 * @param role what the provider offers
 * @param name the provider's name, or its class when it could not be asked; of a jar its file name
 * @param providerClass the provider's class, or empty when it could not be found out
 * @param origin the jar, folder or module that it comes from
 * @param state whether it can be used
 * @param detail usable: what was found; else the reason
 * @param remedy what the user can do; empty when there is nothing to do
 * @param devices the devices of a backend that was opened, in the backend's order; else empty
 * @param facts what a backend that was opened says of its state, in display order; else empty
 * @param options the options of a backend
 */
public record Diagnosis(
    Role role,
    String name,
    String providerClass,
    String origin,
    State state,
    String detail,
    String remedy,
    List<FoundDevice> devices,
    Map<String, String> facts,
    List<BackendOption> options) {

  /** Copies list and map. */
  public Diagnosis {
    devices = List.copyOf(devices);
    options = List.copyOf(options);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** What a provider offers. */
  public enum Role {
    /** Devices: a {@link org.relaxvm.api.spi.BackendProvider}. */
    BACKEND,
    /** Functions of no device: a {@link org.relaxvm.api.spi.FunctionProvider}. */
    FUNCTIONS,
    /** Types of objects: an {@link org.relaxvm.api.object.ObjectTypeProvider}. */
    OBJECT_TYPES,
    /** Passes of the compiler: an {@code org.relaxvm.compiler.pass.PassProvider}. */
    PASSES,
    /**
     * Nothing: a jar on the search path that cannot be read, or that declares providers where the
     * JVM does not find them.
     */
    JAR
  }

  /** Whether a provider can be used. */
  public enum State {
    /** It works, as far as was tried. */
    USABLE,
    /** It is in order, but this machine lacks something that it needs. */
    UNUSABLE,
    /** The jar itself is at fault: it cannot be loaded, breaks the SPI, or clashes with another. */
    BROKEN;

    /** The state of a provider that has a problem. */
    static State of(Problem problem) {
      return problem.isOfJar() ? BROKEN : UNUSABLE;
    }
  }

  /** A device of an opened backend. */
  public record FoundDevice(DeviceId id, DeviceProperties properties) {}

  /** One line: name, origin, state and reason. */
  @Override
  public String toString() {
    String line = name + " (" + origin + ") " + state.name().toLowerCase(Locale.ROOT);
    line += detail.isEmpty() ? "" : ": " + detail;
    return remedy.isEmpty() ? line : line + "; " + remedy;
  }
}
