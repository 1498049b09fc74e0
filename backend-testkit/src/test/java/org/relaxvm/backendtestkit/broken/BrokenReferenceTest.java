package org.relaxvm.backendtestkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DeviceId;
import org.relaxvm.backendtestkit.Backends;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** Each way to break the reference backend turns the test red that is meant for it. */
class BrokenReferenceTest {
  private record Broken(
      String test, Class<?> in, Function<DeviceId, ? extends ReferenceDevice> device) {
    DynamicTest toTest(String name) {
      return DynamicTest.dynamicTest(
          name,
          () -> {
            KitRun run =
                KitRun.of(
                    Backends.reference().withProvider(() -> new ReferenceBackendProvider(device)),
                    in);
            assertThat(run.failures())
                .as("failures, with %s passed", run.passed())
                .containsKey(test);
          });
    }
  }

  @TestFactory
  Stream<DynamicTest> theTestThatIsMeantForItFails() {
    return Stream.of(
        broken(
            "offsetsAndOddSizesTouchExactlyTheirBytes",
            BrokenKit.Copy.class,
            BrokenDevices.IgnoresOffsets::new),
        broken(
            "theSourceMayBeReusedAtOnce",
            BrokenKit.Copy.class,
            BrokenDevices.ReadsTheSourceLater::new),
        broken(
            "wholeBlocksOfAnySizeComeBack",
            BrokenKit.Copy.class,
            BrokenDevices.CopiesWholeWordsOnly::new),
        broken(
            "rangesOfOneDeviceAreCopiedWithTheirOffsets",
            BrokenKit.Copy.class,
            BrokenDevices.SwapsOffsets::new),
        broken(
            "copiesToPeersKeepTheirOffsetsAndTheOrderOfBothStreams",
            BrokenKit.Copy.class,
            BrokenDevices.CopiesToPeersAtOnce::new),
        broken(
            "aDeviceCopiesToPeersExactlyWhenItSaysSo",
            BrokenKit.Copy.class,
            BrokenDevices.ClaimsPeersThatItHasNot::new),
        broken(
            "copiesOfManyThreadsDoNotMix",
            BrokenKit.Concurrency.class,
            BrokenDevices.SharesItsStagingBuffer::new),
        broken(
            "workOfOneStreamTakesEffectInOrder",
            BrokenKit.Stream.class,
            BrokenDevices.CopiesAtOnce::new),
        broken(
            "oneStreamWaitsForAnEventOfAnother",
            BrokenKit.Stream.class,
            BrokenStreams.DoesNotWait::new),
        broken(
            "closingAStreamWaitsForItsWork",
            BrokenKit.Stream.class,
            BrokenStreams.DropsWorkAtClose::new),
        broken(
            "anEventIsCompleteOnceItsWorkIsDone",
            BrokenKit.Stream.class,
            BrokenStreams.EventsAreNeverDone::new),
        broken(
            "recordedWorkIsNotDoneMeanwhile",
            BrokenKit.Capture.class,
            BrokenCaptures.DoesTheWorkToo::new),
        broken(
            "recordedWorkReadsWhatIsThereWhenItIsSubmitted",
            BrokenKit.Capture.class,
            BrokenCaptures.SubmitsOnlyOnce::new),
        broken(
            "recordedWorkIsBetweenWhatComesBeforeAndAfterIt",
            BrokenKit.Capture.class,
            BrokenCaptures.SubmitsToItsOwnStream::new),
        broken(
            "whatNeedsTheHostFailsAndLeavesTheStreamUsable",
            BrokenKit.Capture.class,
            BrokenCaptures.WaitsWhileItRecords::new),
        broken(
            "blocksHaveAtLeastTheSizeAskedFor",
            BrokenKit.Allocator.class,
            BrokenDevices.GivesSmallerBlocks::new),
        broken(
            "aScopeThatTheDeviceLacksIsRefusedByName",
            BrokenKit.Allocator.class,
            BrokenDevices.TakesEveryScope::new),
        broken(
            "moreMemoryThanThereIsIsRefusedAndTheDeviceStaysUsable",
            BrokenKit.Allocator.class,
            BrokenDevices.FailsWithoutAType::new),
        broken(
            "blocksThatAreFreedAreUsedAgain",
            BrokenKit.Lifecycle.class,
            BrokenDevices.LosesFreedBlocks::new),
        broken(
            "aClosedDeviceRefusesEverythingUnlessItHoldsNothing",
            BrokenKit.Lifecycle.class,
            BrokenDevices.WorksAfterClose::new),
        broken(
            "closingTwiceDoesNothingMore",
            BrokenKit.Lifecycle.class,
            BrokenDevices.ClosesOnlyOnce::new),
        broken(
            "anUnknownFormatIsRefusedByName",
            BrokenKit.Module.class,
            BrokenDevices.LoadsEveryFormat::new),
        broken(
            "everyKernelEqualsItsDefinitionForEveryDType",
            BrokenKit.KernelLibrary.class,
            BrokenKernels::subtractsTheWrongWay),
        broken(
            "theLibraryOffersOnlyNamesOfTheTable",
            BrokenKit.KernelLibrary.class,
            BrokenKernels::offersANameOutsideTheTable),
        broken(
            "anArgumentOfAnotherKindIsATypedErrorThatNamesIt",
            BrokenKit.KernelLibrary.class,
            BrokenKernels::doesNotCheckRelu));
  }

  private static DynamicTest broken(
      String test, Class<?> in, Function<DeviceId, ? extends ReferenceDevice> device) {
    return new Broken(test, in, device).toTest(test);
  }
}
