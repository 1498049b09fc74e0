package org.relaxvm.backendtestkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.Backends;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;

/** Exclusions, known failures and capabilities do what the kit's text says. */
class KitListsTest {
  private static final String SCOPES = "aScopeThatTheDeviceLacksIsRefusedByName";

  private final BackendUnderTest sound = Backends.reference();
  private final BackendUnderTest broken =
      sound.withProvider(() -> new ReferenceBackendProvider(BrokenDevices.TakesEveryScope::new));

  @Test
  void theSoundReferencePassesEveryClassThatTheBrokenOnesRun() {
    KitRun run = KitRun.of(sound, BrokenKit.CLASSES.toArray(Class[]::new));
    assertThat(run.failures()).isEmpty();
    assertThat(run.aborted()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(50);
  }

  @Test
  void anExcludedTestIsNotRunAndSaysWhy() {
    KitRun run =
        KitRun.of(
            broken.excluding("BaseAllocatorConformanceTest." + SCOPES, "it has all scopes"),
            BrokenKit.Allocator.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.aborted().get(SCOPES)).endsWith("excluded: it has all scopes");
  }

  @Test
  void aKnownFailureThatFailsIsNotRed() {
    KitRun run =
        KitRun.of(
            broken.withKnownFailure("BaseAllocatorConformanceTest." + SCOPES, "to be repaired"),
            BrokenKit.Allocator.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.aborted().get(SCOPES)).endsWith("known failure: to be repaired");
  }

  @Test
  void aKnownFailureThatPassesIsRed() {
    KitRun run =
        KitRun.of(
            sound.withKnownFailure("BaseAllocatorConformanceTest." + SCOPES, "to be repaired"),
            BrokenKit.Allocator.class);
    assertThat(run.failures()).containsOnlyKeys(SCOPES);
    assertThat(run.failures().get(SCOPES))
        .isEqualTo(
            "java.lang.AssertionError: BaseAllocatorConformanceTest."
                + SCOPES
                + " passes, but is listed as a known failure (to be repaired): take it off the"
                + " list");
  }

  @Test
  void aListedNameThatIsNoTestIsRed() {
    KitRun run =
        KitRun.of(
            sound.excluding("BaseAllocatorConformanceTest.noSuchTest", "a slip"),
            BrokenKit.Allocator.class);
    assertThat(run.passed()).isEmpty();
    assertThat(run.failures()).isNotEmpty();
    assertThat(run.failures().get(SCOPES)).contains("BaseAllocatorConformanceTest.noSuchTest");
  }

  @Test
  void aCapabilityThatIsNotNamedMustBeRefused() {
    BackendUnderTest modest =
        BackendUnderTest.of(ReferenceBackendProvider::new)
            .with(Capability.STRIDED_TENSORS, Capability.FLOAT64, Capability.BFLOAT16);
    KitRun modules = KitRun.of(modest, BrokenKit.Module.class);
    assertThat(modules.failures()).containsKey("aDeviceIsALoaderExactlyWhenItTakesModules");
    KitRun kernels = KitRun.of(modest, BrokenKit.KernelLibrary.class);
    assertThat(kernels.failures()).containsOnlyKeys("everyKernelEqualsItsDefinitionForEveryDType");
    assertThat(kernels.failures().get("everyKernelEqualsItsDefinitionForEveryDType"))
        .contains("which is to be refused");
    BackendUnderTest rigid =
        BackendUnderTest.of(ReferenceBackendProvider::new)
            .with(Capability.FLOAT16, Capability.FLOAT64, Capability.BFLOAT16);
    assertThat(KitRun.of(rigid, BrokenKit.KernelLibrary.class).failures())
        .containsOnlyKeys("stridedTensorsAreRefusedWhereKernelsDoNotTakeThem");
  }
}
