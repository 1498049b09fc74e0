package org.relaxvm.backendtestkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.Backends;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;

/** Exclusions, known failures and capabilities do what the kit's text says. */
class KitListsTest {
  private static final String SCOPES = "aScopeThatTheDeviceLacksIsRefusedByName";

  private static final String KERNELS =
      "BaseKernelIrConformanceTest.allKernelsOfTheCorpusGiveWhatTheEvaluatorSays";

  private static final Set<Capability> NUMBERS =
      EnumSet.of(
          Capability.FLOAT16,
          Capability.BFLOAT16,
          Capability.FLOAT8,
          Capability.FLOAT64,
          Capability.INTEGERS);

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
  void aFactoryThatIsExcludedMakesNoTests() {
    KitRun run = KitRun.of(sound.excluding(KERNELS, "it has no kernels"), BrokenKit.KernelIr.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).containsExactly(BrokenKit.LONG_NAMES);
    assertThat(run.aborted()).containsOnlyKeys(KERNELS);
    assertThat(run.aborted().get(KERNELS)).endsWith("excluded: it has no kernels");
  }

  @Test
  void aFactoryMayFailInOneOfItsTests() {
    String bad = BrokenKit.KERNELS.get(3);
    KitRun run =
        KitRun.of(
            sound
                .withProvider(
                    () -> new ReferenceBackendProvider(id -> new BrokenDevices.Lacks(id, bad)))
                .withKnownFailure(KERNELS, "to be repaired"),
            BrokenKit.KernelIr.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.aborted()).containsOnlyKeys(bad);
    assertThat(run.aborted().get(bad)).endsWith("known failure: to be repaired");
    assertThat(run.passed()).contains(KERNELS).hasSize(BrokenKit.KERNELS.size() + 1);
  }

  @Test
  void aFactoryWhoseTestsAllPassIsNoKnownFailure() {
    KitRun run =
        KitRun.of(sound.withKnownFailure(KERNELS, "to be repaired"), BrokenKit.KernelIr.class);
    assertThat(run.failures()).containsOnlyKeys(KERNELS);
    assertThat(run.failures().get(KERNELS))
        .isEqualTo(
            "java.lang.AssertionError: "
                + KERNELS
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
  void aFailureOfARandomTestNamesItsSeed() {
    BackendUnderTest careless =
        sound.withProvider(() -> new ReferenceBackendProvider(BrokenDevices.IgnoresOffsets::new));
    KitRun run = KitRun.of(careless, BrokenKit.Copy.class);
    assertThat(run.failures().get("offsetsAndOddSizesTouchExactlyTheirBytes"))
        .containsPattern("\nrepeat it with -Drelaxvm.seed=-?[0-9]+$");
    assertThat(KitRun.of(broken, BrokenKit.Allocator.class).failures().get(SCOPES))
        .doesNotContain("seed");
  }

  @Test
  void aCapabilityThatIsNotNamedMustBeRefused() {
    KitRun modules =
        KitRun.of(BackendUnderTest.of(ReferenceBackendProvider::new), BrokenKit.Module.class);
    assertThat(modules.failures()).containsKey("aDeviceIsALoaderExactlyWhenItTakesModules");
    for (Capability missing : NUMBERS) {
      KitRun kernels = KitRun.of(without(missing), BrokenKit.KernelLibrary.class);
      assertThat(kernels.failures())
          .as("without %s", missing)
          .containsOnlyKeys("everyKernelEqualsItsDefinitionForEveryDType");
      assertThat(kernels.failures().get("everyKernelEqualsItsDefinitionForEveryDType"))
          .contains("which is to be refused");
    }
    assertThat(
            KitRun.of(without(Capability.STRIDED_TENSORS), BrokenKit.KernelLibrary.class)
                .failures())
        .containsOnlyKeys("stridedTensorsAreRefusedWhereKernelsDoNotTakeThem");
  }

  /** The reference backend as one that cannot do something. */
  private static BackendUnderTest without(Capability missing) {
    EnumSet<Capability> others = EnumSet.copyOf(NUMBERS);
    others.add(Capability.STRIDED_TENSORS);
    others.remove(missing);
    return BackendUnderTest.of(ReferenceBackendProvider::new)
        .with(others.toArray(Capability[]::new));
  }
}
