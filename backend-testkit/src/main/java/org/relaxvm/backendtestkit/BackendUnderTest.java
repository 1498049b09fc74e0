package org.relaxvm.backendtestkit;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;

/**
 * Describes a backend to the conformance tests. Immutable; each {@code with…} method returns
 * another description.
 *
 * <p>Tests that do not hold are named {@code BaseCopyConformanceTest.aNameOfATest}, in one of two
 * lists. An <em>exclusion</em> is permanent: the test asks for what the backend never does; it is
 * not run, and its reason is reported. A <em>known failure</em> is to be repaired: it is run, and
 * passing is an error, so that the list stays true. A name that no test has is an error in both.
 *
 * @param provider makes a new provider; called often
 * @param capabilities what the backend can do
 * @param exclusions reasons by name of the test, or by {@code BaseCopyConformanceTest.*}
 * @param knownFailures reasons by name of the test
 * @param sampleModule for {@link Capability#MODULES}; null without it
 * @param liveBytes bytes of a device's blocks that were not freed, for leak tests; null when the
 *     backend does not know
 */
public record BackendUnderTest(
    Supplier<? extends BackendProvider> provider,
    Set<Capability> capabilities,
    Map<String, String> exclusions,
    Map<String, String> knownFailures,
    @Nullable SampleModule sampleModule,
    @Nullable ToLongFunction<Device> liveBytes) {

  /** Copies the collections. */
  public BackendUnderTest {
    capabilities = Set.copyOf(capabilities);
    exclusions = Map.copyOf(exclusions);
    knownFailures = Map.copyOf(knownFailures);
  }

  /** A backend without capabilities, exclusions and known failures. */
  public static BackendUnderTest of(Supplier<? extends BackendProvider> provider) {
    return new BackendUnderTest(provider, Set.of(), Map.of(), Map.of(), null, null);
  }

  /** With more capabilities. */
  public BackendUnderTest with(Capability... more) {
    EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(capabilities);
    all.addAll(List.of(more));
    return new BackendUnderTest(provider, all, exclusions, knownFailures, sampleModule, liveBytes);
  }

  /** With a test that is not run because the backend never does what it asks for. */
  public BackendUnderTest excluding(String test, String reason) {
    return new BackendUnderTest(
        provider,
        capabilities,
        plus(exclusions, test, reason),
        knownFailures,
        sampleModule,
        liveBytes);
  }

  /** With a test that fails for now. */
  public BackendUnderTest withKnownFailure(String test, String reason) {
    return new BackendUnderTest(
        provider,
        capabilities,
        exclusions,
        plus(knownFailures, test, reason),
        sampleModule,
        liveBytes);
  }

  /** With a module to load, which also adds {@link Capability#MODULES}. */
  public BackendUnderTest withModule(SampleModule module) {
    BackendUnderTest with = with(Capability.MODULES);
    return new BackendUnderTest(
        provider, with.capabilities, exclusions, knownFailures, module, liveBytes);
  }

  /** With a count of the bytes that a device has handed out. */
  public BackendUnderTest withLiveBytes(ToLongFunction<Device> bytes) {
    return new BackendUnderTest(
        provider, capabilities, exclusions, knownFailures, sampleModule, bytes);
  }

  /** With another way to make the provider. */
  public BackendUnderTest withProvider(Supplier<? extends BackendProvider> other) {
    return new BackendUnderTest(
        other, capabilities, exclusions, knownFailures, sampleModule, liveBytes);
  }

  /** Whether the backend can do something. */
  public boolean can(Capability capability) {
    return capabilities.contains(capability);
  }

  private static Map<String, String> plus(Map<String, String> map, String test, String reason) {
    Map<String, String> more = new LinkedHashMap<>(map);
    more.put(test, reason);
    return more;
  }
}
