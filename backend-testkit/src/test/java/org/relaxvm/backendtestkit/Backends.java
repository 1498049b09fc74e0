package org.relaxvm.backendtestkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendtestkit.nulldevice.NullBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** The kit's own backends, as the kit tests them. */
public final class Backends {
  private static final String NO_CONTENT = "blocks of the null device have no content";
  private static final String NO_CHECKS = "the null device accepts everything";

  private Backends() {}

  public static BackendUnderTest reference() {
    return BackendUnderTest.of(ReferenceBackendProvider::new)
        .with(
            Capability.PEER_COPY,
            Capability.STRIDED_TENSORS,
            Capability.FLOAT16,
            Capability.BFLOAT16,
            Capability.FLOAT8,
            Capability.FLOAT64,
            Capability.INTEGERS)
        .withModule(sample("kernel-names", "minus = relaxvm.negative\n"))
        .withLiveBytes(device -> ((ReferenceDevice) device).liveBytes());
  }

  public static BackendUnderTest nothing() {
    BackendUnderTest backend =
        BackendUnderTest.of(NullBackendProvider::new)
            .with(
                Capability.STRIDED_TENSORS,
                Capability.FLOAT16,
                Capability.BFLOAT16,
                Capability.FLOAT8,
                Capability.FLOAT64,
                Capability.INTEGERS,
                Capability.WORKS_AFTER_CLOSE)
            .withModule(sample("null", ""));
    for (String test :
        List.of(
            "BaseCopyConformanceTest.wholeBlocksOfAnySizeComeBack",
            "BaseCopyConformanceTest.offsetsAndOddSizesTouchExactlyTheirBytes",
            "BaseCopyConformanceTest.theSourceMayBeReusedAtOnce",
            "BaseCopyConformanceTest.rangesOfOneDeviceAreCopiedWithTheirOffsets",
            "BaseCopyConformanceTest.tensorsOfAllSizesGoToTheDeviceAndBack",
            "BaseCopyConformanceTest.stridedTensorsComeBackInRowMajorOrder",
            "BaseCopyConformanceTest.tensorsGoFromDeviceToDevice",
            "BaseStreamConformanceTest.workOfOneStreamTakesEffectInOrder",
            "BaseStreamConformanceTest.anEventIsCompleteOnceItsWorkIsDone",
            "BaseStreamConformanceTest.anEventDoesNotSpeakOfLaterWork",
            "BaseStreamConformanceTest.oneStreamWaitsForAnEventOfAnother",
            "BaseStreamConformanceTest.streamsMayWaitForEachOtherAlternately",
            "BaseStreamConformanceTest.closingAStreamWaitsForItsWork",
            "BaseModuleConformanceTest.aModuleOffersItsSymbolsAndTheyRun",
            "BaseKernelLibraryConformanceTest.everyKernelEqualsItsDefinitionForEveryDType",
            "BaseKernelLibraryConformanceTest.valuesThatAreNotFiniteGiveWhatTheDefinitionsSay",
            "BaseKernelLibraryConformanceTest.theOutputMayBeAnInputWhereTheTableSaysSo",
            "BaseKernelLibraryConformanceTest.kernelsFollowTheCopiesOfTheirStreamWithoutWaiting",
            "BaseConcurrencyConformanceTest.copiesOfManyThreadsDoNotMix",
            "BaseConcurrencyConformanceTest.kernelsOfManyThreadsDoNotMix",
            "BaseConcurrencyConformanceTest.aPoolIsSharedByManyStreams",
            "BaseConcurrencyConformanceTest.anEventIsAwaitedFromAnotherThread")) {
      backend = backend.excluding(test, NO_CONTENT);
    }
    for (String test :
        List.of(
            "BaseAllocatorConformanceTest.aScopeThatTheDeviceLacksIsRefusedByName",
            "BaseAllocatorConformanceTest.moreMemoryThanThereIsIsRefusedAndTheDeviceStaysUsable",
            "BaseModuleConformanceTest.anUnknownFormatIsRefusedByName",
            "BaseModuleConformanceTest.contentThatIsNoModuleIsRefused",
            "BaseKernelLibraryConformanceTest.aWrongNumberOfArgumentsIsATypedError",
            "BaseKernelLibraryConformanceTest.anArgumentOfAnotherKindIsATypedErrorThatNamesIt",
            "BaseKernelLibraryConformanceTest"
                + ".aDTypeThatTheTableForbidsIsATypedErrorThatNamesTheArgument",
            "BaseKernelLibraryConformanceTest"
                + ".anOutputOfAnotherShapeIsATypedErrorAndNothingIsWritten",
            "BaseKernelLibraryConformanceTest.aClosedTensorIsATypedError")) {
      backend = backend.excluding(test, NO_CHECKS);
    }
    return backend;
  }

  private static SampleModule sample(String format, String text) {
    return new SampleModule(
        new ModuleImage(format, List.of("minus"), MemorySegment.ofArray(text.getBytes(UTF_8))),
        "minus");
  }
}
