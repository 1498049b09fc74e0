package org.relaxvm.api.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.discovery.Origins;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.fakes.FakeBackendProvider;
import org.relaxvm.api.fakes.FakeDevice;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Probe;

class BackendRegistryTest {
  private static final String HERE = Origins.of(FakeBackendProvider.class);

  private final List<String> log = new ArrayList<>();

  private FakeBackendProvider fake(String name, int devices) {
    return new FakeBackendProvider(name, log, devices);
  }

  private static FakeBackendProvider host(List<String> log) {
    return new FakeBackendProvider("cpu", log, 0).asHost().withDevices(HostDevice.INSTANCE);
  }

  @Test
  void requireOpensTheBackendOnceAndOnlyWhenAsked() {
    try (BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 2)).add(fake("other", 1)).build()) {
      registry.diagnose();
      assertThat(log).isEmpty();
      Device second = registry.require("npu:1");
      assertThat(second.id()).hasToString("npu:1");
      assertThat(registry.require("npu:1")).isSameAs(second);
      assertThat(registry.require("npu").id()).hasToString("npu:0");
      assertThat(log).containsExactly("open npu");
    }
  }

  @Test
  void requireFromManyThreadsOpensOnce() throws Exception {
    try (BackendRegistry registry = BackendRegistry.builder().add(fake("npu", 1)).build();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      CountDownLatch start = new CountDownLatch(1);
      Set<Device> seen = ConcurrentHashMap.newKeySet();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return seen.add(registry.require("npu:0"));
                }));
      }
      start.countDown();
      for (Future<?> one : running) {
        one.get();
      }
      assertThat(seen).hasSize(1);
      assertThat(log).containsExactly("open npu");
    }
  }

  @Test
  void requireOfAnUnknownBackendSaysWhichExist() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(host(log))
            .add(
                fake("cuda", 1)
                    .withProbe(() -> Probe.unusable("no driver found", "install the driver")))
            .add(fake("npu", 1).withSpiVersion(99))
            .build();
    assertThatThrownBy(() -> registry.require("opencl:2"))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            """
            no backend offers device opencl:2
              backends: cpu (%s) usable: fake driver 1.0
                        cuda (%s) unusable: no driver found; install the driver
                        npu (%s) broken: it was built for SPI version 99, but this RelaxVM has \
            SPI version 2; use a version of the jar that was built for this RelaxVM
              what to do: choose one of them, or put the backend's jar on the class path or in the \
            folder plugins/\
            """
                .formatted(HERE, HERE, HERE));
    assertThat(log).isEmpty();
  }

  @Test
  void requireOfAnUnknownBackendWithoutAnyBackendSaysSo() {
    assertThatThrownBy(() -> BackendRegistry.builder().build().require("cuda:0"))
        .hasMessage(
            """
            no backend offers device cuda:0
              backends: none
              what to do: put the backend's jar on the class path or in the \
            folder plugins/\
            """);
  }

  @Test
  void requireOfAnOrdinalOutOfRangeListsTheDevices() {
    BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 2)).add(fake("none", 0)).build();
    Throwable thrown = catchThrowable(() -> registry.require("npu:2"));
    assertThat(thrown)
        .hasMessage(
            "there is no device npu:2: the backend npu has 2 devices:"
                + " npu:0 (fake npu:0), npu:1 (fake npu:1)");
    assertThat(((BackendException) thrown).kind()).isEqualTo(ErrorKind.INDEX);
    assertThatThrownBy(() -> registry.require("none:0"))
        .hasMessage("there is no device none:0: the backend none has no device");
  }

  @Test
  void aDeviceCanBeNamedByAPartOfItsName() {
    try (BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 2)).add(fake("one", 1)).build()) {
      assertThat(registry.require("npu:NPU:1").id()).isEqualTo(new DeviceId("npu", 1));
      assertThat(registry.require("npu:Fake npu:0").id()).isEqualTo(new DeviceId("npu", 0));
      assertThat(registry.require("one: fake ").id()).isEqualTo(new DeviceId("one", 0));
    }
  }

  @Test
  void aDeviceCanBeNamedByItsUuid() {
    try (BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("npu", 0)
                    .withDevices(
                        withUuid(0, "6D657361-3232-2e33-2e36-000000000001"),
                        withUuid(1, "12345678-1234-1234-1234-123456789012"),
                        withUuid(2, "")))
            .build()) {
      assertThat(registry.idOf("npu:6d657361-3232-2e33-2e36-000000000001"))
          .isEqualTo(new DeviceId("npu", 0));
      assertThat(registry.idOf("npu:12345678-1234-1234-1234-123456789012"))
          .isEqualTo(new DeviceId("npu", 1));
      assertThatThrownBy(() -> registry.idOf("npu:12345678-1234"))
          .hasMessage(
              "there is no device npu:12345678-1234: the backend npu has 3 devices: npu:0 (twin),"
                  + " npu:1 (twin), npu:2 (twin)");
    }
  }

  private static FakeDevice withUuid(int ordinal, String uuid) {
    return new FakeDevice(new DeviceId("npu", ordinal)) {
      @Override
      public DeviceProperties properties() {
        return new DeviceProperties("twin", 0, 64, 1 << 20, Map.of(DeviceProperties.UUID, uuid));
      }
    };
  }

  @Test
  void aNameThatNoDeviceOrSeveralHaveListsTheDevices() {
    try (BackendRegistry registry = BackendRegistry.builder().add(fake("npu", 2)).build()) {
      Throwable none = catchThrowable(() -> registry.require("npu:geforce"));
      assertThat(none)
          .hasMessage(
              "there is no device npu:geforce: the backend npu has 2 devices:"
                  + " npu:0 (fake npu:0), npu:1 (fake npu:1)");
      assertThat(((BackendException) none).kind()).isEqualTo(ErrorKind.INDEX);
      Throwable several = catchThrowable(() -> registry.require("npu:fake"));
      assertThat(several)
          .hasMessage(
              "device npu:fake could be any of 2 devices: npu:0 (fake npu:0), npu:1 (fake npu:1)"
                  + "\n  what to do: give more of the name, or the number");
      assertThat(((BackendException) several).kind()).isEqualTo(ErrorKind.VALUE);
    }
  }

  @Test
  void requireOfAnUnusableBackendGivesReasonAndRemedyWithoutOpening() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("cuda", 1)
                    .withProbe(() -> Probe.unusable("no driver found", "install the driver")))
            .build();
    assertThatThrownBy(() -> registry.require("cuda:0"))
        .hasMessage(
            "device cuda:0 cannot be used: no driver found\n  backend: cuda ("
                + HERE
                + ")\n  what to do: install the driver");
    assertThat(log).isEmpty();
  }

  @Test
  void openThatFailsIsNotTriedAgainAndKeepsItsReason() {
    BackendException reason =
        new BackendException(ErrorKind.RUNTIME, "the driver is too old; update it");
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("cuda", 1)
                    .withOpen(
                        () -> {
                          throw reason;
                        }))
            .build();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> registry.require("cuda:0"))
          .hasMessage(
              "device cuda:0 cannot be used: the driver is too old; update it\n  backend: cuda ("
                  + HERE
                  + ")")
          .hasCause(reason);
    }
    assertThat(log).containsExactly("open cuda");
    assertThat(registry.diagnose().getFirst().state()).isEqualTo(Diagnosis.State.UNUSABLE);
  }

  @Test
  void openThatFailsTellsTheRemedyLast() {
    BackendException reason =
        new BackendException(
            ErrorKind.RUNTIME, "there is no driver\n  what to do: install the driver");
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("cuda", 1)
                    .withOpen(
                        () -> {
                          throw reason;
                        }))
            .build();
    assertThatThrownBy(() -> registry.require("cuda:0"))
        .hasMessage(
            "device cuda:0 cannot be used: there is no driver\n  backend: cuda ("
                + HERE
                + ")\n  what to do: install the driver")
        .hasCause(reason);
    Diagnosis diagnosis = registry.diagnose().getFirst();
    assertThat(diagnosis.detail()).isEqualTo("there is no driver");
    assertThat(diagnosis.remedy()).isEqualTo("install the driver");
  }

  @Test
  void openThatThrowsALinkageErrorMarksTheJarBroken() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("cuda", 1)
                    .withOpen(
                        () -> {
                          throw new NoClassDefFoundError("jcuda/driver/JCudaDriver");
                        }))
            .build();
    assertThatThrownBy(() -> registry.require("cuda:0"))
        .hasMessage(
            "device cuda:0 cannot be used: opening it failed: class jcuda.driver.JCudaDriver is"
                + " missing\n  backend: cuda ("
                + HERE
                + ")\n"
                + "  what to do: add the jar or module that holds the class, or replace or remove"
                + " the jar");
    assertThat(registry.diagnose().getFirst().state()).isEqualTo(Diagnosis.State.BROKEN);
  }

  @Test
  void probeThatThrowsMarksTheJarBroken() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("npu", 1)
                    .withProbe(
                        () -> {
                          throw new IllegalStateException("oops");
                        }))
            .add(fake("good", 1))
            .build();
    assertThat(registry.diagnose())
        .extracting(Diagnosis::name, Diagnosis::state, Diagnosis::detail)
        .containsExactly(
            tuple(
                "npu",
                Diagnosis.State.BROKEN,
                "probe() failed: java.lang.IllegalStateException: oops"),
            tuple("good", Diagnosis.State.USABLE, "fake driver 1.0"));
    assertThat(registry.require("good:0").id()).hasToString("good:0");
  }

  @Test
  void devicesWithWrongNamesMarkTheJarBroken() {
    BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 1).withDevice("npu:1")).build();
    assertThatThrownBy(() -> registry.require("npu:0"))
        .hasMessage(
            "device npu:0 cannot be used: its device 0 is named npu:1 instead of npu:0\n"
                + "  backend: npu ("
                + HERE
                + ")\n  what to do: use a corrected version of the jar");
  }

  @Test
  void badNamesMarkTheJarBroken() {
    BackendRegistry registry = BackendRegistry.builder().add(fake("My NPU", 0)).build();
    assertThat(registry.diagnose().getFirst().detail())
        .isEqualTo(
            "its name 'My NPU' cannot name a device: expected lower-case letters, digits, '-' and"
                + " '_', starting with a letter");
  }

  @Test
  void twoBackendsOfOneNameAreAmbiguous() {
    BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 1)).add(fake("npu", 1)).build();
    assertThatThrownBy(() -> registry.require("npu:0"))
        .hasMessage(
            "device npu:0 is ambiguous: more than one backend has the name 'npu'\n  jars: "
                + HERE
                + ", "
                + HERE
                + "\n  what to do: remove all but one of them");
    assertThat(registry.diagnose())
        .extracting(Diagnosis::detail)
        .containsOnly("the name 'npu' is also claimed by " + HERE);
  }

  @Test
  void aBrokenJarDoesNotMakeAGoodOneAmbiguous() {
    BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 1).withSpiVersion(7)).add(fake("npu", 1)).build();
    assertThat(registry.require("npu:0").id()).hasToString("npu:0");
  }

  @Test
  void hostIsFoundWithoutOpeningOtherBackends() {
    try (BackendRegistry registry =
        BackendRegistry.builder().add(fake("npu", 1)).add(host(log)).build()) {
      assertThat(registry.host()).isSameAs(HostDevice.INSTANCE);
      assertThat(log).containsExactly("open cpu");
    }
  }

  @Test
  void hostWithoutAHostBackendNamesTheRemedy() {
    BackendRegistry registry = BackendRegistry.builder().add(fake("npu", 1)).build();
    assertThatThrownBy(registry::host)
        .hasMessage(
            "no backend offers the host CPU, which every VM needs\n  backends: npu ("
                + HERE
                + ") usable: fake driver 1.0\n"
                + "  what to do: add relaxvm-backend-cpu to the class path");
  }

  @Test
  void twoHostBackendsAreRefused() {
    BackendRegistry registry =
        BackendRegistry.builder().add(host(log)).add(fake("other", 0).asHost()).build();
    assertThatThrownBy(registry::host)
        .hasMessage(
            "more than one backend offers the host CPU\n  backends: cpu ("
                + HERE
                + "), other ("
                + HERE
                + ")\n  what to do: remove all but one of them");
  }

  @Test
  void providerThatWronglyClaimsToBeTheHostIsRefused() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(fake("cpu", 0).asHost().withDevices(new FakeDevice("cpu:0")))
            .build();
    assertThatThrownBy(registry::host)
        .hasMessageStartingWith(
            "device cpu:0 cannot be used: its provider says that it is the host, but device cpu:0"
                + " says otherwise");
  }

  @Test
  void devicesLeavesOutWhatCannotBeOpened() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(fake("npu", 2))
            .add(fake("gone", 1).withProbe(() -> Probe.unusable("no", "nothing")))
            .add(host(log))
            .build();
    assertThat(registry.devices())
        .extracting(Device::toString)
        .containsExactly("npu:0", "npu:1", "cpu:0");
  }

  @Test
  void diagnoseDevicesListsDevicesWithTheirProperties() {
    BackendRegistry registry = BackendRegistry.builder().add(fake("npu", 1)).build();
    assertThat(registry.diagnose().getFirst().devices()).isEmpty();
    Diagnosis opened = registry.diagnoseDevices().getFirst();
    assertThat(opened.detail()).isEqualTo("fake driver 1.0");
    assertThat(opened.devices()).hasSize(1);
    assertThat(opened.devices().getFirst().properties().name()).isEqualTo("fake npu:0");
  }

  @Test
  void anOpenedBackendTellsItsStateEachTime() {
    AtomicInteger asked = new AtomicInteger();
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(fake("npu", 1).withState(() -> Map.of("cache", "" + asked.incrementAndGet())))
            .build();
    assertThat(registry.diagnose().getFirst().facts()).isEmpty();
    assertThat(registry.diagnoseDevices().getFirst().facts()).isEqualTo(Map.of("cache", "1"));
    assertThat(registry.diagnose().getFirst().facts()).isEqualTo(Map.of("cache", "2"));
    registry.close();
    assertThat(asked).hasValue(2);
  }

  @Test
  void aStateThatCannotBeToldHidesNothingElse() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("npu", 1)
                    .withState(
                        () -> {
                          throw new IllegalStateException("no disk");
                        }))
            .build();
    Diagnosis opened = registry.diagnoseDevices().getFirst();
    assertThat(opened.facts())
        .isEqualTo(
            Map.of("state", "unknown: state() failed: java.lang.IllegalStateException: no disk"));
    assertThat(opened.devices()).hasSize(1);
    assertThat(opened.state()).isEqualTo(Diagnosis.State.USABLE);
  }

  @Test
  void closeClosesInReverseOrderAndOnce() {
    BackendRegistry registry =
        BackendRegistry.builder().add(fake("a", 1)).add(fake("b", 1)).add(fake("c", 1)).build();
    registry.require("b:0");
    registry.require("a:0");
    registry.close();
    registry.close();
    assertThat(log).containsExactly("open b", "open a", "close a", "close b");
  }

  @Test
  void closeGoesOnAfterAFailureAndReportsAll() {
    IllegalStateException first = new IllegalStateException("a stuck");
    LinkageError second = new LinkageError("b stuck");
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("a", 1)
                    .withClose(
                        () -> {
                          throw first;
                        }))
            .add(
                fake("b", 1)
                    .withClose(
                        () -> {
                          throw second;
                        }))
            .build();
    registry.devices();
    Throwable thrown = catchThrowable(registry::close);
    assertThat(thrown).hasMessage("closing these backends failed: b, a");
    assertThat(thrown.getSuppressed()).containsExactly(second, first);
  }

  @Test
  void aClosedRegistryRefusesDevices() {
    BackendRegistry registry = BackendRegistry.builder().add(fake("a", 1)).build();
    registry.require("a:0");
    registry.close();
    assertThatThrownBy(() -> registry.require("a:0"))
        .hasMessage("this backend registry is closed: its devices cannot be used any more");
  }

  @Test
  void errorsOfTheJvmItselfAreNotCaught() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(
                fake("a", 1)
                    .withOpen(
                        () -> {
                          throw new OutOfMemoryError("test");
                        }))
            .build();
    assertThatThrownBy(() -> registry.require("a:0")).isInstanceOf(OutOfMemoryError.class);
  }
}
