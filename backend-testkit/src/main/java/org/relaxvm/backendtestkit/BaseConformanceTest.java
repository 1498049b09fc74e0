package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.testsupport.SampleSeed;
import org.slf4j.LoggerFactory;

/** What all conformance tests share: each test opens the backend, and closes it afterwards. */
@Tag("conformance")
@ExtendWith(ConformanceLists.class)
public abstract class BaseConformanceTest {
  private @Nullable Backend backend;
  private @Nullable DeviceSession session;
  private @Nullable Long seed;

  /** The backend that is tested. */
  protected abstract BackendUnderTest backendUnderTest();

  @BeforeEach
  final void openTheBackend() {
    assertThat(ConformanceLists.unknownNames(backendUnderTest(), getClass()))
        .as("excluded tests and known failures that are no tests")
        .isEmpty();
    Backend opened = backendUnderTest().provider().get().open();
    backend = opened;
    assertThat(opened.devices()).as("devices").isNotEmpty();
    session = new DeviceSession(opened.devices().getFirst());
  }

  @AfterEach
  final void closeTheBackend() {
    if (session != null) {
      session.close();
    }
    if (backend != null) {
      backend.close();
    }
  }

  final Backend backend() {
    if (backend == null) {
      throw new IllegalStateException("the backend is opened before each test");
    }
    return backend;
  }

  /** The first device with a stream, an allocator and the context of a call. */
  final DeviceSession session() {
    if (session == null) {
      throw new IllegalStateException("the session is opened before each test");
    }
    return session;
  }

  final Device device() {
    return session().device();
  }

  final boolean can(Capability capability) {
    return backendUnderTest().can(capability);
  }

  /** A generator whose seed is logged, told with a failure, and can be given. */
  final Random random() {
    long chosen = SampleSeed.random();
    LoggerFactory.getLogger(getClass()).info("-Drelaxvm.seed={}", chosen);
    seed = chosen;
    return new Random(chosen);
  }

  /** The seed of the last generator; null without one. */
  final @Nullable Long seed() {
    return seed;
  }
}
