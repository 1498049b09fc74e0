package org.relaxvm.backendtestkit;

/** The kit is green on the null backend, but for what that never does. */
class NullBackendConformanceTest extends BaseBackendConformanceTest {
  @Override
  protected BackendUnderTest backendUnderTest() {
    return Backends.nothing();
  }
}
